"use strict";
// The table of all runs.

/** Whether nodes have different speeds, so that discrepancies say nothing. */
const bySpeed = (run) => run.share_distance !== undefined;
/** Tokens of a run's own units. */
const inTokens = (run, value) => (value === undefined || Number(run.scale) === 1 ? value : Number(value) / Number(run.scale));
const anyRun = (holds) => page.runs.some(holds);

/**
 * Columns: `value` of a run, to show and to sort by; `words` if it is text; `promise`: what a theorem
 * says that it is at most, in small letters below; `only`: whether any run needs the column.
 */
const columns = [
  { name: "Algorithm", words: true, value: (run, i) => labels[i] },
  { name: "Network", words: true, value: (run) => page.networks[run.network].name, only: () => page.networks.length > 1 },
  { name: "Off share", value: (run) => run.share_distance, only: () => anyRun(bySpeed), hint: "tokens, of the node farthest from its share by speed",
    over: (run) => run.guarantee.share_distance_below !== undefined && run.share_distance >= run.guarantee.share_distance_below },
  { name: "Discrepancy", value: (run) => inTokens(run, run.discrepancy), only: () => !page.runs.every(bySpeed), hint: "most loaded less least loaded node, at the end",
    promise: (run) => inTokens(run, run.guarantee.discrepancy) },
  { name: "Local imbalance", value: (run) => inTokens(run, run.local_imbalance), hint: "largest difference across a link, at the end" },
  { name: "Steps", value: (run) => run.steps, promise: (run) => run.guarantee.steps, best: (run) => run.optimum_steps },
  { name: "Level after step", value: (run) => run.level_since, only: () => anyRun((run) => run.level_since !== undefined), hint: "the first step after which the discrepancy stayed as it is at the end" },
  { name: "Rounds", value: (run) => run.rounds },
  { name: "Exchanges", value: (run) => inTokens(run, run.exchanges), hint: "tokens that crossed a link, each time that they did", best: (run) => run.optimum_exchanges },
  { name: "Messages", value: (run) => run.messages },
  { name: "Seconds", value: (run) => run.seconds, text: (run) => (run.seconds < 0.01 ? "< 0.01" : show(run.seconds)) },
  { name: "Model", words: true, value: (run) => run.model, only: () => new Set(page.runs.map((run) => run.model)).size > 1 },
  { name: "Ended because", words: true, value: (run) => run.stopped_because, text: (run) => (run.reached ? "" : "✗ ") + run.stopped_because, bad: (run) => !run.reached },
].filter((column) => !column.only || column.only());

class RunTable {
  constructor(table, onChoose) {
    this.table = table;
    this.onChoose = onChoose;
    this.sorted = null;
    this.build();
  }
  build() {
    const head = element("tr");
    columns.forEach((column, index) => {
      const cell = element("th", undefined, column.words ? "text" : "");
      cell.scope = "col";
      const button = element("button", column.name);
      button.type = "button";
      if (column.hint) button.title = column.hint;
      button.addEventListener("click", () => this.sortBy(index));
      cell.append(button);
      head.append(cell);
    });
    this.table.tHead.append(head);
    // Narrow pages have a list instead of headings.
    this.list = byId("sort");
    this.way = byId("sort-way");
    this.list.append(new Option("first to last", -1), ...columns.map(({ name }, index) => new Option(name, index)));
    this.list.addEventListener("change", () => this.sortBy(Number(this.list.value), false));
    this.way.addEventListener("click", () => this.sortBy(Number(this.list.value)));
    page.runs.forEach((run, index) => this.table.tBodies[0].append(this.row(run, index)));
  }
  row(run, index) {
    const row = element("tr");
    row.dataset.run = index;
    row.addEventListener("click", () => this.onChoose(index));
    columns.forEach((column, place) => {
      const cell = element("td", undefined, column.words ? "text" : "");
      cell.dataset.name = column.name;
      if (place === 0) {
        const button = element("button");
        button.type = "button";
        const swatch = element("span", undefined, "swatch");
        swatch.dataset.run = index;
        button.append(swatch, labels[index]);
        button.title = labels[index];
        cell.append(button);
      } else this.fill(cell, column, run);
      row.append(cell);
    });
    return row;
  }
  fill(cell, column, run) {
    const value = column.value(run);
    const text = column.text ? column.text(run) : column.words ? value : show(value);
    const shown = element("span");
    shown.append(...withTerms(String(text), true));
    cell.append(shown);
    if (!column.words) cell.title = exactly(value);
    const promised = column.promise && column.promise(run);
    if (promised !== undefined) {
      const note = element("small");
      note.append(...withTerms(`promised ≤ ${show(promised)}`, true));
      note.title = [exactly(promised), run.guarantee.source].filter(Boolean).join(" · ");
      cell.append(note);
      if (Number(value) > Number(promised)) cell.classList.add("over");
    }
    const best = column.best && column.best(run);
    if (best !== undefined) cell.append(element("small", `best possible ${show(best)}`));
    if (column.over && column.over(run)) cell.classList.add("over");
    if (column.bad && column.bad(run)) cell.classList.add("no");
  }
  /** Sorts by a column, the other way round if it is sorted by it already, or as `down` says. */
  sortBy(index, down = this.sorted?.index === index && !this.sorted.down) {
    this.sorted = { index, down };
    const column = columns[index] ?? { value: (run, i) => i };
    const key = (run, i) => (column.words ? column.value(run, i) : Number(column.value(run, i) ?? Infinity));
    const order = page.runs.map((_, i) => i).sort((a, b) => {
      const [x, y] = [key(page.runs[a], a), key(page.runs[b], b)];
      const by = typeof x === "string" ? x.localeCompare(y) : x < y ? -1 : x > y ? 1 : 0;
      return (down ? -by : by) || a - b;
    });
    const body = this.table.tBodies[0];
    const rows = new Map([...body.rows].map((row) => [Number(row.dataset.run), row]));
    body.append(...order.map((i) => rows.get(i)));
    [...this.table.tHead.rows[0].cells].forEach((cell, i) => {
      if (i === index) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    this.list.value = index;
    this.way.textContent = down ? "↓" : "↑";
  }
  /** Marks the rows of the runs that are shown, and the chosen one. */
  mark(chosen, shown) {
    for (const row of this.table.tBodies[0].rows) {
      const index = Number(row.dataset.run);
      row.classList.toggle("chosen", index === chosen);
      row.classList.toggle("beside", index !== chosen && shown.includes(index));
      row.querySelector("button").setAttribute("aria-pressed", index === chosen);
    }
  }
}
