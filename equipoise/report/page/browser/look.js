"use strict";
// What pages share: elements, light and dark, the list of keys, paper.

const byId = (id) => document.getElementById(id);
function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Makes the page light or dark, as its switch then says. */
function markTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").textContent = dark ? "☀ light" : "☾ dark";
}

/**
 * Lets the page be light or dark as the system is, unless its switch was used; light on paper.
 * `isDark()` says how it is, `setTheme(dark)` changes it, `prepare(printing)` is called before and after printing.
 */
function wireLook(isDark, setTheme, prepare) {
  let switched = false;
  byId("theme").addEventListener("click", () => { switched = true; setTheme(!isDark()); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => { if (!switched) setTheme(event.matches); });
  const help = byId("help");
  byId("keys").addEventListener("click", () => help.showModal());
  help.addEventListener("click", (event) => { if (event.target === help) help.close(); });
  let dark = false;
  addEventListener("beforeprint", () => {
    dark = isDark();
    prepare(true);
    setTheme(false);
  });
  addEventListener("afterprint", () => {
    prepare(false);
    setTheme(dark);
  });
}

/** Whether a key belongs to the control that has the focus, or to nobody. */
function isOwnKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return true;
  const control = event.target.closest("select, input, button, summary");
  if (!control) return false;
  if (control.matches("input[type=search]")) return true;
  return event.key !== "?" && (control.matches("select, input[type=range]") || [" ", "Enter"].includes(event.key));
}

/** Does what `actions` has for a key that belongs to no control. */
function actOnKey(event, actions) {
  if (isOwnKey(event)) return;
  const act = actions[event.key];
  if (!act) return;
  act();
  event.preventDefault();
}
