"use strict";
// Words that a reader may not know tell their meaning, which is the glossary's.

const terms = new Map(page.words);
const termNumbers = new Map(page.words.map(([word], index) => [word, index]));
/** Words as a whole, perhaps in the plural; the longest first, since some begin like others. */
const termPattern = new RegExp(`(?<![\\w-])(${page.words.map(([word]) => word).sort((a, b) => b.length - a.length).join("|")})(?=s?(?![\\w-]))`);

/** A text with its terms as buttons; `quietly`: Tab passes them by, since they stand elsewhere too. */
function withTerms(text, quietly) {
  return text.split(termPattern).filter(Boolean).map((part) => {
    if (!terms.has(part)) return document.createTextNode(part);
    const word = element("button", part, "term");
    word.type = "button";
    if (quietly) word.tabIndex = -1;
    word.setAttribute("aria-describedby", `term-${termNumbers.get(part)}`);
    return word;
  });
}

/** Shows the meaning of the term that is pointed at, focused or touched. */
function wireTerms() {
  const tip = byId("meaning");
  for (const [word, index] of termNumbers) {
    const hidden = element("span", terms.get(word));
    hidden.id = `term-${index}`;
    byId("terms").append(hidden);
  }
  const hide = () => { tip.hidden = true; };
  const show = (word) => {
    tip.textContent = `${word.textContent}: ${terms.get(word.textContent)}`;
    tip.hidden = false;
    const box = word.getBoundingClientRect();
    const room = document.documentElement.clientWidth;
    tip.style.left = `${scrollX + Math.max(8, Math.min(box.left, room - tip.offsetWidth - 8))}px`;
    const below = box.bottom + 6 + tip.offsetHeight <= innerHeight;
    tip.style.top = `${scrollY + (below ? box.bottom + 6 : box.top - 6 - tip.offsetHeight)}px`;
  };
  const on = (kind, act) => document.addEventListener(kind, (event) => {
    const word = event.target.closest?.(".term");
    if (word) act(word, event);
  }, true);
  on("pointerover", show);
  on("pointerout", hide);
  on("focusin", show);
  on("focusout", hide);
  // A touch has neither; it must not choose the row in which the word stands.
  on("click", (word, event) => { event.stopPropagation(); show(word); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
}
