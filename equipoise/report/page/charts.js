"use strict";
// Curves over the steps.

/** An axis that is linear or logarithmic (log10(1 + v), so that zero has its place). */
class Axis {
  constructor(logarithmic) { this.logarithmic = logarithmic; }
  to(value) { return this.logarithmic ? Math.log10(1 + value) : value; }
  from(place) { return this.logarithmic ? 10 ** place - 1 : place; }
  /** Settings of an axis of the chart library up to the value `most`. */
  settings(most, style, title) {
    const axis = {
      type: "linear",
      min: 0,
      max: Math.max(this.to(most), this.to(1)),
      grid: { color: style.line, drawTicks: false },
      border: { display: false },
      title: { display: !!title, text: title, color: style.soft },
      ticks: { color: style.soft, padding: 6, maxRotation: 0, maxTicksLimit: 7, callback: (place) => label(this.from(place)) },
    };
    if (this.logarithmic) axis.afterBuildTicks = (built) => { built.ticks = this.powers(most).map((value) => ({ value: this.to(value) })); };
    return axis;
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

function label(value) {
  const whole = Math.abs(value - Math.round(value)) < 1e-6 * Math.max(1, Math.abs(value)) ? Math.round(value) : value;
  return Math.abs(whole) >= 1e7 ? showShort(whole) : Math.abs(whole) >= 10000 ? compact.format(whole) : plain.format(whole);
}

/** Promises as dashed lines and the present moment as a solid one. */
const marks = {
  id: "marks",
  afterDatasetsDraw(chart) {
    const { ctx, chartArea: area, scales } = chart;
    const { lines, now, style } = chart.options.marks;
    ctx.save();
    ctx.beginPath();
    ctx.rect(area.left - 1, area.top - 1, area.width + 2, area.height + 2);
    ctx.clip();
    ctx.font = '11px system-ui, "DejaVu Sans", sans-serif';
    for (const line of lines) {
      const across = line.y !== undefined;
      const place = across ? scales.y.getPixelForValue(line.y) : scales.x.getPixelForValue(line.x);
      ctx.strokeStyle = line.colour;
      ctx.fillStyle = line.colour;
      ctx.lineWidth = 1.5;
      ctx.setLineDash([6, 4]);
      ctx.beginPath();
      ctx.moveTo(across ? area.left : place, across ? place : area.top);
      ctx.lineTo(across ? area.right : place, across ? place : area.bottom);
      ctx.stroke();
      ctx.textAlign = "right";
      const high = across && place - area.top > 16;
      ctx.textBaseline = across ? (high ? "bottom" : "top") : "top";
      const x = across ? area.right - 4 : place - 4;
      const y = across ? place + (high ? -2 : 3) : area.top + 2 + 14 * (line.row || 0);
      ctx.lineWidth = 3;
      ctx.setLineDash([]);
      ctx.strokeStyle = style.card;
      ctx.strokeText(line.text, x, y);
      ctx.fillText(line.text, x, y);
    }
    if (now !== null) {
      const x = scales.x.getPixelForValue(now);
      ctx.strokeStyle = style.ink;
      ctx.lineWidth = 1;
      ctx.beginPath();
      ctx.moveTo(x, area.top);
      ctx.lineTo(x, area.bottom);
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
  }
  /** `runs`, all of one model: {run, label, colour}; `chosen`: index of the one drawn on top. */
  build(runs, chosen, logarithmic, style) {
    if (this.chart) this.chart.destroy();
    const longest = Math.max(1, ...runs.map(({ run }) => Number(run.steps)));
    const shortest = Math.max(1, Math.min(...runs.map(({ run }) => Number(run.steps))));
    const y = (this.y = new Axis(logarithmic));
    const x = (this.x = new Axis(longest > 20 * shortest));
    const scale = (run) => (this.key === "potential" ? Number(run.scale) ** 2 : Number(run.scale));
    const promise = runs[chosen].run.guarantee;
    const optimum = runs[chosen].run.optimum_steps;
    let most = 1;
    const datasets = runs.map(({ run, label: name, colour }, index) => {
      const values = run.curve[this.key].map((value) => Number(value) / scale(run));
      most = Math.max(most, ...values);
      return {
        label: name,
        data: run.curve.steps.map((step, i) => ({ x: x.to(step), y: y.to(values[i]) })),
        borderColor: colour,
        backgroundColor: colour,
        borderWidth: index === chosen ? 2.6 : 1.3,
        order: index === chosen ? 0 : 1,
        pointRadius: 0,
        pointHitRadius: 6,
        pointHoverRadius: 4,
        tension: 0,
      };
    });
    const lines = [];
    if (this.key === "discrepancy" && promise.discrepancy !== undefined) {
      const bound = Number(promise.discrepancy) / Number(runs[chosen].run.scale);
      if (bound <= 1.5 * most) {
        most = Math.max(most, bound);
        lines.push({ y: y.to(bound), text: `promised: at most ${show(bound)}`, colour: style.promise });
      }
    }
    if (promise.steps !== undefined && Number(promise.steps) <= 1.3 * longest)
      lines.push({ x: x.to(Number(promise.steps)), text: `promised: ${show(promise.steps)} steps`, colour: style.promise });
    if (optimum !== undefined && Number(optimum) <= 1.3 * longest)
      lines.push({ x: x.to(Number(optimum)), text: `optimum: ${show(Number(optimum))} steps`, colour: style.accent, row: 1 });
    const end = Math.max(x.to(longest), ...lines.filter((line) => line.x !== undefined).map((line) => line.x));
    const xAxis = x.settings(x.from(end), style, `${runs[chosen].run.model} steps`);
    const yAxis = y.settings(most * (logarithmic ? 1.3 : 1.04), style, "");
    yAxis.afterFit = (axis) => { axis.width = 58; };  // so that both charts share their steps
    this.chart = new Chart(this.canvas, {
      type: "line",
      data: { datasets },
      plugins: [marks],
      options: {
        animation: false,
        responsive: true,
        maintainAspectRatio: false,
        parsing: false,
        normalized: true,
        interaction: { mode: "nearest", axis: "x", intersect: false },
        onClick: (event) => this.onPick(x.from(this.chart.scales.x.getValueForPixel(event.x))),
        layout: { padding: { top: 4, right: 8 } },
        marks: { lines, now: null, style },
        scales: { x: xAxis, y: yAxis },
        plugins: {
          legend: { display: false },
          tooltip: {
            callbacks: {
              title: (items) => (items.length ? `step ${show(Math.round(x.from(items[0].parsed.x)))}` : ""),
              label: (item) => ` ${item.dataset.label}: ${showShort(Number(y.from(item.parsed.y).toPrecision(6)))}`,
            },
          },
        },
      },
    });
  }
  /** Moves the line of the present moment. */
  mark(step) {
    this.chart.options.marks.now = this.x.to(step);
    this.chart.draw();
  }
}
