#pragma once
// Churn that sees all loads and arranges the network as a path along which they rise.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/model/run/environment.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::model {

/// On a complete network: in every round only the links of one path are up, which visits all nodes
/// in ascending order of load (ties: lower node first). With `smoothing` S, two places of this
/// path, drawn at random, exchange their nodes first, floor(S) times, and once more with
/// probability S - floor(S). Draws are functions of (seed, round). Cost a round O(n log n + S), the
/// first O(n^2). Memory 8 n^2 bytes.
class SortedPath final : public Environment {
  public:
    static constexpr NodeId nodes_max = 1'000;
    static constexpr double smoothing_max = 1'000;

    /// Throws InputError unless the network is complete and has 2 to `nodes_max` nodes.
    SortedPath(const network::AnyNetwork& network, double smoothing, std::uint64_t seed);

    [[nodiscard]] bool changes_network() const override { return true; }
    void begin(Step round_length) override;
    void before_round(Step round, std::span<const Tokens> loads, Changes& changes) override;

    /// The nodes along the path of the last round.
    [[nodiscard]] std::span<const NodeId> order() const { return order_; }

  private:
    void exchange_places(Step round);

    NodeId nodes_;
    double smoothing_;
    std::uint64_t seed_;
    std::vector<LinkId> link_of_;  ///< by both ends
    std::vector<NodeId> order_;
    std::vector<LinkId> up_;  ///< ascending
    std::vector<LinkId> next_;
};

}  // namespace equipoise::model
