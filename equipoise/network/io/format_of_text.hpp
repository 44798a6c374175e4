#pragma once
// Formats recognised by how a file begins.

#include <optional>
#include <string_view>

#include "equipoise/network/io/read.hpp"

namespace equipoise::network {

/// The format of a text that begins with the banner of Matrix Market, with XML (GEXF if that is
/// the name of its root, else GraphML), or with the key of a list of GML; otherwise nothing.
[[nodiscard]] std::optional<Format> format_of_text(std::string_view beginning);

/// Whether a text begins as a graph of DOT, the language of Graphviz.
[[nodiscard]] bool begins_as_dot(std::string_view beginning);

}  // namespace equipoise::network
