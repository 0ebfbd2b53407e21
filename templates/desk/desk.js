"use strict";

// Every page works without this; with it files can be dropped, progress is seen, and pages renew themselves.

document.documentElement.classList.add("scripted");
const byId = (id) => document.getElementById(id);
const POLL_MS = 700;

// --- sending ---

const form = byId("drop");

function sizeText(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
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
  if (!files.length) return "There was no file in it.";
  if (files.length > Number(form.dataset.files)) return `At most ${form.dataset.files} files at once. A zip may hold more.`;
  if (size > limit) return `These files have ${sizeText(size)}; ${sizeText(limit)} is the limit. Send the logs alone, or in parts.`;
  return "";
}

function send(files) {
  const why = refusal(files);
  if (why) return trouble(why);
  trouble("");
  busy(true);
  const body = new FormData(form);
  body.delete("files");
  for (const file of files) body.append("files", file, file.name);
  const bar = form.querySelector("progress");
  const name = files.length === 1 ? files[0].name : `${files.length} files`;
  form.querySelector(".what").textContent = `Sending ${name} …`;
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) bar.value = (100 * event.loaded) / event.total;
  });
  request.addEventListener("load", () => {
    let answer = {};
    try {
      answer = JSON.parse(request.responseText);
    } catch {
      answer = { error: "The answer could not be read.", hint: "Load this page again." };
    }
    if (answer.where) location.assign(answer.where);
    else trouble(`${answer.error} ${answer.hint}`);
  });
  request.addEventListener("error", () => trouble("fieldpost does not answer. Is it still running? Start it again, then load this page again."));
  request.addEventListener("abort", () => trouble("Broken off. Nothing was kept."));
  byId("break-off").onclick = () => request.abort();
  request.send(body);
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
    dropped(event.dataTransfer).then(send, () => trouble("This could not be read. Choose the files instead."));
  });
}

// --- waiting ---

async function poll(address, show) {
  for (;;) {
    await new Promise((done) => setTimeout(done, POLL_MS));
    try {
      const answer = await fetch(address, { headers: { Accept: "application/json" } });
      const state = await answer.json();
      if (show(state, answer.ok)) return;
    } catch {
      show({ state: "gone" }, false);
    }
  }
}

const wait = document.querySelector("[data-wait]");
if (wait) {
  const line = wait.querySelector(".state");
  const say = (text) => {
    if (line.textContent !== text) line.textContent = text;
  };
  poll(wait.dataset.wait, ({ state, before }, ok) => {
    if (state === "done" || (!ok && state !== "gone")) location.reload();
    else if (state === "gone") say("fieldpost does not answer any more. Is it still running?");
    else if (state === "working") say("Playing it through by the rules …");
    else say(`Waiting: ${before} ${before === 1 ? "check" : "checks"} before this one.`);
    return state === "done";
  });
}

for (const place of document.querySelectorAll("[data-building]")) {
  if (["waiting", "working"].includes(place.dataset.state)) {
    poll(place.dataset.building, ({ state }) => {
      const over = state === "done" || state === "unbuilt";
      if (over && place.matches(".picture")) showPicture(place);
      else if (over) location.reload();
      return over;
    });
  }
}

function showPicture(place) {
  const image = new Image();
  image.alt = "";
  image.src = `${place.getAttribute("href")}/map.webp`;
  image.onload = () => {
    place.replaceChildren(image);
    place.classList.add("ready");
  };
}

// --- small helps ---

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const text = byId(button.dataset.copy);
    const said = button.parentElement.querySelector(".copied");
    try {
      await navigator.clipboard.writeText(text.textContent);
      said.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(text);
      said.textContent = "It is marked now; press Ctrl-C.";
    }
  });
}

const sieve = byId("sieve");
if (sieve) {
  const rows = [...byId(sieve.dataset.sieve).children].map((row) => [row, row.textContent.toLowerCase()]);
  sieve.addEventListener("input", () => {
    const words = sieve.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const [row, text] of rows) {
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    byId("sieved").textContent = `${shown} ${shown === 1 ? "rule" : "rules"}`;
  });
}
