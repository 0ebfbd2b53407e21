"use strict";

// On the site: Python in a worker does the work. Nothing is sent anywhere.

const CHECK_SECONDS = 180;
const CONTROL_MS = 60_000; // it takes a second; a busy machine takes its time
const PICTURE_BYTES = 6_800_000; // of all pictures of a dropped module in a replay
const LARGE = 400 * 400; // pixels of a board or a card, which may lose some sharpness

// --- the worker ---

let worker = null;
let ready = null;
let number = 0;
const waiting = new Map();
let onProgress = () => {};

function startWorker() {
  // From a blob, so that it inherits this page's policy: it may ask for nothing but files of the site.
  const source = `import ${JSON.stringify(new URL("worker.js", location.href).href)};`;
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  worker = new Worker(address, { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    if (data.progress !== undefined) return showLoading(data.progress, data.what);
    if (data.doing !== undefined) return onProgress(data.doing, data.share);
    const known = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error) known?.fail(new Error(data.error));
    else known?.done(data.value);
    return undefined;
  });
  worker.addEventListener("error", (event) => endWorker(new Error(`Python could not be started in this browser: ${event.message || "it is too old, or a file is missing"}.`)));
  ready = call("load", [new URL(".", location.href).href]).then(() => showLoading(1, "Ready."));
  ready.catch((error) => showLoading(-1, error.message));
}

function endWorker(error) {
  worker?.terminate();
  worker = ready = null;
  for (const one of waiting.values()) one.fail(error);
  waiting.clear();
}

function call(what, values, transfer = []) {
  const id = (number += 1);
  worker.postMessage({ id, what, values }, transfer);
  return new Promise((done, fail) => waiting.set(id, { done, fail }));
}

async function python(what, ...values) {
  if (!ready) startWorker();
  await ready;
  return call(what, values);
}

function showLoading(share, what) {
  const place = document.getElementById("loading");
  if (!place) return;
  const bar = place.querySelector("progress");
  place.querySelector("[role=status]").textContent = what;
  bar.hidden = share === 1 || share < 0;
  bar.value = 100 * share;
  place.classList.toggle("trouble", share < 0);
}

// --- what the desk asks for ---

const home = {
  async check(files, body, say) {
    say("Reading");
    const given = await Promise.all(files.map(async (file) => [file.name, await file.arrayBuffer()]));
    say(ready ? "Checking" : "Getting ready to check");
    if (!ready) startWorker();
    await ready;
    say("Checking");
    onProgress = (doing, share) => say("Checking", share ?? undefined, doing);
    const timer = setTimeout(() => endWorker(new Error("This took too long. You can check a whole game in parts.")), 1000 * CHECK_SECONDS);
    try {
      const answer = JSON.parse(await call("check", [given, JSON.stringify(askedOf(body))], given.map(([, data]) => data)));
      if (answer.error) throw new Error(`${answer.error} ${answer.hint}`);
      showVerdict(answer);
    } finally {
      onProgress = () => {};
      clearTimeout(timer);
    }
  },

  breakOff() {
    endWorker(new Error("Cancelled."));
    startWorker();
  },

  async look(text) {
    return JSON.parse(await python("look", text));
  },

  begin() {
    addEventListener("hashchange", follow);
    if (byId("drop")) prepare().then(follow);
    else register();
  },
};

function askedOf(body) {
  const [game, scenario] = String(body.get("game") || "").split("/");
  const options = {};
  for (const chosenOption of body.getAll("option")) {
    const [whose, choice] = chosenOption.split("/", 2);
    (options[whose] ||= []).push(choice);
  }
  return { game: game || null, scenario: scenario || null, options, policy: body.get("policy") || "replay", over: body.get("over") === "yes" };
}

// --- the service worker, which keeps the site for use without a network ---

async function register() {
  if (!("serviceWorker" in navigator) || !isSecureContext) return null;
  try {
    return await navigator.serviceWorker.register("sw.js");
  } catch {
    return null; // a browser that keeps nothing; it works with a network
  }
}

// Python is loaded through the service worker, which keeps it: else all of it would be fetched twice.
async function controlled(registration) {
  const coming = registration.installing || registration.waiting;
  if (!coming || navigator.serviceWorker.controller) return;
  await new Promise((done) => {
    navigator.serviceWorker.addEventListener("controllerchange", done, { once: true });
    coming.addEventListener("statechange", () => coming.state === "redundant" && done());
    setTimeout(done, CONTROL_MS);
  });
}

async function prepare() {
  const registration = await register();
  if (registration) await controlled(registration);
  startWorker();
  ready.then(() => navigator.serviceWorker?.controller?.postMessage("keep everything"), () => {});
}

// --- what is shown instead of the first page ---

const main = document.getElementById("main");
const firstPage = [...main.children];
let verdictPage = [];
let games = 0;

function show(nodes, className = "") {
  main.replaceChildren(...nodes);
  document.body.className = className;
}

function showVerdict({ html, games: count }) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  verdictPage = [...parsed.body.children];
  games = count;
  if (location.hash === "#verdict") follow();
  else location.hash = "verdict";
}

