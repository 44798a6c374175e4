#pragma once
// Runs whose engine holds the nodes in another order. Rules, schedules, random words, observers and
// records refer to nodes by number, just as when ranks hold arbitrary parts: no outcome depends on
// the order.

#include <optional>

#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/parts/solo_fabric.hpp"
#include "equipoise/engine/round_options.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::catalogue {

class Reordering {
  public:
    /// The order that the options name; nothing for `natural`. Collective if they have a fabric.
    /// Throws as `network::node_order`.
    Reordering(const network::AnyNetwork& network, const RunOptions& options);

    /// Makes rounds use the order; this must outlive them.
    void apply(engine::RoundOptions& round);
    [[nodiscard]] const std::optional<ReorderCosts>& costs() const { return costs_; }

  private:
    engine::SoloFabric solo_;
    std::optional<engine::Partition> partition_;
    std::optional<ReorderCosts> costs_;
};

}  // namespace equipoise::catalogue
