"use strict";
// Puts the page of a plan of experts together: the picture of all steps, and the layers at one of them.

const figureNames = ["before", "after", "at_least", "within", "copied", "copied_at_least", "waves"];
const state = { dark: false, step: 0 };
const steps = plan.steps;
const player = new Player({
  show: (step) => goTo(step),
  glide: () => {},
  changed: showPlaying,
});
const controls = new PlayerControls(player, {
  at: () => state.step,
  last: () => steps.length - 1,
  goTo: (step) => goTo(step),
});

const threePlaces = new Intl.NumberFormat("en-US", { minimumFractionDigits: 3, maximumFractionDigits: 3 });
/** The largest GPU over the mean, as the program writes it. */
const levelText = (level) => (level === null ? "" : threePlaces.format(level));

/** The layers with loads at a step, each with its figures by name. */
function layersAt(step) {
  const columns = steps[step];
  return columns.layer.map((layer, i) => ({ layer, ...Object.fromEntries(figureNames.map((name) => [name, columns[name][i]])) }));
}

// The scale of bars is that of all steps, from the mean on, so that bars of different steps compare.
const highest = steps.reduce((most, { before, after }) => [...before, ...after].reduce((top, level) => Math.max(top, level ?? 0), most), plan.bound);
const place = (level) => (highest > 1 ? Math.max(0, Math.min(100, (100 * (level - 1)) / (highest - 1))) : 0);

function row({ layer, before, after, at_least, within, copied, copied_at_least, waves }) {
  const made = element("tr", undefined, within ? "" : "over");
  const name = element("th", show(layer), "text");
  name.scope = "row";
  const bar = element("td", undefined, "bar");
  const track = element("div", undefined, "track");
  track.setAttribute("aria-hidden", "true");
  for (const [part, level] of [["before", before], ["held", after], ["least", at_least], ["limit", plan.bound * at_least]]) {
    const mark = element("i", undefined, part);
    mark.hidden = level === null || level > highest;
    mark.style[part === "before" || part === "held" ? "width" : "left"] = `${place(level ?? 1)}%`;
    track.append(mark);
  }
  bar.append(track);
  made.append(name, bar);
  for (const [title, text, kind] of [["before", levelText(before), "before"], ["after", levelText(after), "after"], ["at least", levelText(at_least), ""],
    ["copied", show(copied), ""], ["at least", show(copied_at_least), ""], ["waves", show(waves), ""]]) {
    const cell = element("td", text, kind);
    cell.dataset.name = title;
    made.append(cell);
  }
  return made;
}

function goTo(step) {
  state.step = Math.min(Math.max(0, step), steps.length - 1);
  const text = `step ${show(steps[state.step].step)} · ${show(state.step + 1)} of ${show(steps.length)}`;
  byId("time").value = state.step;
  byId("time").setAttribute("aria-valuetext", text);
  byId("moment").textContent = text;
  const layers = layersAt(state.step);
  const order = byId("order").value;
  if (order !== "layer") layers.sort((a, b) => (b[order] ?? 0) - (a[order] ?? 0) || a.layer - b.layer);
  byId("bars").tBodies[0].replaceChildren(...layers.map(row));
  byId("step-words").textContent = steps.length > 1 ? steps[state.step].words : "";
  byId("bars-note").textContent = plan.layers_note;
}

// Controls -----------------------------------------------------------------------------------

/** What keys do; each is named in the help. */
function keyActions() {
  return {
    ...controls.keys(),
    "o": () => cycle("order", 1), "d": () => byId("theme").click(), "?": () => byId("help").showModal(),
  };
}

function setTheme(dark) {
  state.dark = dark;
  markTheme(dark);
}

function drawPicture() {
  byId("course-title").textContent = plan.picture.title;
  byId("course-note").textContent = plan.picture.note;
  byId("picture").replaceChildren(...["wide", "narrow"].map((width) => {
    const box = element("div", undefined, width);
    box.innerHTML = plan.picture[width];  // drawn by the program, which escapes its texts
    return box;
  }));
}

function wireControls() {
  const on = (id, kind, act) => byId(id).addEventListener(kind, act);
  byId("player").hidden = steps.length < 2;
  byId("time").max = steps.length - 1;
  const fromNothing = steps.every(({ before }) => before.every((level) => level === null));
  byId("bars").classList.toggle("from-nothing", fromNothing);
  byId("before-key").hidden = fromNothing;
  controls.wire();
  on("order", "change", () => goTo(state.step));
  document.addEventListener("keydown", (event) => actOnKey(event, keyActions()));
  wireLook(() => state.dark, setTheme, (printing) => { if (printing) player.stop(); });
}

setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
writePlanTexts();
drawPicture();
byId("scale-from").textContent = "1, the mean";
byId("scale-to").textContent = levelText(highest);
wireControls();
goTo(steps.length - 1);
