#pragma once
// What the comments of edge lists say about their links.

#include <cstdint>
#include <string_view>

namespace equipoise::network {

enum class LinksSaid : std::uint8_t {
    nothing,
    directed,   ///< `% asym` of KONECT, `# Directed graph` of SNAP
    bipartite,  ///< `% bip` of KONECT: left and right nodes are counted apart, both from 1
};

/// What a comment says about the links, if it says so in the way of these collections.
[[nodiscard]] LinksSaid links_said_by(std::string_view comment);

}  // namespace equipoise::network
