"use strict";

// Both homes of the desk: dropping files, typing a turn sheet, talking with the replay, small helps.
// Each page works without this where it is served; `home` (serve.js or site.js) knows where answers come from.

document.documentElement.classList.add("scripted");
const byId = (id) => document.getElementById(id);
const MB = 1 << 20;

function make(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

// --- sending ---

const form = byId("drop");

function sizeText(bytes) {
  return bytes < MB ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / MB).toFixed(1).replace(".0", "")} MB`;
}

function trouble(text) {
  const line = form.querySelector(".trouble");
  line.textContent = text;
  line.hidden = !text;
  busy(false);
}

function busy(on) {
  form.querySelector(".target").hidden = on;
  form.querySelector(".sending").hidden = !on;
}

function refusal(files) {
  const limit = Number(form.dataset.limit);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (!files.length) return "There was no file in what you dropped.";
  if (files.length > Number(form.dataset.files)) return `At most ${form.dataset.files} files at once. A zip may hold more.`;
  if (size > limit) return `These files are ${sizeText(size)} together; the limit is ${sizeText(limit)}. Send only the logs, or send them in parts.`;
  return "";
}

// What was chosen beside the files, without what is as usual.
function chosen() {
  const body = new FormData(form);
  body.delete("files");
  body.delete("option");
  for (const select of form.querySelectorAll("select[name=option]")) {
    if (!select.value.endsWith(`=${select.dataset.usual}`)) body.append("option", select.value);
  }
  return body;
}

function send(files) {
  const why = refusal(files);
  if (why) return trouble(why);
  trouble("");
  busy(true);
  const bar = form.querySelector("progress");
  const name = files.length === 1 ? files[0].name : counted(files.length, "file");
  const say = (text, share, doing = "") => {
    form.querySelector(".what").textContent = `${text} ${name} …${doing && ` (${doing})`}`;
    if (share === undefined) bar.removeAttribute("value");
    else bar.value = 100 * share;
  };
  byId("break-off").onclick = () => home.breakOff();
  form.scrollIntoView({ block: "nearest" });
  home.check(files, chosen(), say).then(() => busy(false), (error) => trouble(error.message));
}

// A folder that is dropped: its files and those of the folders in it.
async function filesOf(entry, most) {
  if (entry.isFile) return [await new Promise((done, fail) => entry.file(done, fail))];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const batch = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!batch.length || found.length > most) return found;
    for (const inner of batch) found.push(...(await filesOf(inner, most)));
  }
}

async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files];
  const found = [];
  for (const entry of entries) found.push(...(await filesOf(entry, Number(form.dataset.files))));
  return found.filter((file) => !file.name.startsWith("."));
}

if (form) {
  const input = byId("files");
  input.addEventListener("change", () => {
    if (input.files.length) send([...input.files]);
    input.value = "";
  });
  let inside = 0;
  const lit = () => form.classList.toggle("over", inside > 0);
  addEventListener("dragenter", (event) => {
    event.preventDefault();
    inside += 1;
    lit();
  });
  addEventListener("dragleave", () => {
    inside -= 1;
    lit();
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    inside = 0;
    lit();
    if (!form.checkVisibility()) return;
    dropped(event.dataTransfer).then(send, () => trouble("This could not be read. Use the button to choose the files instead."));
  });
  const gameChoice = form.querySelector("select[name=game]");
  const showOptions = () => {
    const game = gameChoice.value.split("/")[0];
    for (const label of form.querySelectorAll(".of-game")) label.hidden = Boolean(game) && label.dataset.game !== game;
  };
  gameChoice.addEventListener("change", showOptions);
  showOptions();
}

// --- typing a turn sheet ---

const sheetForm = byId("sheet-form");
const LOOK_MS = 500;
const KEPT = "fieldpost-sheet";

function keptSheet(text) {
  try {
    if (text === undefined) return sessionStorage.getItem(KEPT) || "";
    sessionStorage.setItem(KEPT, text);
  } catch {
    // a browser that keeps nothing
  }
  return "";
}

if (sheetForm) {
  const paper = byId("sheet-text");
  const gutter = sheetForm.querySelector(".gutter");
  const list = byId("sheet-problems");
  const after = byId("sheet-after");
  let looked = 0;
  let faulty = new Map();

  const lineStart = (number) => paper.value.split("\n").slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);

  const drawGutter = () => {
    const lines = paper.value.split("\n").length;
    gutter.replaceChildren(...Array.from({ length: lines }, (_, at) =>
      make("span", faulty.has(at + 1) ? { class: "fault", title: faulty.get(at + 1) } : {}, `${at + 1}`)));
    gutter.scrollTop = paper.scrollTop;
  };

  const showProblems = (problems) => {
    faulty = new Map(problems.map((problem) => [problem.line, problem.message]));
    list.replaceChildren(...problems.map((problem) => {
      const button = make("button", { type: "button", "data-line": problem.line, "data-column": problem.column }, `Line ${problem.line}`);
      return make("li", {}, button, ` ${problem.message}${problem.hint ? `. ${problem.hint}` : ""}`);
    }));
    drawGutter();
  };

  const look = async () => {
    const mine = (looked += 1);
    keptSheet(paper.value);
    if (!paper.value.trim()) return showProblems([]);
    try {
      const problems = await home.look(paper.value);
      if (mine === looked) showProblems(problems);
    } catch {
      // the check itself will say it
    }
  };

  let due;
  paper.addEventListener("input", () => {
    drawGutter();
    clearTimeout(due);
    due = setTimeout(look, LOOK_MS);
  });
  paper.addEventListener("scroll", () => {
    gutter.scrollTop = paper.scrollTop;
  });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-line]");
    if (!button) return;
    const at = lineStart(Number(button.dataset.line)) + Number(button.dataset.column) - 1;
    paper.focus();
    paper.setSelectionRange(at, at + (paper.value.slice(at).match(/^[^\s+>-]+/)?.[0].length || 0));
  });
  byId("sheet-sample").addEventListener("change", (event) => {
    if (!event.target.value) return;
    const [head, ...rest] = paper.value.split("\n");
    const first = `game ${event.target.value}`;
    paper.value = head.startsWith("game ") ? [first, ...rest].join("\n") : `${first}\n\n${paper.value}`;
    look();
  });
  byId("sheet-save").addEventListener("click", () => save("turn.txt", paper.value, "text/plain"));
  sheetForm.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!paper.value.trim()) return paper.focus();
    send([...after.files, new File([paper.value], "turn.txt", { type: "text/plain" })]);
  });
  paper.value = keptSheet();
  if (paper.value) look();
  drawGutter();
}

// The sheet that begins where a game ended goes into the editor.
function planTurn(text) {
  const paper = byId("sheet-text");
  keptSheet(text);
  if (!paper) return location.assign("/#sheet");
  paper.value = text;
  paper.dispatchEvent(new Event("input"));
  return openSheet();
}

function openSheet() {
  byId("sheet").open = true;
  byId("sheet").scrollIntoView();
  byId("sheet-text").focus();
}

if (sheetForm && location.hash === "#sheet") openSheet();

function save(name, content, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// --- the replay in its frame ---

// It runs in a box of its own and talks by messages: which step it shows, and what it wants to know.
function serveReplay(frame, ask, remember) {
  addEventListener("message", async (event) => {
    if (event.source !== frame.contentWindow || !event.data?.fieldpost) return;
    const { fieldpost: kind, id } = event.data;
    const reply = (message) => frame.contentWindow?.postMessage({ fieldpost: kind, id, ...message }, "*");
    if (kind === "hello") reply({});
    if (kind === "place") remember(String(event.data.place));
    if (kind === "copy") copyText(String(event.data.text)).then((copied) => reply({ copied }));
    if (kind === "ask") {
      try {
        reply({ answer: await ask(event.data.question) });
      } catch (error) {
        reply({ answer: { error: error.message, hint: "" } });
      }
    }
  });
}

// --- small helps ---

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const text = byId(button.dataset.copy);
  const copied = await copyText(text.textContent);
  if (!copied) getSelection().selectAllChildren(text);
  button.parentElement.querySelector(".copied").textContent = copied ? "Copied." : "The text is selected; press Ctrl-C to copy it.";
});

const sieve = byId("sieve");
if (sieve) {
  const status = new URLSearchParams(location.search).get("status");
  const rows = [...byId(sieve.dataset.sieve).children]
    .filter((row) => !status || row.dataset.status === status || (row.hidden = true) === false)
    .map((row) => [row, row.textContent.toLowerCase()]);
  const filter = () => {
    const words = sieve.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    byId("sieved").textContent = counted(shown, "rule");
  };
  sieve.addEventListener("input", filter);
  if (status) {
    for (const link of document.querySelectorAll(".sieve nav a")) {
      const same = (new URL(link.href).searchParams.get("status") || "") === status;
      link.toggleAttribute("aria-current", same);
      if (same) link.setAttribute("aria-current", "true");
    }
    filter();
  }
}

home.begin?.();
