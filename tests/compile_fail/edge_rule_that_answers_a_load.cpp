// An edge rule returns a flow and the link's state, never a load: only engines change loads.
// expected: EdgeRule
#include "equipoise/model/local/edge_rule.hpp"

namespace {

using equipoise::Tokens;
using equipoise::model::EdgeEnd;
using equipoise::model::EdgeMove;
using equipoise::model::EdgeStep;
using equipoise::model::Nothing;

#if defined(MISTAKE)
using Answer = Tokens;
#else
using Answer = EdgeMove<Nothing>;
#endif

struct Half {
    using NodeState = Nothing;
    using LinkState = Nothing;
    [[nodiscard]] static Answer evaluate(EdgeEnd<Nothing> tail, EdgeEnd<Nothing> head,
                                         const Nothing& /*link*/, EdgeStep /*at*/) {
        return {(tail.load - head.load) / 2};
    }
};
static_assert(equipoise::model::EdgeRule<Half>);

}  // namespace
