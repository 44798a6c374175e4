"use strict";
// The picture of the network.

/** A colour of the sequential ramp, t in 0..1: even steps of lightness in the OKLCH space. */
function rampColour(t, dark) {
  const light = dark ? 0.33 + 0.6 * t : 0.955 - 0.635 * t;
  const hue = ((dark ? 285 - 185 * t : 100 + 185 * t) * Math.PI) / 180;
  const chroma = 0.055 + 0.085 * Math.sin(Math.PI * (0.12 + 0.76 * t));
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

const shades = 128;

/** Turns loads into colours. */
class ColourScale {
  constructor(mode, least, most, dark) {
    this.mode = mode;
    this.least = least;
    this.most = most > least ? most : least + 1;
    this.rgb = Array.from({ length: shades }, (_, i) => rampColour(i / (shades - 1), dark));
    this.css = this.rgb.map((c) => `rgb(${c.join()})`);
    this.ink = this.rgb.map((c) => (0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2] > 140 ? "#111a26" : "#fff"));
  }
  place(load) {
    const t = this.mode === "logarithmic"
      ? Math.log1p(load - this.least) / Math.log1p(this.most - this.least)
      : (load - this.least) / (this.most - this.least);
    return Math.min(1, Math.max(0, t));
  }
  shade(load) { return Math.round(this.place(load) * (shades - 1)); }
  /** Round numbers for the legend. */
  ticks() {
    const span = this.most - this.least;
    const result = [this.least];
    if (this.mode === "logarithmic") {
      const skip = Math.max(1, Math.ceil(Math.log10(span + 1) / 6));
      for (let e = 0; 10 ** e < span; e += skip) result.push(this.least + 10 ** e);
    } else {
      const raw = span / 5;
      const power = 10 ** Math.floor(Math.log10(raw));
      const unit = [1, 2, 5, 10].map((u) => u * power).find((u) => u >= raw);
      for (let v = (Math.floor(this.least / unit) + 1) * unit; v < this.most; v += unit) result.push(v);
    }
    result.push(this.most);
    return result;
  }
}

