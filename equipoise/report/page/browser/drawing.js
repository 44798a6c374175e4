"use strict";
// The picture of a network.

const labelFont = '12px system-ui, "DejaVu Sans", sans-serif';

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
    this.links = null;
    if (network.kind === "points") {
      [, this.spanX] = minmax(network.x);
      [, this.spanY] = minmax(network.y);
      this.degrees = new Uint32Array(network.count);
      for (const node of network.ends) ++this.degrees[node];
    }
  }
  showAll() { this.zoom = 1; this.panX = 0; this.panY = 0; }

  /** How high it is for its width. */
  get shape() {
    const { kind, rows, columns } = this.network;
    if (kind === "cells") return this.turned ? columns / rows : rows / columns;
    return kind === "points" ? this.spanY / Math.max(1, this.spanX) : 0.55;
  }
  /** Whether rows of cells stand upright, one beside the other, since there are many more of them than of columns. */
  get turned() {
    const { kind, rows, columns } = this.network;
    return kind === "cells" && rows > 1.5 * columns;
  }
  /** The place across and down of a row and a column of cells, and back. */
  turn(one, other) { return this.turned ? [one, other] : [other, one]; }
  /** The room at its edges, in a picture so wide. */
  padding(width) {
    const { kind, count, wraps } = this.network;
    return kind === "points" ? Math.min(count <= 60 || wraps ? 38 : count <= 400 ? 24 : 14, 0.09 * width) : 0;
  }
  /** Fits the canvas into its place, no higher than `most`. A network that is low and wide gets a low picture. */
  resize(most) {
    const width = this.canvas.parentElement.clientWidth;
    if (width === 0) return;  // it is not shown
    const network = this.network;
    const padding = this.padding(width);
    const natural = this.shape * (width - 2 * padding) + 2 * padding;
    const height = Math.round(Math.min(Math.max(natural, 96), 0.78 * width, most));
    this.density = Math.min(Math.max(devicePixelRatio || 1, this.sharp || 1), 2);
    this.width = width;
    this.height = height;
    this.canvas.width = Math.round(width * this.density);
    this.canvas.height = Math.round(height * this.density);
    this.canvas.style.height = `${height}px`;
    if (network.kind === "points") this.place();
  }

  /** Where the nodes are on the canvas, and how large. */
  place() {
    const { x, y, ends, count, names } = this.network;
    const padding = this.padding(this.width);
    const scale = Math.min((this.width - 2 * padding) / Math.max(1, this.spanX), (this.height - 2 * padding) / Math.max(1, this.spanY)) * this.zoom;
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
    const share = 0.27 * Math.sqrt((this.width * this.height) / count) * Math.min(this.zoom, 3);
    const least = count > 3000 ? 1.7 : count > 300 ? 2.5 : count <= 60 && this.width > 300 ? 8 : 4;
    this.radius = Math.min(24, Math.max(least, Math.min(share, room, 0.49 * this.closest())));
    this.links = null;
    this.placeLabels(names);
  }

  /** The distance between the two closest nodes, if there are few. */
  closest() {
    const { count } = this.network;
    let least = Infinity;
    for (let i = 0; count <= 400 && i < count; ++i)
      for (let j = 0; j < i; ++j) least = Math.min(least, Math.hypot(this.x[i] - this.x[j], this.y[i] - this.y[j]));
    return least;
  }

  /** Names where they cover neither nodes nor each other: below, above, right or left. */
  placeLabels(names) {
    this.labels = [];
    const { count } = this.network;
    if (count > 60 || (!names && count > 40)) return;
    const context = this.context;
    context.font = labelFont;
    const taken = [];
    for (let i = 0; i < count; ++i) taken.push([this.x[i] - this.radius, this.y[i] - this.radius, this.x[i] + this.radius, this.y[i] + this.radius]);
    const free = (box) => box[0] > 0 && box[2] < this.width && box[1] > 0 && box[3] < this.height &&
      taken.every((t) => box[2] < t[0] || box[0] > t[2] || box[3] < t[1] || box[1] > t[3]);
    for (let i = 0; i < count; ++i) {
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
    if (!this.width) return;
    const context = this.context;
    context.setTransform(this.density, 0, 0, this.density, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    this.loads = loads;
    this.messages = [];
    this.drawn = 0;  // shapes, links and pixels, since they decide how long a moment takes
    if (this.network.kind === "points") {
      this.drawPoints(loads, moving, scale, style);
      this.drawMessages(messages, style);
    }
    else if (this.network.kind === "cells") this.drawCells(loads, scale);
    else this.drawRanks(loads, scale, style);
  }

  drawPoints(loads, moving, scale, style) {
    const context = this.context;
    const { count } = this.network;
    this.drawLinks(style);
    if (moving.length) this.drawMoving(moving, style);
    const r = this.radius;
    const square = count > 3000 && r < 3;
    const rims = count <= 3000 || r > 2.5;
    context.strokeStyle = style.outline;
    context.lineWidth = count <= 400 ? 1.2 : 0.6;
    this.inShades(loads, scale, (colour, nodes) => {
      context.fillStyle = colour;
      if (square) {
        for (const i of nodes) context.fillRect(this.x[i] - r, this.y[i] - r, 2 * r, 2 * r);
        return;
      }
      context.beginPath();
      for (const i of nodes) {
        context.moveTo(this.x[i] + r, this.y[i]);
        context.arc(this.x[i], this.y[i], r, 0, 2 * Math.PI);
      }
      context.fill();
      if (rims) context.stroke();
    });
    this.drawn += count;
    this.drawTexts(loads, scale, style);
  }

  /** Hands out the nodes colour by colour, which is far quicker than one by one. */
  inShades(loads, scale, draw) {
    const shadeOf = new Uint8Array(loads.length);
    const ends = new Uint32Array(scale.css.length + 1);
    for (let i = 0; i < loads.length; ++i) {
      shadeOf[i] = scale.shade(loads[i]);
      ++ends[shadeOf[i] + 1];
    }
    for (let shade = 0; shade < scale.css.length; ++shade) ends[shade + 1] += ends[shade];
    const order = new Uint32Array(loads.length);
    const next = ends.slice();
    for (let i = 0; i < loads.length; ++i) order[next[shadeOf[i]]++] = i;
    // Where nodes cover each other, large loads are on top, and those below zero above all.
    for (let i = 0; i < scale.css.length; ++i) {
      const shade = i < shades ? debtShades + i : scale.css.length - 1 - i;
      if (ends[shade + 1] > ends[shade]) draw(scale.css[shade], order.subarray(ends[shade], ends[shade + 1]));
    }
  }

  /** Links do not change from moment to moment: they are drawn once and kept. */
  drawLinks(style) {
    if (!this.links || this.links.colour !== style.link) {
      const kept = document.createElement("canvas");
      [kept.width, kept.height] = [this.canvas.width, this.canvas.height];
      const context = kept.getContext("2d");
      context.setTransform(this.density, 0, 0, this.density, 0, 0);
      const { count } = this.network;
      context.strokeStyle = style.link;
      context.lineWidth = count > 3000 ? 0.6 : count > 400 ? 0.8 : 1.4;
      this.strokeLinks(context);
      this.links = { kept, colour: style.link };
      this.drawn += this.network.ends.length / 2;
    }
    this.context.drawImage(this.links.kept, 0, 0, this.width, this.height);
  }

  strokeLinks(context) {
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
    context.lineWidth = this.network.count > 400 ? 1.5 : 2.6;
    context.beginPath();
    const heads = new Path2D();
    this.drawn += moving.length;
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
    this.drawn += messages.length;
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
      if (message.tokens > 1 && this.radius >= 9) {
        const text = show(message.tokens);
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
    if (this.network.sizes) return;
    const outside = this.heaviest(loads);
    let size = 0;
    for (let i = 0; i < this.network.count && this.radius >= 8; ++i) {
      const text = show(Math.round(loads[i]));
      // A bold digit is about 0.7 of its height wide, a comma 0.4.
      const commas = Math.floor((text.length - 1) / 4);
      const fitting = Math.floor(Math.min(13, Math.max(8, 0.68 * this.radius), (1.9 * this.radius) / (0.7 * text.length - 0.3 * commas)));
      if (fitting < 8) continue;
      if (fitting !== size) context.font = `600 ${(size = fitting)}px system-ui, "DejaVu Sans", sans-serif`;
      context.fillStyle = scale.ink[scale.shade(loads[i])];
      context.fillText(text, this.x[i], this.y[i] + 0.5);
      outside.delete(i);
    }
    this.beside = [...outside].map((i) => this.drawBeside(i, show(Math.round(loads[i])), style));
  }

  /** The nodes with more than a quarter of all tokens: the number of a spike is shown even where it does not fit into its node. */
  heaviest(loads) {
    const found = new Set();
    let all = 0;
    for (let i = 0; i < loads.length; ++i) all += Math.max(0, loads[i]);
    for (let i = 0; i < loads.length && loads.length > 4; ++i) if (4 * loads[i] > all) found.add(i);
    return found;
  }

  /** Writes a number next to its node: above or below it, where it covers less, and inside the picture. */
  drawBeside(i, text, style) {
    const context = this.context;
    context.font = '600 12px system-ui, "DejaVu Sans", sans-serif';
    const half = context.measureText(text).width / 2 + 2;
    const covered = (y) => {
      let sum = y < 8 || y > this.height - 8 ? 1000 : 0;
      for (const label of this.labels) if (Math.abs(label.y - y) < 14 && Math.abs(label.x - this.x[i]) < half + 8) ++sum;
      for (let j = 0; j < this.network.count; ++j)
        if (Math.abs(this.y[j] - y) < this.radius + 6 && Math.abs(this.x[j] - this.x[i]) < half + this.radius) ++sum;
      return sum;
    };
    const off = this.radius + 9;
    const [above, below] = [this.y[i] - off, this.y[i] + off];
    const y = covered(above) <= covered(below) ? above : below;
    const x = Math.min(Math.max(half, this.x[i]), this.width - half);
    context.lineWidth = 3.5;
    context.strokeStyle = style.card;
    context.fillStyle = style.ink;
    context.strokeText(text, x, y);
    context.fillText(text, x, y);
    return { text, node: i, x, y };
  }

  drawCells(loads, scale) {
    const [across, down] = this.turn(this.network.rows, this.network.columns);
    if (!this.image) {
      this.image = document.createElement("canvas");
      this.image.width = across;
      this.image.height = down;
      this.pixels = new ImageData(across, down);
    }
    const data = this.pixels.data;
    const { turned } = this;
    for (let i = 0; i < loads.length; ++i) {
      const colour = scale.rgb[scale.shade(loads[i])];
      const place = 4 * (turned ? (i % down) * across + Math.floor(i / down) : i);
      data[place] = colour[0];
      data[place + 1] = colour[1];
      data[place + 2] = colour[2];
      data[place + 3] = 255;
    }
    this.drawn += loads.length;
    this.image.getContext("2d").putImageData(this.pixels, 0, 0);
    this.cell = Math.min(this.width / across, this.height / down) * this.zoom;
    this.left = (this.width - across * this.cell) / 2 + this.panX;
    this.top = (this.height - down * this.cell) / 2 + this.panY;
    this.context.imageSmoothingEnabled = this.cell < 1;
    this.context.drawImage(this.image, this.left, this.top, across * this.cell, down * this.cell);
  }

  /** Loads in descending order as a skyline; those below zero hang down. */
  drawRanks(loads, scale, style) {
    const context = this.context;
    const words = showUpTo(scale.most);
    const widest = Math.max(...scale.ticks().map((tick) => words(tick).length));
    const [left, right, top, bottom] = [18 + 7 * widest, this.width - 12, 14, this.height - 30];
    this.frame = [left, right];
    const height = (load) => bottom - scale.place(load) * (bottom - top);
    const ground = height(scale.base);
    const wide = (right - left) / loads.length;
    for (let i = 0; i < loads.length; ++i) {
      context.fillStyle = scale.css[scale.shade(loads[i])];
      const y = height(loads[i]);
      context.fillRect(left + i * wide, Math.min(y, ground - 1), wide + 0.5, Math.max(1, Math.abs(ground - y)));
    }
    this.drawn += loads.length;
    context.fillStyle = style.soft;
    context.font = labelFont;
    context.textAlign = "right";
    context.textBaseline = "middle";
    let above = Infinity;
    for (const tick of scale.ticks()) {
      if (above - height(tick) < 13) continue;
      above = height(tick);
      context.fillText(words(tick), left - 8, above);
    }
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
      for (let i = 0; i < network.count; ++i) {
        const distance = (this.x[i] - px) ** 2 + (this.y[i] - py) ** 2;
        if (distance < nearest) [best, nearest] = [i, distance];
      }
      return best < 0 ? null : this.describeNode(best);
    }
    if (network.kind === "cells") {
      const [row, column] = this.turn(Math.floor((px - this.left) / this.cell), Math.floor((py - this.top) / this.cell));
      if (column < 0 || row < 0 || column >= network.columns || row >= network.rows) return null;
      const load = this.loads[row * network.columns + column];
      if (network.block === 1) return `row ${row}, column ${column}: ${tokens(load)}`;
      return `rows from ${row * network.block}, columns from ${column * network.block}: ${tokens(load)} on average of a block of ${network.block} × ${network.block}`;
    }
    const [left, right] = this.frame;
    const index = Math.floor(((px - left) / (right - left)) * this.loads.length);
    if (index < 0 || index >= this.loads.length) return null;
    const rank = Math.floor((index * (network.nodes - 1)) / Math.max(1, this.loads.length - 1)) + 1;
    return `rank ${show(rank)}: ${tokens(this.loads[index])}`;
  }

  /** A node, or a cluster of nodes, for people. */
  describeNode(index) {
    const network = this.network;
    const links = network.links_left_out || network.sizes ? "" : `\n${counted(this.degrees[index], "link")}`;
    const average = network.sizes ? " on average" : "";
    return `${nodeTitle(network, index)}: ${tokens(this.loads[index])}${average}${links}`;
  }
}
