// The map: counters on it, moving about on it, going from hex to hex by keyboard.

const viewport = byId("viewport");
const world = byId("world");
const counterLayer = byId("counters");
const board = story.board;
const hexCount = board.labels.length;
const COUNTER = 62;
const STACK_SHIFT = 7;
const view = { x: 0, y: 0, scale: 1 };
const center = (hex) => [board.centers[2 * hex], board.centers[2 * hex + 1]];

// --- counters ---

const counterNodes = new Map();

function spriteStyle(name) {
  const cell = story.sprites[name];
  if (cell === undefined) return null;
  const [columns, rows] = story.grid;
  const share = (number, all) => (all > 1 ? (number / (all - 1)) * 100 : 0);
  return `${share(cell % columns, columns)}% ${share(Math.floor(cell / columns), rows)}%`;
}

function face(unit) {
  const facts = story.units[unit];
  const step = position.step[unit];
  const at = spriteStyle(`unit-${facts.face}-${step}`);
  const node = make("div", { class: "counter" });
  if (at) {
    node.classList.add("sprite");
    node.style.backgroundPosition = at;
  } else {
    node.append(...plainFace(facts, step));
    node.style.setProperty("--paper", facts.paper);
    node.style.setProperty("--ink", facts.ink);
    if (step > 1) node.classList.add("reduced");
  }
  node.title = fullName(facts);
  node.dataset.unit = facts.id;
  return node;
}

const SYMBOLS = {
  infantry: "M4 3h22v14H4zM4 3l22 14M26 3L4 17",
  armor: "M4 3h22v14H4zM10 6h10a4 4 0 0 1 0 8H10a4 4 0 0 1 0-8z",
  mechanized: "M4 3h22v14H4zM4 3l22 14M26 3L4 17M10 6h10a4 4 0 0 1 0 8H10a4 4 0 0 1 0-8z",
  cavalry: "M4 3h22v14H4zM4 17L26 3",
  mountain: "M4 3h22v14H4zM4 3l22 14M26 3L4 17M11 17l4-6 4 6z",
  headquarters: "M4 3h22v14H4zM4 7h22",
  artillery: "M4 3h22v14H4zM13 10a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z",
};

function plainFace(facts, step) {
  const known = Object.keys(SYMBOLS).find((name) => facts.symbol.includes(name));
  const path = SYMBOLS[known] || "M4 3h22v14H4z";
  const factors = facts.steps[step - 1] || facts.steps[0] || "";
  return [
    make("span", { class: "size" }, facts.size),
    draw("svg", { viewBox: "2 1 26 18" }, draw("path", { d: path })),
    make("span", { class: "name" }, facts.label),
    make("span", { class: "factors" }, factors),
  ];
}

function chip(id, number) {
  const marker = story.markers[id];
  const at = spriteStyle(`marker-${id}-${number}`);
  const node = make("span", { class: "marker", title: marker?.name || id });
  if (at) {
    node.classList.add("sprite");
    node.style.backgroundPosition = at;
  } else if (marker) {
    const [text, paper, ink] = marker.faces[number - 1] || marker.faces[0];
    node.textContent = text || marker.name.slice(0, 3);
    node.style.background = paper;
    node.style.color = ink;
  }
  return node;
}

function marksNode(marks) {
  const chips = Object.entries(marks).map(([id, number]) => chip(id, number));
  return chips.length ? [make("span", { class: "markers" }, ...chips)] : [];
}

function place(node, x, y, order) {
  node.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  node.style.zIndex = order;
}

function spotCorner(spot, number, count) {
  if (spot >= 0) {
    const [x, y] = center(spot);
    const shift = (number - (count - 1) / 2) * Math.min(STACK_SHIFT, 28 / count);
    return [x - COUNTER / 2 + shift, y - COUNTER / 2 - shift];
  }
  const rect = story.boxes[-2 - spot].rect;
  if (!rect) return null;
  const across = Math.max(1, Math.floor((rect[2] - rect[0] - 16) / (COUNTER + 4)));
  const x = rect[0] + 10 + (number % across) * (COUNTER + 4);
  return [x, rect[1] + 40 + Math.floor(number / across) * (COUNTER / 2 + 4)];
}

function refreshSpot(spot) {
  if (spot === NOWHERE) return;
  const units = standing(spot);
  units.forEach((unit, number) => {
    const corner = spotCorner(spot, number, units.length);
    counterNodes.get(unit)?.remove();
    counterNodes.delete(unit);
    if (!corner) return;
    const node = face(unit);
    node.append(...marksNode(position.marks[unit]));
    place(node, ...corner, number + 1);
    counterNodes.set(unit, node);
    counterLayer.append(node);
  });
  refreshHexMarks(spot);
}

