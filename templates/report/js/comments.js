// What a reader has to say of a step: listed, copied into a mail, and kept in the page when it is saved.

const comments = new Map(JSON.parse(byId("comments-kept").textContent));
const commentText = byId("comment");
const commentList = byId("comments");

const stepName = (at) => {
  const frame = story.frames[at];
  return `Turn ${frame.t}, ${phaseName(frame.p)}, step ${at}`;
};

function tellComments() {
  commentText.value = comments.get(position.frame) || "";
  byId("comment-where").textContent = stepName(position.frame);
  byId("comments-bubble").textContent = comments.size || "";
  byId("comments-empty").hidden = comments.size > 0;
  byId("comments-tools").hidden = !comments.size;
  commentList.replaceChildren(...inOrder().map(([at, text]) => {
    const button = make("button", { type: "button", "data-frame": at }, stepName(at));
    return make("li", {}, button, make("p", {}, text));
  }));
}

const inOrder = () => [...comments].sort(([a], [b]) => a - b);

// As plain text, with what happened at each step: it can be read without this page.
function commentsForMail() {
  const head = document.title;
  const parts = inOrder().map(([at, text]) => {
    const happened = story.frames[at].x.join("; ");
    return `${stepName(at)} (#step=${at})${happened ? `\n  ${happened}` : ""}\n\n  ${text.replaceAll("\n", "\n  ")}\n`;
  });
  return `${head}\n\n${parts.join("\n")}`;
}

commentText.addEventListener("input", () => {
  const text = commentText.value.trim();
  if (text) comments.set(position.frame, text);
  else comments.delete(position.frame);
  byId("comments-kept").textContent = JSON.stringify([...comments]).replaceAll("<", "\\u003c");
  byId("comments-bubble").textContent = comments.size || "";
  byId("comments-tools").hidden = !comments.size;
});
commentText.addEventListener("change", tellComments);
commentList.addEventListener("click", (event) => {
  const button = event.target.closest("[data-frame]");
  if (button) go(Number(button.dataset.frame));
});
byId("comments-copy").addEventListener("click", async () => {
  const text = commentsForMail();
  let copied = false;
  try {
    if (deskThere) copied = await askDesk("copy", { text });
    else copied = await navigator.clipboard.writeText(text).then(() => true);
  } catch {
    // then it is shown, to be marked
  }
  const shown = byId("comments-text");
  shown.textContent = text;
  shown.hidden = copied;
  if (!copied) getSelection().selectAllChildren(shown);
  byId("comments-said").textContent = copied ? "Copied." : "The text is selected; press Ctrl-C to copy it.";
});
onChange(tellComments);
