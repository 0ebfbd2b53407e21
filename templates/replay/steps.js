// The list of steps with its filters, and the dice over the whole game.
const ROW = 48;
const UNSEEN = "Nothing to be seen.";
const list = document.getElementById("list");
const rows = document.getElementById("rows");
const search = document.getElementById("search");
const whoFilter = document.getElementById("who");
const pieceFilter = document.getElementById("piece");
const dice = document.getElementById("dice");
const COLOURS = ["#b3402a", "#2a66b3", "#3f8f4f", "#8a5ab0", "#b08a2a", "#2a9a9a"];
const players = [...new Set(frames.map((frame) => frame.who).filter(Boolean))];
let shown = frames.map((_, at) => at);

function fillFilters() {
  for (const name of players) whoFilter.add(new Option(name, name));
  const pieces = new Map();
  for (const frame of frames) for (const name of frame.pieces ?? []) pieces.set(name, (pieces.get(name) ?? 0) + 1);
  const often = [...pieces].sort((a, b) => b[1] - a[1]).slice(0, 500).map(([name]) => name);
  for (const name of often.sort((a, b) => a.localeCompare(b))) pieceFilter.add(new Option(name, name));
}

function filtered() {
  return Boolean(search.value || whoFilter.value || pieceFilter.value);
}

function filter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  shown = [];
  frames.forEach((frame, at) => {
    if (frame.log && filtered()) return;
    if (whoFilter.value && frame.who !== whoFilter.value) return;
    if (pieceFilter.value && !(frame.pieces ?? []).includes(pieceFilter.value)) return;
    const text = `${frame.who ?? ""} ${frame.turn ?? ""} ${frame.text}`.toLowerCase();
    if (words.every((word) => text.includes(word))) shown.push(at);
  });
  document.getElementById("found").textContent = filtered() ? `${shown.length} of ${frames.length} steps` : "";
  drawRows(true);
}

function drawRows(jump = false) {
  rows.style.height = `${shown.length * ROW}px`;
  const place = position();
  if (jump || !inSight(place)) list.scrollTop = Math.max(0, place * ROW - list.clientHeight / 2);
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / ROW) + 12);
  rows.replaceChildren(...shown.slice(first, last).map((at, number) => row(at, first + number)));
}

// Where the present step stands in the list, or the last one shown before it.
function position() {
  let low = 0, high = shown.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shown[middle] <= scene.at) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

function inSight(place) {
  return place * ROW >= list.scrollTop && (place + 1) * ROW <= list.scrollTop + list.clientHeight;
}

function row(at, place) {
  const frame = frames[at];
  const line = document.createElement("div");
  line.className = `row${at === scene.at ? " now" : ""}${frame.undone ? " undone" : ""}${frame.log ? " log" : ""}`;
  line.style.top = `${place * ROW}px`;
  line.setAttribute("role", "option");
  line.setAttribute("aria-selected", String(at === scene.at));
  const head = document.createElement("b");
  head.textContent = frame.log ?? `${frame.n}${frame.who ? ` ${frame.who}` : ""}`;
  const words = document.createElement("div");
  words.append(head, frame.text || UNSEEN);
  line.append(words);
  line.title = frame.text || UNSEEN;
  line.addEventListener("click", () => go(at));
  return line;
}

function step(direction) {
  if (!filtered()) return scene.at + direction;
  const place = position();
  if (direction > 0) return shown.find((at) => at > scene.at) ?? scene.at;
  return shown[place] < scene.at ? shown[place] : shown[place - 1] ?? scene.at;
}

function turn(direction) {
  const of = (at) => `${logOf(at)}|${frames[at].turn ?? ""}`;
  let at = scene.at;
  if (direction < 0 && at > 0) at -= 1;
  const here = of(direction < 0 ? at : scene.at);
  while (at + direction >= 0 && at + direction < frames.length && of(at) === here) {
    if (direction < 0 && of(at - 1) !== here) break;
    at += direction;
  }
  return at;
}

const logStarts = frames.flatMap((frame, at) => (frame.log ? [at] : []));

function logOf(at) {
  return logStarts.filter((start) => start <= at).length;
}

// A tick for each roll, in its player's colour, as high as it was lucky; the present step as a line.
// The ticks are drawn once for each width.
const ticks = document.createElement("canvas");

function drawDice() {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, Math.round(dice.clientWidth * ratio));
  if (ticks.width !== width || dice.width !== width) {
    dice.width = ticks.width = width;
    dice.height = ticks.height = 22 * ratio;
    drawTicks(ticks.getContext("2d"), ratio);
  }
  const ink = dice.getContext("2d");
  ink.clearRect(0, 0, dice.width, dice.height);
  ink.drawImage(ticks, 0, 0);
  ink.fillStyle = "#888";
  ink.fillRect((scene.at * dice.width) / Math.max(1, frames.length - 1), 0, ratio, dice.height);
}

function drawTicks(ink, ratio) {
  const wide = dice.width / Math.max(1, frames.length - 1);
  frames.forEach((frame, at) => {
    for (const [who, , values, , sides, count] of frame.rolls ?? []) {
      const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
      const share = sides && values.length ? (mean - count) / Math.max(1, count * (sides - 1)) : 0.5;
      const height = (0.25 + 0.75 * Math.max(0, Math.min(1, share))) * dice.height;
      ink.fillStyle = COLOURS[Math.max(0, players.indexOf(who)) % COLOURS.length];
      ink.fillRect(at * wide, dice.height - height, Math.max(ratio, Math.min(wide, 4 * ratio)), height);
    }
  });
}
