// What the desk around this page can be asked: where a unit may go, its supply, the zones against it, and
// whether it may move to a hex it is dragged to. A page that was saved or mailed has nobody to ask.

let deskThere = false;
let asked = null; // { unit, frame, answer }
let questions = 0;
const answers = new Map();
const answerBox = byId("answer");
const answerUnder = draw("g");
const answerOver = draw("g");
const hexOf = new Map(board.labels.map((label, hex) => [label, hex]));
const numbersOf = (labels) => labels.map((label) => hexOf.get(label)).filter((hex) => hex !== undefined);
over.append(answerOver);

const tellDesk = (message) => window.parent !== window && window.parent.postMessage(message, "*");
const greetDesk = () => tellDesk({ fieldpost: "hello" });

window.addEventListener("message", (event) => {
  if (event.source !== window.parent || !event.data?.fieldpost) return;
  const { fieldpost: kind, id, answer, copied } = event.data;
  if (kind === "hello") {
    deskThere = true;
    document.body.classList.add("at-desk");
    tellHex();
  }
  if (kind === "ask" || kind === "copy") {
    answers.get(id)?.(kind === "ask" ? answer : copied);
    answers.delete(id);
  }
});

function askDesk(kind, content) {
  const id = (questions += 1);
  tellDesk({ fieldpost: kind, id, ...content });
  return new Promise((done) => answers.set(id, done));
}

function askButton(unit) {
  if (!deskThere || position.spot[unit] < 0) return "";
  const button = make("button", { type: "button", class: "ask", "data-unit": unit }, "Reach and supply");
  button.append(make("span", { class: "hidden-text" }, ` of ${fullName(story.units[unit])}`));
  return button;
}

async function askAbout(unit, mode = "march") {
  const frame = position.frame;
  showAnswer(make("p", {}, `Looking where ${fullName(story.units[unit])} may go …`));
  const answer = await askDesk("ask", { question: { kind: "unit", frame, unit: story.units[unit].id, mode } });
  if (position.frame !== frame) return;
  asked = { unit, frame, answer };
  drawAnswer(answer);
  showAnswer(...aboutUnit(unit, answer));
}

function aboutUnit(unit, answer) {
  const title = make("h3", {}, fullName(story.units[unit]));
  if (answer.error) return [title, make("p", {}, `${answer.error}. ${answer.hint}`)];
  const count = answer.reach.length;
  const spent = !count && Number(answer.budget) === 0;
  const reach = answer.reason || (spent ? "no points are left to move with" : `may reach ${count === 1 ? "1 hex" : `${count} hexes`} for up to ${answer.budget} points`);
  const modes = make("select", { "aria-label": "How it moves" }, ...answer.modes.map((mode) => make("option", mode === answer.mode ? { selected: "" } : {}, mode)));
  modes.addEventListener("change", () => askAbout(unit, modes.value));
  const lines = [make("p", {}, modes, ` ${answer.phase}: ${reach}.`)];
  if (answer.supply) lines.push(make("p", {}, make("strong", {}, answer.supply.status), `: ${answer.supply.text}`));
  const target = make("input", { size: 8, "aria-label": "Hex", autocomplete: "off" });
  const ask = make("button", { type: "button" }, "Ask");
  // Not a form: the frame around this page lets none be sent.
  target.addEventListener("keydown", (event) => event.key === "Enter" && ask.click());
  ask.addEventListener("click", () => {
    const wanted = target.value.trim().toUpperCase();
    const hex = hexOf.get(wanted) ?? board.labels.findIndex((label) => label.endsWith(wanted) && wanted);
    if (hex >= 0) askWhether(unit, hex);
    else may.textContent = `There is no hex ${target.value}.`;
  });
  const may = make("p", { class: "may-answer", role: "status" }, "Or drag it there.");
  return [title, ...lines, make("p", { class: "may" }, make("label", {}, "May it go to ", target), " ", ask), may];
}

async function askWhether(unit, hex) {
  const frame = position.frame;
  const mode = asked?.answer.mode || "march";
  const answer = await askDesk("ask", { question: { kind: "may", frame, unit: story.units[unit].id, to: board.labels[hex], mode } });
  if (position.frame !== frame || asked?.unit !== unit) return;
  const line = answerBox.querySelector(".may-answer");
  if (!line) return;
  line.className = `may-answer ${answer.reached ? "legal" : "illegal"}`;
  const where = board.labels[hex];
  if (answer.error) line.textContent = `${answer.error}. ${answer.hint}`;
  else if (answer.reached) line.textContent = `It may go to ${where}${answer.cost ? ` for ${answer.cost} of ${answer.budget}` : ""}: ${answer.text}.${answer.stacking ? "" : " Stacking at the end of the phase is not looked at."}`;
  else line.textContent = `It may not go to ${where}: ${answer.text}.`;
  drawAnswer(asked.answer);
  answerOver.append(draw("path", { d: hexPath(hex, 0.94), class: `may-hex ${answer.reached ? "legal" : "illegal"}` }));
  const way = numbersOf(answer.path || []);
  if (way.length > 1) {
    answerOver.append(draw("path", { d: wayLine(way), class: "casing" }), draw("path", { d: wayLine(way), class: "trail move", "marker-end": "url(#tip-move)" }));
  }
}

const wayLine = (hexes) => `M${hexes.map((hex) => center(hex).join(" ")).join("L")}`;

function drawAnswer(answer) {
  answerUnder.replaceChildren();
  answerOver.replaceChildren();
  under.append(answerUnder); // above the zones of the frame, which are drawn anew with each
  if (answer.error) return;
  for (const hex of numbersOf(answer.zones)) answerUnder.append(draw("path", { d: hexPath(hex), class: "zone-against" }));
  for (const [label, cost] of answer.reach) {
    const hex = hexOf.get(label);
    if (hex === undefined) continue;
    const [x, y] = center(hex);
    answerUnder.append(draw("path", { d: hexPath(hex, 0.96), class: "reach" }));
    answerOver.append(draw("text", { x, y: y + 44, class: "cost" }, cost));
  }
  const supply = numbersOf(answer.supply?.line || []);
  if (supply.length > 1) answerOver.append(draw("path", { d: wayLine(supply), class: "casing" }), draw("path", { d: wayLine(supply), class: "trail supply" }));
}

function showAnswer(...nodes) {
  const close = make("button", { type: "button", class: "close" }, "Close");
  close.addEventListener("click", forgetAnswer);
  answerBox.replaceChildren(close, ...nodes);
  answerBox.hidden = false;
}

function forgetAnswer() {
  asked = null;
  answerBox.hidden = true;
  answerUnder.replaceChildren();
  answerOver.replaceChildren();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".ask");
  if (button) askAbout(Number(button.dataset.unit));
});

// A click on a hex asks about the unit on top of it.
hexListeners.push((hex, open) => {
  if (!deskThere || !open) return;
  const units = standing(hex);
  if (units.length) askAbout(units.at(-1));
  else forgetAnswer();
});
onChange(({ from, to }) => {
  if (from !== to) forgetAnswer();
});
