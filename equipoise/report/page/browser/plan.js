"use strict";
// What pages of plans share: their data, the verdict, figures, lists of words.

const plan = JSON.parse(byId("data").textContent);

function buildTiles() {
  byId("tiles").replaceChildren(...plan.tiles.map(({ name, value, note, bad }) => {
    const box = element("div");
    const figure = element("dd", undefined, bad ? "no" : "");
    const small = element("small", note);
    small.title = note;
    figure.append(element("span", value), small);
    box.append(element("dt", name), figure);
    return box;
  }));
}

/** What stands on every such page: the verdict, the tiles, what is proved, all figures, and notes. */
function writePlanTexts() {
  byId("verdict").textContent = plan.verdict;
  byId("verdict").className = plan.reached ? "yes" : "no";
  buildTiles();
  byId("proofs").hidden = plan.proofs.length === 0;
  byId("proofs").querySelector("ul").replaceChildren(...plan.proofs.map((line) => element("li", line)));
  byId("details").replaceChildren(...plan.lines.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
  byId("notes").replaceChildren(...plan.notes.map((line) => element("li", line)));
  byId("notes").hidden = plan.notes.length === 0;
}
