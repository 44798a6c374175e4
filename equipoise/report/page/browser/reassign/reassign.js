"use strict";
// Puts the page of a plan together: what is asked for, which wave is shown.

const course = new Course();
const list = new MoveList(byId("list"));
const bars = new MachineBars(byId("bars"), course, (machine) => chooseMachine(machine));
const state = { dark: false };
const player = new Player({
  show: (wave) => goTo(wave),
  glide: () => {},
  changed: showPlaying,
});
const controls = new PlayerControls(player, {
  at: () => course.wave,
  last: () => course.waves,
  goTo: (wave) => goTo(wave),
  length: () => course.waves,
});

// What is drawn ------------------------------------------------------------------------------

const chosenResource = () => Number(byId("resource").value);
function buildBars() {
  const group = byId("group").value;
  bars.build({ resource: chosenResource(), group: group === "" ? null : Number(group), order: byId("order").value, idle: byId("idle").checked });
  const resource = chosenResource();
  for (const line of barLines) byId(`${line}-key`).hidden = !columnOf(line, resource).some((amount) => bars.scale.shows(amount));
  byId("bars-note").textContent = [
    bars.left > 0 ? `${counted(bars.left, "machine")} that ${bars.left === 1 ? "does" : "do"} not change ${bars.left === 1 ? "is" : "are"} not listed.` : "",
    plan.machines_left_out ? `${counted(plan.machines_left_out, "machine")} without moves ${plan.machines_left_out === 1 ? "is" : "are"} not on this page.` : "",
    plan.resources[resource].level ? "" : `There is no aim to level ${plan.resources[resource].name}.`,
  ].filter(Boolean).join(" ");
  buildStrip();
}

/** The waves as columns: how much each moves. */
function buildStrip() {
  const strip = byId("strip");
  strip.hidden = course.waves < 2;
  if (strip.hidden) return;
  const columns = Math.min(course.waves, 200);
  const sizes = [];
  for (let i = 0; i < columns; ++i) {
    let largest = 0;
    for (let wave = Math.floor((i * course.waves) / columns); wave < Math.floor(((i + 1) * course.waves) / columns); ++wave)
      largest = Math.max(largest, course.moved(wave, chosenResource()));
    sizes.push(largest);
  }
  const most = Math.max(...sizes) || 1;
  strip.replaceChildren(...sizes.map((size) => {
    const bar = element("i");
    bar.style.height = `${Math.max(4, (100 * size) / most)}%`;
    return bar;
  }));
}

function goTo(wave) {
  course.goTo(Math.min(Math.max(0, wave), course.waves));
  const slider = byId("time");
  slider.value = course.wave;
  const text = momentText();
  slider.setAttribute("aria-valuetext", text);
  byId("moment").textContent = text;
  byId("held-words").textContent = course.wave === 0 ? "now" : course.wave === course.waves ? "after all waves" : "now";
  const bare = byId("strip").children;
  const done = Math.ceil((course.wave * bare.length) / Math.max(1, course.waves));
  for (let i = 0; i < bare.length; ++i) bare[i].classList.toggle("done", i < done);
  bars.mark();
  profile.draw(chosenResource(), course.held[chosenResource()]);
  byId("wave-words").textContent = waveWords();
  if (byId("this-wave").checked) showThisWave();
}

function momentText() {
  if (course.wave === 0) return course.waves === 0 ? "" : `before · 0 of ${show(course.waves)}`;
  return `wave ${show(course.names[course.wave - 1])} done · ${show(course.wave)} of ${show(course.waves)}`;
}

const fromWords = (machine) => (machine < 0 ? "as a new copy" : `from ${plan.machines.name[machine]}`);

function waveWords() {
  if (!plan.played) return "The plan has too many moves to be played here.";
  if (course.waves === 0) return "Nothing moves.";
  if (course.wave === 0) return "Before the first wave.";
  const wave = course.wave - 1;
  const moves = course.starts[wave + 1] - course.starts[wave];
  const parts = [counted(moves, "move")];
  for (let resource = 1; resource < plan.resources.length; ++resource) parts.push(amountWords(resource, course.moved(wave, resource)));
  if (plan.seconds.length) parts.push(timeText(plan.seconds[wave]));
  const first = [];
  for (let move = course.starts[wave]; move < Math.min(course.starts[wave + 1], course.starts[wave] + 3); ++move)
    first.push(`${plan.items[plan.moves.item[move]]} ${fromWords(plan.moves.from[move])} to ${plan.machines.name[plan.moves.to[move]]}`);
  return `Wave ${show(course.names[wave])}: ${parts.join(", ")}. ${first.join("; ")}${moves > 3 ? "; ..." : "."}`;
}

