"use strict";
// The list of moves: searched, sorted, a page at a time.

const movesAPage = 50;
const movesOnPaper = 1000;

/** Columns: what is shown, and what is sorted by. */
function moveColumns() {
  const { moves, machines, items } = plan;
  const named = (names, of) => ({ words: true, text: (move) => names[of[move]] ?? "", key: (move) => names[of[move]] ?? "" });
  const columns = [
    { name: "Wave", text: (move) => show(moves.wave[move]), key: (move) => moves.wave[move] },
    { name: "Item", ...named(items, moves.item) },
    { name: "From", ...named(machines.name, moves.from) },
    { name: "To", ...named(machines.name, moves.to) },
  ];
  for (let resource = 1; resource < plan.resources.length; ++resource)
    columns.push({ name: plan.resources[resource].name, text: (move) => amountText(resource, moveAmount(resource, move)), key: (move) => moveAmount(resource, move) });
  return columns;
}

class MoveList {
  constructor(table) {
    this.table = table;
    this.columns = moveColumns();
    this.words = "";
    this.machine = null;
    this.wave = null;   // first and one past the last move, if only one wave is shown
    this.sorted = null;
    this.first = 0;     // shown of those found
    this.aPage = movesAPage;
    const head = element("tr");
    this.columns.forEach((column, index) => {
      const cell = element("th", undefined, column.words ? "text" : "");
      cell.scope = "col";
      const button = element("button", column.name);
      button.type = "button";
      button.addEventListener("click", () => this.sortBy(index));
      cell.append(button);
      head.append(cell);
    });
    table.tHead.append(head);
  }
  sortBy(index) {
    this.sorted = { index, down: this.sorted?.index === index && !this.sorted.down };
    [...this.table.tHead.rows[0].cells].forEach((cell, i) => {
      if (i === index) cell.setAttribute("aria-sort", this.sorted.down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    this.find();
  }
  /** Finds what is asked for and shows the first page of it. */
  find() {
    const { moves, machines, items } = plan;
    const [begin, end] = this.wave ?? [0, moves.wave.length];
    const words = this.words.toLowerCase().split(/\s+/).filter(Boolean);
    const holds = (text) => words.map((word) => text.toLowerCase().includes(word));
    const ofMachine = words.length ? machines.name.map(holds) : [];
    this.found = [];
    for (let move = begin; move < end; ++move) {
      const [from, to] = [moves.from[move], moves.to[move]];
      if (this.machine !== null && from !== this.machine && to !== this.machine) continue;
      if (words.length) {
        const ofItem = holds(items[moves.item[move]]);
        if (!words.every((_, i) => ofItem[i] || ofMachine[from]?.[i] || ofMachine[to][i])) continue;
      }
      this.found.push(move);
    }
    this.sort();
    this.first = 0;
    this.show();
  }
  sort() {
    if (!this.sorted) return;
    const { key, words } = this.columns[this.sorted.index];
    const sign = this.sorted.down ? -1 : 1;
    const keys = new Map(this.found.map((move) => [move, key(move)]));
    const order = words ? collator.compare : (a, b) => a - b;
    this.found.sort((a, b) => sign * order(keys.get(a), keys.get(b)) || a - b);
  }
  turn(pages) {
    this.first = Math.max(0, Math.min(this.first + pages * this.aPage, Math.floor(Math.max(0, this.found.length - 1) / this.aPage) * this.aPage));
    this.show();
  }
  show() {
    const shown = this.found.slice(this.first, this.first + this.aPage);
    this.table.tBodies[0].replaceChildren(...shown.map((move) => {
      const row = element("tr");
      for (const column of this.columns) {
        const cell = element("td", column.text(move), column.words ? "text" : "");
        cell.dataset.name = column.name;
        row.append(cell);
      }
      return row;
    }));
    const all = plan.moves.wave.length;
    byId("list-note").textContent = this.found.length === 0 ? (all === 0 ? "Nothing moves." : "No move fits.")
      : `${show(this.first + 1)} to ${show(this.first + shown.length)} of ${counted(this.found.length, "move")}` +
        (this.found.length < all ? ` that fit${this.found.length === 1 ? "s" : ""}, of ${show(all)}` : "") +
        (plan.moves_left_out ? ` (${show(plan.moves_left_out)} more are not on this page)` : "");
    byId("page-back").disabled = this.first === 0;
    byId("page-on").disabled = this.first + shown.length >= this.found.length;
  }
}
