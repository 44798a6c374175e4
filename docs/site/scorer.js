// What a search shows first: pages that explain, then algorithms, then references.
const WORTH = [[/^(tutorials|how-to)\//, 60], [/^(algorithms|glossary)/, 30], [/^reference\//, 0],
               [/^(project|decisions)\//, -20]];

var Scorer = {
  // A result is [page, title, anchor, description, score, file].
  score: (result) => {
    const found = WORTH.find(([pages]) => pages.test(result[0]));
    return result[4] + (found ? found[1] : 10);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
