"use strict";
// Playing: time goes on by itself.

/** Plays the moments of a timeline; `show(moment)` draws one, `glide(part)` what moves between two. */
class Player {
  constructor({ show, glide, changed }) {
    this.show = show;
    this.glide = glide;
    this.changed = changed;
    this.playing = false;
    this.speed = 1;
    this.pictures = 0;  // drawn since it began to play
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
  }
  /** Begins at a moment of `length`; messages need time to be seen on their way. */
  start(moment, length, messages) {
    if (length < 2) return;
    this.playing = true;
    this.changed(true);
    this.place = moment;
    this.seen = moment;
    this.last = length - 1;
    this.slowest = messages ? 1.5 : 3;
    this.pictures = 0;
    this.before = performance.now();
    this.drawn = -Infinity;
    requestAnimationFrame((now) => this.tick(now));
  }
  /** Moments a second: the whole run in about twelve seconds. */
  get rate() { return this.speed * Math.max(this.last / 12, this.slowest); }
  tick(now) {
    if (!this.playing) return;
    const passed = Math.min(250, Math.max(0, now - this.before));
    this.before = now;
    this.place = Math.min(this.last, this.place + (passed / 1000) * this.rate);
    const moment = Math.floor(this.place);
    // Who wants little motion sees four pictures a second, and nothing glides.
    const due = !this.calm.matches || now - this.drawn >= 250 || moment === this.last;
    if (due && moment !== this.seen) {
      this.show(moment);
      ++this.pictures;
      this.drawn = now;
      this.seen = moment;
    } else if (due && !this.calm.matches) this.glide(this.place - moment);
    if (moment === this.last) return this.stop();
    requestAnimationFrame((next) => this.tick(next));
  }
  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.changed(false);
  }
}

/** What the button to play says. */
function showPlaying(playing) {
  byId("play").textContent = playing ? "⏸" : "▶";
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
}

/** Chooses another value of a choice: the next, or the one before. */
function cycle(id, by) {
  const choice = byId(id);
  const next = choice.selectedIndex + by;
  choice.selectedIndex = id === "speed" ? Math.min(choice.length - 1, Math.max(0, next)) : next % choice.length;
  choice.dispatchEvent(new Event("change"));
}

/** The player's buttons, slider and keys: `at()` is the moment that is shown, `last()` the last one, `goTo(moment)` shows
 *  another, `length()` is that of which Page Up and Page Down pass a tenth, `messages()` whether messages are shown. */
class PlayerControls {
  constructor(player, { at, last, goTo, length = () => last() + 1, messages = () => true }) {
    Object.assign(this, { player, at, last, goTo, length, messages });
  }
  jump(moment) {
    this.player.stop();
    this.goTo(moment);
  }
  toggle() {
    if (this.player.playing) return this.player.stop();
    if (this.at() === this.last()) this.goTo(0);
    this.player.start(this.at(), this.last() + 1, this.messages());
  }
  wire() {
    const on = (id, kind, act) => byId(id).addEventListener(kind, act);
    on("time", "input", (event) => this.jump(Number(event.target.value)));
    on("back", "click", () => this.jump(this.at() - 1));
    on("step", "click", () => this.jump(this.at() + 1));
    on("play", "click", () => this.toggle());
    on("speed", "change", (event) => { this.player.speed = Number(event.target.value); });
  }
  /** What these keys do; each is named in the help. */
  keys() {
    const tenth = Math.max(1, Math.round(this.length() / 10));
    const go = (moment) => () => this.jump(moment);
    return {
      " ": () => this.toggle(),
      "ArrowRight": go(this.at() + 1), "ArrowLeft": go(this.at() - 1),
      "PageDown": go(this.at() + tenth), "PageUp": go(this.at() - tenth),
      "Home": go(0), "End": go(this.last()),
      "<": () => cycle("speed", -1), ">": () => cycle("speed", 1),
    };
  }
}