async function follow() {
  const [what, which, place] = location.hash.slice(1).split("/");
  if (what === "example") return checkExample(which);
  if (!["verdict", "map", "save", "start", "text", "json"].includes(what) || !verdictPage.length) return goFirst(what);
  if (what === "verdict") {
    show(verdictPage);
    document.title = `${main.querySelector("h1").textContent} – Fieldpost`;
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
    return undefined;
  }
  if (what === "map") return showReplay(Number(which), place);
  if (what === "start") {
    const text = await python("start", Number(which));
    history.replaceState(null, "", location.pathname);
    show(firstPage);
    return planTurn(text);
  }
  history.replaceState(null, "", "#verdict");
  if (what === "text") return save("verdict.txt", await python("text"), "text/plain");
  if (what === "json") return save("verdict.json", await python("data"), "application/json");
  return save("report.html", await replay(Number(which)), "text/html");
}

function goFirst(what) {
  if (main.firstElementChild !== firstPage[0]) show(firstPage);
  const target = what && document.getElementById(what);
  if (target) target.scrollIntoView();
}

async function checkExample(name) {
  show(firstPage);
  const files = (await (await fetch("examples.json")).json())[name];
  if (!files) return;
  const blobs = await Promise.all(files.map(async (file) => new File([await (await fetch(`examples/${file}`)).blob()], file.split("/").at(-1))));
  history.replaceState(null, "", location.pathname);
  send(blobs);
}

const missing = []; // pictures that could not be fetched for the replay

async function replay(which, start = "", say = () => {}) {
  let html = await python("page", which);
  const mark = await python("mark"); // made up anew by each worker: no chat line can name a picture
  const dropped = new RegExp(`"${mark}dropped:(\\d+)"`, "g");
  const prepared = new RegExp(`${mark}prepared:([\\w.-]+)`, "g");
  const given = new Set([...html.matchAll(dropped)].map((found) => Number(found[1])));
  if (given.size) {
    const put = await scaled([...given], say);
    html = html.replace(dropped, (_, number) => JSON.stringify(put.get(Number(number))));
  }
  missing.length = 0;
  const names = [...new Set([...html.matchAll(prepared)].map((found) => found[1]))];
  const pictures = new Map(await Promise.all(names.map(async (name) => [name, await asData(name)])));
  html = html.replace(prepared, (_, name) => pictures.get(name));
  return start ? html.replace('<body class="no-script"', `<body class="no-script" data-start="${start}"`) : html;
}

// All pictures of a dropped module that a replay shows, as large as together they may be.
async function scaled(numbers, say) {
  const sizes = JSON.parse(await python("dropped"));
  for (let share = 1; ; share *= 0.7) {
    const blobs = new Map();
    let bytes = 0;
    for (const number of numbers) {
      say(`Pictures: ${blobs.size + 1} of ${numbers.length} …`);
      const [width, height] = sizes[number];
      const large = width * height > LARGE;
      const by = Math.min(large ? share : Math.max(share, 0.5), Math.sqrt(16e6 / (width * height)));
      const blob = await python("picture", number, Math.max(1, Math.round(width * by)), Math.max(1, Math.round(height * by)), large ? 0.7 : 0.85);
      blobs.set(number, blob);
      bytes += blob?.size ?? 0;
      if (bytes > PICTURE_BYTES && share > 0.06) break;
    }
    if (blobs.size < numbers.length) continue;
    const put = await Promise.all([...blobs].map(async ([number, blob]) => [number, blob ? await textOf(blob) : ""]));
    return new Map(put);
  }
}

async function asData(name) {
  try {
    const answer = await fetch(name);
    if (answer.ok) return textOf(await answer.blob());
  } catch {
    // no network, and it is not kept yet: the page is shown without it
  }
  missing.push(name);
  return "data:,";
}

function textOf(blob) {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.readAsDataURL(blob);
  });
}

let shownMap = "";

async function showReplay(which, place) {
  if (shownMap === `${which}` && document.getElementById("replay")) return;
  if (!(which < games)) return goFirst("");
  shownMap = `${which}`;
  const back = make("a", { href: "#verdict" }, "← Back to the verdict");
  const keep = make("a", { href: `#save/${which}` }, "Save this page");
  const frame = make("iframe", { id: "replay", title: "The turn on its map, to step through", sandbox: "allow-scripts allow-modals" });
  const strip = make("header", { class: "strip" }, back, keep);
  const wait = make("p", { class: "wait", role: "status" }, "Drawing the map …");
  show([strip, wait], "framing");
  const start = /^(step|finding)=\d+$/.test(place) ? place : "";
  frame.srcdoc = await replay(which, start, (text) => (wait.textContent = text));
  serveReplay(frame, async (question) => JSON.parse(await python("ask", which, JSON.stringify(question))), (now) => {
    if (frame.isConnected) history.replaceState(null, "", `#map/${which}/${now}`);
  });
  show([strip, ...withoutPictures(), frame], "framing");
}

function withoutPictures() {
  const text = "Some pictures could not be fetched, so the map is shown without them. With a network, open it again.";
  return missing.length ? [make("p", { class: "wait", role: "status" }, text)] : [];
}
