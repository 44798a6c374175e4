"use strict";
// The data of the page: runs, networks and the loads at every moment.

const page = JSON.parse(document.getElementById("data").textContent);

const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** A number, or whole digits beyond 2^53 as text, with thousands separators. */
function show(value) {
  if (value === undefined || value === null) return "";
  return plain.format(typeof value === "string" ? BigInt(value) : value);
}

/** A count with its noun: 1 node, 2,000 nodes. */
function counted(value, thing) { return `${show(value)} ${thing}${Number(value) === 1 ? "" : "s"}`; }

/** Large or tiny numbers in short form: 1.2 × 10¹⁵. */
function showShort(value) {
  if (value === 0 || (Math.abs(value) >= 0.01 && Math.abs(value) < 1e7)) return plain.format(value);
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  const digits = [...String(exponent)].map((d) => (d === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[d])).join("");
  return `${plain.format(value / 10 ** exponent)} × 10${digits}`;
}

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
    const values = network.kind === "points" ? network.nodes
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
    let arrived = 0;
    while (!reader.done) {
      arrived += reader.whole();
      this.messages.push({
        arrived, sent: arrived - reader.whole(), from: reader.whole(), to: reader.whole(),
        kind: this.run.kinds[reader.whole()] ?? "message", tokens: reader.signed() / this.divisor,
      });
    }
  }
  /** The messages on their way a part of a step after a moment, and how far each has come. */
  onTheWay(moment, part) {
    if (!this.messages) return [];
    // A message that has just been sent is seen a little off its sender.
    const lead = 0.35;
    return this.messages.filter(({ sent, arrived }) => sent <= moment && moment < arrived)
      .map((message) => ({ ...message, way: (moment + part - message.sent + lead) / (message.arrived - message.sent + lead) }));
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
  /** The loads at a moment and, where known, the transfers of the step before it. */
  at(moment) {
    if (!this.events) return { loads: this.scaled(this.frames[moment]), moving: [] };
    const { step, from, to, tokens } = this.events;
    while (this.cursor < step.length && step[this.cursor] < moment) this.apply(this.cursor++, 1);
    while (this.cursor > 0 && step[this.cursor - 1] >= moment) this.apply(--this.cursor, -1);
    const moving = [];
    for (let i = this.cursor - 1; i >= 0 && step[i] === moment - 1; --i)
      if (from[i] >= 0 && to[i] >= 0) moving.push({ from: from[i], to: to[i], tokens: tokens[i] });
    return { loads: this.scaled(this.loads), moving };
  }
  scaled(frame) {
    return this.divisor === 1 ? frame : frame.map((value) => value / this.divisor);
  }
}

function nodeName(network, node) {
  if (network.names) return network.names[node];
  const number = String(node + network.first);
  if (network.kind !== "cells") return number;
  return `(${Math.floor(node / network.columns)}, ${node % network.columns})`;
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

/** A node for people: its name, or "node 7" where it only has a number. */
function nodeTitle(network, node) {
  return network.names || network.kind === "cells" ? nodeName(network, node) : `node ${nodeName(network, node)}`;
}