function showThisWave() {
  const wave = course.wave - 1;
  list.wave = !byId("this-wave").checked ? null : wave < 0 ? [0, 0] : [course.starts[wave], course.starts[wave + 1]];
  list.find();
}

function chooseMachine(machine) {
  list.machine = list.machine === machine ? null : machine;
  const chip = byId("machine-chip");
  chip.hidden = list.machine === null;
  if (!chip.hidden) {
    chip.textContent = `only ${plan.machines.name[machine]} ✕`;
    chip.setAttribute("aria-label", `Show the moves of all machines, not only of ${plan.machines.name[machine]}`);
  }
  list.find();
  if (list.machine !== null) byId("moves").scrollIntoView({ block: "nearest", behavior: "smooth" });
}

// Figures and words --------------------------------------------------------------------------

function fillList(id, lines, more, none) {
  const items = lines.map((line) => element("li", line));
  if (lines.length === 0) items.push(element("li", none, "none"));
  if (more > 0) items.push(element("li", `and ${show(more)} more`, "none"));
  byId(id).replaceChildren(...items);
}

function writeTexts() {
  writePlanTexts();
  fillList("broken-before", plan.broken.before, plan.broken.before_more, "none");
  fillList("broken-after", plan.broken.after, plan.broken.after_more, "none");
  byId("conflicts").hidden = plan.conflicts.length === 0;
  byId("conflicts-note").textContent = plan.conflicts.every(({ proved }) => proved)
    ? "Proved: no placement keeps all rules. All of these changes together are needed, and they do."
    : "No placement that keeps all rules was found. All of these changes together do; without any of them none was found.";
  byId("conflicts").querySelector("tbody").replaceChildren(...plan.conflicts.map(({ words, relax }) => {
    const row = element("tr");
    row.append(element("td", words, "text"), element("td", relax, "text"));
    return row;
  }));
}

// Controls -----------------------------------------------------------------------------------

/** What keys do; each is named in the help. */
function keyActions() {
  const toggle = (id) => () => byId(id).click();
  return {
    ...controls.keys(),
    "r": () => cycle("resource", 1), "g": () => cycle("group", 1), "o": () => cycle("order", 1),
    "a": toggle("idle"), "w": toggle("this-wave"), "/": () => byId("search").focus(),
    "d": toggle("theme"), "?": () => byId("help").showModal(),
  };
}

function setTheme(dark) {
  state.dark = dark;
  markTheme(dark);
}

/** The choices that this plan has. */
function buildChoices() {
  byId("resource").append(...plan.resources.map(({ name }, index) => new Option(name, index)));
  byId("resource").value = plan.shown;
  byId("resource-choice").hidden = plan.resources.length < 2;
  const sensible = plan.labels.map((label, index) => [label, index]).filter(([{ values }]) => values.length < machineCount || machineCount < 3);
  byId("group").append(...sensible.map(([{ name }, index]) => new Option(name, index)), new Option("machine", ""));
  byId("group").value = plan.group !== null && sensible.some(([, index]) => index === plan.group) ? plan.group : "";
  byId("group-choice").hidden = sensible.length === 0;
  const changing = course.changes.reduce((sum, one) => sum + one, 0);
  byId("idle").checked = machineCount <= rowsAtFirst;
  byId("idle-choice").hidden = changing === machineCount;
  byId("order").value = machineCount <= rowsAtFirst ? "name" : "change";
  byId("time").max = course.waves;
  for (const id of ["time", "play", "back", "step", "speed", "this-wave"]) byId(id).disabled = course.waves === 0;
}

function wireControls() {
  const on = (id, kind, act) => byId(id).addEventListener(kind, act);
  controls.wire();
  for (const id of ["resource", "group", "order", "idle"]) on(id, "change", () => { buildBars(); goTo(course.wave); });
  on("this-wave", "change", showThisWave);
  on("search", "input", (event) => { list.words = event.target.value; list.find(); });
  on("search", "keydown", (event) => { if (event.key === "Escape") event.target.blur(); });
  on("machine-chip", "click", () => chooseMachine(list.machine));
  on("page-back", "click", () => list.turn(-1));
  on("page-on", "click", () => list.turn(1));
  document.addEventListener("keydown", (event) => actOnKey(event, keyActions()));
  // On paper the list is long.
  wireLook(() => state.dark, setTheme, (printing) => {
    if (printing) player.stop();
    list.aPage = printing ? movesOnPaper : movesAPage;
    if (printing) list.first = 0;
    list.show();
  });
}

setTheme(matchMedia("(prefers-color-scheme: dark)").matches);
writeTexts();
buildChoices();
wireControls();
buildBars();
list.find();
goTo(course.waves);
