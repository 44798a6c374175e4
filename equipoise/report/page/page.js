"use strict";
// Puts the page together: what is chosen, the slider, the table.

const byId = (id) => document.getElementById(id);
const labels = runLabels(page.runs);
const state = { run: 0, moment: 0, playing: false, dark: false, playback: null, scale: null, sort: null };
const picture = new Picture(byId("picture"));
const discrepancyChart = new CurveChart(byId("discrepancy"), "discrepancy", (step) => goToStep(step));
const potentialChart = new CurveChart(byId("potential"), "potential", (step) => goToStep(step));
const playbacks = new Map();

const runColours = {
  light: ["#0b62b8", "#c4500a", "#0a7d5a", "#a3338a", "#8a6d00", "#4a4fc4", "#b3261e", "#3b7a94"],
  dark: ["#6db3f8", "#ff9d5c", "#4fd1a1", "#f08ad8", "#e0c04c", "#a3a7ff", "#ff8a80", "#86c9e0"],
};
function runColour(index) {
  const list = runColours[state.dark ? "dark" : "light"];
  return list[index % list.length];
}
function style() {
  const css = getComputedStyle(document.documentElement);
  const names = ["ink", "soft", "line", "link", "card", "accent", "promise", "outline"];
  return Object.fromEntries(names.map((name) => [name, css.getPropertyValue(`--${name}`).trim()]));
}
function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}
const chosenRun = () => page.runs[state.run];
const chosenNetwork = () => page.networks[chosenRun().network];
/** Whether nodes have different speeds, so that discrepancies say nothing. */
const bySpeed = (run) => run.share_distance !== undefined;
/** Tokens of a run's own units. */
const inTokens = (run, value) => (Number(run.scale) === 1 ? value : Number(value) / Number(run.scale));

// What is drawn ------------------------------------------------------------------------------

function makeScale() {
  const mode = byId("scale").value;
  let [least, most] = [state.playback.least, state.playback.most];
  if (mode === "moment") [least, most] = minmax(state.now.loads);
  state.scale = new ColourScale(mode, least, most, state.dark);
}

function drawLegend() {
  const scale = state.scale;
  byId("ramp").style.background = `linear-gradient(to right, ${scale.css.filter((_, i) => i % 8 === 0 || i === shades - 1).join()})`;
  const [least, most] = minmax(state.now.loads);
  const range = byId("range");
  range.style.left = `${100 * scale.place(least)}%`;
  range.style.width = `${100 * (scale.place(most) - scale.place(least))}%`;
  const ticks = byId("ticks");
  ticks.replaceChildren();
  const width = byId("ramp").clientWidth;
  const places = scale.ticks().map((value) => ({ value, x: scale.place(value) * width }));
  const last = places[places.length - 1];
  const room = width - 6.6 * `${show(last.value)} tokens`.length;
  let used = -Infinity;
  for (const place of places) {
    const text = place === last ? `${show(place.value)} tokens` : show(place.value);
    const half = text.length * 3.6;
    if (place !== last && (place.x - half < used || place.x + half > room)) continue;
    used = place.x + half + 8;
    const tick = element("span", text);
    tick.style.left = `${place.x}px`;
    ticks.append(tick);
    if (place !== last) continue;
    tick.style.transform = "translateX(-100%)";
    tick.style.left = `${place.x + 8}px`;
  }
}

