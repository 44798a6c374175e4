"use strict";
// Machines as bars: before, now, and the lines that they are held to; one row a machine, one above them a group.

const rowsAtFirst = 60;   // of a group; the others come when they are asked for
const rowsMore = 240;
const profileFrom = 40;   // machines from which on all are drawn as one curve
/** What of a machine is drawn as a line across its bar. */
const barLines = ["share", "limit", "threshold", "capacity"];
const columnOf = (name, resource) => plan.machines[name][resource];

/** The scale of bars: up to the largest of what is drawn. Lines far beyond all bars are left out. */
class BarScale {
  constructor(figures) {
    this.most = 0;
    for (const { before, after, peak } of figures) this.most = Math.max(this.most, before, after, peak ?? 0);
    this.most ||= 1;
    const bars = this.most;
    for (const one of figures)
      for (const line of barLines) if (one[line] != null && one[line] <= 1.6 * bars) this.most = Math.max(this.most, one[line]);
  }
  place(amount) { return Math.min(100, (100 * amount) / this.most); }
  shows(amount) { return amount !== null && amount !== undefined && amount <= this.most; }
}

class MachineBars {
  constructor(table, course, onChoose) {
    this.table = table;
    this.course = course;
    this.onChoose = onChoose;
    this.open = new Map();  // by group: how many of its rows are shown
  }
  /** Builds all rows: after another resource, group, order or choice of machines. */
  build({ resource, group, order, idle }) {
    Object.assign(this, { resource, group });
    const machines = [...plan.machines.name.keys()].filter((machine) => idle || this.standsOut(machine));
    this.left = machineCount - machines.length;
    this.sort(machines, order);
    this.groups = this.grouped(machines);
    this.scale = new BarScale([...plan.machines.name.keys()].map((machine) => this.figures(machine)));
    this.groupScale = new BarScale(this.groups.map(({ all }) => this.sums(all)));
    const head = element("tr");
    for (const [text, name] of [["Machine", "text"], ["", "bar"], ["Before", ""], ["Now", ""], ["Share", "share"], ["Capacity", "capacity"]]) {
      const cell = element("th", text, name);
      cell.scope = "col";
      head.append(cell);
    }
    this.table.tHead.replaceChildren(head);
    for (const body of [...this.table.tBodies]) body.remove();
    this.rows = [];
    for (const one of this.groups) this.table.append(this.body(one));
    this.table.classList.toggle("no-capacity", columnOf("capacity", resource).every((amount) => amount === null));
    this.mark();
  }
  /** Machines that change, are to be emptied, or are above a limit. */
  standsOut(machine) {
    if (this.course.changes[machine] || plan.machines.drained[machine]) return true;
    return plan.resources.some((_, resource) => ["capacity", "threshold", "limit"].some((line) => {
      const most = columnOf(line, resource)[machine];
      return most !== null && columnOf("before", resource)[machine] > most;
    }));
  }
  sort(machines, order) {
    const [before, after] = [columnOf("before", this.resource), columnOf("after", this.resource)];
    const key = { before: (m) => before[m], after: (m) => after[m], change: (m) => Math.abs(after[m] - before[m]) }[order];
    machines.sort((a, b) => (key ? key(b) - key(a) : collator.compare(plan.machines.name[a], plan.machines.name[b])) || a - b);
  }
  /** Groups in the order of their names, those without one last; each with the machines to show and with all. */
  grouped(machines) {
    if (this.group === null) return [{ value: null, machines, all: [...plan.machines.name.keys()] }];
    const groups = new Map();
    for (let machine = 0; machine < machineCount; ++machine) {
      const value = groupOf(this.group, machine);
      if (!groups.has(value)) groups.set(value, { value, machines: [], all: [] });
      groups.get(value).all.push(machine);
    }
    for (const machine of machines) groups.get(groupOf(this.group, machine)).machines.push(machine);
    const name = ({ value }) => (value < 0 ? "" : plan.labels[this.group].values[value]);
    return [...groups.values()].sort((a, b) => (a.value < 0) - (b.value < 0) || collator.compare(name(a), name(b)));
  }
  figures(machine) {
    const { resource } = this;
    return Object.fromEntries(["before", "after", "peak", ...barLines].map((name) => [name, columnOf(name, resource)[machine]]));
  }
  /** Sums over machines; a capacity only if all have one. */
  sums(machines) {
    const sum = (column) => machines.reduce((total, machine) => (total === null || column[machine] === null ? null : total + column[machine]), 0);
    const { resource } = this;
    return { before: sum(columnOf("before", resource)), after: sum(columnOf("after", resource)),
      share: sum(columnOf("share", resource)), capacity: sum(columnOf("capacity", resource)) };
  }
  rowsShown(one) {
    const folded = this.groups.length > 1 && this.groups.reduce((total, { machines }) => total + machines.length, 0) > rowsAtFirst;
    return this.open.get(one.value) ?? (folded ? 0 : rowsAtFirst);
  }
  body(one) {
    const body = element("tbody");
    if (one.value !== null) body.append(this.groupRow(one));
    const shown = Math.min(one.machines.length, this.rowsShown(one));
    for (const machine of one.machines.slice(0, shown)) body.append(this.machineRow(machine));
    if (shown > 0 && shown < one.machines.length) body.append(this.moreRow(one, shown));
    return body;
  }
  /** Changes how many rows of a group are shown. */
  unfold(one, rows) {
    this.open.set(one.value, rows);
    const index = this.groups.indexOf(one);
    this.rows = this.rows.filter(({ row }) => row.parentElement !== this.table.tBodies[index]);
    const focused = this.table.tBodies[index].contains(document.activeElement);
    this.table.tBodies[index].replaceWith(this.body(one));
    if (focused) this.table.tBodies[index].querySelector("button")?.focus();
    this.mark();
  }
  add(one, figures) {
    const [track] = one.row.cells[1].children;
    Object.assign(one, { figures, track, held: track.querySelector(".held"), now: one.row.cells[3] });
    this.rows.push(one);
    this.fill(one, figures);
  }
  groupRow(one) {
    const open = this.rowsShown(one) > 0;
    const button = element("button", labelText(this.group, one.value));
    button.type = "button";
    button.setAttribute("aria-expanded", open);
    button.addEventListener("click", () => this.unfold(one, open ? 0 : rowsAtFirst));
    const changing = one.all.filter((machine) => this.course.changes[machine]).length;
    const note = `${counted(one.all.length, "machine")}, ${changing === 0 ? "none changes" : changing === 1 ? "1 changes" : `${show(changing)} change`}`;
    const row = this.row(button, note, "group");
    this.add({ row, machines: one.all, note, scale: this.groupScale }, this.sums(one.all));
    return row;
  }
  machineRow(machine) {
    const button = element("button", plan.machines.name[machine]);
    button.type = "button";
    button.title = "Show its moves";
    button.addEventListener("click", () => this.onChoose(machine));
    const notes = [];
    if (plan.machines.drained[machine]) notes.push("to be emptied");
    if (plan.machines.pinned[machine]) notes.push("takes no part");
    const row = this.row(button, notes.join(", "), "");
    this.add({ row, machine, scale: this.scale }, this.figures(machine));
    return row;
  }
  moreRow(one, shown) {
    const row = element("tr", undefined, "more");
    const cell = element("td");
    cell.colSpan = 6;
    const button = element("button", `Show ${show(Math.min(rowsMore, one.machines.length - shown))} more of ${show(one.machines.length)} machines`);
    button.type = "button";
    button.addEventListener("click", () => this.unfold(one, shown + rowsMore));
    cell.append(button);
    row.append(cell);
    return row;
  }
  row(button, note, kind) {
    const row = element("tr", undefined, kind);
    const name = element("th", undefined, "text");
    name.scope = "row";
    name.append(button, element("small", note));
    const bar = element("td", undefined, "bar");
    const track = element("div", undefined, "track");
    track.setAttribute("aria-hidden", "true");
    for (const part of ["before", "peak", "held", ...barLines]) track.append(element("i", undefined, part));
    bar.append(track);
    row.append(name, bar);
    for (const figure of ["before", "now", "share", "capacity"]) {
      const cell = element("td", undefined, figure);
      cell.dataset.name = figure;
      row.append(cell);
    }
    return row;
  }
  /** Shows what machines hold now. */
  mark() {
    const held = this.course.held[this.resource];
    const exchanged = this.course.exchanged(this.resource);
    for (const one of this.rows) {
      one.figures.now = one.machines ? one.machines.reduce((sum, machine) => sum + held[machine], 0) : held[one.machine];
      this.markRow(one, one.figures, one.machines ? null : exchanged.get(one.machine));
      if (one.machines) one.row.cells[0].querySelector("small").textContent = one.note + this.fullest(one.machines, held);
    }
  }
  /** The fullest machine of a group, as a multiple of its share. */
  fullest(machines, held) {
    if (machines.length < 2) return "";
    const share = columnOf("share", this.resource);
    const most = machines.reduce((above, machine) => (share[machine] > 0 ? Math.max(above, held[machine] / share[machine]) : above), 0);
    return most > 0 ? `, fullest ${most.toFixed(2)} × share` : "";
  }
  /** Whether a machine counts as level. In between the ends, one whose items all but one need nothing may be taken for uneven. */
  isLevel(machine) {
    const { course, resource } = this;
    const before = course.wave === 0 && plan.played;
    const above = before ? "above_before" : course.wave === course.waves ? "above_after" : null;
    if (above) return !columnOf(above, resource)[machine];
    const limit = columnOf("limit", resource)[machine];
    return limit === null || course.held[resource][machine] <= limit || (course.held[0][machine] === 1 && !plan.machines.drained[machine]);
  }
  /** Shows what does not change from wave to wave. */
  fill({ row, scale }, figures) {
    const [track] = row.cells[1].children;
    for (const part of ["before", "peak", ...barLines]) {
      const amount = part !== "peak" || figures.peak > Math.max(figures.before, figures.after) ? figures[part] : null;
      const bar = track.querySelector(`.${part}`);
      bar.hidden = !scale.shows(amount);
      if (!bar.hidden) bar.style[part === "before" ? "width" : "left"] = `${scale.place(amount)}%`;
    }
    const text = (amount) => (amount === null || amount === undefined ? "" : amountText(this.resource, amount));
    for (const [cell, name] of [[2, "before"], [4, "share"], [5, "capacity"]]) row.cells[cell].textContent = text(figures[name]);
    row.cells[1].title = [["peak", "most on the way"], ["limit", "counts as level up to"], ["threshold", "threshold"]]
      .filter(([name]) => figures[name] > 0).map(([name, words]) => `${words} ${text(figures[name])}`).join("\n");
  }
  /** Shows what a row holds now, and what it gives and takes in this wave. */
  markRow({ row, machine, scale, track, held, now }, figures, exchanged) {
    held.style.width = `${scale.place(figures.now)}%`;
    now.textContent = amountText(this.resource, figures.now);
    const over = [figures.capacity, figures.threshold].some((most) => most != null && figures.now > most);
    row.classList.toggle("over", over || (machine !== undefined && !this.isLevel(machine)));
    row.classList.toggle("gives", Boolean(exchanged?.gives));
    row.classList.toggle("takes", Boolean(exchanged?.takes));
    track.dataset.turn = exchanged ? [["gives", exchanged.gives], ["takes", exchanged.takes]]
      .filter(([, amount]) => amount > 0).map(([word, amount]) => `${word} ${amountText(this.resource, amount)}`).join(", ") : "";
  }
}

/** All machines as one curve, from the fullest to the emptiest. */
const profile = {
  draw(resource, held) {
    byId("profile").hidden = machineCount < profileFrom;
    if (byId("profile").hidden) return;
    const sorted = (column) => Float64Array.from(column).sort().reverse();
    const columns = { before: sorted(columnOf("before", resource)), held: sorted(held), share: sorted(columnOf("share", resource)) };
    const most = Math.max(...Object.values(columns).map((column) => column[0]), 1e-9);
    for (const [name, column] of Object.entries(columns)) {
      const points = Math.min(500, column.length);
      const at = (i) => `${((1000 * i) / points).toFixed(1)}`;
      const y = (i) => (100 - (97 * column[Math.min(column.length - 1, Math.floor((i * column.length) / points))]) / most).toFixed(2);
      let path = `M0,${y(0)}`;
      for (let i = 0; i < points; ++i) path += `V${y(i)}H${at(i + 1)}`;
      if (name === "before") path += "V100H0Z";
      document.querySelector(`#profile .${name}`).setAttribute("d", path);
    }
  },
};
