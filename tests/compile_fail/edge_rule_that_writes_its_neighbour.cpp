// A rule reads its neighbour's state and cannot write it.
// expected: neighbour.state.highest = own.highest
#include "equipoise/model/local/edge_rule.hpp"

namespace {

struct Extreme {
    equipoise::Tokens highest = 0;
};

[[maybe_unused]] void merge(Extreme& own, equipoise::model::EdgeEnd<Extreme> neighbour) {
    own.highest = neighbour.state.highest;
#if defined(MISTAKE)
    neighbour.state.highest = own.highest;
#endif
}

}  // namespace
