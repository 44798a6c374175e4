// An edge rule must say what flows over a link.
// expected: EdgeRule
// expected: evaluate
#include "equipoise/model/local/edge_rule.hpp"

namespace {

using equipoise::model::EdgeEnd;
using equipoise::model::EdgeMove;
using equipoise::model::EdgeStep;
using equipoise::model::Nothing;

struct Still {
    using NodeState = Nothing;
    using LinkState = Nothing;
#if !defined(MISTAKE)
    [[nodiscard]] static EdgeMove<Nothing> evaluate(EdgeEnd<Nothing> /*tail*/,
                                                    EdgeEnd<Nothing> /*head*/,
                                                    const Nothing& /*link*/, EdgeStep /*at*/) {
        return {};
    }
#endif
};
static_assert(equipoise::model::EdgeRule<Still>);

}  // namespace
