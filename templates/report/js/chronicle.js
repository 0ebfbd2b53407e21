// What happened, in words: now, in this phase, and in the hex asked about.

const course = byId("course");
let courseOf = -1;

function say(text) {
  byId("what").replaceChildren(make("p", {}, text));
}

function tellNow() {
  const frame = current();
  const verdicts = (frame.f || []).map((number) => story.findings[number]);
  const file = story.chapters.length > 1 ? ` · ${story.chapters[frame.c]}` : "";
  byId("when").textContent = `${turnName(frame.t)} · ${phaseName(frame.p)}${file}`;
  const lines = frame.x.length ? [make("p", {}, frame.x.join("; "))] : [];
  const faults = verdicts.map((fault) => make("p", { class: `fault-line ${fault.verdict}` }, make("code", {}, fault.rule), ` ${fault.message}`));
  byId("what").replaceChildren(...lines, ...faults);
}

function tellCourse() {
  const number = phaseAt(position.frame);
  const phase = phases[number];
  if (courseOf !== number) {
    courseOf = number;
    byId("course-title").textContent = `Turn ${phase.turn}, ${phaseName(phase.phase)}`;
    const rows = [];
    for (let at = phase.start; at <= phase.end; at++) rows.push(courseRow(at));
    course.replaceChildren(...rows);
  }
  for (const row of course.children) {
    const here = Number(row.dataset.frame) === position.frame;
    row.classList.toggle("here", here);
    row.firstChild.toggleAttribute("aria-current", here);
    if (here) row.firstChild.setAttribute("aria-current", "step");
    if (here && !byId("panel-course").hidden) row.scrollIntoView({ block: "nearest" });
  }
}

function courseRow(at) {
  const frame = story.frames[at];
  const worst = (frame.f || []).map((number) => story.findings[number].verdict);
  const mark = ["illegal", "warning", "judgement"].find((verdict) => worst.includes(verdict));
  const button = make("button", { type: "button" }, frame.x.join("; "));
  if (mark) {
    const word = { illegal: "Illegal", warning: "Doubtful", judgement: "For you to judge" }[mark];
    button.prepend(make("span", { class: `dot ${mark}`, title: word }), make("span", { class: "hidden-text" }, `${word}: `));
  }
  const kind = frame.q ? { class: "opens" } : {};
  return make("li", { "data-frame": at, value: Math.max(frame.n, 0), ...kind }, button);
}

course.addEventListener("click", (event) => {
  const row = event.target.closest("li");
  if (row) go(Number(row.dataset.frame));
});

// --- pieces ---

function unitRow(unit, ask = false) {
  const mini = face(unit);
  mini.classList.add("mini");
  return make("li", {}, mini, make("span", {}, unitText(unit)), ask === true ? askButton(unit) : "");
}

function tellHex() {
  const card = byId("hex");
  card.hidden = chosen < 0;
  if (chosen < 0) return;
  const units = standing(chosen);
  const marks = marksText(position.hexMarks.get(chosen) || {});
  card.replaceChildren(
    make("h2", {}, `Hex ${board.labels[chosen]}`),
    make("p", {}, board.about[chosen]),
    units.length ? make("ul", { class: "units" }, ...units.map((unit) => unitRow(unit, true))) : make("p", { class: "calm" }, "No piece is here."),
    ...(marks.length ? [make("p", {}, `Markers: ${marks.join(", ")}`)] : []),
  );
}

function tellPieces() {
  if (byId("panel-pieces").hidden) return;
  const side = byId("pieces-side").value;
  const spots = [...position.at.keys()].filter((spot) => spot !== NOWHERE);
  const rows = [];
  let count = 0;
  for (const spot of spots.sort((a, b) => (a < 0) - (b < 0) || spotName(a).localeCompare(spotName(b)))) {
    const units = standing(spot).filter((unit) => !side || story.units[unit].side === side);
    if (!units.length) continue;
    count += units.length;
    const where = spot >= 0 ? make("button", { type: "button", "data-hex": spot }, spotName(spot)) : spotName(spot);
    rows.push(make("tr", {}, make("th", { scope: "row" }, where), make("td", {}, make("ul", { class: "units" }, ...units.map(unitRow)))));
  }
  byId("pieces-caption").textContent = `${count} pieces at this step`;
  byId("pieces").replaceChildren(...rows);
}

byId("pieces-side").addEventListener("change", tellPieces);
byId("pieces").addEventListener("click", (event) => {
  const button = event.target.closest("[data-hex]");
  if (!button) return;
  chooseHex(Number(button.dataset.hex));
  bringIntoSight([chosen]);
});
hexListeners.push((hex, open) => {
  if (open) openTab("pieces");
  tellHex();
});

onChange(() => {
  tellNow();
  tellCourse();
  tellHex();
  tellPieces();
});
