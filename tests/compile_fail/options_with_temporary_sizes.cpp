// Options look at the sizes of items where they are, also if they are set later.
// expected: deleted function
// expected: NumbersView
#include <utility>
#include <vector>

#include "equipoise/balancer/options.hpp"

namespace {

[[maybe_unused]] void set(equipoise::balancer::Options& options, std::vector<double>& sizes) {
#if defined(MISTAKE)
    options.sizes = std::move(sizes);
#else
    options.sizes = sizes;
#endif
}

}  // namespace
