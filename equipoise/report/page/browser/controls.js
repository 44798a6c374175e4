"use strict";
// What a reader can do: buttons, keys, printing.

/** Which runs are shown side by side: a box for each, or, if there are many, for those shown and a list of the others. */
const choices = {
  boxesMax: 10,
  build() {
    byId("beside").hidden = page.runs.length < 2;
    this.boxes = new Map(page.runs.map((run, index) => {
      const label = element("label");
      const box = element("input");
      box.type = "checkbox";
      box.addEventListener("change", () => toggleRun(index));
      const swatch = element("span", undefined, "swatch");
      swatch.dataset.run = index;
      label.append(box, swatch, labels[index]);
      return [index, { label, box }];
    }));
    if (page.runs.length <= this.boxesMax) return byId("choices").append(...[...this.boxes.values()].map(({ label }) => label));
    this.list = element("select");
    this.list.setAttribute("aria-label", "Show a run beside the others");
    this.list.append(new Option("add a run", ""), ...page.runs.map((_, index) => new Option(labels[index], index)));
    this.list.addEventListener("change", () => { if (this.list.value !== "") toggleRun(Number(this.list.value)); });
  },
  mark() {
    const full = state.shown.length >= panelsMax;
    for (const [index, { label, box }] of this.boxes) {
      box.checked = state.shown.includes(index);
      box.disabled = full && !box.checked;
      label.classList.toggle("on", box.checked);
    }
    if (!this.list) return;
    this.list.value = "";
    for (const option of this.list.options) option.disabled = option.value !== "" && state.shown.includes(Number(option.value));
    this.list.disabled = full;
    byId("choices").replaceChildren(byId("choices").firstElementChild, ...state.shown.map((index) => this.boxes.get(index).label), this.list);
  },
};

/** Shows a run beside the others, or no more. The last one stays. */
function toggleRun(index) {
  if (!(index < page.runs.length)) return;
  if (!state.shown.includes(index)) {
    if (state.shown.length < panelsMax) showRuns([...state.shown, index], state.run);
  } else {
    const left = state.shown.filter((one) => one !== index);
    if (left.length) return showRuns(left, left.includes(state.run) ? state.run : left[0]);
  }
  choices.mark();
}

/** Shows the name and load of the next node of the chosen run. */
function pointNext(by) {
  const panel = chosenPanel();
  const { length } = panel.now.loads;
  state.pointed = ((state.pointed ?? (by > 0 ? -1 : length)) + by + length) % length;
  panel.pointNode(state.pointed);
}

/** What keys do; each is named in the help. */
function keyActions() {
  const toggle = (id) => () => byId(id).click();
  return {
    ...controls.keys(),
    "ArrowDown": () => choose((state.run + 1) % page.runs.length),
    "ArrowUp": () => choose((state.run + page.runs.length - 1) % page.runs.length),
    "+": () => stage.zoom(1.4), "=": () => stage.zoom(1.4), "-": () => stage.zoom(1 / 1.4), "0": () => stage.zoom(0),
    "n": () => pointNext(1), "N": () => pointNext(-1),
    "c": () => cycle("scale", 1), "l": toggle("log"), "d": toggle("theme"), "?": () => byId("help").showModal(),
  };
}
/** Digits show runs; the arrows move pictures while Shift is held. */
function keysOfPictures(event) {
  return {
    ...Object.fromEntries(Array.from("123456789", (digit) => [digit, () => toggleRun(Number(digit) - 1)])),
    ...(event.shiftKey ? {
      "ArrowLeft": () => stage.panBy(60, 0), "ArrowRight": () => stage.panBy(-60, 0),
      "ArrowUp": () => stage.panBy(0, 60), "ArrowDown": () => stage.panBy(0, -60),
    } : {}),
  };
}

function wireControls() {
  choices.build();
  const on = (id, kind, act) => byId(id).addEventListener(kind, act);
  controls.wire();
  on("scale", "change", () => { state.scale = null; drawMoment(); });
  on("together", "change", (event) => { state.together = event.target.value; showRuns(state.shown, state.run); });
  on("log", "change", drawAll);
  on("over", "change", drawAll);
  on("zoom", "click", (event) => { if (event.target.dataset.zoom) stage.zoom(Number(event.target.dataset.zoom)); });
  // On paper pictures are sharp.
  wireLook(() => state.dark, setTheme, (printing) => {
    if (printing) player.stop();
    for (const { picture } of stage.panels) picture.sharp = printing ? 2 : 1;
  });
  document.addEventListener("keydown", (event) => actOnKey(event, { ...keyActions(), ...keysOfPictures(event) }));
  wireTerms();
  // At once, before the page is drawn again: nothing is ever seen in the size of before.
  addEventListener("resize", () => { stage.resize(); state.scale = null; drawMoment(); });
}
