// Light, dark, print, help.

const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");

byId("theme").addEventListener("click", () => {
  const now = root.dataset.theme || (dark.matches ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
});

const keysDialog = byId("keys");
const openHelp = () => keysDialog.showModal();
byId("help").addEventListener("click", openHelp);
byId("print").addEventListener("click", () => window.print());

// On paper the map fills the width of the page, with what the screen showed in its middle.
let onScreen = null;
window.addEventListener("beforeprint", () => {
  onScreen = { ...view };
  document.body.classList.add("printing");
  fitAll();
});
window.addEventListener("afterprint", () => {
  document.body.classList.remove("printing");
  Object.assign(view, onScreen);
  show();
});
