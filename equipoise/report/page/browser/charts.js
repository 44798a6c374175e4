"use strict";
// Curves of all runs on a network.

/**
 * An axis of values up to `most`, linear or logarithmic. A logarithmic one has one decade after the
 * other from 1 on; zero has its place a seventh of that below 1, with what is between in proportion.
 */
class Axis {
  constructor(most, logarithmic) {
    this.most = most;
    this.logarithmic = logarithmic && most >= 10;
    this.one = Math.log10(Math.max(10, most)) / 7;
    this.show = showUpTo(most);
  }
  to(value) { return !this.logarithmic ? value : value <= 1 ? value * this.one : this.one + Math.log10(value); }
  from(place) { return !this.logarithmic ? place : place <= this.one ? place / this.one : 10 ** (place - this.one); }
  /** Settings of an axis of the chart library. */
  settings(style, title, whole) {
    const axis = {
      type: "linear",
      min: 0,
      max: Math.max(this.to(this.most), this.to(1)),
      grid: { color: style.line, drawTicks: false },
      border: { display: false },
      title: { display: !!title, text: title, color: style.soft },
      ticks: { color: style.soft, padding: 6, maxRotation: 0, maxTicksLimit: 7, includeBounds: !!title, precision: whole ? 0 : undefined, callback: (place) => this.label(place) },
    };
    if (this.logarithmic) {
      axis.ticks.autoSkip = false;
      axis.afterBuildTicks = (built) => { built.ticks = this.named().map((value) => ({ value: this.to(value) })); };
    }
    return axis;
  }
  label(place) {
    const value = this.from(place);
    return this.show(Math.abs(value - Math.round(value)) < 1e-6 * Math.max(1, value) ? Math.round(value) : value);
  }
  /** All powers of ten. */
  powers() {
    const result = [];
    for (let e = 0; this.logarithmic && 10 ** e <= this.most * (1 + 1e-9); ++e) result.push(10 ** e);
    return result;
  }
  /** Powers that have a line, but no number. */
  nameless() {
    const named = new Set(this.named());
    return this.powers().filter((power) => !named.has(power));
  }
  /** The values that have a number: all powers if there is room, else every second, third, ... of them. */
  named() {
    const powers = this.powers();
    const skip = Math.ceil((powers.length - 1) / 6) || 1;
    const between = powers.length <= 3 ? powers.map((power) => 3 * power).filter((value) => value <= this.most) : [];
    return [0, ...powers.filter((_, e) => e % skip === 0), ...between].sort((a, b) => a - b);
  }
}

const dashes = { promise: [7, 4], optimum: [2, 3], level: [8, 3, 2, 3] };

/** What a theorem promises, the optimum and since when a run was level, as lines; their names are below the chart's title. */
const marks = {
  id: "marks",
  /** Powers of ten without a number. */
  beforeDatasetsDraw(chart) {
    const { ctx, chartArea: area, scales } = chart;
    const { x, y, style } = chart.options.marks;
    ctx.save();
    ctx.strokeStyle = style.line;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (const power of x.nameless()) {
      const place = Math.round(scales.x.getPixelForValue(x.to(power))) + 0.5;
      ctx.moveTo(place, area.top);
      ctx.lineTo(place, area.bottom);
    }
    for (const power of y.nameless()) {
      const place = Math.round(scales.y.getPixelForValue(y.to(power))) + 0.5;
      ctx.moveTo(area.left, place);
      ctx.lineTo(area.right, place);
    }
    ctx.stroke();
    ctx.restore();
  },
  afterDatasetsDraw(chart) {
    const { ctx, chartArea: area, scales } = chart;
    const { lines, style } = chart.options.marks;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left - 1, area.top - 1, area.width + 2, area.height + 2);
    ctx.clip();
    for (const line of lines) {
      if (line.outside) continue;
      const across = line.y !== undefined;
      const place = across ? scales.y.getPixelForValue(line.y) : scales.x.getPixelForValue(line.x);
      ctx.strokeStyle = line.colour ?? style[line.kind];
      ctx.lineWidth = line.kind === "optimum" ? 2.2 : 1.5;
      ctx.setLineDash(dashes[line.kind]);
      ctx.beginPath();
      ctx.moveTo(across ? area.left : place, across ? place : area.top);
      ctx.lineTo(across ? area.right : place, across ? place : area.bottom);
      ctx.stroke();
    }
    ctx.restore();
  },
};

