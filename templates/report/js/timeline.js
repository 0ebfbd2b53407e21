// The way through the game: buttons, keys, the slider with phases and findings under it.

const scrub = byId("scrub");
const segments = byId("segments");
const phaseChoice = byId("phase-choice");
const VERDICT_ORDER = ["judgement", "warning", "illegal"];
scrub.max = lastFrame;

function drawSegments() {
  const all = story.frames.length;
  phases.forEach((phase, number) => {
    const active = sideOf(story.phases[phase.phase]?.active);
    const node = make("div", { class: "segment", title: `Turn ${phase.turn}, ${phaseName(phase.phase)}` });
    node.style.flexGrow = (phase.end - phase.start + 1) / all;
    if (active) node.style.setProperty("--side", active.color);
    if (number && phases[number - 1].turn !== phase.turn) node.classList.add("new-turn");
    segments.append(node);
  });
  segments.append(ticks);
  segments.classList.toggle("many", phases.length > 60 || story.findings.length > 120);
}

const ticks = make("div", { class: "ticks" });

function drawTicks() {
  const worst = new Map();
  story.findings.forEach((fault, number) => {
    if (!isShown(number)) return;
    const known = VERDICT_ORDER.indexOf(worst.get(fault.frame));
    if (VERDICT_ORDER.indexOf(fault.verdict) > known) worst.set(fault.frame, fault.verdict);
  });
  ticks.replaceChildren(...[...worst].map(([frame, verdict]) => {
    const tick = make("span", { class: `tick ${verdict}` });
    tick.style.left = `${(100 * frame) / Math.max(1, lastFrame)}%`;
    return tick;
  }));
}

function fillPhases() {
  let group = null;
  let turn = null;
  phases.forEach((phase, number) => {
    if (phase.turn !== turn) {
      group = make("optgroup", { label: turnName(phase.turn) });
      phaseChoice.append(group);
      turn = phase.turn;
    }
    group.append(make("option", { value: number }, phaseName(phase.phase)));
  });
}

function phaseStep(direction) {
  const number = phaseAt(position.frame);
  const here = phases[number];
  if (direction < 0 && position.frame > here.start) return go(here.start);
  const next = phases[number + direction];
  return next ? go(next.start) : direction > 0 && go(lastFrame);
}

const ACTIONS = {
  play: () => togglePlay(),
  first: () => go(0),
  last: () => go(lastFrame),
  back: () => go(position.frame - 1),
  on: () => go(position.frame + 1),
  "phase-back": () => phaseStep(-1),
  "phase-on": () => phaseStep(1),
  "fault-back": () => nextFinding(-1),
  "fault-on": () => nextFinding(1),
};
for (const [id, action] of Object.entries(ACTIONS)) byId(id)?.addEventListener("click", action);
scrub.addEventListener("input", () => go(Number(scrub.value)));
phaseChoice.addEventListener("change", () => go(phases[Number(phaseChoice.value)].start));

const KEYS = {
  ",": "back", ".": "on", ArrowLeft: "back", ArrowRight: "on", PageUp: "phase-back", PageDown: "phase-on",
  Home: "first", End: "last", n: "fault-on", p: "fault-back", " ": "play",
};
const VIEW_KEYS = { "+": () => zoomMiddle(1.35), "=": () => zoomMiddle(1.35), "-": () => zoomMiddle(1 / 1.35), 0: fitAll };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !byId("keys-on").checked || byId("keys").open) return;
  if (event.target.closest("input, select, textarea, [role=tab]")) return;
  if (event.key === " " && event.target.closest("button, summary, a")) return;
  const scrolls = event.target.closest(".side") && /^(Page|Home|End)/.test(event.key);
  if (scrolls) return;
  const action = ACTIONS[KEYS[event.key]] || VIEW_KEYS[event.key] || (event.key === "?" && openHelp);
  if (!action) return;
  event.preventDefault();
  action();
});

onChange(({ to }) => {
  const frame = current();
  scrub.value = to;
  scrub.setAttribute("aria-valuetext", `${to} of ${lastFrame}: turn ${frame.t}, ${phaseName(frame.p)}`);
  scrub.style.setProperty("--done", `${(100 * to) / Math.max(1, lastFrame)}%`);
  byId("count").textContent = `${to} / ${lastFrame}`;
  phaseChoice.value = phaseAt(to);
  for (const id of ["first", "back", "phase-back"]) byId(id).disabled = to === 0;
  for (const id of ["last", "on", "phase-on"]) byId(id).disabled = to === lastFrame;
  if (chosenFinding < 0) remember(`step=${to}`);
});
