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