const hexMarkNodes = new Map();

function refreshHexMarks(spot) {
  hexMarkNodes.get(spot)?.remove();
  hexMarkNodes.delete(spot);
  const marks = position.hexMarks.get(spot);
  if (!marks || spot < 0) return;
  const node = make("div", { class: "hex-marks" }, ...marksNode(marks));
  const [x, y] = center(spot);
  place(node, x - COUNTER / 2, y - COUNTER / 2, 0);
  hexMarkNodes.set(spot, node);
  counterLayer.append(node);
}

function refreshCounters(dirty) {
  for (const [unit, node] of counterNodes) {
    if (position.spot[unit] === NOWHERE) {
      node.remove();
      counterNodes.delete(unit);
    }
  }
  for (const spot of dirty) refreshSpot(spot);
}

onChange(({ dirty }) => refreshCounters(dirty));

// --- looking about ---

const SCALES = { least: 0.08, most: 3 };
const READABLE = 0.7; // counters can be read from here on

function show() {
  world.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  viewport.style.setProperty("--scale", view.scale);
  viewport.classList.toggle("far", view.scale < 0.45);
}

function zoomAt(factor, x, y) {
  const scale = Math.max(leastScale(), Math.min(SCALES.most, view.scale * factor));
  view.x = x - ((x - view.x) * scale) / view.scale;
  view.y = y - ((y - view.y) * scale) / view.scale;
  view.scale = scale;
  keepInSight();
  show();
}

function zoomMiddle(factor) {
  zoomAt(factor, viewport.clientWidth / 2, viewport.clientHeight / 2);
}

// The whole map, with a little room around it: nobody gets lost beyond it.
function leastScale() {
  return Math.min(1, Math.max(SCALES.least, 0.85 * Math.min(viewport.clientWidth / board.width, viewport.clientHeight / board.height)));
}

// The map's edge comes no further in than a quarter of the room; a map smaller than the room stays in it.
function keepInSight() {
  const { clientWidth: width, clientHeight: height } = viewport;
  const limit = (at, size, room) => {
    const slack = room * 0.25;
    return size > room - slack ? Math.max(Math.min(at, slack), room - slack - size) : Math.max(0, Math.min(at, room - size));
  };
  view.x = limit(view.x, board.width * view.scale, width);
  view.y = limit(view.y, board.height * view.scale, height);
}

const roomSeen = { width: 0, height: 0 };

// What was in the middle stays there when the room changes: a phone is turned, a frame finds its size.
function keepMiddle() {
  const { clientWidth: width, clientHeight: height } = viewport;
  if (width === roomSeen.width && height === roomSeen.height) return false;
  view.x += (width - roomSeen.width) / 2;
  view.y += (height - roomSeen.height) / 2;
  Object.assign(roomSeen, { width, height });
  keepInSight();
  show();
  return true;
}

function fit(points, most = 1, margin = 1.6) {
  if (!points.length) return;
  const edge = COUNTER * margin;
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  const [left, right] = [Math.min(...xs) - edge, Math.max(...xs) + edge];
  const [top, bottom] = [Math.min(...ys) - edge, Math.max(...ys) + edge];
  const { clientWidth: width, clientHeight: height } = viewport;
  Object.assign(roomSeen, { width, height });
  view.scale = Math.max(SCALES.least, Math.min(most, width / (right - left), height / (bottom - top)));
  view.x = width / 2 - ((left + right) / 2) * view.scale;
  view.y = height / 2 - ((top + bottom) / 2) * view.scale;
  keepInSight();
  show();
}

function fitAll() {
  const hexes = unitsShown().map((unit) => position.spot[unit]).filter((spot) => spot >= 0);
  fit(hexes.length ? hexes.map(center) : [[0, 0], [board.width, board.height]]);
}

function inSight([x, y], margin = COUNTER * 1.2) {
  const at = [x * view.scale + view.x, y * view.scale + view.y];
  const edge = margin * view.scale;
  return at[0] > edge && at[1] > edge && at[0] < viewport.clientWidth - edge && at[1] < viewport.clientHeight - edge;
}

function bringIntoSight(hexes) {
  const points = hexes.filter((hex) => hex >= 0).map(center);
  const readable = view.scale >= READABLE - 0.1;
  if (!points.length || (readable && points.every((point) => inSight(point)))) return;
  fit(points, Math.max(view.scale, READABLE), 4);
}

