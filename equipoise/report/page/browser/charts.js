"use strict";
// Curves over the steps.

/** An axis that is linear or logarithmic (log10(1 + v), so that zero has its place). */
class Axis {
  constructor(logarithmic) { this.logarithmic = logarithmic; }
  to(value) { return this.logarithmic ? Math.log10(1 + value) : value; }
  from(place) { return this.logarithmic ? 10 ** place - 1 : place; }
  /** Settings of an axis of the chart library up to the value `most`. */
  settings(most, style, title, whole) {
    this.show = showUpTo(most);
    const axis = {
      type: "linear",
      min: 0,
      max: Math.max(this.to(most), this.to(1)),
      grid: { color: style.line, drawTicks: false },
      border: { display: false },
      title: { display: !!title, text: title, color: style.soft },
      ticks: { color: style.soft, padding: 6, maxRotation: 0, maxTicksLimit: 7, includeBounds: !!title, precision: whole ? 0 : undefined, callback: (place) => this.label(place) },
    };
    if (this.logarithmic) axis.afterBuildTicks = (built) => { built.ticks = this.powers(most).map((value) => ({ value: this.to(value) })); };
    return axis;
  }
  label(place) {
    const value = this.from(place);
    return this.show(Math.abs(value - Math.round(value)) < 1e-6 * Math.max(1, value) ? Math.round(value) : value);
  }
  powers(most) {
    const top = Math.log10(most + 1);
    const result = [0];
    if (top <= 2.2) {
      for (const value of [1, 3, 10, 30, 100]) if (value <= most) result.push(value);
      return result;
    }
    const skip = Math.ceil(top / 6);
    // Zero and one stand too close together if there are many powers.
    for (let e = top > 2.8 ? skip : 0; 10 ** e <= most; e += skip) result.push(10 ** e);
    return result;
  }
}

const dashes = { promise: [7, 4], optimum: [2, 3] };

/** What a theorem promises and the optimum, as lines; their names are below the chart's title. */
const marks = {
  id: "marks",
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
      ctx.strokeStyle = style[line.kind];
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

/** One picture of a curve of every run over the steps. */
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
  }
  /** `runs`, all of one model: {run, label, colour, shown}; `chosen`: index of the one drawn on top. */
  build(runs, chosen, logarithmic, style) {
    if (this.chart) this.chart.destroy();
    this.chart = null;
    const longest = Math.max(1, ...runs.map(({ run }) => Number(run.steps)));
    const shortest = Math.max(1, Math.min(...runs.map(({ run }) => Number(run.steps))));
    const y = (this.y = new Axis(logarithmic));
    const x = (this.x = new Axis(longest > 20 * shortest));
    const scale = (run) => (this.key === "potential" ? Number(run.scale) ** 2 : Number(run.scale));
    let most = 1;
    let whole = true;
    const datasets = runs.map(({ run, label: name, colour, shown }, index) => {
      const values = run.curve[this.key].map((value) => Number(value) / scale(run));
      for (const value of values) most = Math.max(most, value);
      whole &&= values.every(Number.isInteger);
      return {
        label: name,
        data: run.curve.steps.map((step, i) => ({ x: x.to(step), y: y.to(values[i]) })),
        borderColor: colour,
        backgroundColor: colour,
        borderWidth: index === chosen ? 2.6 : shown ? 2 : 1.2,
        order: index === chosen ? 0 : 1,
        pointRadius: values.length === 1 ? 3 : 0,
        pointHitRadius: 6,
        pointHoverRadius: 4,
        tension: 0,
      };
    });
    const lines = this.linesOf(runs[chosen].run, most, longest);
    for (const line of lines) if (line.y !== undefined && !line.outside) most = Math.max(most, y.from(line.y));
    const end = Math.max(x.to(longest), ...lines.filter((line) => line.x !== undefined && !line.outside).map((line) => line.x));
    const xAxis = x.settings(x.from(end), style, `${runs[chosen].run.model} steps`, true);
    const yAxis = y.settings(most * (logarithmic ? 1.3 : 1.04), style, "", whole);
    yAxis.afterFit = (axis) => { axis.width = 84; };  // so that both charts share their steps
    this.chart = new Chart(this.canvas, {
      type: "line",
      data: { datasets },
      plugins: [marks, { id: "now", afterDraw: () => this.place() }],
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        parsing: false,
        normalized: true,
        interaction: { mode: "nearest", axis: "x", intersect: false },
        onClick: (event) => this.onPick(x.from(this.chart.scales.x.getValueForPixel(event.x))),
        layout: { padding: { top: 4, right: 14 } },
        marks: { lines, style },
        scales: { x: xAxis, y: yAxis },
        plugins: {
          legend: { display: false },
          tooltip: {
            callbacks: {
              title: (items) => (items.length ? `step ${show(Math.round(x.from(items[0].parsed.x)))}` : ""),
              label: (item) => ` ${item.dataset.label}: ${show(Number(y.from(item.parsed.y).toPrecision(6)))}`,
            },
          },
        },
      },
    });
    this.writeLegend(lines);
    this.mark(this.step);
  }
  /** What is promised for a run, and what would be the best possible. */
  linesOf(run, most, longest) {
    const lines = [];
    const promise = run.guarantee;
    if (this.key === "discrepancy" && promise.discrepancy !== undefined) {
      const bound = Number(promise.discrepancy) / Number(run.scale);
      lines.push({ y: this.y.to(bound), kind: "promise", text: `promised: discrepancy at most ${show(bound)}`, outside: bound > 1.5 * most });
    }
    if (promise.steps !== undefined)
      lines.push({ x: this.x.to(Number(promise.steps)), kind: "promise", text: `promised: at most ${counted(promise.steps, "step")}`, outside: Number(promise.steps) > 1.3 * longest });
    if (run.optimum_steps !== undefined)
      lines.push({ x: this.x.to(Number(run.optimum_steps)), kind: "optimum", text: `best possible: ${counted(run.optimum_steps, "step")}`, outside: Number(run.optimum_steps) > 1.3 * longest });
    return lines;
  }
  writeLegend(lines) {
    this.legend.replaceChildren(...lines.map((line) => {
      const item = document.createElement("span");
      const sample = document.createElement("i");
      sample.className = `${line.kind}${line.y === undefined ? " upright" : ""}`;
      item.append(sample, line.outside ? `${line.text} (beyond the chart)` : line.text);
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
    this.now.style.left = `${(100 * scales.x.getPixelForValue(this.x.to(this.step))) / width}%`;
    this.now.style.top = `${(100 * area.top) / height}%`;
    this.now.style.height = `${(100 * area.height) / height}%`;
  }
}
