"use strict";

// At home: the server that this page comes from does the work.

const POLL_MS = 700;
let request = null;

const home = {
  check(files, body, say) {
    const token = body.get("token");
    for (const file of files) body.append("files", file, file.name);
    return new Promise((done, fail) => {
      request = new XMLHttpRequest();
      request.open("POST", "/check");
      request.setRequestHeader("Accept", "application/json");
      request.setRequestHeader("X-Fieldpost-Token", token);
      request.upload.addEventListener("progress", (event) => {
        if (event.lengthComputable) say("Sending", event.loaded / event.total);
      });
      request.addEventListener("load", () => {
        let answer = { error: "The answer could not be read.", hint: "Reload this page." };
        try {
          answer = JSON.parse(request.responseText);
        } catch {
          // what is said above
        }
        if (!answer.where) return fail(new Error(`${answer.error} ${answer.hint}`));
        location.assign(answer.where);
        return undefined; // the page goes on to the next
      });
      request.addEventListener("error", () => fail(new Error("fieldpost does not answer. Is it still running? Start it again, then load this page again.")));
      request.addEventListener("abort", () => fail(new Error("Cancelled. Nothing was kept.")));
      say("Sending", 0);
      request.send(body);
    });
  },

  breakOff() {
    request?.abort();
  },

  async look(text) {
    return (await post("/sheet", document.querySelector("#drop [name=token]").value, { text })).problems;
  },

  begin() {
    document.querySelector("[data-plan]")?.addEventListener("click", async (event) => {
      event.preventDefault();
      planTurn(await (await fetch(event.target.href)).text());
    });
    const frame = document.getElementById("replay");
    if (!frame) return;
    const ask = (question) => post(frame.dataset.ask, frame.dataset.token, question);
    serveReplay(frame, ask, (place) => history.replaceState(null, "", `?${place}`));
  },
};

async function post(address, token, value) {
  const answer = await fetch(address, {
    method: "POST",
    headers: { Accept: "application/json", "Content-Type": "application/json", "X-Fieldpost-Token": token },
    body: JSON.stringify(value),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Error(`${told.error} ${told.hint}`);
  return told;
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
  const bar = wait.querySelector("progress");
  const say = (text) => {
    if (line.textContent !== text) line.textContent = text;
  };
  poll(wait.dataset.wait, ({ state, before, doing, share }, ok) => {
    bar.hidden = state !== "working";
    if (typeof share === "number") bar.value = 100 * share;
    else bar.removeAttribute("value");
    if (state === "done" || (!ok && state !== "gone")) location.reload();
    else if (state === "gone") say("fieldpost does not answer any more. Is it still running?");
    else if (state === "working") say(doing ? `Checking (${doing}) …` : "Checking …");
    else say(`Waiting: ${before} ${before === 1 ? "check" : "checks"} ahead of this one.`);
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
