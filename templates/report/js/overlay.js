// What happens in a frame, drawn on the map: moves, attacks, faults with their path and zones.

const under = byId("under");
const over = byId("over");
const legend = byId("legend");
const halves = draw("defs");
for (const name of ["move", "retreat", "attack", "fault"]) {
  const tip = draw("marker", {
    id: `tip-${name}`, viewBox: "0 0 10 10", refX: 7, refY: 5, markerWidth: 4.2, markerHeight: 4.2, orient: "auto-start-reverse",
  });
  tip.append(draw("path", { d: "M0 0l10 5-10 5z", class: `tip ${name}` }));
  halves.append(tip);
}
story.sides.forEach((side, number) => {
  const pattern = draw("pattern", {
    id: `zone-${number}`, width: 12, height: 12, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${number ? -45 : 45})`,
  });
  pattern.append(draw("rect", { width: 5, height: 12, fill: side.color }));
  halves.append(pattern);
});
over.append(halves);
const overGroup = draw("g");
const cursorGroup = draw("g");
over.append(overGroup, cursorGroup);

function hexPath(hex, grow = 1) {
  const [x, y] = center(hex);
  return `M${board.corners.map(([cx, cy]) => `${x + cx * grow} ${y + cy * grow}`).join("L")}z`;
}

const line = (spots) => `M${spots.filter((spot) => spot >= 0).map((spot) => center(spot).join(" ")).join("L")}`;

function shorten(spots) {
  const points = spots.filter((spot) => spot >= 0).map(center);
  return points.length > 1 ? `M${points.map((point) => point.join(" ")).join("L")}` : "";
}

function drawMoves(frame) {
  for (const trail of frame.m || []) {
    const path = shorten(trail.s);
    if (!path) continue;
    const name = trail.k === "retreat" ? "retreat" : "move";
    overGroup.append(draw("path", { d: path, class: "casing" }));
    overGroup.append(draw("path", { d: path, class: `trail ${name}`, "marker-end": `url(#tip-${name})` }));
  }
}

function drawAttacks(frame) {
  for (const attack of frame.a || []) {
    const from = new Set(attack.from.map((unit) => spotBefore(unit)).filter((spot) => spot >= 0));
    for (const target of attack.to) {
      overGroup.append(draw("path", { d: hexPath(target, 0.94), class: "target" }));
      for (const hex of from) {
        overGroup.append(draw("path", { d: line([hex, target]), class: "casing" }));
        overGroup.append(draw("path", { d: line([hex, target]), class: "trail attack", "marker-end": "url(#tip-attack)" }));
      }
    }
  }
}

function spotBefore(unit) {
  const before = overwritten[position.frame].u.find((change) => change[0] === unit);
  return before ? before[1] : position.spot[unit];
}

function drawFaults(frame) {
  (frame.f || []).map((number) => [number, story.findings[number]]).filter(([number]) => isShown(number)).forEach(([number, fault]) => {
    const chosenToo = number === chosenFinding ? " chosen" : "";
    for (const hex of fault.hexes) under.append(draw("path", { d: hexPath(hex, 0.97), class: `fault-hex ${fault.verdict}${chosenToo}` }));
    if (fault.path.length > 1) {
      overGroup.append(draw("path", { d: line(fault.path), class: "casing" }));
      overGroup.append(draw("path", { d: line(fault.path), class: `trail fault ${fault.verdict}`, "marker-end": "url(#tip-fault)" }));
    }
  });
  drawTags(frame);
}

// One tag names the rules broken at a hex.
function drawTags(frame) {
  const byHex = new Map();
  for (const number of frame.f || []) {
    if (!isShown(number)) continue;
    const fault = story.findings[number];
    const hex = fault.hexes.at(-1) ?? fault.path.at(-1) ?? fault.units.map((unit) => position.spot[unit]).find((spot) => spot >= 0);
    if (hex === undefined || hex < 0) continue;
    if (!byHex.has(hex)) byHex.set(hex, []);
    byHex.get(hex).push(fault);
  }
  for (const [hex, faults] of byHex) {
    const [x, y] = center(hex);
    const text = [...new Set(faults.map((fault) => fault.rule))].join(", ");
    const wide = text.length * 10.5 + 20;
    overGroup.append(
      draw("g", { class: `tag ${faults[0].verdict}`, transform: `translate(${x} ${y - 62})` },
        draw("rect", { x: -wide / 2, y: -17, width: wide, height: 30, rx: 6 }),
        draw("text", { y: 5 }, text)),
    );
  }
}

function drawZones(frame) {
  if (!frame.z || !(frame.f || []).some(isShown)) return;
  const sides = new Set((frame.f || []).map((number) => story.findings[number].side));
  story.sides.forEach((side, number) => {
    if (sides.size === 1 && sides.has(side.id)) return;
    const path = (frame.z[side.id] || []).map((hex) => hexPath(hex)).join("");
    if (path) under.append(draw("path", { d: path, class: "zone", fill: `url(#zone-${number})`, stroke: side.color }));
  });
}

function fillLegend(frame) {
  const faults = (frame.f || []).filter(isShown).map((number) => story.findings[number]);
  const rows = [];
  if (faults.length && under.querySelector(".zone")) rows.push(["zone", "enemy zone of control"]);
  if (faults.some((fault) => fault.hexes.length)) rows.push(["fault-hex", "hex of a finding"]);
  if (faults.some((fault) => fault.path.length > 1)) rows.push(["fault", "way that was tried"]);
  if ((frame.m || []).some((trail) => trail.k !== "retreat")) rows.push(["move", "moved"]);
  if ((frame.m || []).some((trail) => trail.k === "retreat")) rows.push(["retreat", "retreated"]);
  if (frame.a) rows.push(["attack", "attacked"]);
  legend.replaceChildren(...rows.map(([name, text]) => make("li", { class: name }, text)));
  legend.hidden = !rows.length;
}

function drawCursor() {
  cursorGroup.replaceChildren(...(chosen < 0 ? [] : [draw("path", { d: hexPath(chosen, 0.98), class: "cursor" })]));
}

function drawFrame() {
  const frame = current();
  under.replaceChildren();
  overGroup.replaceChildren();
  drawZones(frame);
  drawMoves(frame);
  drawAttacks(frame);
  drawFaults(frame);
  fillLegend(frame);
}

function focusOf(frame) {
  const spots = (frame.m || []).flatMap((trail) => trail.s);
  const attacks = (frame.a || []).flatMap((attack) => [...attack.to, ...attack.from.map(spotBefore)]);
  const found = (frame.f || []).map((number) => story.findings[number]);
  const faults = found.flatMap((fault) => [...fault.hexes, ...fault.path, ...fault.units.flatMap((unit) => [spotBefore(unit), position.spot[unit]])]);
  const all = [...spots, ...attacks, ...faults];
  const busy = frame.u.length < 12 ? frame.u.map((change) => change[1]) : [];
  return all.length ? all : busy;
}

onChange(({ from, to }) => {
  drawFrame();
  if (from !== to) bringIntoSight(focusOf(current()));
});
