#pragma once
// Writing networks to files.

#include <string>

#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// Writes a network in the format of the path's extension: .edges, .edgelist, .txt (edge list),
/// .graph, .metis (METIS), .mtx (Matrix Market), .gml, .graphml, .dot. Writes to a temporary file
/// first, then renames it. Cost O(nodes + links).
///
/// What is read back has the same digest. GML and GraphML keep positions and names, which differ;
/// blanks around a name are dropped, control characters in it become blanks. METIS and Matrix
/// Market keep neither: nodes are numbered from 1. An edge list keeps names, in quotes where they
/// need them, and orders nodes by number if all names are numbers; it declares nodes without links
/// by comments `# node: NAME`. Throws InputError when the extension is unknown, when the file
/// cannot be written, when in GML, GraphML or an edge list a node would have no name or that of
/// another, or when a name would break a line of an edge list.
void write(const AnyNetwork& network, const std::string& path);

}  // namespace equipoise::network
