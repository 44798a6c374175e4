// Proposals travel between nodes as flat messages.
// expected: DealRule
// expected: is_trivially_copyable
#include <algorithm>
#include <span>
#include <vector>

#include "equipoise/model/local/deal_rule.hpp"

namespace {

using equipoise::Tokens;
using equipoise::model::Nothing;
using equipoise::model::Surroundings;

struct Generous {
    using NodeState = Nothing;
#if defined(MISTAKE)
    using Proposal = std::vector<Tokens>;
#else
    using Proposal = Tokens;
#endif
    static void propose(const Surroundings<Nothing>& /*here*/, std::span<Proposal> out) {
        std::fill(out.begin(), out.end(), Proposal{});
    }
    static void accept(const Surroundings<Nothing>& /*here*/, std::span<const Proposal> /*in*/,
                       std::span<Tokens> taken) {
        std::fill(taken.begin(), taken.end(), 0);
    }
};
static_assert(equipoise::model::DealRule<Generous>);

}  // namespace
