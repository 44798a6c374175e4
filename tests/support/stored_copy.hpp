#pragma once
// The stored network that equals any network.

#include <utility>
#include <vector>

#include "equipoise/network/any_network.hpp"

namespace equipoise::test {

[[nodiscard]] inline network::Network stored_copy(const network::AnyNetwork& network) {
    std::vector<Ends> links;
    for (LinkId link = 0; link < network.link_count(); ++link)
        links.push_back(network.ends(link));
    return {network.node_count(), std::move(links)};
}

}  // namespace equipoise::test
