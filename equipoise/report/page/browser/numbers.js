"use strict";
// Numbers and other values for people. Numbers look the same everywhere: all digits below a
// billion, 1.23 × 10⁹ from there on; where one is shortened, all its digits are shown on hover.

const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const rounded = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const digitsRaised = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

/** A number, or whole digits beyond 2^53 as text. */
function show(value) {
  if (value === undefined || value === null) return "";
  const number = Number(value);
  const size = Math.abs(number);
  if (number < 0) return `−${show(size)}`;
  if (number === 0 || (size >= 0.01 && size < 1e9)) return (size < 1000 ? plain : rounded).format(number);
  return inPowers(size);
}
function inPowers(size) {
  let exponent = Math.floor(Math.log10(size) + 1e-9);
  let factor = plain.format(size / 10 ** exponent);
  if (factor === "10") [factor, exponent] = ["1", exponent + 1];
  const power = `10${[...String(exponent)].map((digit) => digitsRaised[digit]).join("")}`;
  return factor === "1" ? power : `${factor} × ${power}`;
}

/** How to show the numbers of a scale up to `most`: beyond a billion all large ones are shortened, not just some. */
function showUpTo(most) {
  if (most < 1e9) return show;
  return (value) => (value < 1000 ? show(value) : inPowers(value));
}

/** All digits of a number, if `show` leaves some out; else nothing. */
function exactly(value) {
  if (value === undefined || value === null || Math.abs(Number(value)) < 1e9) return "";
  return plain.format(typeof value === "string" ? BigInt(value) : value);
}

/** A count with its noun: 1 node, 2,000 nodes. */
function counted(value, thing) { return `${show(value)} ${thing}${Number(value) === 1 ? "" : "s"}`; }
function tokens(load) { return counted(load, "token"); }

function minmax(values) {
  let least = Infinity;
  let most = -Infinity;
  for (let i = 0; i < values.length; ++i) {
    if (values[i] < least) least = values[i];
    if (values[i] > most) most = values[i];
  }
  return [least, most];
}
function shorten(text, most) { return text.length > most ? `${text.slice(0, most - 1)}…` : text; }

/** The number of leading items for which `holds` is true; it must hold for none after one for which it does not. */
function leading(count, holds) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
