#pragma once
// Records the order in which messages arrive.

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_host.hpp"
#include "equipoise/model/run/delivery.hpp"

namespace equipoise::engine {

/// Records the order of deliveries of a run whose channels keep theirs. If there are too many
/// deliveries, it keeps none, since half an order cannot be replayed.
class DeliveryLog {
  public:
    explicit DeliveryLog(std::size_t deliveries_max) : deliveries_max_(deliveries_max) {}

    [[nodiscard]] bool wanted() const { return deliveries_max_ > 0; }
    [[nodiscard]] std::vector<model::Delivery> take() { return std::move(deliveries_); }

    /// A message is sent towards a side of a link.
    void note_sent(std::size_t side_count, std::uint32_t in, model::Ticks now);
    void note_arrival(std::uint32_t in, const model::Delivery& delivery);
    /// An event of a node alone: it starts, its timer ends, a channel is granted or refused.
    void note_event(NodeId node, model::Ticks now, std::uint32_t event);

  private:
    void keep(const model::Delivery& delivery);

    std::size_t deliveries_max_;
    std::vector<model::Delivery> deliveries_;
    std::vector<std::deque<model::Ticks>> sent_;  ///< by receiving side
};

}  // namespace equipoise::engine
