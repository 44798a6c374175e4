#pragma once
// SEND: every node sends the same number of tokens through each of its ports.
//
// Problem: level indivisible tokens without memory, without looking at neighbours and without debt.
// Model:   synchronous, multi-port, deterministic; nodes know D, usually from the largest degree
//          Delta.
// Source:  Berenbrink, Klasing, Kosowski, Mallmann-Trenn, Uznanski 2019, SEND(floor) and
//          SEND(round) (rules reconstructed from the abstract).
// Guarantee: floor, D >= 2 Delta: a discrepancy of at most D - 1 from some round on, for ever
//          (proved in docs/results/stateless-diffusion.md); round: measured only. Never negative
//          for D >= Delta (floor) and D >= 2 Delta (round). Cost O(degree) per node and round.
// Deviations: on irregular networks D is the same at all nodes, so a node of degree d has D - d
//          places of its own.

#include <algorithm>
#include <span>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/model/local/push_rule.hpp"

namespace equipoise::protocols {

class Send {
  public:
    using NodeState = model::Nothing;
    /// Tokens pushed over the link.
    using Proposal = Tokens;
    using Here = model::Surroundings<NodeState>;

    static constexpr Tokens divisor_max = 1'000'000'000;

    /// floor(x / D) through every port.
    [[nodiscard]] static Send floor(Tokens divisor) { return {divisor, 0}; }
    /// floor(x / D + 1/2) through every port.
    [[nodiscard]] static Send round(Tokens divisor) { return {divisor, divisor / 2}; }

    void propose(const Here& here, std::span<Proposal> out) const {
        std::fill(out.begin(), out.end(), portion(here.load));
    }
    void accept(const Here& /*here*/, std::span<const Proposal> in, std::span<Tokens> taken) const {
        std::copy(in.begin(), in.end(), taken.begin());
    }

    [[nodiscard]] static Tokens sent(Proposal proposal) { return proposal; }
    static void receive(NodeState& /*own*/, Proposal /*proposal*/, Step /*step*/) {}
    [[nodiscard]] bool idle(const NodeState& /*own*/, Tokens load, Step /*step*/) const {
        return portion(load) == 0;
    }

    // One number tells what a node sends through all its ports. The neighbour's own number is
    // subtracted from it, so that only the end that sends less takes something.
    [[nodiscard]] static bool announces() { return true; }
    /// floor(max / D) never rises, so no load rises further above the largest than this.
    [[nodiscard]] Tokens rises_most() const { return divisor_ - 1; }
    template <model::Count Count, class Row>
    [[nodiscard]] model::Announcement<Count> announce(Count load, Row& /*neighbour_loads*/) const {
        return {portion(load), Count{0}};
    }
    template <model::Count Count, class Row>
    void take(Count load, const Row& heard, const Row& /*meant*/, Row& taken) const {
        const Count own = portion(load);
        model::for_each_port(taken, [&](std::size_t port) {
            const Count more = heard[port] - own;
            taken[port] = model::only_if(more > Count{0}, more);
        });
    }

  private:
    Send(Tokens divisor, Tokens offset)
        : divisor_(static_cast<int>(divisor)), offset_(static_cast<int>(offset)) {
        EQUIPOISE_ASSERT(divisor >= 1 && divisor <= divisor_max);
    }

    template <model::Count Count>
    [[nodiscard]] Count portion(Count load) const {
        return model::divide(load + Count(offset_), Count(divisor_));
    }

    int divisor_;
    int offset_;
};

static_assert(model::PushesTokens<Send>);
static_assert(model::AnnouncesDeals<Send>);

}  // namespace equipoise::protocols
