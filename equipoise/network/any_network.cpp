#include "equipoise/network/any_network.hpp"

#include <utility>

#include "equipoise/network/concept.hpp"

namespace equipoise::network {

static_assert(AnyGraph<Network>);
static_assert(AnyGraph<Grid>);
static_assert(AnyGraph<AnyNetwork>);

AnyNetwork::AnyNetwork() = default;
AnyNetwork::AnyNetwork(Network network) : graph_(std::move(network)) {}
AnyNetwork::AnyNetwork(Network network, Labels labels)
    : graph_(std::move(network)), labels_(std::move(labels)) {}
AnyNetwork::AnyNetwork(Grid grid) : graph_(std::move(grid)) {}
AnyNetwork::AnyNetwork(Grid grid, Labels labels)
    : graph_(std::move(grid)), labels_(std::move(labels)) {}
AnyNetwork::AnyNetwork(const AnyNetwork& other) = default;
AnyNetwork::AnyNetwork(AnyNetwork&& other) noexcept = default;
AnyNetwork& AnyNetwork::operator=(const AnyNetwork& other) = default;
AnyNetwork& AnyNetwork::operator=(AnyNetwork&& other) noexcept = default;
AnyNetwork::~AnyNetwork() = default;

std::vector<Ends> all_links(const AnyNetwork& network) {
    std::vector<Ends> links(network.link_count());
    for (LinkId link = 0; link < links.size(); ++link)
        links[link] = network.ends(link);
    return links;
}

}  // namespace equipoise::network
