"use strict";
// The data of the page: runs, networks and the loads at every moment.

const page = JSON.parse(document.getElementById("data").textContent);
for (const network of page.networks) network.count = network.kind === "points" ? network.x.length : network.nodes;

/** Reads what VariableBytes wrote. */
class ByteReader {
  constructor(base64) {
    const text = atob(base64);
    this.bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; ++i) this.bytes[i] = text.charCodeAt(i);
    this.next = 0;
  }
  get done() { return this.next >= this.bytes.length; }
  whole() {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = this.bytes[this.next++];
      value += (byte & 127) * weight;
      if (byte < 128) return value;
      weight *= 128;
    }
  }
  signed() {
    const value = this.whole();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  /** Adds differences to a frame of loads. */
  differences(frame) {
    for (let i = 0; i < frame.length; ++i) {
      const value = this.signed();
      if (value === 0) i += this.whole();
      else frame[i] += value;
    }
  }
}

/** The loads of one run, moment by moment. */
class Playback {
  constructor(run, network) {
    this.run = run;
    this.divisor = run.frames.unit * Number(run.scale);
    this.steps = run.frames.steps;
    const reader = new ByteReader(run.frames.loads);
    const values = network.kind === "points" ? network.count
      : network.kind === "cells" ? network.rows * network.columns
      : Math.min(512, network.nodes);
    this.frames = [];
    let frame = new Float64Array(values);
    for (let i = 0; i < this.steps.length; ++i) {
      frame = frame.slice();
      reader.differences(frame);
      this.frames.push(frame);
    }
    if (run.events !== undefined) this.readEvents(run.events);
    if (run.messages_played !== undefined && network.kind === "points") this.readMessages(run.messages_played);
    this.length = this.events ? Number(run.steps) + 1 : this.frames.length;
    this.findExtent();
    if (this.divisor !== 1) this.frames = this.frames.map((one) => one.map((value) => value / this.divisor));
  }
  readEvents(base64) {
    const reader = new ByteReader(base64);
    const events = { step: [], from: [], to: [], tokens: [] };
    let step = 0;
    while (!reader.done) {
      step += reader.whole();
      events.step.push(step);
      events.from.push(reader.whole() - 1);
      events.to.push(reader.whole() - 1);
      events.tokens.push(reader.signed());
    }
    this.events = events;
    this.loads = this.frames[0].slice();
    this.cursor = 0;
  }
  readMessages(base64) {
    const reader = new ByteReader(base64);
    this.messages = [];
    this.longest = 0;
    let arrived = 0;
    while (!reader.done) {
      arrived += reader.whole();
      const way = reader.whole();
      this.longest = Math.max(this.longest, way);
      this.messages.push({
        arrived, sent: arrived - way, from: reader.whole(), to: reader.whole(),
        kind: this.run.kinds[reader.whole()] ?? "message", tokens: reader.signed() / this.divisor,
      });
    }
  }
  /** The messages on their way a part of a step after a moment, and how far each has come. */
  onTheWay(moment, part) {
    if (!this.messages) return [];
    // A message that has just been sent is seen a little off its sender.
    const lead = 0.35;
    const found = [];
    let i = leading(this.messages.length, (index) => this.messages[index].arrived <= moment);
    for (; i < this.messages.length && this.messages[i].arrived <= moment + this.longest; ++i) {
      const message = this.messages[i];
      if (message.sent > moment) continue;
      found.push({ ...message, way: (moment + part - message.sent + lead) / (message.arrived - message.sent + lead) });
    }
    return found;
  }
  findExtent() {
    this.least = Infinity;
    this.most = -Infinity;
    const look = (value) => {
      if (value < this.least) this.least = value;
      if (value > this.most) this.most = value;
    };
    for (const frame of this.frames) frame.forEach(look);
    if (this.events) {
      for (let i = 0; i < this.events.step.length; ++i) {
        this.apply(i, 1);
        if (this.events.from[i] >= 0) look(this.loads[this.events.from[i]]);
        if (this.events.to[i] >= 0) look(this.loads[this.events.to[i]]);
      }
      this.cursor = this.events.step.length;
    }
    this.least /= this.divisor;
    this.most /= this.divisor;
  }
  apply(index, sign) {
    const { from, to, tokens } = this.events;
    if (from[index] >= 0) this.loads[from[index]] -= sign * tokens[index];
    if (to[index] >= 0) this.loads[to[index]] += sign * tokens[index];
  }
  stepAt(moment) { return this.events ? moment : this.steps[moment]; }
  /** The last moment that is no later than a step. */
  momentAt(step) {
    if (this.events) return Math.min(step, this.length - 1);
    return Math.max(0, leading(this.length, (moment) => this.steps[moment] <= step) - 1);
  }
  /** The loads at a moment, the least and the largest of any node and, where known, the transfers of the step before it. */
  at(moment) {
    if (!this.events) {
      const { least, most } = this.run.frames;
      const loads = this.frames[moment];
      const extent = least ? [Number(least[moment]), Number(most[moment])].map((load) => load / Number(this.run.scale)) : minmax(loads);
      return { loads, extent, moving: [] };
    }
    const { step, from, to, tokens } = this.events;
    while (this.cursor < step.length && step[this.cursor] < moment) this.apply(this.cursor++, 1);
    while (this.cursor > 0 && step[this.cursor - 1] >= moment) this.apply(--this.cursor, -1);
    const moving = [];
    for (let i = this.cursor - 1; i >= 0 && step[i] === moment - 1; --i)
      if (from[i] >= 0 && to[i] >= 0) moving.push({ from: from[i], to: to[i], tokens: tokens[i] / this.divisor });
    const loads = this.divisor === 1 ? this.loads : this.loads.map((value) => value / this.divisor);
    return { loads, extent: minmax(loads), moving };
  }
}

