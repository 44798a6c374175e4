"use strict";
// What stands around the pictures: legend of colours, figures of the moment, summary, details.

/** The legend of the colours. */
const legend = {
  build(scale) {
    this.scale = scale;
    byId("ramp").style.background = scale.gradient();
    const width = byId("ramp").clientWidth;
    const values = scale.ticks();
    const words = showUpTo(scale.most);
    const spans = values.map((value, i) => {
      const last = i === values.length - 1;
      const text = last ? `${words(value)} tokens` : words(value);
      return { text, value, last, x: scale.place(value) * width, half: text.length * 3.6 };
    });
    const ticks = byId("ticks");
    ticks.replaceChildren();
    // The ends and zero first: whatever is in their way is left out.
    const weight = ({ value, last }) => (last ? 0 : value === values[0] ? 1 : value === 0 ? 2 : 3);
    const taken = [];
    for (const span of [...spans].sort((a, b) => weight(a) - weight(b) || a.value - b.value)) {
      const box = span.last ? [width - 2 * span.half, width + 8]
        : span.value === values[0] ? [-8, 2 * span.half - 8] : [span.x - span.half, span.x + span.half];
      if (taken.some(([from, to]) => box[0] < to + 6 && box[1] > from - 6)) continue;
      taken.push(box);
      const tick = element("span", span.text);
      if (span.last) tick.style.right = "-8px";
      else if (span.value === values[0]) tick.style.left = "-8px";
      else Object.assign(tick.style, { left: `${100 * scale.place(span.value)}%`, transform: "translateX(-50%)" });
      ticks.append(tick);
    }
    const notes = [];
    if (scale.debts) notes.push("Red: below zero, since the algorithm may send more tokens than a node has.");
    const { sizes, block, kind } = chosenNetwork();
    if (sizes) notes.push(`Each dot: the average of about ${show(Math.round(chosenNetwork().nodes / sizes.length))} nodes that links join.`);
    if (kind === "cells" && block > 1) notes.push(`Each cell: the average of ${block} × ${block} nodes.`);
    if (chosenNetwork().links_left_out) notes.push("Too many links to draw.");
    if (byId("together").disabled) notes.push("Steps of different models are not comparable: each picture shows the same part of its run.");
    byId("notes").textContent = notes.join(" ");
    byId("range-note").lastElementChild.textContent = `spans the loads at this moment${state.shown.length > 1 ? ", of all pictures" : ""}`;
  },
  /** The bar below the colours spans the loads of the moment. */
  mark(extents) {
    const [least, most] = [Math.min(...extents.map(([low]) => low)), Math.max(...extents.map(([, high]) => high))];
    const range = byId("range");
    range.style.left = `${100 * this.scale.place(least)}%`;
    range.style.width = `${100 * (this.scale.place(most) - this.scale.place(least))}%`;
  },
};

/** Figures of the chosen run at the moment shown. */
const tiles = {
  build() {
    const network = chosenNetwork();
    const playback = playbackOf(state.run);
    const names = [["Discrepancy", "most − least"], ["Most loaded", ""], ["Least loaded", ""], ["Mean", "tokens a node"]];
    if (network.kind === "ranks") names.pop();
    if (playback.events) names.push(["Moved", "in this step"]);
    if (playback.messages) names.push(["On the way", "messages"]);
    this.tiles = names.map(([name, note]) => {
      const tile = { box: element("div"), value: element("span"), note: element("small", note), name };
      const number = element("dd");
      number.append(tile.value, tile.note);
      tile.box.append(element("dt", name), number);
      return tile;
    });
    byId("tiles").classList.remove("wide");
    byId("tiles").replaceChildren(...this.tiles.map(({ box }) => box));
  },
  show(now) {
    const network = chosenNetwork();
    const [least, most] = now.extent;
    const values = { "Discrepancy": most - least, "Most loaded": most, "Least loaded": least };
    if (network.kind !== "ranks") values.Mean = this.mean(network, now.loads);
    values.Moved = now.moving.reduce((total, move) => total + move.tokens, 0);
    values["On the way"] = now.messages.length;
    const notes = {};
    if (showsNodes(network)) {
      notes["Most loaded"] = nodeTitle(network, now.loads.indexOf(most));
      notes["Least loaded"] = nodeTitle(network, now.loads.indexOf(least));
    }
    for (const tile of this.tiles) {
      tile.value.textContent = show(values[tile.name]);
      tile.value.title = exactly(values[tile.name]);
      // Tiles that were wide stay so while the run plays.
      if (tile.value.textContent.length > 7) byId("tiles").classList.add("wide");
      if (notes[tile.name] !== undefined) tile.note.textContent = tile.note.title = notes[tile.name];
    }
  },
  mean(network, loads) {
    let sum = 0;
    for (let i = 0; i < loads.length; ++i) sum += loads[i] * (network.sizes ? network.sizes[i] : 1);
    return sum / (network.sizes ? network.nodes : loads.length);
  },
};

