#include "equipoise/model/run/schedule.hpp"

#include <algorithm>
#include <string>

#include "equipoise/base/error.hpp"

namespace equipoise::model {

namespace {

/// A node that is an end of two links of the set, or no_node.
NodeId node_used_twice(const std::vector<Ends>& links) {
    std::vector<NodeId> nodes;
    nodes.reserve(2 * links.size());
    for (const Ends& ends : links) {
        nodes.push_back(ends.tail);
        nodes.push_back(ends.head);
    }
    std::sort(nodes.begin(), nodes.end());
    const auto twin = std::adjacent_find(nodes.begin(), nodes.end());
    return twin == nodes.end() ? no_node : *twin;
}

}  // namespace

PeriodicSchedule::PeriodicSchedule(const std::vector<std::vector<Ends>>& sets,
                                   bool require_disjoint) {
    std::size_t total = 0;
    for (const auto& set : sets)
        total += set.size();
    slots_.reserve(total);
    offsets_.reserve(sets.size() + 1);
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const NodeId twice = node_used_twice(sets[i]);
        if (twice != no_node) {
            disjoint_ = false;
            if (require_disjoint)
                throw InputError("matching " + std::to_string(i) + " uses node " +
                                 std::to_string(twice) +
                                 " twice: expected every node at most once");
        }
        slots_.insert(slots_.end(), sets[i].begin(), sets[i].end());
        offsets_.push_back(slots_.size());
    }
}

}  // namespace equipoise::model