/** The moments of several runs that play together: at the same step, or after the same part of each. */
class Timeline {
  constructor(playbacks, bySteps) {
    this.bySteps = bySteps;
    this.length = Math.max(...playbacks.map((one) => one.length));
    if (!bySteps || playbacks.length === 1 || playbacks.every((one) => one.events)) return;
    const steps = new Set();
    for (const one of playbacks) {
      const stride = one.events ? Math.max(1, Math.ceil(one.length / 400)) : 1;
      for (let i = 0; i < one.length; i += stride) steps.add(one.stepAt(i));
      steps.add(one.stepAt(one.length - 1));
    }
    this.steps = [...steps].sort((a, b) => a - b);
    this.length = this.steps.length;
  }
  /** The moment of one of the runs at a moment of all. */
  momentOf(playback, at) {
    if (!this.bySteps) return playback.momentAt(Math.round((at / Math.max(1, this.length - 1)) * playback.stepAt(playback.length - 1)));
    if (this.steps) return playback.momentAt(this.steps[at]);
    return Math.min(at, playback.length - 1);
  }
  /** The moment of all at which a run is nearest to a step. */
  nearest(playback, step) {
    const off = (at) => Math.abs(playback.stepAt(this.momentOf(playback, at)) - step);
    const next = leading(this.length, (at) => playback.stepAt(this.momentOf(playback, at)) < step);
    if (next === this.length) return leading(this.length - 1, (at) => this.momentOf(playback, at) < playback.length - 1);
    return next > 0 && off(next - 1) < off(next) ? next - 1 : next;
  }
}

function nodeName(network, node) {
  if (network.names) return network.names[node];
  const number = String(node + network.first);
  if (network.kind !== "cells") return number;
  return `(${Math.floor(node / network.columns)}, ${node % network.columns})`;
}

/** A node for people: its name, or "node 7" where it only has a number. */
function nodeTitle(network, node) {
  if (network.sizes) return `${counted(network.sizes[node], "node")} together`;
  return network.names || network.kind === "cells" ? nodeName(network, node) : `node ${nodeName(network, node)}`;
}

/** Whether a place of the picture is one node, not several. */
function showsNodes(network) {
  return network.kind === "points" ? !network.sizes : network.kind === "cells" && network.block === 1;
}

/** What tells a run from the others: its algorithm, and the parameters that differ. */
function runLabels(runs) {
  return runs.map((run) => {
    const same = runs.filter((other) => other.algorithm === run.algorithm);
    if (same.length === 1) return run.algorithm;
    const told = Object.keys(run.parameters)
      .filter((key) => same.some((other) => other.parameters[key] !== run.parameters[key]))
      .map((key) => `${key}=${run.parameters[key]}`);
    if (same.some((other) => other.network !== run.network)) told.push(page.networks[run.network].name);
    if (same.some((other) => other.seed !== run.seed)) told.push(`seed ${run.seed}`);
    return told.length ? `${run.algorithm} (${told.join(", ")})` : run.algorithm;
  });
}
