// What a rank holds is looked at where it is.
// expected: deleted function
// expected: View<
#include <vector>

#include "equipoise/placement/few_moves.hpp"

namespace {

[[maybe_unused]] equipoise::placement::RankItems items(const std::vector<double>& weights) {
#if defined(MISTAKE)
    return {.weights = std::vector<double>(weights)};
#else
    return {.weights = weights};
#endif
}

}  // namespace
