#include "equipoise/network/io/header_words.hpp"

#include <algorithm>
#include <array>

namespace equipoise::network {

namespace {

constexpr std::array<std::string_view, 39> end_words = {
    "source", "target", "sink",     "src",       "dst",         "tgt",      "dest",      "from",
    "to",     "head",   "tail",     "start",     "end",         "begin",    "origin",    "u",
    "v",      "node",   "vertex",   "left",      "right",       "neighbor", "neighbour", "parent",
    "child",  "sender", "receiver", "recipient", "citing",      "cited",    "follower",  "followee",
    "ego",    "alter",  "caller",   "callee",    "destination", "first",    "second"};

/// Words beside the name of an end that add no meaning: "source_id", "FromNodeId".
constexpr std::array<std::string_view, 6> filler_words = {"node", "vertex", "id",
                                                          "name", "label",  "key"};

/// Words that are numbered where ends have no names of their own: "person1", "gene_b".
constexpr std::array<std::string_view, 24> numbered_words = {
    "node",    "vertex", "id",    "name",   "label",   "n",       "v",      "u",
    "person",  "user",   "actor", "author", "gene",    "protein", "city",   "station",
    "airport", "player", "team",  "page",   "country", "item",    "entity", "member"};

template <class Words>
bool is_among(const Words& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Small letters and digits only.
std::string simplified(std::string_view word) {
    std::string simple;
    for (const char c : word) {
        const bool capital = c >= 'A' && c <= 'Z';
        const bool small = c >= 'a' && c <= 'z';
        const bool digit = c >= '0' && c <= '9';
        const bool beyond_ascii = static_cast<unsigned char>(c) >= 0x80U;
        if (capital) simple += static_cast<char>(c - 'A' + 'a');
        if (small || digit || beyond_ascii) simple += c;
    }
    return simple;
}

/// The word without fillers before and after it; a word of fillers alone keeps one.
std::string_view without_fillers(std::string_view word) {
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view filler : filler_words) {
            if (word.size() <= filler.size()) continue;
            if (word.ends_with(filler)) {
                word.remove_suffix(filler.size());
                found = true;
            } else if (word.starts_with(filler)) {
                word.remove_prefix(filler.size());
                found = true;
            }
        }
    }
    return word;
}

/// "node" of "node1" and "nodea", if that is numbered.
std::string_view numbered_word(std::string_view simple) {
    constexpr std::string_view marks = "012abxyij";
    if (simple.size() < 2 || marks.find(simple.back()) == std::string_view::npos) return {};
    simple.remove_suffix(1);
    const std::string_view word = without_fillers(simple);
    return is_among(numbered_words, word) ? word : std::string_view();
}

}  // namespace

bool names_an_end(std::string_view word) {
    const std::string simple = simplified(word);
    return is_among(end_words, std::string_view(simple)) ||
           is_among(end_words, without_fillers(simple));
}

bool name_the_ends(std::string_view tail, std::string_view head) {
    if (tail == head) return false;
    if (names_an_end(tail) && names_an_end(head)) return true;
    const std::string of_tail = simplified(tail);
    const std::string of_head = simplified(head);
    const std::string_view word = numbered_word(of_tail);
    return !word.empty() && word == numbered_word(of_head) && of_tail.back() < of_head.back();
}

std::string_view stem_of(std::string_view word) {
    const bool counts = !word.empty() && word.back() >= '0' && word.back() <= '9';
    return counts ? word.substr(0, word.size() - 1) : std::string_view();
}

}  // namespace equipoise::network
