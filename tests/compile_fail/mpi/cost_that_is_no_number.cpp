// Functions tell the costs of items as numbers, or as arrays of numbers.
// expected: no matching function for call to
// expected: WeightsOf
#include <vector>

#include "equipoise/balancer/balancer.hpp"

namespace {

[[maybe_unused]] void level(std::vector<int>& items) {
#if defined(MISTAKE)
    const auto cost = [](int item) { return item > 0; };
#else
    const auto cost = [](int item) { return item > 0 ? 2.5F : 1; };
#endif
    equipoise::balancer::rebalance(MPI_COMM_WORLD, items, cost);
}

}  // namespace