function writeTexts() {
  const run = chosenRun();
  const network = chosenNetwork();
  const number = (value) => show(inTokens(run, value));
  const several = state.shown.length > 1;
  byId("network-title").textContent = several ? `${state.shown.length} runs side by side`
    : page.runs.length > 1 ? `${labels[state.run]} on ${network.name}` : network.name;
  let text = `${counted(inTokens(run, run.tokens), "token")} on ${counted(network.nodes, "node")} and ${counted(network.links, "link")}. ` +
    (bySpeed(run) ? `${labels[state.run]} left no node more than ${tokens(run.share_distance)} off its share by speed, in ${counted(run.steps, "step")}`
      : `${labels[state.run]} took the discrepancy from ${number(run.initial_discrepancy)} to ${number(run.discrepancy)} in ${counted(run.steps, "step")}`);
  if (run.guarantee.discrepancy !== undefined) text += `; at most ${number(run.guarantee.discrepancy)} is promised`;
  byId("summary").textContent = byId("summary").title = `${text}.`;
  byId("runs-title").textContent = page.runs.length > 1 ? `${page.runs.length} runs` : "The run";
  byId("details-title").textContent = page.runs.length > 1 ? `Details of ${labels[state.run]}` : "Details of this run";
  byId("details").replaceChildren(...detailsOf(run, network, number).filter(([, value]) => value).flatMap(([name, value]) => {
    const meaning = element("dd");
    meaning.append(...(["Algorithm", "Parameters", "Network"].includes(name) ? [String(value)] : withTerms(String(value))));
    return [element("dt", name), meaning];
  }));
}

/** Since when the discrepancy of a run was what it is at the end. */
function levelText(run) {
  const left = `discrepancy ${show(inTokens(run, run.discrepancy))}`;
  if (Number(run.level_since) === 0) return `level from the start: ${left} throughout`;
  return `level after step ${show(run.level_since)}: ${left} from then on`;
}

function detailsOf(run, network, number) {
  const pairs = (values) => Object.entries(values).map(([key, value]) => `${key} = ${value}`).join(", ");
  const optimum = [run.optimum_steps === undefined ? "" : counted(run.optimum_steps, "step"),
    run.optimum_exchanges === undefined ? "" : counted(run.optimum_exchanges, "exchange")].filter(Boolean).join(", ");
  return [
    ["Algorithm", run.algorithm], ["Model", run.model],
    ["Parameters", pairs(run.parameters) || "none"],
    ["Constants", pairs(Object.fromEntries(Object.entries(run.constants).filter(([name]) => !name.startsWith("optimum_"))))],
    ["Network", `${network.origin || network.name} · ${counted(network.nodes, "node")}, ${counted(network.links, "link")} · drawn: ${network.sizes ? `${show(network.sizes.length)} clusters, ` : ""}${network.drawing}`],
    ["Seed", run.seed],
    ["Promise", [run.guarantee.share_distance_below !== undefined ? "floor or ceiling of every node’s share" : "",
      run.guarantee.discrepancy !== undefined ? `discrepancy at most ${number(run.guarantee.discrepancy)}` : "",
      run.guarantee.steps !== undefined ? `steps at most ${show(run.guarantee.steps)}` : "", run.guarantee.source].filter(Boolean).join(" · ") || "none"],
    ["Best possible", optimum],
    ["Level", run.level_since === undefined ? "" : levelText(run)],
    ["Ended because", `${run.stopped_because || "unknown"}${run.reached ? "" : " · the goal was not reached"}`],
    ["Picture shows", state.playback.messages ? "every step and every message" : state.playback.events ? "every step" : `${counted(state.playback.length, "moment")} of the run`],
    ["Program", run.version],
  ];
}
