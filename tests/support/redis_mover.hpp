#pragma once
// Movers of slots on a cluster in memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "equipoise/adapters/redis/carry_out.hpp"
#include "equipoise/adapters/redis/cluster.hpp"
#include "equipoise/adapters/redis/slot_moves.hpp"
#include "tests/support/redis_model.hpp"

namespace equipoise::test {

inline std::string key_of(std::uint16_t slot, std::size_t number) {
    return 'k' + std::to_string(number) + '{' + std::to_string(slot) + '}';
}

inline void fill(RedisModel& model, std::uint16_t slot, std::size_t keys) {
    for (std::size_t number = 0; number < keys; ++number)
        model.put(key_of(slot, number), "value " + std::to_string(number));
}

/// Connections to all masters of a cluster, as they are now.
class RedisMover {
  public:
    explicit RedisMover(RedisModel& model, RedisModel::Number seed = 0)
        : cluster(redis::read_cluster(model.dial(), RedisModel::address(seed), 0)) {
        for (const redis::Master& master : cluster.masters)
            connections_.push_back(model.dial()(master.address));
    }

    /// Servers have the model's numbers.
    [[nodiscard]] redis::MoveEnds ends(RedisModel::Number from, RedisModel::Number to) const {
        redis::MoveEnds ends;
        for (redis::MasterId at = 0; at < cluster.masters.size(); ++at) {
            redis::Server* const server = connections_[at].get();
            if (cluster.masters[at].id == RedisModel::id(from)) {
                ends.source = server;
                ends.source_master = &cluster.masters[at];
            } else if (cluster.masters[at].id == RedisModel::id(to)) {
                ends.target = server;
                ends.target_master = &cluster.masters[at];
            } else {
                ends.others.push_back(server);
            }
        }
        return ends;
    }

    [[nodiscard]] std::vector<redis::Server*> connections() const {
        std::vector<redis::Server*> all;
        all.reserve(connections_.size());
        for (const auto& connection : connections_)
            all.push_back(connection.get());
        return all;
    }

    redis::Cluster cluster;

  private:
    std::vector<std::unique_ptr<redis::Server>> connections_;
};

/// Where a slot is to be, by the model's number.
struct Wish {
    std::uint16_t slot = 0;
    RedisModel::Number to = 0;
};

/// A plan of all wishes that are not yet true, of which each move has 1000 bytes.
inline std::vector<redis::PlannedMove> plan_of(const redis::Cluster& cluster,
                                               const std::vector<Wish>& wishes) {
    std::vector<redis::PlannedMove> moves;
    for (const Wish& wish : wishes) {
        const redis::MasterId to = cluster.find(RedisModel::id(wish.to));
        if (cluster.owners[wish.slot] != to)
            moves.push_back({wish.slot, cluster.owners[wish.slot], to, 1, 1000, {}});
    }
    return moves;
}

/// Options with which no test waits for long.
inline redis::CarryOutOptions in_haste() {
    redis::CarryOutOptions options;
    options.patience = 1;
    options.move.keys_at_once = 2;
    return options;
}

/// A whole run: the cluster is read, what is wished for is planned and carried out. Whenever it is
/// read, servers have heard of each other.
inline redis::CarriedOut carry(RedisModel& model, const std::vector<Wish>& wishes,
                               const redis::CarryOutOptions& options = in_haste()) {
    model.gossips_when_read = true;
    const redis::Cluster cluster =
        redis::read_cluster(model.dial(), RedisModel::address(0), options.patience);
    return redis::carry_out(model.dial(), cluster, plan_of(cluster, wishes), options);
}

}  // namespace equipoise::test