function drawTiles() {
  const network = chosenNetwork();
  const loads = state.now.loads;
  let sum = 0;
  let [low, high] = [0, 0];
  for (let i = 0; i < loads.length; ++i) {
    sum += loads[i];
    if (loads[i] < loads[low]) low = i;
    if (loads[i] > loads[high]) high = i;
  }
  const exactly = network.kind === "points" || (network.kind === "cells" && network.block === 1);
  const tiles = [];
  if (exactly || network.kind === "ranks") {
    tiles.push(["Discrepancy", show(loads[high] - loads[low]), "most − least"]);
    tiles.push(["Most loaded", show(loads[high]), exactly ? nodeTitle(network, high) : ""]);
    tiles.push(["Least loaded", show(loads[low]), exactly ? nodeTitle(network, low) : ""]);
  }
  if (network.kind !== "ranks") tiles.push(["Mean", show(sum / loads.length), "tokens a node"]);
  if (state.playback.events) {
    const moved = state.now.moving.reduce((total, move) => total + move.tokens, 0);
    tiles.push(["Moved", show(moved / state.playback.divisor), "in this step"]);
  }
  if (state.playback.messages) tiles.push(["On the way", show(state.now.messages.length), "messages"]);
  byId("tiles").replaceChildren(...tiles.map(([name, value, more]) => {
    const tile = element("div");
    const number = element("dd", value);
    const note = element("small", more);
    note.title = more;
    number.append(note);
    tile.append(element("dt", name), number);
    return tile;
  }));
}

function drawMoment() {
  state.now = state.playback.at(state.moment);
  state.now.messages = state.playback.onTheWay(state.moment, 0);
  // Where messages are seen, what has arrived needs no arrow.
  if (state.playback.messages) state.arrows = [];
  else state.arrows = state.now.moving;
  state.step = state.playback.stepAt(state.moment);
  if (!state.scale || byId("scale").value === "moment") makeScale();
  picture.draw(state.now.loads, state.arrows, state.scale, state.style, state.now.messages);
  drawLegend();
  drawTiles();
  discrepancyChart.mark(state.step);
  potentialChart.mark(state.step);
  const slider = byId("time");
  slider.value = state.moment;
  const text = `step ${show(state.step)} of ${show(chosenRun().steps)}`;
  slider.setAttribute("aria-valuetext", text);
  byId("moment").textContent = text;
}

function drawAll() {
  state.style = style();
  state.scale = null;
  picture.resize();
  const runs = page.runs.map((run, index) => ({ run, label: labels[index], colour: runColour(index) }))
    .filter(({ run }) => run.network === chosenRun().network && run.model === chosenRun().model);
  // Steps of different models are no common axis.
  const others = page.runs.some((run) => run.model !== chosenRun().model);
  byId("curves-of").textContent = others ? `${chosenRun().model} runs` : "";
  byId("curves-of").title = others ? "Steps of different models are not comparable: choose a run below to see those of its model." : "";
  const chosen = runs.findIndex(({ run }) => run === chosenRun());
  discrepancyChart.build(runs, chosen, byId("log").checked, state.style);
  potentialChart.build(runs, chosen, byId("log").checked, state.style);
  document.querySelectorAll(".swatch").forEach((swatch) => { swatch.style.background = runColour(Number(swatch.dataset.run)); });
  drawMoment();
}

// Choosing -----------------------------------------------------------------------------------

function choose(index) {
  stop();
  const keep = state.playback ? state.moment / Math.max(1, state.playback.length - 1) : 0;
  const before = state.playback ? chosenNetwork() : null;
  state.run = index;
  const network = chosenNetwork();
  if (!playbacks.has(index)) playbacks.set(index, new Playback(chosenRun(), network));
  state.playback = playbacks.get(index);
  if (network !== before) picture.setNetwork(network);
  state.moment = Math.round(keep * (state.playback.length - 1));
  byId("zoom").hidden = network.kind === "ranks";
  const slider = byId("time");
  slider.max = state.playback.length - 1;
  slider.disabled = byId("play").disabled = byId("back").disabled = byId("step").disabled = state.playback.length < 2;
  byId("messages").hidden = !state.playback.messages;
  const mean = Number(chosenRun().tokens) / Number(chosenRun().scale) / network.nodes;
  byId("scale").value = state.playback.most > 8 * (mean + 1) ? "logarithmic" : "linear";
  writeTexts();
  document.querySelectorAll("#runs tbody tr").forEach((row) => {
    const chosen = Number(row.dataset.run) === index;
    row.classList.toggle("chosen", chosen);
    row.querySelector("button").setAttribute("aria-pressed", chosen);
  });
  drawAll();
}

