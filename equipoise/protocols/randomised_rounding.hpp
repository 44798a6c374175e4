#pragma once
// Diffusion of first or second order with flows rounded at random, all flows of a node together.
//
// Problem: level tokens as fast as second-order diffusion, and end nearer to level than truncation.
// Model:   synchronous, multi-port, randomised; a node decides over which ports its tokens leave.
// Source:  Akbari, Berenbrink, Elsaesser, Kaaser 2014 (rule reconstructed from the abstract).
// Guarantee: a link's expected flow is Y, exactly (with speeds but for 2^-60 tokens a port);
//          conserves tokens; with order first no load falls below 0.
// Deviations: Y = (beta - 1) y + beta (x_u / s_u - x_v / s_v) min(s_u, s_v) / (d + 1), y the link's
//          last flow of tokens, d the largest degree, s the speeds; in round 1, and after the
//          switch, beta = 1. A node sends floor(Y) over each port with Y > 0, and draws ceil(r)
//          more ports, where r is the sum of the fractions of Y that are left, each port with a
//          probability in proportion to its fraction. beta is held in 32 fractional bits, so that
//          every machine computes the same.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/deal_rule.hpp"

namespace equipoise::protocols {

/// Sends r tokens in expectation, ceil(r) at most, where r is the sum of `fractions` over `unit`:
/// draws as many times among ceil(r) intervals of `unit`, and adds a token to `out` at the index
/// whose share of them is hit. An index then gets fractions[index] / unit in expectation.
/// `draw(bound)` is uniform in 0 .. bound - 1. Fractions are below `unit`.
template <class Draw>
void round_together(std::span<const std::uint64_t> fractions, std::uint64_t unit,
                    std::span<Tokens> out, Draw&& draw) {
    std::vector<UInt128> ends(fractions.size());  // of the shares
    UInt128 sum = 0;
    for (std::size_t index = 0; index < fractions.size(); ++index)
        ends[index] = sum += fractions[index];
    const auto intervals = static_cast<std::uint64_t>((sum + unit - 1) / unit);
    for (std::uint64_t i = 0; i < intervals; ++i) {
        const UInt128 interval = draw(intervals);
        const UInt128 hit = interval * unit + draw(unit);
        const auto share = std::upper_bound(ends.begin(), ends.end(), hit);
        if (share != ends.end()) ++out[static_cast<std::size_t>(share - ends.begin())];
    }
}

class RandomisedRounding {
  public:
    /// Loads below zero belong to the process of second order.
    static constexpr bool may_owe = true;
    using NodeState = model::Nothing;
    /// Tokens sent over the port less tokens received, in the step before.
    using PortState = Tokens;
    /// Tokens pushed over the link.
    using Proposal = Tokens;
    using Here = model::Surroundings<NodeState, PortState>;

    static constexpr unsigned fraction_bits = 32;
    /// The largest product of d + 1 and a speed.
    static constexpr Tokens divisor_max = Tokens{1} << 30U;
    static constexpr Step never = std::numeric_limits<Step>::max();

    /// `beta` in [1, 2), until step `switch_at`, from which on it is 1; `degree_max`: d, with
    /// (d + 1) times the largest speed at most `divisor_max`.
    RandomisedRounding(double beta, Port degree_max, Step switch_at)
        : beta_(static_cast<Tokens>(beta * static_cast<double>(one))),
          places_(Tokens{degree_max} + 1),
          switch_at_(switch_at) {}

    void propose(const Here& here, std::span<Proposal> out) const {
        const bool by_speed = !here.neighbour_speeds.empty();
        const auto unit =
            by_speed ? speed_unit
                     : static_cast<std::uint64_t>(one) * static_cast<std::uint64_t>(places_);
        std::vector<std::uint64_t> fractions(out.size(), 0);
        for (Port port = 0; port < here.degree(); ++port) {
            out[port] = 0;
            const Int128 flow = scaled_flow(here, port);
            if (flow <= 0) continue;
            const Int128 divisor = scaled_divisor(here, port);
            out[port] = static_cast<Tokens>(flow / divisor);
            const auto left = static_cast<UInt128>(flow % divisor);
            fractions[port] = static_cast<std::uint64_t>(
                by_speed ? left * speed_unit / static_cast<UInt128>(divisor) : left);
        }
        round_together(fractions, unit, out, [random = here.random()](std::uint64_t bound) mutable {
            return random.below(bound);
        });
        std::copy(out.begin(), out.end(), here.ports.begin());
    }

    void accept(const Here& here, std::span<const Proposal> in, std::span<Tokens> taken) const {
        for (Port port = 0; port < here.degree(); ++port) {
            taken[port] = in[port];
            here.ports[port] -= in[port];
        }
    }

    /// beta as it is held, in units of 2^-32.
    [[nodiscard]] Tokens held_beta() const { return beta_; }

  private:
    static constexpr Tokens one = Tokens{1} << fraction_bits;
    static constexpr std::uint64_t speed_unit = std::uint64_t{1} << 60U;

    [[nodiscard]] Int128 scaled_divisor(const Here& here, Port port) const {
        return Int128{one} * places_ * std::max(here.speed, here.neighbour_speed(port));
    }
    /// Y times the divisor. The other end finds the same with the other sign.
    [[nodiscard]] Int128 scaled_flow(const Here& here, Port port) const {
        const Tokens beta = here.step == 0 || here.step >= switch_at_ ? one : beta_;
        const Int128 drive = Int128{here.load} * here.neighbour_speed(port) -
                             Int128{here.neighbour_loads[port]} * here.speed;
        const Int128 inertia = Int128{beta - one} * here.ports[port] * places_ *
                               std::max(here.speed, here.neighbour_speed(port));
        return inertia + Int128{beta} * drive;
    }

    Tokens beta_;
    Tokens places_;
    Step switch_at_;
};

static_assert(model::DealRule<RandomisedRounding>);

}  // namespace equipoise::protocols
