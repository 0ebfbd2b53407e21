// Tabs at the side.

const tabs = [...document.querySelectorAll("[role=tab]")];
const panelOf = (tab) => byId(tab.getAttribute("aria-controls"));

function select(tab) {
  for (const other of tabs) {
    const on = other === tab;
    other.setAttribute("aria-selected", on);
    other.tabIndex = on ? 0 : -1;
    panelOf(other).hidden = !on;
  }
  tellPieces();
  tellCourse();
}

const openTab = (name) => select(byId(`tab-${name}`));

tabs.forEach((tab, number) => {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", (event) => {
    const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -number, End: tabs.length - 1 - number };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const next = tabs[(number + steps[event.key] + tabs.length) % tabs.length];
    select(next);
    next.focus();
  });
});