function writeTexts() {
  const run = chosenRun();
  const network = chosenNetwork();
  const number = (value) => show(inTokens(run, value));
  byId("network-title").textContent = page.runs.length > 1 ? `${labels[state.run]} on ${network.name}` : network.name;
  if (network.links_left_out) byId("network-title").append(element("small", "links not drawn"));
  picture.canvas.setAttribute("aria-label", `${network.name}: ${counted(network.nodes, "node")}, coloured by load`);
  let text = `${counted(inTokens(run, run.tokens), "token")} on ${counted(network.nodes, "node")} and ${counted(network.links, "link")}. ` +
    (bySpeed(run) ? `${labels[state.run]} left no node more than ${show(run.share_distance)} tokens off its share by speed, in ${counted(run.steps, "step")}`
      : `${labels[state.run]} took the discrepancy from ${number(run.initial_discrepancy)} to ${number(run.discrepancy)} in ${counted(run.steps, "step")}`);
  if (run.guarantee.discrepancy !== undefined) text += `; at most ${number(run.guarantee.discrepancy)} is promised`;
  byId("summary").textContent = `${text}.`;
  const details = [
    ["Algorithm", run.algorithm], ["Model", run.model],
    ["Parameters", Object.entries(run.parameters).map(([key, value]) => `${key} = ${value}`).join(", ") || "none"],
    ["Constants", Object.entries(run.constants).map(([key, value]) => `${key} = ${value}`).join(", ")],
    ["Network", `${network.origin || network.name} · ${counted(network.nodes, "node")}, ${counted(network.links, "link")} · drawn: ${network.drawing}`],
    ["Links", network.links_left_out ? "too many to draw" : ""],
    ["Seed", run.seed],
    ["Promise", [run.guarantee.share_distance_below !== undefined ? "floor or ceiling of every node's share" : "",
      run.guarantee.discrepancy !== undefined ? `discrepancy at most ${number(run.guarantee.discrepancy)}` : "",
      run.guarantee.steps !== undefined ? `steps at most ${show(run.guarantee.steps)}` : "", run.guarantee.source].filter(Boolean).join(" · ") || "none"],
    ["Ended because", `${run.stopped_because || "unknown"} · ${run.reached ? "the state asked for was reached" : "the state asked for was not reached"}`],
    ["Picture shows", state.playback.messages ? "every step and every message" : state.playback.events ? "every step" : `${show(state.playback.length)} moments of the run`],
    ["Program", run.version],
  ];
  byId("details").replaceChildren(...details.filter(([, value]) => value).flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
}

function goTo(moment) {
  state.moment = Math.min(Math.max(0, moment), state.playback.length - 1);
  drawMoment();
}
function goToStep(step) {
  let best = 0;
  for (let i = 0; i < state.playback.length; ++i)
    if (Math.abs(state.playback.stepAt(i) - step) < Math.abs(state.playback.stepAt(best) - step)) best = i;
  stop();
  goTo(best);
}

// Playing ------------------------------------------------------------------------------------

function play() {
  if (state.playback.length < 2) return;
  state.playing = true;
  byId("play").textContent = "⏸";
  byId("play").setAttribute("aria-label", "Pause");
  if (state.moment >= state.playback.length - 1) goTo(0);
  // The whole run in about twelve seconds, but no faster than 25 and no slower than 3 moments a second.
  // Messages need time to be seen on their way.
  const slowest = state.playback.messages ? 1.5 : 3;
  const rate = Math.min(Math.max(state.playback.length / 12, slowest), 25);
  const stride = Math.max(1, Math.round(state.playback.length / 12 / rate));
  let last = performance.now();
  const tick = (now) => {
    if (!state.playing) return;
    if (now - last >= 1000 / rate) {
      last = now;
      goTo(state.moment + stride);
      if (state.moment >= state.playback.length - 1) return stop();
    } else if (state.playback.messages && stride === 1) {
      const part = Math.max(0, ((now - last) * rate) / 1000);
      picture.draw(state.now.loads, [], state.scale, state.style, state.playback.onTheWay(state.moment, part));
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}
function stop() {
  if (state.playing && state.playback.messages) requestAnimationFrame(drawMoment);
  state.playing = false;
  byId("play").textContent = "▶";
  byId("play").setAttribute("aria-label", "Play");
}

// The table ----------------------------------------------------------------------------------

const columns = [
  { name: "Algorithm", text: (run, i) => labels[i], value: (run, i) => labels[i], words: true },
  { name: "Network", text: (run) => page.networks[run.network].name, value: (run) => page.networks[run.network].name, words: true, only: () => page.networks.length > 1 },
  { name: "Off share", text: (run) => bySpeed(run) ? show(run.share_distance) : "", value: (run) => run.share_distance ?? Infinity, only: () => page.runs.some(bySpeed), hint: () => "tokens, of the node farthest from its share by speed",
    mark: (run) => run.guarantee.share_distance_below !== undefined && run.share_distance >= run.guarantee.share_distance_below },
  { name: "Discrepancy", text: (run) => show(inTokens(run, run.discrepancy)), value: (run) => Number(run.discrepancy) / Number(run.scale), only: () => !page.runs.every(bySpeed),
    mark: (run) => run.guarantee.discrepancy !== undefined && Number(run.discrepancy) > Number(run.guarantee.discrepancy) },
  { name: "Discrepancy promised", only: () => !page.runs.every(bySpeed), text: (run) => run.guarantee.discrepancy === undefined ? "" : `≤ ${show(inTokens(run, run.guarantee.discrepancy))}`, value: (run) => run.guarantee.discrepancy === undefined ? Infinity : Number(run.guarantee.discrepancy) / Number(run.scale), hint: (run) => run.guarantee.source },
  { name: "Local imbalance", text: (run) => show(inTokens(run, run.local_imbalance)), value: (run) => Number(run.local_imbalance) / Number(run.scale) },
  { name: "Steps", text: (run) => show(run.steps), value: (run) => Number(run.steps),
    mark: (run) => run.guarantee.steps !== undefined && Number(run.steps) > Number(run.guarantee.steps) },
  { name: "Steps promised", text: (run) => run.guarantee.steps === undefined ? "" : `≤ ${show(run.guarantee.steps)}`, value: (run) => run.guarantee.steps === undefined ? Infinity : Number(run.guarantee.steps), hint: (run) => run.guarantee.source, only: () => page.runs.some((run) => run.guarantee.steps !== undefined) },
  { name: "Rounds", text: (run) => show(run.rounds), value: (run) => Number(run.rounds) },
  { name: "Exchanges", text: (run) => show(inTokens(run, run.exchanges)), value: (run) => Number(run.exchanges) / Number(run.scale) },
  { name: "Messages", text: (run) => show(run.messages), value: (run) => Number(run.messages) },
  { name: "Seconds", text: (run) => run.seconds < 0.01 ? "< 0.01" : show(run.seconds), value: (run) => run.seconds },
  { name: "Model", text: (run) => run.model, value: (run) => run.model, words: true, only: () => new Set(page.runs.map((run) => run.model)).size > 1 },
  { name: "Ended because", text: (run) => (run.reached ? "" : "✗ ") + run.stopped_because, value: (run) => run.stopped_because, words: true, bad: (run) => !run.reached },
].filter((column) => !column.only || column.only());

function buildTable() {
  byId("runs-title").textContent = page.runs.length > 1 ? `All ${page.runs.length} runs` : "The run";
  const head = element("tr");
  columns.forEach((column, index) => {
    const cell = element("th", undefined, column.words ? "text" : "");
    cell.scope = "col";
    const button = element("button", column.name);
    button.type = "button";
    button.addEventListener("click", () => sortBy(index));
    cell.append(button);
    head.append(cell);
  });
  byId("runs").tHead.append(head);
  page.runs.forEach((run, index) => {
    const row = element("tr");
    row.dataset.run = index;
    row.addEventListener("click", () => choose(index));
    columns.forEach((column, place) => {
      const cell = element("td", undefined, column.words ? "text" : "");
      if (place === 0) {
        const button = element("button");
        button.type = "button";
        const swatch = element("span", undefined, "swatch");
        swatch.dataset.run = index;
        button.append(swatch, labels[index]);
        cell.append(button);
      } else {
        cell.textContent = column.text(run, index);
        if (column.hint) cell.title = column.hint(run);
      }
      if (column.mark && column.mark(run)) cell.classList.add("over");
      if (column.bad && column.bad(run)) cell.classList.add("no");
      row.append(cell);
    });
    byId("runs").tBodies[0].append(row);
  });
}

function sortBy(index) {
  const down = state.sort && state.sort.index === index ? !state.sort.down : false;
  state.sort = { index, down };
  const { value } = columns[index];
  const order = page.runs.map((_, i) => i).sort((a, b) => {
    const [x, y] = [value(page.runs[a], a), value(page.runs[b], b)];
    const by = typeof x === "string" ? x.localeCompare(y) : x < y ? -1 : x > y ? 1 : 0;
    return (down ? -by : by) || a - b;
  });
  const body = byId("runs").tBodies[0];
  const rows = new Map([...body.rows].map((row) => [Number(row.dataset.run), row]));
  body.append(...order.map((i) => rows.get(i)));
  [...byId("runs").tHead.rows[0].cells].forEach((cell, i) => {
    if (i === index) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  });
}

// Wiring -------------------------------------------------------------------------------------

function setTheme(dark) {
  state.dark = dark;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").textContent = dark ? "☀ light" : "☾ dark";
  if (state.playback) drawAll();
}

function wire() {
  byId("time").addEventListener("input", (event) => { stop(); goTo(Number(event.target.value)); });
  byId("back").addEventListener("click", () => { stop(); goTo(state.moment - 1); });
  byId("step").addEventListener("click", () => { stop(); goTo(state.moment + 1); });
  byId("play").addEventListener("click", () => (state.playing ? stop() : play()));
  byId("scale").addEventListener("change", () => { makeScale(); drawMoment(); });
  byId("log").addEventListener("change", drawAll);
  byId("theme").addEventListener("click", () => setTheme(!state.dark));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => setTheme(event.matches));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, button")) return;
    const last = state.playback.length - 1;
    const moves = { ArrowRight: state.moment + 1, ArrowLeft: state.moment - 1, Home: 0, End: last };
    if (event.key in moves) { stop(); goTo(moves[event.key]); }
    else if (event.key === " ") { if (state.playing) stop(); else play(); }
    else return;
    event.preventDefault();
  });
  let waiting = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => { picture.resize(); drawMoment(); });
  });
  wirePicture();
}

