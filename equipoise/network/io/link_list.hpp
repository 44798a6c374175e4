#pragma once
// Networks made from links that a program holds, checked like those of files.

#include <string>

#include "equipoise/network/io/raw_network.hpp"

namespace equipoise::network {

/// The network of raw links, in any order and orientation, loops among them; `origin` names it.
/// With `both_directions` every link is given once in each, as in a symmetric matrix. Throws
/// InputError unless every node has a name of its own, for an end that is no node and, without
/// `simplify`, for a loop, a link given twice or one given in only one direction although both are
/// required. Cost as that of `Network`.
[[nodiscard]] AnyNetwork network_of_links(RawNetwork raw, const std::string& origin,
                                          const ReadOptions& options, ReadReport* report = nullptr);

}  // namespace equipoise::network
