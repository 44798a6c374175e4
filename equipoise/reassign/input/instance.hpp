#pragma once
// A problem with what was said about it when it was read.

#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// A copy that goes before the first wave.
struct DroppedCopy {
    ItemId read = 0;  ///< its number among the items that were read
    std::uint32_t thing = 0;
    MachineId machine = no_machine;
    std::vector<Tokens> amounts = {};  ///< by resource
    bool led = false;                  ///< whether it leads until then
    friend bool operator==(const DroppedCopy&, const DroppedCopy&) = default;
};

struct Instance {
    std::string origin;  ///< the file of items
    Problem problem;     ///< after the moves that are done
    /// Whether nobody asked for a level, so that the file's columns decided.
    bool level_by_default = false;
    /// Where a target is given: the machines of each thing in its order, whose first one leads
    /// where the target says so (`Problem::given_leaders`); empty: the thing is not named.
    load::EndsByThing target;
    bool are_partitions = false;  ///< whether the items are Kafka's, `topic-partition` on brokers
    /// Copies that go, since fewer are asked for; the problem is without them.
    std::vector<DroppedCopy> dropped;
    /// By item: its number among the items that were read (for Kafka's, among the replicas of the
    /// cluster), or `no_item` for a copy that is to be made. Empty: no number changes.
    std::vector<ItemId> as_read;
    std::uint64_t resumed = 0;       ///< moves that are done
    Step resumed_waves = 0;          ///< waves that are done, in part or whole
    std::vector<std::string> notes;  ///< for people: unused columns, what was decided, ...
};

}  // namespace equipoise::reassign
