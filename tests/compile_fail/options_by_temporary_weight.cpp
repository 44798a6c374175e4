// by_weight() returns options that look at the weights where they are.
// expected: deleted function
// expected: NumbersView
#include <vector>

#include "equipoise/balancer/options.hpp"

namespace {

[[maybe_unused]] equipoise::balancer::Options options(const std::vector<double>& weights) {
#if defined(MISTAKE)
    return equipoise::balancer::by_weight({}, std::vector<double>(weights));
#else
    return equipoise::balancer::by_weight({}, weights);
#endif
}

}  // namespace
