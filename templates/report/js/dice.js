// Dice: how often each number fell, by side and by reason.

function diceTables() {
  const bySide = new Map();
  for (const frame of story.frames) {
    for (const [values, sides, reason] of frame.r || []) {
      const active = story.phases[frame.p]?.active || "both";
      const key = `${active} d${sides}`;
      if (!bySide.has(key)) bySide.set(key, { active, sides, counts: Array(sides).fill(0), reasons: new Map(), sum: 0 });
      const tally = bySide.get(key);
      for (const value of values) {
        tally.counts[value - 1] += 1;
        tally.sum += value;
        tally.reasons.set(reason, (tally.reasons.get(reason) || 0) + 1);
      }
    }
  }
  return [...bySide.values()];
}

function diceBlock(tally) {
  const all = tally.counts.reduce((a, b) => a + b, 0);
  const most = Math.max(...tally.counts, 1);
  const side = sideOf(tally.active);
  const title = `${side ? `${side.name} phases` : "Phases of both sides"}, d${tally.sides}`;
  const mean = (tally.sum / all).toFixed(2);
  const reasons = [...tally.reasons].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`);
  const rows = tally.counts.map((count, number) => {
    const bar = make("span", { class: "bar" });
    bar.style.width = `${(100 * count) / most}%`;
    if (side) bar.style.setProperty("--side", side.color);
    return make("tr", {}, make("th", { scope: "row" }, String(number + 1)), make("td", {}, bar), make("td", { class: "number" }, String(count)));
  });
  return make("section", { class: "dice" },
    make("h3", {}, title),
    make("table", {}, make("caption", {}, `${all} ${all === 1 ? "die" : "dice"}, mean ${mean} (${((tally.sides + 1) / 2).toFixed(1)} is expected)`),
      make("thead", { class: "hidden-text" }, make("tr", {}, make("th", { scope: "col" }, "Number"), make("th", { scope: "col" }, "Bar"), make("th", { scope: "col" }, "How often"))),
      make("tbody", {}, ...rows)),
    make("p", { class: "small" }, reasons.join(" · ")));
}

const tallies = diceTables();
byId("dice").append(...(tallies.length ? tallies.map(diceBlock) : [make("p", { class: "calm" }, "No dice were rolled.")]));
