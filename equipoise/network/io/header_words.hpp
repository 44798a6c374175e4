#pragma once
// The usual names of the two columns of a list of links.

#include <string>
#include <string_view>

namespace equipoise::network {

/// Whether two words are usual names of the columns that hold the ends of links: `source` and
/// `target`, `FromNodeId` and `ToNodeId`, `node_1` and `node_2`. Case, punctuation, and words such
/// as "node" and "id" beside others do not matter.
[[nodiscard]] bool name_the_ends(std::string_view tail, std::string_view head);

/// Whether a single word is such a name.
[[nodiscard]] bool names_an_end(std::string_view word);

/// A word without the digit at its end: "node_" for "node_1"; empty for words that end otherwise.
[[nodiscard]] std::string_view stem_of(std::string_view word);

}  // namespace equipoise::network
