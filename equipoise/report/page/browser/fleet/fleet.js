"use strict";
// The live page of a fleet: asks the agent that serves it once a second.

const fleet = JSON.parse(byId("data").textContent);
const svgSpace = "http://www.w3.org/2000/svg";
const seen = [];  // [time, largest, smallest]
let latest = null;

function shape(tag, attributes, text) {
  const made = document.createElementNS(svgSpace, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const isDark = () => document.documentElement.dataset.theme === "dark";
const count = (number) => (number === undefined ? "–" : number.toLocaleString("en"));

const namesOf = (some) => some.sites.map((site) => site.name).join(" ");

/** Fits the positions of the sites into a box. */
function places(width, height) {
  const margin = 46;
  const xs = fleet.sites.map((site) => site.x);
  const ys = fleet.sites.map((site) => site.y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const scale = Math.min(
    (width - 2 * margin) / (Math.max(...xs) - left || 1),
    (height - 2 * margin) / (Math.max(...ys) - top || 1));
  const wide = (Math.max(...xs) - left) * scale;
  const high = (Math.max(...ys) - top) * scale;
  return fleet.sites.map((site) => [
    (width - wide) / 2 + (site.x - left) * scale,
    (height - high) / 2 + (site.y - top) * scale,
  ]);
}

function drawNetwork(state) {
  const picture = byId("network");
  const { width, height } = picture.getBoundingClientRect();
  if (width === 0) return;
  const at = places(width, height);
  const backlogs = state.sites.filter((site) => site.alive).map((site) => site.backlog);
  const least = Math.min(0, ...backlogs);
  const scale = new ColourScale("linear", least, Math.max(1, ...backlogs), isDark());
  const parts = fleet.links.map(([from, to]) => shape("line", {
    x1: at[from][0], y1: at[from][1], x2: at[to][0], y2: at[to][1],
    class: state.sites[from].alive && state.sites[to].alive ? "" : "away",
  }));
  state.sites.forEach((site, i) => {
    const dot = shape("circle", { cx: at[i][0], cy: at[i][1], r: 15, class: site.alive ? "" : "away" });
    if (site.alive) dot.style.fill = scale.css[scale.shade(site.backlog)];
    const title = site.alive ? `${site.name}: ${count(site.backlog)} jobs` : `${site.name}: no answer`;
    dot.append(shape("title", {}, title));
    parts.push(dot);
    parts.push(shape("text", { x: at[i][0], y: at[i][1] + 30 }, `${site.name} ${site.alive ? count(site.backlog) : "?"}`));
  });
  picture.replaceChildren(...parts);
  byId("scale").textContent = backlogs.length === 0 ? "" :
    `${count(Math.min(...backlogs))} to ${count(Math.max(...backlogs))} jobs; a broken ring: no answer.`;
}

function drawCourse() {
  const picture = byId("course");
  const { width, height } = picture.getBoundingClientRect();
  if (width === 0 || seen.length < 2) return;
  const [left, bottom] = [48, 22];
  const first = seen[0][0];
  const span = Math.max(seen[seen.length - 1][0] - first, 10);
  const top = Math.max(1, ...seen.map((entry) => entry[1]));
  const x = (time) => left + ((time - first) / span) * (width - left - 8);
  const y = (value) => 10 + (1 - value / top) * (height - bottom - 10);
  const line = (which) => seen.map((entry) => `${x(entry[0])},${y(entry[which])}`).join(" ");
  picture.replaceChildren(
    shape("polyline", { class: "most", points: line(1) }),
    shape("polyline", { class: "least", points: line(2) }),
    shape("text", { x: 4, y: 16 }, count(top)),
    shape("text", { x: 4, y: height - bottom }, "0"),
    shape("text", { x: left, y: height - 6 }, `${Math.round(span)} s`));
}

function fillTable(state) {
  const columns = [
    ["Site", (site) => site.name], ["State", (site) => site.state ?? "no answer"],
    ["Backlog", (site) => count(site.backlog)], ["Held", (site) => count(site.held)],
    ["Owed", (site) => count(site.owed)], ["Doubtful", (site) => count(site.in_doubt)],
    ["Moved", (site) => count(site.moved)], ["Received", (site) => count(site.received)],
    ["Messages", (site) => count(site.messages_sent)],
  ];
  const head = element("tr");
  for (const [title] of columns) head.append(element("th", title));
  byId("sites").tHead.replaceChildren(head);
  byId("sites").tBodies[0].replaceChildren(...state.sites.map((site) => {
    const row = element("tr");
    for (const [, text] of columns) row.append(element("td", text(site)));
    return row;
  }));
}

function show(state) {
  latest = state;
  const alive = state.sites.filter((site) => site.alive);
  const now = Date.now() / 1000;
  if (alive.length > 0) {
    const backlogs = alive.map((site) => site.backlog);
    seen.push([now, Math.max(...backlogs), Math.min(...backlogs)]);
    while (seen[0][0] < now - 300) seen.shift();
  }
  const since = state.level_since_time;
  byId("verdict").textContent = alive.length === 0 ? "No agent answers." :
    `${alive.length} of ${state.sites.length} sites answer. Discrepancy ${count(state.discrepancy)}, ` +
    `${count(state.in_flight)} jobs in flight, ${count(state.moved)} moved. ` +
    (since === null ? "Not level between neighbours." : `Level between neighbours since ${new Date(1000 * since).toLocaleTimeString()}.`);
  byId("as-of").textContent = new Date().toLocaleTimeString();
  draw();
}

function draw() {
  if (latest === null) return;
  drawNetwork(latest);
  drawCourse();
  fillTable(latest);
}

async function ask() {
  try {
    const answer = await fetch("fleet.json", { cache: "no-store" });
    const state = await answer.json();
    // The fleet file has changed: the page has other sites now.
    if (namesOf(state) !== namesOf(fleet)) return location.reload();
    show(state);
  } catch {
    byId("verdict").textContent = "The agent that serves this page does not answer.";
  }
  setTimeout(ask, 1000);
}

wireLook(isDark, (dark) => { markTheme(dark); draw(); }, () => {});
markTheme(matchMedia("(prefers-color-scheme: dark)").matches);
addEventListener("resize", draw);
ask();
