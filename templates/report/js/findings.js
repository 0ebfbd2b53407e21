// The list of findings: filters, and the way from a finding to the map.

let chosenFinding = -1;
const narrow = matchMedia("(max-width: 60rem)"); // there the list is below the map
const filters = byId("filters");
const cards = [...document.querySelectorAll(".finding")];

function wanted() {
  const form = new FormData(filters);
  return { verdicts: form.getAll("verdict"), side: form.get("side"), rule: form.get("rule") };
}

function isShown(number) {
  return !cards[number]?.hidden;
}

function filter() {
  if (!filters) return;
  const { verdicts, side, rule } = wanted();
  for (const card of cards) {
    const { verdict, side: whose, rule: which } = card.dataset;
    card.hidden = !verdicts.includes(verdict) || (side && whose !== side) || (rule && which !== rule);
  }
  const count = cards.filter((card) => !card.hidden).length;
  byId("shown").textContent = count === cards.length ? "" : `${count} of ${cards.length} shown`;
  drawFrame();
  drawTicks();
  tellFindings();
}

function choose(number, { scroll = true } = {}) {
  chosenFinding = number;
  cards.forEach((card) => card.classList.toggle("chosen", Number(card.dataset.number) === number));
  if (number >= 0) {
    go(story.findings[number].frame);
    bringIntoSight(focusOf(current()));
    if (narrow.matches) viewport.scrollIntoView({ block: "start" });
    else if (scroll) cards[number].scrollIntoView({ block: "nearest" });
    remember(`finding=${number + 1}`);
  }
  tellFindings();
}

function shownInOrder() {
  const shown = story.findings.map((_, number) => number).filter(isShown);
  return shown.sort((a, b) => story.findings[a].frame - story.findings[b].frame || a - b);
}

// The finding before or after this step, among those that the filters show.
function findingBeyond(direction) {
  const shown = shownInOrder();
  const here = shown.indexOf(chosenFinding);
  if (here >= 0 && story.findings[chosenFinding].frame === position.frame) return shown[here + direction];
  const beyond = (number) => (story.findings[number].frame - position.frame) * direction >= (direction > 0 ? 0 : 1);
  return direction > 0 ? shown.find(beyond) : shown.findLast(beyond);
}

function nextFinding(direction) {
  const next = findingBeyond(direction);
  if (next !== undefined) choose(next);
  else say(shownInOrder().length ? `No finding ${direction > 0 ? "after" : "before"} this one.` : "The filters hide every finding.");
}

function tellFindings() {
  if (!byId("fault-count")) return;
  const shown = shownInOrder();
  const here = shown.indexOf(chosenFinding);
  const all = shown.length === 1 ? "1 finding" : `${shown.length} findings`;
  byId("fault-count").textContent = here < 0 ? all : `${here + 1} of ${all}`;
  byId("fault-back").disabled = findingBeyond(-1) === undefined;
  byId("fault-on").disabled = findingBeyond(1) === undefined;
}

filters?.addEventListener("change", filter);
filters?.addEventListener("submit", (event) => event.preventDefault());
byId("findings")?.addEventListener("click", (event) => {
  const button = event.target.closest(".show");
  if (!button) return;
  choose(Number(button.dataset.finding), { scroll: false });
});
onChange(({ to }) => {
  if (chosenFinding >= 0 && story.findings[chosenFinding].frame !== to) choose(-1);
  tellFindings();
});
