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
}

function choose(number, { scroll = true } = {}) {
  chosenFinding = number;
  cards.forEach((card) => card.classList.toggle("chosen", Number(card.dataset.number) === number));
  if (number >= 0) {
    go(story.findings[number].frame);
    bringIntoSight(focusOf(current()));
    if (narrow.matches) viewport.scrollIntoView({ block: "start" });
    else if (scroll) cards[number].scrollIntoView({ block: "nearest" });
    remember(`finding=${number}`);
  }
}

function nextFinding(direction) {
  const shown = story.findings.map((_, number) => number).filter(isShown);
  shown.sort((a, b) => story.findings[a].frame - story.findings[b].frame || a - b);
  const here = shown.indexOf(chosenFinding);
  if (here >= 0 && story.findings[chosenFinding].frame === position.frame) {
    const next = shown[here + direction];
    if (next !== undefined) choose(next);
    return;
  }
  const beyond = (number) => (story.findings[number].frame - position.frame) * direction >= (direction > 0 ? 0 : 1);
  const next = direction > 0 ? shown.find(beyond) : shown.findLast(beyond);
  if (next !== undefined) choose(next);
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
});