class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.showAll();
  }
  setNetwork(network) {
    this.network = network;
    this.showAll();
    this.image = null;
    this.degrees = null;
    if (network.kind === "points") {
      this.spanX = Math.max(...minmax(network.x), 1);
      this.spanY = Math.max(...minmax(network.y), 1);
      this.degrees = new Uint32Array(network.nodes);
      for (const node of network.ends) ++this.degrees[node];
    }
  }
  showAll() { this.zoom = 1; this.panX = 0; this.panY = 0; }

  resize() {
    const width = this.canvas.parentElement.clientWidth;
    const network = this.network;
    const shape = network.kind === "points" ? this.spanY / this.spanX
      : network.kind === "cells" ? network.rows / network.columns : 0.55;
    const least = network.kind === "points" && shape < 0.12 ? 0.2 : 0.45;
    const height = Math.round(Math.min(Math.max(shape, least) * width, 0.78 * width, Math.max(320, 0.68 * innerHeight)));
    this.density = Math.min(devicePixelRatio || 1, 2);
    this.width = width;
    this.height = height;
    this.canvas.width = Math.round(width * this.density);
    this.canvas.height = Math.round(height * this.density);
    this.canvas.style.height = `${height}px`;
    if (network.kind === "points") this.place();
  }

  /** Where the nodes are on the canvas, and how large. */
  place() {
    const { x, y, ends, nodes, names, wraps } = this.network;
    const padding = nodes <= 60 || wraps ? 38 : nodes <= 400 ? 24 : 14;
    const scale = Math.min((this.width - 2 * padding) / this.spanX, (this.height - 2 * padding) / this.spanY) * this.zoom;
    const left = this.width / 2 - (this.spanX * scale) / 2 + this.panX;
    const top = this.height / 2 - (this.spanY * scale) / 2 + this.panY;
    this.unit = scale;
    this.x = Float64Array.from(x, (v) => left + v * scale);
    this.y = Float64Array.from(y, (v) => top + v * scale);
    const lengths = [];
    const stride = 2 * Math.max(1, Math.floor(ends.length / 8000));
    for (let i = 0; i + 1 < ends.length; i += stride)
      lengths.push(Math.hypot(this.x[ends[i]] - this.x[ends[i + 1]], this.y[ends[i]] - this.y[ends[i + 1]]));
    lengths.sort((a, b) => a - b);
    const room = lengths.length ? 0.44 * lengths[Math.floor(lengths.length * 0.15)] : Infinity;
    const share = 0.27 * Math.sqrt((this.width * this.height) / nodes) * Math.min(this.zoom, 3);
    const least = nodes > 3000 ? 1.7 : nodes > 300 ? 2.5 : nodes <= 60 ? 8 : 4;
    this.radius = Math.min(24, Math.max(least, Math.min(share, room, 0.49 * this.closest())));
    this.placeLabels(names);
  }

  /** The distance between the two closest nodes, if there are few. */
  closest() {
    const nodes = this.network.nodes;
    let least = Infinity;
    for (let i = 0; nodes <= 400 && i < nodes; ++i)
      for (let j = 0; j < i; ++j) least = Math.min(least, Math.hypot(this.x[i] - this.x[j], this.y[i] - this.y[j]));
    return least;
  }

  /** Names where they cover neither nodes nor each other: below, above, right or left. */
  placeLabels(names) {
    this.labels = [];
    const nodes = this.network.nodes;
    if (nodes > 60 || (!names && nodes > 40)) return;
    const context = this.context;
    context.font = labelFont;
    const taken = [];
    for (let i = 0; i < nodes; ++i) taken.push([this.x[i] - this.radius, this.y[i] - this.radius, this.x[i] + this.radius, this.y[i] + this.radius]);
    const free = (box) => box[0] > 0 && box[2] < this.width && box[1] > 0 && box[3] < this.height &&
      taken.every((t) => box[2] < t[0] || box[0] > t[2] || box[3] < t[1] || box[1] > t[3]);
    for (let i = 0; i < nodes; ++i) {
      const text = shorten(nodeName(this.network, i), 28);
      const half = context.measureText(text).width / 2;
      const r = this.radius + 3;
      const places = [[0, r + 7], [0, -r - 7], [r + half + 2, 0], [-r - half - 2, 0]];
      for (const [dx, dy] of places) {
        const cx = this.x[i] + dx;
        const cy = this.y[i] + dy;
        const box = [cx - half - 1, cy - 7, cx + half + 1, cy + 7];
        if (!free(box)) continue;
        taken.push(box);
        this.labels.push({ text, x: cx, y: cy });
        break;
      }
    }
  }

  draw(loads, moving, scale, style, messages = []) {
    const context = this.context;
    context.setTransform(this.density, 0, 0, this.density, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.loads = loads;
    this.messages = [];
    if (this.network.kind === "points") {
      this.drawPoints(loads, moving, scale, style);
      this.drawMessages(messages, style);
    }
    else if (this.network.kind === "cells") this.drawCells(loads, scale);
    else this.drawRanks(loads, scale, style);
  }

  drawPoints(loads, moving, scale, style) {
    const context = this.context;
    const { nodes } = this.network;
    const few = nodes <= 400;
    context.strokeStyle = style.link;
    context.lineWidth = nodes > 3000 ? 0.6 : nodes > 400 ? 0.8 : 1.4;
    this.strokeLinks();
    if (moving.length) this.drawMoving(moving, style);
    const buckets = new Map();
    for (let i = 0; i < nodes; ++i) {
      const shade = scale.shade(loads[i]);
      if (!buckets.has(shade)) buckets.set(shade, []);
      buckets.get(shade).push(i);
    }
    const r = this.radius;
    context.strokeStyle = style.outline;
    context.lineWidth = few ? 1.2 : 0.6;
    for (const shade of [...buckets.keys()].sort((a, b) => a - b)) {
      context.fillStyle = scale.css[shade];
      context.beginPath();
      for (const i of buckets.get(shade)) {
        context.moveTo(this.x[i] + r, this.y[i]);
        context.arc(this.x[i], this.y[i], r, 0, 2 * Math.PI);
      }
      context.fill();
      if (nodes <= 3000 || r > 2.5) context.stroke();
    }
    this.drawTexts(loads, scale, style);
  }

  strokeLinks() {
    const context = this.context;
    const { ends, spacing, wraps } = this.network;
    const far = wraps ? 1.5 * spacing * this.unit : Infinity;
    const stub = wraps ? 0.42 * spacing * this.unit : 0;
    context.beginPath();
    for (let i = 0; i < ends.length; i += 2) {
      const [ax, ay, bx, by] = [this.x[ends[i]], this.y[ends[i]], this.x[ends[i + 1]], this.y[ends[i + 1]]];
      const length = Math.hypot(bx - ax, by - ay);
      if (length > far) {
        const dx = ((bx - ax) / length) * stub;
        const dy = ((by - ay) / length) * stub;
        context.moveTo(ax, ay);
        context.lineTo(ax - dx, ay - dy);
        context.moveTo(bx, by);
        context.lineTo(bx + dx, by + dy);
      } else {
        context.moveTo(ax, ay);
        context.lineTo(bx, by);
      }
    }
    context.stroke();
  }

  /** Links that tokens have just crossed, with an arrow head before the receiver. */
  drawMoving(moving, style) {
    const context = this.context;
    context.strokeStyle = style.accent;
    context.fillStyle = style.accent;
    context.lineWidth = this.network.nodes > 400 ? 1.5 : 2.6;
    context.beginPath();
    const heads = new Path2D();
    const far = this.network.wraps ? 1.5 * this.network.spacing * this.unit : Infinity;
    for (const { from, to } of moving) {
      let [ax, ay, bx, by] = [this.x[from], this.y[from], this.x[to], this.y[to]];
      const length = Math.hypot(bx - ax, by - ay) || 1;
      let [dx, dy] = [(bx - ax) / length, (by - ay) / length];
      if (length > far) {
        [dx, dy] = [-dx, -dy];
        [ax, ay] = [bx - dx * 0.42 * this.network.spacing * this.unit, by - dy * 0.42 * this.network.spacing * this.unit];
      }
      context.moveTo(ax, ay);
      context.lineTo(bx, by);
      const size = Math.min(9, this.radius * 0.9);
      const [tx, ty] = [bx - dx * (this.radius + 1), by - dy * (this.radius + 1)];
      heads.moveTo(tx, ty);
      heads.lineTo(tx - dx * size - dy * size * 0.6, ty - dy * size + dx * size * 0.6);
      heads.lineTo(tx - dx * size + dy * size * 0.6, ty - dy * size - dx * size * 0.6);
      heads.closePath();
    }
    context.stroke();
    if (this.radius >= 4) context.fill(heads);
  }

  /** Messages as dots on their links: filled with tokens, hollow without. */
  drawMessages(messages, style) {
    const context = this.context;
    const far = this.network.wraps ? 1.5 * this.network.spacing * this.unit : Infinity;
    const size = Math.max(3, Math.min(6, 0.4 * this.radius));
    context.lineWidth = 2;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.font = labelFont;
    for (const message of messages) {
      const { from, to, way } = message;
      let [dx, dy] = [this.x[to] - this.x[from], this.y[to] - this.y[from]];
      const length = Math.hypot(dx, dy) || 1;
      [dx, dy] = [dx / length, dy / length];
      let [x, y] = [this.x[from], this.y[from]];
      if (length > far) {
        // Around the edge: off on one side, on again at the other.
        const room = Math.max(8, 0.42 * this.network.spacing * this.unit - this.radius);
        const off = this.radius + 2 * Math.min(way, 1 - way) * room;
        const [end, sign] = way < 0.5 ? [from, -1] : [to, 1];
        [x, y] = [this.x[end] + sign * dx * off, this.y[end] + sign * dy * off];
      } else {
        // From rim to rim, each direction on its own side of the link.
        const [first, last] = [this.radius, length - this.radius];
        const along = first < last ? first + way * (last - first) : way * length;
        [x, y] = [x + dx * along - dy * size, y + dy * along + dx * size];
      }
      context.beginPath();
      context.arc(x, y, message.tokens > 0 ? size : 0.75 * size, 0, 2 * Math.PI);
      context.fillStyle = message.tokens > 0 ? style.accent : style.card;
      context.strokeStyle = message.tokens > 0 ? style.card : style.soft;
      context.fill();
      context.stroke();
      if (message.tokens > 1) {
        const text = compact.format(message.tokens);
        context.lineWidth = 3.5;
        context.strokeStyle = style.card;
        context.fillStyle = style.accent;
        context.strokeText(text, x + size + 3, y);
        context.fillText(text, x + size + 3, y);
        context.lineWidth = 2;
      }
      this.messages.push({ ...message, x, y });
    }
  }

  drawTexts(loads, scale, style) {
    const context = this.context;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = labelFont;
    context.lineWidth = 3.5;
    context.lineJoin = "round";
    context.strokeStyle = style.card;
    context.fillStyle = style.ink;
    for (const label of this.labels) {
      context.strokeText(label.text, label.x, label.y);
      context.fillText(label.text, label.x, label.y);
    }
    if (this.radius < 8) return;
    context.font = `600 ${Math.max(8, Math.min(13, Math.round(this.radius * 0.68)))}px system-ui, "DejaVu Sans", sans-serif`;
    for (let i = 0; i < this.network.nodes; ++i) {
      const load = loads[i];
      const text = Math.abs(load) < 1000 ? String(Math.round(load)) : compact.format(load);
      if (context.measureText(text).width > 2 * this.radius) continue;
      context.fillStyle = scale.ink[scale.shade(load)];
      context.fillText(text, this.x[i], this.y[i] + 0.5);
    }
  }

  drawCells(loads, scale) {
    const { rows, columns } = this.network;
    if (!this.image) {
      this.image = document.createElement("canvas");
      this.image.width = columns;
      this.image.height = rows;
      this.pixels = new ImageData(columns, rows);
    }
    const data = this.pixels.data;
    for (let i = 0; i < loads.length; ++i) {
      const colour = scale.rgb[scale.shade(loads[i])];
      data[4 * i] = colour[0];
      data[4 * i + 1] = colour[1];
      data[4 * i + 2] = colour[2];
      data[4 * i + 3] = 255;
    }
    this.image.getContext("2d").putImageData(this.pixels, 0, 0);
    this.cell = Math.min(this.width / columns, this.height / rows) * this.zoom;
    this.left = (this.width - columns * this.cell) / 2 + this.panX;
    this.top = (this.height - rows * this.cell) / 2 + this.panY;
    this.context.imageSmoothingEnabled = this.cell < 1;
    this.context.drawImage(this.image, this.left, this.top, columns * this.cell, rows * this.cell);
  }

  /** Loads in descending order as a skyline, with the mean. */
  drawRanks(loads, scale, style) {
    const context = this.context;
    const [left, right, top, bottom] = [64, this.width - 12, 14, this.height - 30];
    const height = (load) => bottom - scale.place(load) * (bottom - top);
    const wide = (right - left) / loads.length;
    for (let i = 0; i < loads.length; ++i) {
      context.fillStyle = scale.css[scale.shade(loads[i])];
      const y = Math.min(height(loads[i]), bottom - 1);
      context.fillRect(left + i * wide, y, wide + 0.5, bottom - y);
    }
    context.fillStyle = style.soft;
    context.font = labelFont;
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const tick of scale.ticks()) context.fillText(compact.format(tick), left - 8, height(tick));
    context.textAlign = "center";
    context.fillText(`${show(this.network.nodes)} nodes, from the most to the least loaded`, (left + right) / 2, bottom + 17);
    context.strokeStyle = style.line;
    context.lineWidth = 1;
    context.strokeRect(left - 0.5, top - 0.5, right - left + 1, bottom - top + 1);
  }

  /** What is at a place of the canvas: a text for people, or null. */
  describe(px, py) {
    const network = this.network;
    if (!this.loads) return null;
    const message = this.messages.find(({ x, y }) => Math.hypot(x - px, y - py) < 9);
    if (message) {
      const carries = message.tokens > 0 ? ` with ${tokens(message.tokens)}` : "";
      return `${message.kind}${carries}\nfrom ${nodeTitle(network, message.from)} to ${nodeTitle(network, message.to)}`;
    }
    if (network.kind === "points") {
      let best = -1;
      let nearest = Math.max(this.radius + 6, 12) ** 2;
      for (let i = 0; i < network.nodes; ++i) {
        const distance = (this.x[i] - px) ** 2 + (this.y[i] - py) ** 2;
        if (distance < nearest) [best, nearest] = [i, distance];
      }
      if (best < 0) return null;
      const links = network.links_left_out ? "" : `\n${counted(this.degrees[best], "link")}`;
      return `${nodeTitle(network, best)}: ${tokens(this.loads[best])}${links}`;
    }
    if (network.kind === "cells") {
      const column = Math.floor((px - this.left) / this.cell);
      const row = Math.floor((py - this.top) / this.cell);
      if (column < 0 || row < 0 || column >= network.columns || row >= network.rows) return null;
      const load = this.loads[row * network.columns + column];
      if (network.block === 1) return `row ${row}, column ${column}: ${tokens(load)}`;
      return `rows from ${row * network.block}, columns from ${column * network.block}: ${tokens(load)} on average of a block of ${network.block} × ${network.block}`;
    }
    const index = Math.floor(((px - 64) / (this.width - 76)) * this.loads.length);
    if (index < 0 || index >= this.loads.length) return null;
    const rank = Math.floor((index * (network.nodes - 1)) / Math.max(1, this.loads.length - 1)) + 1;
    return `rank ${show(rank)}: ${tokens(this.loads[index])}`;
  }
}

const labelFont = '12px system-ui, "DejaVu Sans", sans-serif';
function minmax(values) {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}
function shorten(text, most) { return text.length > most ? `${text.slice(0, most - 1)}…` : text; }
function tokens(load) { return counted(load, "token"); }
