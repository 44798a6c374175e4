"use strict";
// Puts the page together: which runs are shown, at which moment.

const labels = runLabels(page.runs);
/** `run` is the chosen one, whose curves and figures are shown; `shown` are all that are drawn. */
const state = { run: 0, shown: [], moment: 0, dark: false, scale: null, style: null, timeline: null, playback: null };
const playbacks = new Map();
const flatShape = 0.45;  // height by width: a lower picture beside the curves would leave a hole below it
const stage = new Stage(byId("stage"), () => drawPictures());
const discrepancyChart = new CurveChart(byId("discrepancy"), "discrepancy", (step) => goToStep(step));
const potentialChart = new CurveChart(byId("potential"), "potential", (step) => goToStep(step));
const table = new RunTable(byId("runs"), (index) => choose(index));
const player = new Player({
  show: (moment) => goTo(moment),
  glide: (part) => { for (const panel of stage.panels) panel.glide(part, state.scale, state.style); },
  changed: (playing) => {
    showPlaying(playing);
    if (!playing) requestAnimationFrame(drawPictures);
  },
});
const controls = new PlayerControls(player, {
  at: () => state.moment,
  last: () => state.timeline.length - 1,
  goTo: (moment) => goTo(moment),
  messages: () => stage.panels.some(({ playback }) => playback.messages),
});

const runColours = {
  light: ["#0b62b8", "#c4500a", "#0a7d5a", "#a3338a", "#8a6d00", "#4a4fc4", "#b3261e", "#3b7a94"],
  dark: ["#6db3f8", "#ff9d5c", "#4fd1a1", "#f08ad8", "#e0c04c", "#a3a7ff", "#ff8a80", "#86c9e0"],
};
function runColour(index) {
  const list = runColours[state.dark ? "dark" : "light"];
  return list[index % list.length];
}
function readStyle() {
  const css = getComputedStyle(document.documentElement);
  const names = ["ink", "soft", "line", "link", "card", "accent", "promise", "optimum", "level", "outline"];
  return Object.fromEntries(names.map((name) => [name, css.getPropertyValue(`--${name}`).trim()]));
}
const chosenRun = () => page.runs[state.run];
const chosenNetwork = () => page.networks[chosenRun().network];
const chosenPanel = () => stage.panels.find(({ index }) => index === state.run);
function playbackOf(index) {
  if (!playbacks.has(index)) playbacks.set(index, new Playback(page.runs[index], page.networks[page.runs[index].network]));
  return playbacks.get(index);
}

// What is drawn ------------------------------------------------------------------------------

function makeScale() {
  const mode = byId("scale").value;
  const extents = stage.panels.map(({ now, playback }) => (mode === "moment" ? minmax(now.loads) : [playback.least, playback.most]));
  const least = Math.min(...extents.map(([low]) => low));
  const most = Math.max(...extents.map(([, high]) => high));
  state.scale = new ColourScale(mode, least, most, state.dark);
  legend.build(state.scale);
}

function drawPictures() {
  if (!state.scale || byId("scale").value === "moment") makeScale();
  for (const panel of stage.panels) panel.draw(state.scale, state.style);
}

function drawMoment() {
  for (const panel of stage.panels) panel.look(state.timeline.momentOf(panel.playback, state.moment));
  const { now, step } = chosenPanel();
  state.now = now;
  state.step = step;
  drawPictures();
  legend.mark(stage.panels.map((panel) => minmax(panel.now.loads)));
  tiles.show(now);
  discrepancyChart.mark(step);
  potentialChart.mark(step);
  const slider = byId("time");
  slider.value = state.moment;
  const text = momentText();
  slider.setAttribute("aria-valuetext", text);
  byId("moment").textContent = text;
}

function momentText() {
  if (stage.panels.length === 1) return `step ${show(state.step)} of ${show(chosenRun().steps)}`;
  const last = state.timeline.length - 1;
  if (!state.timeline.bySteps) return `${Math.round((100 * state.moment) / Math.max(1, last))} % of each run`;
  const steps = state.timeline.steps ?? { at: (i) => (i < 0 ? last : i) };
  return `step ${show(steps.at(state.moment))} of ${show(steps.at(-1))}`;
}

function drawAll() {
  state.style = readStyle();
  stage.resize();
  state.scale = null;
  drawCurves();
  document.querySelectorAll(".swatch").forEach((swatch) => { swatch.style.background = runColour(Number(swatch.dataset.run)); });
  drawMoment();
}