function wirePicture() {
  const canvas = picture.canvas;
  const tip = byId("tip");
  let grip = null;
  const redraw = () => {
    canvas.classList.toggle("zoomed", picture.zoom > 1);
    if (chosenNetwork().kind === "points") picture.place();
    drawMoment();
  };
  const zoom = (factor) => {
    if (factor === 0) picture.showAll();
    else {
      const next = Math.min(40, Math.max(1, picture.zoom * factor));
      picture.panX *= next / picture.zoom;
      picture.panY *= next / picture.zoom;
      picture.zoom = next;
      if (next === 1) picture.showAll();
    }
    redraw();
  };
  byId("zoom").addEventListener("click", (event) => { if (event.target.dataset.zoom) zoom(Number(event.target.dataset.zoom)); });
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15);
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    if (picture.zoom > 1) grip = { x: event.clientX - picture.panX, y: event.clientY - picture.panY };
  });
  addEventListener("pointerup", () => { grip = null; });
  canvas.addEventListener("pointermove", (event) => {
    if (grip) {
      [picture.panX, picture.panY] = [event.clientX - grip.x, event.clientY - grip.y];
      return redraw();
    }
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const text = picture.describe(x, y);
    tip.hidden = text === null;
    if (text === null) return;
    tip.textContent = text;
    tip.style.left = `${Math.min(x + 14, Math.max(0, box.width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${y + 18}px`;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
}

buildTable();
byId("log").checked = page.runs.some((run) => Number(run.initial_discrepancy) > 50 * Number(run.scale));
setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
wire();
choose(0);
