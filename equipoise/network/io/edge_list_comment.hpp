#pragma once
// What comments of edge lists say of their links.

#include <cstdint>
#include <string_view>

namespace equipoise::network {

enum class LinksSaid : std::uint8_t {
    nothing,
    directed,   ///< `% asym` of KONECT, `# Directed graph` of SNAP
    bipartite,  ///< `% bip` of KONECT: left and right nodes are counted apart, both from 1
};

/// What a line that is a comment says of the links, if it says it as one of these collections do.
[[nodiscard]] LinksSaid links_said_by(std::string_view comment);

}  // namespace equipoise::network
