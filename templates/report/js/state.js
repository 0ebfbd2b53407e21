// The game in memory: where every piece stands after each frame.

const story = JSON.parse(document.getElementById("story").textContent);
// Chapter, turn and phase are told only where they change.
story.frames.forEach((frame, number) => Object.assign(frame, { ...pick(story.frames[number - 1] || {}), ...frame }));
function pick({ c, t, p }) {
  return { c, t, p };
}

const NOWHERE = -1;
const byId = (id) => document.getElementById(id);

const position = {
  frame: 0,
  spot: story.units.map(() => NOWHERE),
  step: story.units.map(() => 1),
  marks: story.units.map(() => ({})),
  hexMarks: new Map(),
  at: new Map(),
};
const listeners = [];
const onChange = (listener) => listeners.push(listener);

function unitChange(change) {
  return { unit: change[0], spot: change[1], step: change[2], marks: change[3] || {} };
}

function put(change, dirty) {
  const { unit, spot } = change;
  const before = position.spot[unit];
  if (before !== spot) {
    position.at.get(before)?.delete(unit);
    if (!position.at.has(spot)) position.at.set(spot, new Set());
    position.at.get(spot).add(unit);
  }
  position.spot[unit] = spot;
  position.step[unit] = change.step;
  position.marks[unit] = change.marks;
  dirty.add(before).add(spot);
}

function putHex(hex, marks, dirty) {
  if (Object.keys(marks).length) position.hexMarks.set(hex, marks);
  else position.hexMarks.delete(hex);
  dirty.add(hex);
}

function apply(frame, dirty) {
  for (const change of frame.u) put(unitChange(change), dirty);
  for (const [hex, marks] of frame.h || []) putHex(hex, marks, dirty);
}

// What each frame overwrites is kept while the film runs through once, so that it can run back.
const overwritten = story.frames.map((frame) => {
  const before = {
    u: frame.u.map(([unit]) => [unit, position.spot[unit], position.step[unit], position.marks[unit]]),
    h: (frame.h || []).map(([hex]) => [hex, position.hexMarks.get(hex) || {}]),
  };
  apply(frame, new Set());
  return before;
});

const lastFrame = story.frames.length - 1;
position.frame = lastFrame;

function go(target) {
  const to = Math.max(0, Math.min(lastFrame, target));
  const from = position.frame;
  const dirty = new Set();
  while (position.frame > to) apply(overwritten[position.frame--], dirty);
  while (position.frame < to) apply(story.frames[++position.frame], dirty);
  for (const listener of listeners) listener({ from, to, dirty });
}

const current = () => story.frames[position.frame];
const standing = (spot) => [...(position.at.get(spot) || [])].sort((a, b) => a - b);
const unitsShown = () => story.units.map((_, unit) => unit).filter((unit) => position.spot[unit] !== NOWHERE);
const sideOf = (id) => story.sides.find((side) => side.id === id);

// --- frames by phase and finding ---

const phases = [];
story.frames.forEach((frame, number) => {
  const last = phases[phases.length - 1];
  if (!last || last.turn !== frame.t || last.phase !== frame.p) {
    phases.push({ turn: frame.t, phase: frame.p, start: number, end: number });
  } else last.end = number;
});
const phaseAt = (frame) => phases.findIndex((phase) => frame <= phase.end);
const phaseName = (id) => story.phases[id]?.name || id;
const turnName = (turn) => `Turn ${turn}` + (story.turns[turn] ? `, ${story.turns[turn]}` : "");

// --- words ---

function spotName(spot) {
  if (spot >= 0) return story.board.labels[spot];
  return spot === NOWHERE ? "off the map" : story.boxes[-2 - spot].name;
}

function marksText(marks) {
  return Object.keys(marks).map((id) => {
    const marker = story.markers[id];
    const face = marker?.faces[marks[id] - 1]?.[0];
    return marker ? marker.name + (face && marker.faces.length > 1 ? ` (${face})` : "") : id;
  });
}

const fullName = (facts) => (facts.name && facts.name !== facts.id ? `${facts.name} (${facts.id})` : facts.id);

function unitText(unit) {
  const facts = story.units[unit];
  const step = position.step[unit];
  const printed = facts.steps[step - 1];
  const parts = [facts.type];
  if (printed) parts.push(printed.replaceAll("-", "\u2011"));
  if (facts.steps.length > 1 && step > 1) parts.push(`step ${step} of ${facts.steps.length}`);
  return `${fullName(facts)}: ${[...parts, ...marksText(position.marks[unit])].join(", ")}`;
}

// --- elements ---

const SVG = "http://www.w3.org/2000/svg";

function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") node.className = value;
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

function draw(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
