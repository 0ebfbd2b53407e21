// The buttons, the keys, the address: all ways to a step.
const button = (id) => document.getElementById(id);
const slider = button("slider");
const follow = button("follow");
const goTo = button("marks");
const store = `fieldpost-replay:${film.title}:${frames.length}`;
let timer = 0;
let told = 0;
let marked = stored();

function stored() {
  try {
    return JSON.parse(localStorage.getItem(store) ?? "[]").filter((at) => Number.isInteger(at) && frames[at]);
  } catch {
    return [];
  }
}

function go(wanted) {
  seek(wanted);
  const frame = frames[scene.at];
  if (follow.checked) goWhere();
  const said = frame.text || UNSEEN;
  const text = frame.who ? `${frame.who}: ${said}` : said;
  button("now").textContent = [frame.log, frame.turn, text].filter(Boolean).join(" \u00b7 ");
  button("count").textContent = `step ${scene.at} of ${frames.length - 1}`;
  slider.value = String(scene.at);
  button("mark").setAttribute("aria-pressed", String(marked.includes(scene.at)));
  clearTimeout(told);
  told = setTimeout(keepAddress, 300);
  drawRows();
  drawDice();
  redraw();
}

function keepAddress() {
  try {
    history.replaceState(null, "", `#step=${scene.at}`);
  } catch {
    // Within another page the address is not ours.
  }
}

function goWhere() {
  const spot = scene.moved.map((one) => one.spot).find((one) => one.length);
  if (!spot) return;
  if (spot[MAP] !== map) show(spot[MAP]);
  reveal(spot[X], spot[Y]);
}

function show(number) {
  map = number;
  if (!views[map]) fit();
  for (const [at, tab] of [...button("maps").children].entries()) tab.setAttribute("aria-pressed", String(at === map));
  redraw();
}

function play(on = !timer) {
  clearInterval(timer);
  timer = on ? setInterval(() => (scene.at + 1 < frames.length && step(1) !== scene.at ? go(step(1)) : play(false)), Number(button("pace").value)) : 0;
  button("play").textContent = timer ? "Pause" : "Play";
  button("play").setAttribute("aria-label", timer ? "Pause" : "Play");
}

function mark() {
  marked = marked.includes(scene.at) ? marked.filter((at) => at !== scene.at) : [...marked, scene.at].sort((a, b) => a - b);
  try {
    localStorage.setItem(store, JSON.stringify(marked));
  } catch {
    // A page from a file may not keep anything: the bookmarks last as long as it is open.
  }
  fillMarks();
  button("mark").setAttribute("aria-pressed", String(marked.includes(scene.at)));
}

function fillMarks() {
  const group = (label, entries) => {
    if (!entries.length) return;
    const node = document.createElement("optgroup");
    node.label = label;
    node.append(...entries.map(([text, at]) => new Option(text.slice(0, 90), String(at))));
    goTo.append(node);
  };
  goTo.replaceChildren(new Option("Go to ...", ""));
  group("Bookmarks", marked.map((at) => [`${at}: ${frames[at].text}`, at]));
  group("Logs", logStarts.map((at) => [frames[at].log, at]));
  const turns = frames.flatMap((frame, at) => (frame.turn && frame.turn !== frames[at - 1]?.turn ? [[frame.turn, at]] : []));
  group("Turns", turns.slice(0, 500));
}

const KEYS = {
  ",": () => go(step(-1)), ".": () => go(step(1)), " ": () => play(), Home: () => go(0), End: () => go(frames.length - 1),
  PageUp: () => go(turn(-1)), PageDown: () => go(turn(1)), "+": () => zoom(1.25), "-": () => zoom(0.8), 0: () => fit(),
  b: mark, "/": () => search.focus(),
};

function wire() {
  const does = {
    first: KEYS.Home, last: KEYS.End, back: KEYS[","], on: KEYS["."], turnback: KEYS.PageUp, turnon: KEYS.PageDown,
    play: () => play(), in: () => zoom(1.25), out: () => zoom(0.8), fit, mark,
  };
  for (const [id, act] of Object.entries(does)) button(id).addEventListener("click", act);
  button("trace").addEventListener("change", redraw);
  button("pace").addEventListener("change", () => timer && play(true));
  slider.max = String(frames.length - 1);
  slider.addEventListener("input", () => go(Number(slider.value)));
  goTo.addEventListener("change", () => goTo.value && go(Number(goTo.value)));
  for (const node of [search, whoFilter, pieceFilter]) node.addEventListener("input", filter);
  list.addEventListener("scroll", () => requestAnimationFrame(() => drawRowsInPlace()));
  dice.addEventListener("click", (event) => go(Math.round((event.offsetX / dice.clientWidth) * (frames.length - 1))));
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && event.target.matches("button, summary")) return;
    const act = KEYS[event.key];
    if (act) {
      event.preventDefault();
      act();
    }
  });
  window.addEventListener("resize", () => (redraw(), drawRows(), drawDice()));
  wireBoard();
}

// As the reader scrolls, the rows follow him, not the present step.
function drawRowsInPlace() {
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / ROW) + 12);
  rows.replaceChildren(...shown.slice(first, last).map((at, number) => row(at, first + number)));
}

function wireBoard() {
  let grip = null;
  canvas.addEventListener("pointerdown", (event) => {
    grip = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!views[map]) return;
    if (!grip) return tell(event.offsetX, event.offsetY);
    views[map].x += event.clientX - grip[0];
    views[map].y += event.clientY - grip[1];
    grip = [event.clientX, event.clientY];
    redraw();
  });
  for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, () => (grip = null));
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.offsetX, event.offsetY);
  }, { passive: false });
}

function tell(x, y) {
  const names = under(x, y).map((spot) => film.looks[spot[LOOK]][0]).filter(Boolean);
  const tip = button("tip");
  tip.hidden = !names.length;
  tip.textContent = names.slice(0, 12).join("\n");
}

film.maps.forEach((one, number) => {
  const tab = document.createElement("button");
  tab.type = "button";
  tab.textContent = one.name;
  tab.addEventListener("click", () => show(number));
  button("maps").append(tab);
});
fillFilters();
wire();
seek(0);
fillMarks();
if (film.maps.length) show(largest());
filter();
go(Number(/step=(\d+)/.exec(location.hash)?.[1] ?? 0));

// The map with the most pieces comes first.
function largest() {
  const counts = film.maps.map((_, number) => onMap(number).length);
  return counts.indexOf(Math.max(...counts));
}
