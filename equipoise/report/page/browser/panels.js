"use strict";
// The pictures of the runs that are shown, side by side if there are several.

const panelsMax = 9;

/** One run's picture with its caption. */
class Panel {
  constructor(index, playback, onChoose) {
    this.index = index;
    this.run = page.runs[index];
    this.network = page.networks[this.run.network];
    this.playback = playback;
    this.figure = element("figure", undefined, "panel");
    this.caption = element("figcaption");
    this.name = element("button");
    this.name.type = "button";
    this.name.addEventListener("click", () => onChoose(index));
    const swatch = element("span", undefined, "swatch");
    swatch.dataset.run = index;
    const text = page.networks.length > 1 ? `${labels[index]} on ${this.network.name}` : labels[index];
    this.name.append(swatch, text);
    this.figures = element("span");
    this.caption.append(this.name, this.figures);
    const frame = element("div", undefined, "frame");
    const canvas = element("canvas", undefined, "picture");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-describedby", "moment");
    canvas.setAttribute("aria-label", `${text}: ${counted(this.network.nodes, "node")}, coloured by load`);
    this.tip = element("div", undefined, "tip");
    this.tip.hidden = true;
    frame.append(canvas, this.tip);
    this.figure.append(this.caption, frame);
    this.picture = new Picture(canvas);
    this.picture.setNetwork(this.network);
    this.wire(canvas);
  }
  /** What there is at a moment of the run. */
  look(moment) {
    this.moment = moment;
    this.step = this.playback.stepAt(moment);
    this.now = this.playback.at(moment);
    this.now.messages = this.playback.onTheWay(moment, 0);
  }
  draw(scale, style) {
    // Where messages are seen, what has arrived needs no arrow.
    const moving = this.playback.messages ? [] : this.now.moving;
    this.picture.draw(this.now.loads, moving, scale, style, this.now.messages);
    const [least, most] = this.now.extent;
    const ended = this.step >= Number(this.run.steps) ? " (ended)" : "";
    this.figures.textContent = `step ${show(this.step)}${ended} · discrepancy ${show(most - least)}`;
  }
  /** Messages a part of a step later. */
  glide(part, scale, style) {
    if (this.playback.messages) this.picture.draw(this.now.loads, [], scale, style, this.playback.onTheWay(this.moment, part));
  }
  point(text, x, y) {
    this.tip.hidden = text === null;
    if (text === null) return;
    const { width } = this.picture;
    this.tip.textContent = text;
    this.tip.style.left = `${Math.min(x + 14, Math.max(0, width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${y + 18}px`;
  }
  /** Shows what the pointer would show at a node. */
  pointNode(node) {
    const { picture } = this;
    if (this.network.kind === "points") return this.point(picture.describeNode(node), picture.x[node], picture.y[node]);
    const across = this.network.kind === "cells" ? this.network.columns : this.now.loads.length;
    const [x, y] = picture.turn(Math.floor(node / across), node % across);
    const place = this.network.kind === "cells" ? [picture.left + (x + 0.5) * picture.cell, picture.top + (y + 0.5) * picture.cell]
      : [picture.frame[0] + ((node + 0.5) / across) * (picture.frame[1] - picture.frame[0]), picture.height / 2];
    this.point(picture.describe(...place), ...place);
  }
  wire(canvas) {
    let grip = null;
    const drag = (event) => stage.pan(event.clientX - grip.x, event.clientY - grip.y);
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      stage.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      if (this.picture.zoom <= 1) return;
      canvas.setPointerCapture(event.pointerId);
      grip = { x: event.clientX - this.picture.panX, y: event.clientY - this.picture.panY };
    });
    canvas.addEventListener("pointerup", () => { grip = null; });
    canvas.addEventListener("pointermove", (event) => {
      if (grip) return drag(event);
      const box = canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      this.point(this.picture.describe(x, y), x, y);
    });
    canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
  }
}

/** All panels, with one zoom. */
class Stage {
  constructor(place, redraw) {
    this.place = place;
    this.redraw = redraw;
    this.panels = [];
  }
  set(panels) {
    this.panels = panels;
    this.place.replaceChildren(...panels.map((panel) => panel.figure));
    this.place.classList.toggle("several", panels.length > 1);
  }
  resize() {
    if (this.place.clientWidth === 0) return;  // it is not shown
    const count = this.panels.length;
    const rows = Math.ceil(count / Math.max(1, Math.min(count, Math.floor(this.place.clientWidth / 260))));
    this.place.style.setProperty("--columns", Math.ceil(count / rows));
    const low = innerHeight < 620;
    const most = Math.max(low ? 190 : 320, (low ? 0.5 : 0.68) * innerHeight) / Math.min(rows, 2);
    for (const { picture } of this.panels) picture.resize(most);
  }
  apply(change) {
    for (const { picture } of this.panels) {
      change(picture);
      picture.canvas.classList.toggle("zoomed", picture.zoom > 1);
      if (picture.network.kind === "points") picture.place();
    }
    this.redraw();
  }
  pan(x, y) { this.apply((picture) => { [picture.panX, picture.panY] = [x, y]; }); }
  panBy(x, y) {
    this.apply((picture) => { if (picture.zoom > 1) [picture.panX, picture.panY] = [picture.panX + x, picture.panY + y]; });
  }
  /** Zooms by a factor; 0 shows all. */
  zoom(factor) {
    this.apply((picture) => {
      const next = Math.min(40, Math.max(1, picture.zoom * factor));
      if (factor === 0 || next === 1) return picture.showAll();
      picture.panX *= next / picture.zoom;
      picture.panY *= next / picture.zoom;
      picture.zoom = next;
    });
  }
}