/** The curves of all runs on the network of the chosen one. */
function drawCurves() {
  const runs = page.runs.map((run, index) => ({ run, label: labels[index], colour: runColour(index), shown: state.shown.includes(index) }))
    .filter(({ run }) => run.network === chosenRun().network);
  const chosen = runs.findIndex(({ run }) => run === chosenRun());
  const course = byId("over").value;
  const models = [...new Set(runs.map(({ run }) => run.model))];
  const note = course === "messages" ? "The messages of a run are spread evenly over its steps."
    : models.length > 1 ? `Steps of different models are not comparable: each has its own axis (${models.join(", ")}).` : "";
  byId("axes-note").replaceChildren(...withTerms(note));
  for (const chart of [discrepancyChart, potentialChart]) chart.build(runs, chosen, byId("log").checked, course, state.style);
}

// Choosing -----------------------------------------------------------------------------------

/** Chooses a run; one that is not shown takes the place of the chosen one. */
function choose(index) {
  const shown = state.shown.includes(index) ? state.shown : state.shown.map((one) => (one === state.run ? index : one));
  showRuns(shown.length ? shown : [index], index);
}

/** Shows these runs side by side, one of them chosen. */
function showRuns(shown, chosen) {
  player.stop();
  const part = state.timeline ? state.moment / Math.max(1, state.timeline.length - 1) : 0;
  const step = stage.panels.length > 0 && chosen === state.run ? state.step : null;
  const before = new Map(stage.panels.map((panel) => [panel.index, panel]));
  const sameScale = before.size > 0 && page.runs[state.run].network === page.runs[chosen].network;
  state.run = chosen;
  state.shown = [...new Set(shown)].sort((a, b) => a - b).slice(0, panelsMax);
  if (!state.shown.includes(chosen)) state.shown[state.shown.length - 1] = chosen;
  stage.set(state.shown.map((index) => before.get(index) ?? new Panel(index, playbackOf(index), choose)));
  stage.panels.forEach(({ figure, index }) => figure.classList.toggle("chosen", index === chosen));
  state.playback = playbackOf(chosen);
  setTimeline();
  state.moment = step === null ? Math.round(part * (state.timeline.length - 1)) : state.timeline.nearest(state.playback, step);
  if (!sameScale) byId("scale").value = suggestedScale();
  const several = state.shown.length > 1;
  document.querySelector("main").classList.toggle("several", several);
  document.querySelector("main").classList.toggle("flat", !several && stage.panels[0].picture.shape < flatShape);
  byId("zoom").hidden = stage.panels.every(({ network }) => network.kind === "ranks");
  byId("messages").hidden = stage.panels.every(({ playback }) => !playback.messages);
  tiles.build();
  writeTexts();
  table.mark(chosen, state.shown);
  choices.mark();
  drawAll();
}

/** Loads far above the mean would leave all others in one colour. */
function suggestedScale() {
  const mean = Number(chosenRun().tokens) / Number(chosenRun().scale) / chosenNetwork().nodes;
  return state.playback.most > 8 * (mean + 1) ? "logarithmic" : "linear";
}

function setTimeline() {
  const together = byId("together");
  const models = new Set(stage.panels.map(({ run }) => run.model));
  together.disabled = models.size > 1;
  const bySteps = models.size === 1 && (stage.panels.length === 1 || state.together !== "parts");
  together.value = bySteps ? "steps" : "parts";
  byId("together-choice").hidden = stage.panels.length < 2;
  byId("together-choice").title = models.size > 1 ? "Steps of different models are not comparable, so these runs play part by part." : "";
  state.timeline = new Timeline(stage.panels.map(({ playback }) => playback), bySteps);
  const slider = byId("time");
  slider.max = state.timeline.length - 1;
  for (const id of ["time", "play", "back", "step"]) byId(id).disabled = state.timeline.length < 2;
}

function goTo(moment) {
  state.moment = Math.min(Math.max(0, moment), state.timeline.length - 1);
  drawMoment();
}
function goToStep(step) {
  player.stop();
  goTo(state.timeline.nearest(state.playback, step));
}

function setTheme(dark) {
  state.dark = dark;
  markTheme(dark);
  if (state.playback) drawAll();
}

byId("log").checked = page.runs.some((run) => Number(run.initial_discrepancy) > 50 * Number(run.scale));
setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
wireControls();
choose(0);
