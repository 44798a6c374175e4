"use strict";
// The data of the page: machines, moves, and what machines hold after each wave.

const machineCount = plan.machines.name.length;

/** Names in the order in which people count: broker-2 before broker-10. */
const collator = new Intl.Collator("en", { numeric: true });

const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
const withPlaces = [0, 1, 2].map((places) => new Intl.NumberFormat("en-US", { minimumFractionDigits: places, maximumFractionDigits: places }));
/** A quotient to three digits, as many of them after the point as fit. */
function threeDigits(dividend, divisor) {
  const rounded = (places) => Math.round((dividend * 10 ** places) / divisor);
  let places = 2;
  while (places > 0 && rounded(places) >= 1000) --places;
  return withPlaces[places].format(rounded(places) / 10 ** places);
}
/** An amount of a resource for people, as the program writes it: "1.50 GB", "12", "0.25". */
function amountText(resource, amount) {
  const { bytes, decimals } = plan.resources[resource];
  let unit = 10 ** decimals;
  if (!bytes) return show(amount / unit);
  if (amount < 0) return `−${amountText(resource, -amount)}`;
  if (amount < 1000 * unit) return `${show(amount / unit)} B`;
  let name = 0;
  while (Math.round(amount / unit) >= 1000 && name + 1 < byteUnits.length) [unit, name] = [unit * 1000, name + 1];
  return `${threeDigits(amount, unit)} ${byteUnits[name]}`;
}
/** The same with the noun where it has none: "12 items". */
function amountWords(resource, amount) {
  const { bytes, name } = plan.resources[resource];
  if (resource === 0) return counted(amount, "item");
  return bytes ? amountText(resource, amount) : `${amountText(resource, amount)} ${name}`;
}
/** Seconds for people: "35 s", "2 min 5 s", "3 h 20 min". */
function timeText(seconds) {
  const whole = Math.round(seconds);
  if (whole < 60) return seconds < 10 ? `${threeDigits(seconds, 1)} s` : `${whole} s`;
  if (whole < 3600) return whole % 60 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${whole / 60} min`;
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
}

const groupOf = (label, machine) => plan.labels[label].of[machine];
/** "rack r1", or the value alone if it begins with the label's name: "rack-1". */
function labelText(label, value) {
  const { name, values } = plan.labels[label];
  if (value < 0) return `no ${name}`;
  return values[value].toLowerCase().startsWith(name.toLowerCase()) ? values[value] : `${name} ${values[value]}`;
}
/** How much of a resource a move brings. */
const moveAmount = (resource, move) => (resource === 0 ? 1 : plan.moves.amounts[resource - 1][move]);

/** What machines hold, wave after wave. `wave` waves are over. */
class Course {
  constructor() {
    const wave = plan.played ? plan.moves.wave : [];
    this.names = [];   // of waves, as in the file
    this.starts = [];  // the first move of each wave, and their number
    for (let move = 0; move < wave.length; ++move) {
      if (move > 0 && wave[move] === wave[move - 1]) continue;
      this.names.push(wave[move]);
      this.starts.push(move);
    }
    this.starts.push(wave.length);
    const { before, after } = plan.machines;
    this.held = (plan.played ? before : after).map((column) => Float64Array.from(column));
    this.wave = 0;
    this.changes = Uint8Array.from({ length: machineCount }, (_, machine) => before.some((column, resource) => column[machine] !== after[resource][machine]));
    for (const machine of plan.moves.from) if (machine >= 0) this.changes[machine] = 1;
    for (const machine of plan.moves.to) this.changes[machine] = 1;
  }
  get waves() { return this.names.length; }
  goTo(wave) {
    while (this.wave < wave) this.apply(this.wave++, 1);
    while (this.wave > wave) this.apply(--this.wave, -1);
  }
  apply(wave, sign) {
    const { from, to } = plan.moves;
    for (let move = this.starts[wave]; move < this.starts[wave + 1]; ++move) {
      for (let resource = 0; resource < this.held.length; ++resource) {
        const amount = sign * moveAmount(resource, move);
        if (from[move] >= 0) this.held[resource][from[move]] -= amount;  // a new copy comes from nowhere
        this.held[resource][to[move]] += amount;
      }
    }
  }
  /** What goes out of and into each machine in the wave that has just been played; an entry for each that takes part. */
  exchanged(resource) {
    const exchanged = new Map();
    const of = (machine) => {
      if (!exchanged.has(machine)) exchanged.set(machine, { gives: 0, takes: 0 });
      return exchanged.get(machine);
    };
    if (this.wave === 0) return exchanged;
    for (let move = this.starts[this.wave - 1]; move < this.starts[this.wave]; ++move) {
      of(plan.moves.from[move]).gives += moveAmount(resource, move);
      of(plan.moves.to[move]).takes += moveAmount(resource, move);
    }
    return exchanged;
  }
  /** The amount that a wave moves. */
  moved(wave, resource) {
    let sum = 0;
    for (let move = this.starts[wave]; move < this.starts[wave + 1]; ++move) sum += moveAmount(resource, move);
    return sum;
  }
}
