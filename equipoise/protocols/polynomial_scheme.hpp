#pragma once
// Polynomial schemes: tokens imitate idealised flows whose rounds differ.
//
// Problem: level tokens in as few rounds as nodes that know global constants need.
// Model:   synchronous, multi-port, deterministic; every node knows the list of rounds.
// Source:  Diekmann, Frommer, Monien 1999 and Elsaesser, Monien, Preis, Frommer 2004 (rounds, seen
//          as abstracts; product form derived); Akbari, Berenbrink, Sauerwald 2012 (imitation).
// Guarantee: every link has carried at most 1/2 token more or less than its idealised flow, so a
//          load is within half its degree of the idealised one; theory/polynomial_scheme.hpp
//          bounds what the rounds leave of the idealised imbalance. Proofs:
//          docs/results/polynomial-schemes.md.
// Deviations: idealised loads are whole multiples of 1/`one` token and add up exactly; both terms
//          of a flow are rounded once. Loads, idealised ones too, may fall below zero.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

/// One round: the idealised flow is momentum * (that of the round before) + (x - y) / root.
class SchemeRound {
  public:
    /// `momentum` in units of 2^-64. `root` is positive; if `exact`, a whole number, by which
    /// differences are divided.
    explicit SchemeRound(double root, std::uint64_t momentum = 0, bool exact = false)
        : momentum_(momentum) {
        EQUIPOISE_ASSERT(root > 0);
        if (exact) {
            divisor_ = static_cast<std::uint64_t>(root);
            return;
        }
        // 1 / (mantissa 2^exponent) = factor / 2^shift with a factor of 64 bits.
        constexpr int mantissa_bits = 53;
        int exponent = 0;
        const auto mantissa =
            static_cast<std::uint64_t>(std::ldexp(std::frexp(root, &exponent), mantissa_bits));
        exponent -= mantissa_bits;
        const int bits = std::has_single_bit(mantissa) ? 115 : 116;
        factor_ =
            static_cast<std::uint64_t>((UInt128{1} << static_cast<unsigned>(bits)) / mantissa);
        const int shift = bits + exponent;
        if (shift < 1 || shift > 127) throw OverflowError("root of a polynomial scheme");
        shift_ = static_cast<unsigned>(shift);
    }

    /// Each of the two terms is rounded to the nearest, halves away from zero.
    [[nodiscard]] Int128 flow(Int128 previous, Int128 difference) const {
        const Int128 drive =
            divisor_ != 0 ? divided(difference) : scaled(difference, factor_, shift_);
        return momentum_ == 0 ? drive : drive + scaled(previous, momentum_, 64);
    }

  private:
    [[nodiscard]] static UInt128 magnitude(Int128 value) {
        return value < 0 ? -static_cast<UInt128>(value) : static_cast<UInt128>(value);
    }
    [[nodiscard]] static Int128 with_sign_of(Int128 sign, UInt128 value) {
        return sign < 0 ? -static_cast<Int128>(value) : static_cast<Int128>(value);
    }
    [[nodiscard]] Int128 divided(Int128 value) const {
        return with_sign_of(value, (magnitude(value) + divisor_ / 2) / divisor_);
    }
    /// value * factor / 2^shift for |value| < 2^127 and a shift from 1 to 127.
    [[nodiscard]] static Int128 scaled(Int128 value, std::uint64_t factor, unsigned shift) {
        constexpr unsigned word = 64;
        const UInt128 size = magnitude(value);
        const UInt128 low = static_cast<UInt128>(static_cast<std::uint64_t>(size)) * factor;
        const UInt128 high =
            static_cast<UInt128>(static_cast<std::uint64_t>(size >> word)) * factor + (low >> word);
        if (shift > word) {
            const unsigned rest = shift - word;
            return with_sign_of(value, (high + (UInt128{1} << (rest - 1))) >> rest);
        }
        // The product is high 2^64 + the last word of low.
        const auto last = static_cast<std::uint64_t>(low);
        const UInt128 half = last >> (shift - 1) & 1U;
        if (shift == word) return with_sign_of(value, high + half);
        if (high >> (shift + 62) != 0) throw OverflowError("idealised flow");
        return with_sign_of(value, (high << (word - shift)) + (last >> shift) + half);
    }

    std::uint64_t momentum_ = 0;
    std::uint64_t factor_ = 0;
    std::uint64_t divisor_ = 0;
    unsigned shift_ = 0;
};

class PolynomialScheme {
  public:
    /// Loads below zero belong to the process.
    static constexpr bool may_owe = true;
    using Rounds = std::vector<SchemeRound>;

    struct NodeState {
        Int128 ideal = 0;  ///< load of the idealised process, in units
        friend bool operator==(const NodeState&, const NodeState&) = default;
    };
    struct LinkState {
        Int128 behind = 0;  ///< idealised flow of all rounds minus tokens, in units
        Int128 ideal = 0;   ///< idealised flow of the last round, in units
        friend bool operator==(const LinkState&, const LinkState&) = default;
    };

    /// `one`: units per token, at least 2^64.
    PolynomialScheme(Rounds rounds, Int128 one)
        : rounds_(std::make_shared<const Rounds>(std::move(rounds))), one_(one) {
        EQUIPOISE_ASSERT(one >> 64 > 0);
    }

    [[nodiscard]] Step rounds() const { return rounds_->size(); }
    [[nodiscard]] Int128 one() const { return one_; }

    [[nodiscard]] NodeState start_node(model::NodeInfo info) const {
        return {checked_multiply(Int128{info.load}, one_)};
    }

    /// Nothing moves after the last round.
    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& link,
                                                      model::EdgeStep at) const {
        if (at.step >= rounds_->size()) return {0, {link.behind, 0}};
        const Int128 most = ideal_max / (Int128{std::max(tail.degree, head.degree)} + 1);
        expect_below(tail.state.ideal, ideal_max);
        expect_below(head.state.ideal, ideal_max);
        const Int128 ideal =
            (*rounds_)[at.step].flow(link.ideal, tail.state.ideal - head.state.ideal);
        expect_below(ideal, most);
        const Int128 behind = link.behind + ideal;
        const Tokens flow = nearest(behind);
        return {flow, {behind - one_ * flow, ideal}};
    }

    static void merge(NodeState& own, const NodeState& /*neighbour*/, const LinkState& link,
                      model::LinkEnd own_end, Tokens /*inflow*/) {
        own.ideal += own_end == model::LinkEnd::tail ? -link.ideal : link.ideal;
    }

  private:
    /// As `one` is at least 2^64, tokens stay inside 64 bits.
    static constexpr Int128 ideal_max = Int128{1} << 125;

    static void expect_below(Int128 value, Int128 most) {
        if (value > most || value < -most) throw OverflowError("idealised load");
    }

    /// The nearest whole number of tokens; of two that are equally near, the even one.
    [[nodiscard]] Tokens nearest(Int128 units) const {
        const Int128 size = units < 0 ? -units : units;
        if (2 * size <= one_) return 0;
        Int128 whole = size / one_;
        const Int128 twice = 2 * (size - whole * one_);
        if (twice > one_ || (twice == one_ && whole % 2 != 0)) ++whole;
        return static_cast<Tokens>(units < 0 ? -whole : whole);
    }

    std::shared_ptr<const Rounds> rounds_;
    Int128 one_;
};

static_assert(model::EdgeRule<PolynomialScheme>);

}  // namespace equipoise::protocols
