#pragma once
// Networks whose spec lists their links.

#include <string>
#include <string_view>

#include "equipoise/network/any_network.hpp"
#include "equipoise/network/generators/size.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::network {

/// The network of a list such as "0-1+1-2+4": these links, on the nodes from 0 to the largest
/// number in it; a number alone is a node. Throws InputError for anything else, a loop, or a link
/// that is given twice.
[[nodiscard]] Network make_links(std::string_view list);

/// The size of that network. Throws InputError for anything but a list.
[[nodiscard]] NetworkSize size_of_links(std::string_view list);

/// The spec of a network's links by the numbers of its nodes, from which `generate` makes it again:
/// `linked:0-1+1-2`. Requires a node. Cost O(links).
[[nodiscard]] std::string links_spec(const AnyNetwork& network);

}  // namespace equipoise::network
