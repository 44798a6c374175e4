#pragma once
// Writing networks to files.

#include <ostream>
#include <string>

#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// Writes a network in the format of the path's extension (.graph, .metis, .edges, .edgelist, .txt,
/// .mtx, .gml, .graphml, .dot). Writes to a temporary file first, then renames it.
/// Throws InputError when the extension is unknown or the file cannot be written.
void write(const AnyNetwork& network, const std::string& path);

}  // namespace equipoise::network