/** What curves are drawn over: how far a run is after a step, and the axes that runs share. */
const courses = {
  steps: {
    after: (run, step) => step,
    stepAt: (run, place) => place,
    axisOf: (run) => run.model,
    title: (model) => `${model} steps`,
    words: (run, step) => `step ${show(step)}`,
  },
  messages: {
    after: (run, step) => (Number(run.steps) ? (step * Number(run.messages)) / Number(run.steps) : 0),
    stepAt: (run, place) => (Number(run.messages) ? (place * Number(run.steps)) / Number(run.messages) : 0),
    axisOf: () => "messages",
    title: () => "messages",
    words: (run, step, place) => counted(Math.round(place), "message"),
  },
};

/** One picture of a curve of every run over its course. */
class CurveChart {
  constructor(canvas, key, onPick) {
    this.canvas = canvas;
    this.key = key;
    this.onPick = onPick;
    this.chart = null;
    this.step = null;
    // The line of the present moment lies above the canvas, which is not drawn again for it.
    this.now = document.createElement("div");
    this.now.className = "now";
    canvas.after(this.now);
    this.legend = canvas.closest(".curve").querySelector(".lines");
    // The chart library would follow its place a picture later, with a canvas too wide until then.
    new ResizeObserver(() => this.fit()).observe(canvas.parentElement);
  }
  fit() {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
    if (this.chart && width > 0 && height > 0 && (width !== this.chart.width || height !== this.chart.height)) this.chart.resize(width, height);
  }
  /** `runs`: {run, label, colour, shown}; `chosen`: index of the one drawn on top; `course`: a word of `courses`. */
  build(runs, chosen, logarithmic, course, style) {
    if (this.chart) this.chart.destroy();
    this.chart = null;
    this.run = runs[chosen].run;
    this.course = courses[course];
    const { after, axisOf } = this.course;
    const shared = new Map([[axisOf(this.run), []]]);  // the runs of every axis, the chosen one's first
    for (const one of runs) {
      const axis = axisOf(one.run);
      if (!shared.has(axis)) shared.set(axis, []);
      shared.get(axis).push(one);
    }
    const axes = new Map();
    const scales = {};
    const scale = (run) => (this.key === "potential" ? Number(run.scale) ** 2 : Number(run.scale));
    const values = runs.map(({ run }) => run.curve[this.key].map((value) => Number(value) / scale(run)));
    let most = Math.max(1, ...values.map((one) => minmax(one)[1]));
    const whole = values.every((one) => one.every(Number.isInteger));
    const longest = Math.max(1, ...shared.get(axisOf(this.run)).map(({ run }) => after(run, Number(run.steps))));
    const lines = this.linesOf(this.run, most, longest);
    // Beside other runs, what is said of the chosen one has its colour and its name.
    for (const line of runs.length > 1 ? lines : []) {
      if (line.kind === "optimum") continue;
      line.colour = runs[chosen].colour;
      line.text = `${runs[chosen].label}: ${line.text}`;
    }
    const inside = (name) => lines.filter((line) => line[name] !== undefined && !line.outside).map((line) => line[name]);
    most = Math.max(most, ...inside("y"));
    const y = (this.y = new Axis(most * (logarithmic ? 1.3 : 1.04), logarithmic));
    for (const [name, members] of shared) {
      const ends = members.map(({ run }) => Math.max(1, after(run, Number(run.steps))));
      const own = axes.size === 0;
      const end = Math.max(...ends, ...(own ? inside("x") : []));
      const axis = new Axis(end, end > 20 * Math.min(...ends));
      const id = own ? "x" : `x${axes.size}`;
      axes.set(name, { axis, id });
      const who = own || members.length > 2 ? "" : `: ${members.map(({ label }) => label).join(", ")}`;
      scales[id] = axis.settings(style, shorten(this.course.title(name) + who, 52), true);
      if (!own) Object.assign(scales[id], { position: "top", grid: { display: false } });
      if (shared.size > 1 && members.length === 1) scales[id].title.color = scales[id].ticks.color = members[0].colour;
    }
    const x = (this.x = axes.get(axisOf(this.run)).axis);
    const datasets = runs.map(({ run, label: name, colour, shown }, index) => {
      const { axis, id } = axes.get(axisOf(run));
      return {
        label: name,
        xAxisID: id,
        data: run.curve.steps.map((step, i) => ({ x: axis.to(after(run, step)), y: y.to(values[index][i]), step, place: after(run, step) })),
        borderColor: colour,
        backgroundColor: colour,
        borderWidth: index === chosen ? 2.6 : shown ? 2 : 1.2,
        order: index === chosen ? 0 : 1,
        pointRadius: values[index].length === 1 ? 3 : 0,
        pointHitRadius: 6,
        pointHoverRadius: 4,
        tension: 0,
      };
    });
    scales.y = y.settings(style, "", whole);
    scales.y.afterFit = (axis) => { axis.width = 84; };  // so that both charts share their steps
    for (const line of lines) {
      if (line.y !== undefined) line.y = y.to(line.y);
      else line.x = x.to(line.x);
    }
    this.canvas.parentElement.style.setProperty("--more-axes", axes.size - 1);
    this.chart = new Chart(this.canvas, {
      type: "line",
      data: { datasets },
      plugins: [marks, { id: "now", afterDraw: () => this.place() }],
      options: {
        animation: false,
        responsive: false,
        maintainAspectRatio: false,
        parsing: false,
        normalized: true,
        interaction: { mode: "nearest", axis: "x", intersect: false },
        onClick: (event) => this.onPick(this.course.stepAt(this.run, x.from(this.chart.scales.x.getValueForPixel(event.x)))),
        layout: { padding: { top: 4, right: 14 } },
        marks: { lines, x, y, style },
        scales,
        plugins: { legend: { display: false }, tooltip: { callbacks: this.tips(runs, y) } },
      },
    });
    this.fit();
    this.writeLegend(lines);
    this.mark(this.step);
  }
  /** What pointing at curves shows: where each stands, its step beside it where steps have several axes. */
  tips(runs, y) {
    const where = ({ datasetIndex, raw }) => this.course.words(runs[datasetIndex].run, raw.step, raw.place);
    const apart = new Set(runs.map(({ run }) => this.course.axisOf(run))).size > 1;
    return {
      title: (items) => (items.length && !apart ? where(items[0]) : ""),
      label: (item) => ` ${item.dataset.label}: ${show(Number(y.from(item.parsed.y).toPrecision(6)))}${apart ? ` at ${where(item)}` : ""}`,
    };
  }
  /** What is promised for a run, what would be the best possible, and since when it was level. */
  linesOf(run, most, longest) {
    const lines = [];
    const promise = run.guarantee;
    const over = (kind, steps, text) => {
      const x = this.course.after(run, Number(steps));
      lines.push({ x, kind, text, outside: x > 1.3 * longest });
    };
    if (this.key === "discrepancy" && promise.discrepancy !== undefined) {
      const bound = Number(promise.discrepancy) / Number(run.scale);
      lines.push({ y: bound, kind: "promise", text: `promised: discrepancy at most ${show(bound)}`, outside: bound > 1.5 * most });
    }
    if (promise.steps !== undefined) over("promise", promise.steps, `promised: at most ${counted(promise.steps, "step")}`);
    if (run.optimum_steps !== undefined) over("optimum", run.optimum_steps, `best possible: ${counted(run.optimum_steps, "step")}`);
    if (run.level_since !== undefined) over("level", run.level_since, levelText(run));
    return lines;
  }
  writeLegend(lines) {
    this.legend.replaceChildren(...lines.map((line) => {
      const item = document.createElement("span");
      const sample = document.createElement("i");
      sample.className = `${line.kind}${line.y === undefined ? " upright" : ""}`;
      if (line.colour) sample.style.borderColor = line.colour;
      item.append(sample, ...withTerms(line.outside ? `${line.text} (beyond the chart)` : line.text));
      return item;
    }));
  }
  /** Moves the line of the present moment. */
  mark(step) {
    this.step = step;
    this.place();
  }
  place() {
    if (!this.chart || this.step === null) return;
    const { chartArea: area, scales } = this.chart;
    if (!area) return;
    // In parts of the canvas, so that it keeps its place when the canvas is scaled to paper.
    const { width, height } = this.chart;
    this.now.style.left = `${(100 * scales.x.getPixelForValue(this.x.to(this.course.after(this.run, this.step)))) / width}%`;
    this.now.style.top = `${(100 * area.top) / height}%`;
    this.now.style.height = `${(100 * area.height) / height}%`;
  }
}
