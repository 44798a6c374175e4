#include "equipoise/placement/few_moves/pool.hpp"

#include <algorithm>

namespace equipoise::placement {

Cost cost_of(Tokens items, bool by_bytes, Units bytes, bool between_machines) {
    Cost cost = items;
    if (by_bytes) cost += Cost{bytes} << items_bits;
    if (between_machines) cost += Cost{by_bytes ? bytes : items} << (bytes_bits + 1 + items_bits);
    return cost;
}

Cost Pool::cost(std::size_t item, int rank) const {
    const int from = home[item];
    if (rank == from) return 0;
    const bool between = !machine.empty() && machine[static_cast<std::size_t>(rank)] !=
                                                 machine[static_cast<std::size_t>(from)];
    return cost_of(counts.empty() ? 1 : counts[item], by_bytes, by_bytes ? bytes[item] : 0,
                   between);
}

void appraise(const Pool& pool, const Capacity& capacity, Assignment& assignment) {
    assignment.loads = pool.stays;
    assignment.cost = 0;
    for (std::size_t item = 0; item < pool.items(); ++item) {
        const auto rank = static_cast<std::size_t>(assignment.at[item]);
        for (std::size_t kind = 0; kind < pool.kinds; ++kind)
            assignment.loads[rank * pool.kinds + kind] += pool.weights[item * pool.kinds + kind];
        assignment.cost += pool.cost(item, assignment.at[item]);
    }
    assignment.level = capacity.level(assignment.loads);
}

Assignment at_home(const Pool& pool, const Capacity& capacity) {
    Assignment assignment;
    assignment.at = pool.home;
    appraise(pool, capacity, assignment);
    return assignment;
}

bool better(const Assignment& one, const Assignment& other, double bound) {
    const double left = std::max(one.level, bound);
    const double right = std::max(other.level, bound);
    if (!within(left, right)) return false;
    if (!within(right, left)) return true;
    return one.cost < other.cost;
}

}  // namespace equipoise::placement
