// Start: the place in the address, else the first finding, else the beginning.

let quiet = true;

function remember(place) {
  if (quiet) return;
  tellDesk({ fieldpost: "place", place });
  try {
    history.replaceState(null, "", `#${place}`);
  } catch {
    // a page opened from some places may not change its address; nothing else depends on it
  }
}

function start() {
  const [, what, number] = /^#?(step|finding)=(\d+)$/.exec(location.hash || document.body.dataset.start || "") || [];
  const finding = what === "finding" ? Number(number) - 1 : what ? -1 : shownInOrder()[0];
  if (story.findings[finding]) choose(finding, { scroll: what === "finding" });
  else go(what === "step" ? Number(number) : 0);
}

document.body.classList.remove("no-script");
select(byId("tab-faults"));
drawSegments();
drawTicks();
fillPhases();
refreshCounters(new Set([...position.at.keys(), ...position.hexMarks.keys()]));
go(0);
fitAll();
start();
quiet = false;
tellFindings();
greetDesk();
window.addEventListener("hashchange", start);
new ResizeObserver(() => {
  if (keepMiddle() && chosenFinding >= 0) bringIntoSight(focusOf(current()));
}).observe(viewport);
