#include "equipoise/network/io/edge_list_comment.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "equipoise/base/line_source.hpp"
#include "equipoise/base/lower_case.hpp"

namespace equipoise::network {

namespace {

/// Whether this is a word by which KONECT describes weights.
bool is_kind_of_weights(std::string_view word) {
    constexpr std::array<std::string_view, 9> kinds = {
        "unweighted", "positive",         "posweighted",   "signed", "multisigned",
        "weighted",   "multiposweighted", "multiweighted", "dynamic"};
    return std::find(kinds.begin(), kinds.end(), word) != kinds.end();
}

}  // namespace

LinksSaid links_said_by(std::string_view comment) {
    const std::size_t begin = comment.find_first_not_of(" \t#%");
    if (begin == std::string_view::npos) return LinksSaid::nothing;
    const bool percent = comment.substr(0, begin).find('%') != std::string_view::npos;
    std::string_view rest = comment.substr(begin);
    const std::string first = lower_case(take_word(rest));
    const std::string second = lower_case(take_word(rest));
    const bool alone = second.empty();
    if (percent && (alone || (is_kind_of_weights(second) && take_word(rest).empty()))) {
        if (first == "asym") return LinksSaid::directed;
        if (first == "bip") return LinksSaid::bipartite;
    }
    const bool of_graph = second.starts_with("graph") || second.starts_with("network");
    if ((first == "directed" || first == "directed:") && (alone || of_graph))
        return LinksSaid::directed;
    return LinksSaid::nothing;
}

}  // namespace equipoise::network
