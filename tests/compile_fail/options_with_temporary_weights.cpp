// Options look at the weights of items where they are: those of a temporary would be gone when a
// plan is made.
// expected: deleted function
// expected: NumbersView
#include <vector>

#include "equipoise/balancer/options.hpp"

namespace {

std::vector<double> measured() {
    return {1, 2.5};
}

[[maybe_unused]] equipoise::balancer::Options options() {
    const std::vector<double> kept = measured();
#if defined(MISTAKE)
    return {.policy = equipoise::balancer::Policy::weighted, .weights = measured()};
#else
    return {.policy = equipoise::balancer::Policy::weighted, .weights = kept};
#endif
}

}  // namespace