byId("zoom-in").addEventListener("click", () => zoomMiddle(1.35));
byId("zoom-out").addEventListener("click", () => zoomMiddle(1 / 1.35));
byId("zoom-fit").addEventListener("click", fitAll);
viewport.addEventListener(
  "wheel",
  (event) => {
    event.preventDefault();
    const box = viewport.getBoundingClientRect();
    zoomAt(Math.exp(-event.deltaY * 0.0016), event.clientX - box.left, event.clientY - box.top);
  },
  { passive: false },
);

// --- pointers: one drags, two pinch, a short touch asks for the hex ---

const pointers = new Map();
let travelled = 0;

function pinch() {
  const [a, b] = [...pointers.values()];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: Math.hypot(a.x - b.x, a.y - b.y) };
}

function pointOf(event) {
  const box = viewport.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

viewport.addEventListener("pointerdown", (event) => {
  if (event.target.closest("button, .answer")) return;
  viewport.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, pointOf(event));
  if (pointers.size === 1) {
    travelled = 0;
    beginCarrying(hexUnder(event));
  } else endCarrying();
});

const hexUnder = (event) => {
  const point = pointOf(event);
  return hexAt((point.x - view.x) / view.scale, (point.y - view.y) / view.scale);
};

viewport.addEventListener("pointermove", (event) => {
  if (!pointers.has(event.pointerId)) return;
  if (carrying) {
    const before = pointers.get(event.pointerId);
    const after = pointOf(event);
    pointers.set(event.pointerId, after);
    travelled += Math.abs(after.x - before.x) + Math.abs(after.y - before.y);
    carryTo(hexUnder(event));
    return;
  }
  const before = pointers.size === 2 ? pinch() : pointers.get(event.pointerId);
  pointers.set(event.pointerId, pointOf(event));
  const after = pointers.size === 2 ? pinch() : pointers.get(event.pointerId);
  travelled += Math.abs(after.x - before.x) + Math.abs(after.y - before.y);
  view.x += after.x - before.x;
  view.y += after.y - before.y;
  if (pointers.size === 2 && before.wide) zoomAt(after.wide / before.wide, after.x, after.y);
  keepInSight();
  show();
});

function pointerGone(event) {
  if (!pointers.delete(event.pointerId) || pointers.size) return;
  const carried = endCarrying();
  if (event.type !== "pointerup") return;
  const hex = hexUnder(event);
  if (travelled > 6) {
    if (carried !== null && hex >= 0) askWhether(carried, hex);
  } else if (hex >= 0) chooseHex(hex, true);
}
viewport.addEventListener("pointerup", pointerGone);
viewport.addEventListener("pointercancel", pointerGone);

function hexAt(x, y) {
  let best = -1;
  let nearest = Math.max(...board.corners.map(([cx, cy]) => cx * cx + cy * cy));
  for (let hex = 0; hex < hexCount; hex++) {
    const far = (board.centers[2 * hex] - x) ** 2 + (board.centers[2 * hex + 1] - y) ** 2;
    if (far < nearest) [best, nearest] = [hex, far];
  }
  return best;
}

// --- from hex to hex ---

let chosen = -1;
const hexListeners = [];

function chooseHex(hex, open = false) {
  chosen = hex;
  drawCursor();
  for (const listener of hexListeners) listener(hex, open);
}

function hexBeside(hex, dx, dy) {
  const [x, y] = center(hex);
  let best = hex;
  let least = Infinity;
  for (let other = 0; other < hexCount; other++) {
    const [ox, oy] = [board.centers[2 * other] - x, board.centers[2 * other + 1] - y];
    const along = ox * dx + oy * dy;
    const across = Math.abs(ox * dy) + Math.abs(oy * dx);
    if (along < 8 || Math.hypot(ox, oy) > 130) continue;
    const cost = Math.hypot(ox, oy) + across * 1.5;
    if (cost < least) [best, least] = [other, cost];
  }
  return best;
}

function hexText(hex) {
  const units = standing(hex).map(unitText);
  const marks = marksText(position.hexMarks.get(hex) || {});
  return `${board.labels[hex]}, ${board.about[hex]}. ${[...units, ...marks].join("; ") || "Empty"}.`;
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

viewport.addEventListener("keydown", (event) => {
  if (event.target !== viewport || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[event.key];
  if (arrow) {
    event.preventDefault();
    event.stopPropagation();
    const middle = [(viewport.clientWidth / 2 - view.x) / view.scale, (viewport.clientHeight / 2 - view.y) / view.scale];
    chooseHex(chosen < 0 ? Math.max(0, hexAt(...middle)) : hexBeside(chosen, ...arrow));
    bringIntoSight([chosen]);
    say(hexText(chosen));
  } else if (event.key === "Enter" && chosen >= 0) {
    chooseHex(chosen, true);
  }
});
