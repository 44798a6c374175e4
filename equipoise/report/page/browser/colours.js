"use strict";
// Colours of loads: one ramp from zero (or the least load) up, another from zero down.

/** A colour of the OKLCH space. */
function oklch(light, chroma, degrees) {
  const hue = (degrees * Math.PI) / 180;
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((x) => {
    const c = Math.min(1, Math.max(0, x));
    return Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055));
  });
}

/** From few tokens to many, t in 0..1: even steps of lightness. */
function rampColour(t, dark) {
  const chroma = 0.055 + 0.085 * Math.sin(Math.PI * (0.12 + 0.76 * t));
  return oklch(dark ? 0.33 + 0.6 * t : 0.955 - 0.635 * t, chroma, dark ? 285 - 185 * t : 100 + 185 * t);
}
/** Below zero: from a pale to a strong red, which the other ramp does not have. */
function debtColour(t, dark) {
  return oklch(dark ? 0.5 + 0.18 * t : 0.82 - 0.32 * t, 0.1 + 0.1 * t, 25);
}

const shades = 128;
const debtShades = 64;

/** Turns loads into colours. */
class ColourScale {
  constructor(mode, least, most, dark) {
    this.logarithmic = mode === "logarithmic";
    this.debts = least < 0;
    this.least = least;
    this.most = this.debts ? Math.max(most, 0) : most;
    this.base = this.debts ? 0 : least;
    this.up = this.stretch(this.most) - this.stretch(this.base) || 1;
    this.down = this.stretch(Math.min(least, 0)) || -1;
    // Where zero stands on the legend: neither side is too narrow to be seen.
    this.zero = this.debts ? Math.min(0.85, Math.max(0.15, this.down / (this.down - this.up))) : 0;
    this.rgb = [];
    for (let i = debtShades; i > 0; --i) this.rgb.push(debtColour(i / debtShades, dark));
    for (let i = 0; i < shades; ++i) this.rgb.push(rampColour(i / (shades - 1), dark));
    this.css = this.rgb.map((c) => `rgb(${c.join()})`);
    this.ink = this.rgb.map((c) => (0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2] > 140 ? "#111a26" : "#fff"));
  }
  stretch(load) { return this.logarithmic ? Math.sign(load) * Math.log1p(Math.abs(load)) : load; }
  /** How far up the upper ramp a load is, 0..1, or down the lower one, -1..0. */
  height(load) {
    if (load < 0 && this.debts) return -Math.min(1, this.stretch(load) / this.down);
    return Math.min(1, Math.max(0, (this.stretch(load) - this.stretch(this.base)) / this.up));
  }
  /** Where a load stands on the legend, 0..1. */
  place(load) {
    const height = this.height(load);
    return height < 0 ? this.zero * (1 + height) : this.zero + (1 - this.zero) * height;
  }
  /** The number of a load's colour. */
  shade(load) {
    const height = this.height(load);
    return height < 0 ? Math.min(debtShades - 1, Math.floor(debtShades * (1 + height))) : debtShades + Math.round(height * (shades - 1));
  }
  /** The legend's colours from left to right. */
  gradient() {
    const stops = [];
    const zero = 100 * this.zero;
    if (this.debts)
      for (let i = 0; i <= 8; ++i) stops.push(`${this.css[Math.min(debtShades - 1, i * 8)]} ${(zero * i) / 8}%`);
    for (let i = 0; i <= 16; ++i) stops.push(`${this.css[debtShades + Math.min(shades - 1, i * 8)]} ${zero + ((100 - zero) * i) / 16}%`);
    return `linear-gradient(to right, ${stops.join()})`;
  }
  /** Round numbers for the legend. */
  ticks() {
    const between = [];
    if (this.logarithmic) {
      const span = Math.max(this.most, -this.least);
      const skip = Math.max(1, Math.ceil(Math.log10(span + 1) / 6));
      for (let e = 0; 10 ** e < span; e += skip) between.push(-(10 ** e), 10 ** e);
    } else {
      const raw = Math.max((this.most - this.least) / 5, 1e-9);
      const power = 10 ** Math.floor(Math.log10(raw));
      const unit = [1, 2, 5, 10].map((u) => u * power).find((u) => u >= raw);
      for (let v = (Math.floor(this.least / unit) + 1) * unit; v < this.most; v += unit) between.push(v);
    }
    if (this.debts) between.push(0);
    const inside = [...new Set(between)].filter((v) => v > this.least && v < this.most);
    return [this.least, ...inside.sort((a, b) => a - b), ...(this.most > this.least ? [this.most] : [])];
  }
}
