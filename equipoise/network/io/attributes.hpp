#pragma once
// What a file says of nodes and links besides their names, ends and positions.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/line_source.hpp"

namespace equipoise::network {

/// A value that a file gives for a node or a link under a key that has no meaning of its own.
struct Attribute {
    std::string key;
    std::string value;
    std::uint64_t line = 0;  ///< of the file
};

struct AttributedNode {
    std::string name;
    std::uint64_t line = 0;
    std::vector<Attribute> attributes;  ///< in the order of the file
};

/// A link with its ends as the file orders them.
struct AttributedLink {
    NodeId source = no_node;
    NodeId target = no_node;
    std::uint64_t line = 0;
    std::vector<Attribute> attributes;  ///< in the order of the file
};

/// A network as a list of nodes and links with everything that its file says of them.
struct AttributedNetwork {
    std::string label;  ///< of the graph; empty if there is none
    std::vector<AttributedNode> nodes;
    std::vector<AttributedLink> links;
};

/// Reads a GML or GraphML file. Names are those of `read`. Throws InputError naming file, line,
/// what was expected and what was found; for a link that is given twice, too.
[[nodiscard]] AttributedNetwork read_attributed(LineSource& source);

}  // namespace equipoise::network
