#include "equipoise/report/tables/glossary.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "equipoise/base/assert.hpp"

namespace equipoise::report {

namespace {

constexpr std::array entries = {
    // Models of a step.
    GlossaryEntry{"single-port", "a node exchanges with at most one neighbour per step"},
    GlossaryEntry{"single-token",
                  "a node sends at most one token and receives at most one per step"},
    GlossaryEntry{"multi-port", "a node exchanges with all its neighbours in one step"},
    GlossaryEntry{"asynchronous", "no common clock; steps are moments at which a message arrives"},
    // Why runs end.
    GlossaryEntry{"quiet",
                  "no token moved in the last steps; without a clock, nothing is on the way any "
                  "more"},
    GlossaryEntry{"stable", "from now on no active link has ends that differ by 2 or more tokens"},
    GlossaryEntry{"no-progress",
                  "in the last steps no active link had ends that differ by 2 or more tokens; that "
                  "may change"},
    GlossaryEntry{"discrepancy-reached", "the discrepancy is as small as the run was to make it"},
    GlossaryEntry{"one-balanced", "no two neighbours differ by more than 1 token"},
    GlossaryEntry{"own-termination", "the algorithm itself says that it is done"},
    GlossaryEntry{"smoothing-rounds",
                  "the rounds are over in which the idealised process becomes smooth"},
    GlossaryEntry{"max-steps", "the limit on steps was reached"},
    GlossaryEntry{"interrupted", "the run was stopped from outside"},
    GlossaryEntry{"nothing-to-do", "there are no links"},
    // Promises.
    GlossaryEntry{"promised", "what a theorem, or the final state, guarantees for this very run"},
    GlossaryEntry{"repaired",
                  "what the paper prints does not hold as it stands; this does (docs/errata.md)"},
    GlossaryEntry{"sharpened", "a closer bound than the paper prints, proved in docs/results"},
    GlossaryEntry{"1-balanced", "neighbours differ by at most 1 token"},
    GlossaryEntry{"1-smooth", "discrepancy at most 1"},
    GlossaryEntry{"frozen",
                  "no token moves any more: all differences that are left round down to nothing"},
    GlossaryEntry{"counted", "loads differ by at most 1, and the larger ones come first"},
    GlossaryEntry{"floor-ceil", "every node ends with the mean, rounded down or up"},
    GlossaryEntry{"peak", "the most that a node or machine holds at any moment on the way"},
    // Networks.
    GlossaryEntry{"diameter", "the number of links between the two nodes farthest apart"},
    GlossaryEntry{"matching", "links of which no two meet at a node: all can be active at once"},
    GlossaryEntry{"colour",
                  "every link has one, different where links meet at a node; a round plays one "
                  "after the other"},
    GlossaryEntry{"idealised process",
                  "the same algorithm with tokens that can be divided without limit"},
    GlossaryEntry{"deviation",
                  "the largest distance of a load from the idealised process, over all nodes and "
                  "after every step"},
    GlossaryEntry{"eigenvalue gap",
                  "how fast the idealised process levels: near 1 fast, near 0 slowly"},
    GlossaryEntry{"local divergence",
                  "how far rounding can push loads away from the idealised process"},
    GlossaryEntry{"edge expansion",
                  "the fewest links that leave a set of at most half of the nodes, for each node "
                  "in it"},
    GlossaryEntry{"maximum stable discrepancy",
                  "the largest discrepancy that can stay for ever under threshold-1"},
    GlossaryEntry{"certified", "the error is proved, not only estimated"},
};

bool is_part_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
}

}  // namespace

std::span<const GlossaryEntry> glossary() {
    return entries;
}

std::string_view meaning_of(std::string_view word) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const GlossaryEntry& entry) { return entry.word == word; });
    return found == entries.end() ? std::string_view() : found->meaning;
}

std::string explained(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        const std::string_view meaning = meaning_of(word);
        EQUIPOISE_ASSERT(!meaning.empty());
        text.append(word).append(": ").append(meaning).append(".\n");
    }
    return text;
}

std::vector<std::string> words_in(std::string_view text, const std::vector<std::string>& known) {
    std::vector<std::string> found;
    for (const std::string& word : known) {
        for (std::size_t at = 0; (at = text.find(word, at)) != std::string_view::npos; ++at) {
            std::size_t end = at + word.size();
            if (end < text.size() && text[end] == 's') ++end;
            if ((at > 0 && is_part_of_word(text[at - 1])) ||
                (end < text.size() && is_part_of_word(text[end])))
                continue;
            found.push_back(word);
            break;
        }
    }
    return found;
}

}  // namespace equipoise::report
