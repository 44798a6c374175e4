#include "equipoise/reassign/bounds/covering.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace equipoise::reassign {

namespace {

/// A part that may be taken by any fraction, up to `most`.
struct CoveringPiece {
    Tokens cost = 0;   ///< of `gives`
    Tokens gives = 0;  ///< above 0
    Tokens most = 0;
};

// The cheapest parts of pieces that give so much, rounded up as far as no part before was rounded
// down; all pieces where they do not suffice.
Int128 fractional_cost(std::vector<CoveringPiece>& pieces, Int128 need) {
    std::sort(pieces.begin(), pieces.end(),
              [](const CoveringPiece& one, const CoveringPiece& other) {
                  return Int128{one.cost} * other.gives < Int128{other.cost} * one.gives;
              });
    Int128 cost = 0;
    bool is_exact = true;
    for (const CoveringPiece& piece : pieces) {
        if (need <= 0) break;
        const Int128 taken = std::min<Int128>(need, piece.most);
        cost += taken * piece.cost / piece.gives;
        need -= taken;
        if (taken * piece.cost % piece.gives == 0) continue;
        if (need <= 0 && is_exact) ++cost;
        is_exact = false;
    }
    return cost;
}

// The linear relaxation for one need: of each choice the cheapest option, and parts of the best
// step up from it.
Int128 relaxed_cost(const CoveringProblem& problem, std::size_t need) {
    Int128 cost = 0;
    Int128 rest = problem.needs[need];
    std::vector<CoveringPiece> pieces;
    for (const std::vector<CoveringOption>& options : problem.choices) {
        const auto by_cost = [](const CoveringOption& one, const CoveringOption& other) {
            return one.cost < other.cost;
        };
        const Tokens cheapest = std::min_element(options.begin(), options.end(), by_cost)->cost;
        // What options at the cheapest cost give is free.
        Tokens free = 0;
        for (const CoveringOption& option : options)
            if (option.cost == cheapest) free = std::max(free, option.gives[need]);
        cost += cheapest;
        rest -= free;
        // All other options lie below the line from (0, free) with the steepest slope.
        CoveringPiece best;
        for (const CoveringOption& option : options) {
            const CoveringPiece step{option.cost - cheapest, option.gives[need] - free, best.most};
            if (step.gives <= 0) continue;
            if (best.gives == 0 || Int128{step.gives} * best.cost > Int128{best.gives} * step.cost)
                best = step;
            best.most = std::max(best.most, step.gives);
        }
        if (best.gives > 0) pieces.push_back(best);
    }
    return cost + fractional_cost(pieces, rest);
}

Int128 cheapest_cost(const CoveringProblem& problem) {
    Int128 cost = 0;
    for (const std::vector<CoveringOption>& options : problem.choices)
        cost += std::min_element(
                    options.begin(), options.end(),
                    [](const auto& one, const auto& other) { return one.cost < other.cost; })
                    ->cost;
    return cost;
}

class CoveringSolver {
  public:
    CoveringSolver(const CoveringProblem& problem, std::uint64_t& effort)
        : problem_(problem), effort_(effort), needs_(problem.needs.size()) {
        order_.resize(problem.choices.size());
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t one, std::size_t other) {
            return weight(one) > weight(other);
        });
        rest_gives_.assign((order_.size() + 1) * needs_, 0);
        rest_cost_.assign(order_.size() + 1, 0);
        rest_second_.assign(order_.size() + 1, 0);
        for (std::size_t at = order_.size(); at-- > 0;) {
            const std::vector<CoveringOption>& options = problem.choices[order_[at]];
            Tokens cost = options.front().cost;
            Tokens second = options.front().second;
            for (const CoveringOption& option : options) {
                cost = std::min(cost, option.cost);
                second = std::min(second, option.second);
            }
            rest_cost_[at] = rest_cost_[at + 1] + cost;
            rest_second_[at] = rest_second_[at + 1] + second;
            for (std::size_t need = 0; need < needs_; ++need) {
                Tokens most = 0;
                for (const CoveringOption& option : options)
                    most = std::max(most, option.gives[need]);
                rest_gives_[at * needs_ + need] = rest_gives_[(at + 1) * needs_ + need] + most;
            }
        }
    }

    /// Nothing if the effort does not suffice; `tokens_max` if there is no solution.
    std::optional<Tokens> solve() {
        std::vector<Tokens> begin(needs_ + 2, 0);
        for (std::size_t need = 0; need < needs_; ++need)
            begin[need + 2] = problem_.needs[need];
        states_ = begin;
        for (std::size_t at = 0; at < order_.size() && !states_.empty(); ++at)
            if (!step(at)) return std::nullopt;
        for (std::size_t i = 0; i < states_.size(); i += needs_ + 2)
            if (is_done(&states_[i])) best_ = std::min(best_, states_[i]);
        return best_;
    }

  private:
    // A state: cost, second cost, and what is still needed of each (0 or more).

    [[nodiscard]] double weight(std::size_t choice) const {
        double weight = 0;
        for (const CoveringOption& option : problem_.choices[choice])
            for (std::size_t need = 0; need < needs_; ++need)
                weight += static_cast<double>(option.gives[need]) /
                          static_cast<double>(problem_.needs[need]);
        return weight;
    }

    [[nodiscard]] bool is_done(const Tokens* state) const {
        return std::all_of(state + 2, state + 2 + needs_, [](Tokens need) { return need == 0; });
    }

    /// Whether the state may still lead to something better.
    [[nodiscard]] bool is_promising(const Tokens* state, std::size_t at) const {
        if (state[0] + rest_cost_[at] >= best_) return false;
        if (state[1] + rest_second_[at] > problem_.second_most) return false;
        for (std::size_t need = 0; need < needs_; ++need)
            if (state[need + 2] > rest_gives_[at * needs_ + need]) return false;
        return true;
    }

    bool step(std::size_t at) {
        const std::size_t width = needs_ + 2;
        std::vector<Tokens> next;
        std::vector<Tokens> state(width, 0);
        for (std::size_t i = 0; i < states_.size(); i += width) {
            for (const CoveringOption& option : problem_.choices[order_[at]]) {
                if (!spend(width)) return false;
                state[0] = states_[i] + option.cost;
                state[1] = states_[i + 1] + option.second;
                for (std::size_t need = 0; need < needs_; ++need)
                    state[need + 2] =
                        std::max<Tokens>(states_[i + need + 2] - option.gives[need], 0);
                if (!is_promising(state.data(), at + 1)) continue;
                next.insert(next.end(), state.begin(), state.end());
                // The others may then take their cheapest options.
                if (is_done(state.data()) && problem_.second_most == tokens_max)
                    best_ = std::min(best_, state[0] + rest_cost_[at + 1] + 1);
            }
        }
        return keep_undominated(next);
    }

    bool keep_undominated(const std::vector<Tokens>& found) {
        const std::size_t width = needs_ + 2;
        std::vector<std::size_t> order(found.size() / width);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
            return std::lexicographical_compare(
                found.begin() + static_cast<std::ptrdiff_t>(one * width),
                found.begin() + static_cast<std::ptrdiff_t>((one + 1) * width),
                found.begin() + static_cast<std::ptrdiff_t>(other * width),
                found.begin() + static_cast<std::ptrdiff_t>((other + 1) * width));
        });
        states_.clear();
        // With one need and one cost, the last one kept has the least need so far.
        const bool is_line = needs_ == 1 && problem_.second_most == tokens_max;
        for (const std::size_t each : order) {
            const Tokens* state = &found[each * width];
            bool dominated = false;
            std::size_t from = 0;
            if (is_line && !states_.empty()) from = states_.size() - width;
            for (std::size_t i = from; i < states_.size() && !dominated; i += width) {
                if (!spend(width)) return false;
                dominated = true;
                for (std::size_t j = is_line ? 2 : 1; j < width && dominated; ++j)
                    dominated = states_[i + j] <= state[j];
            }
            if (!dominated) states_.insert(states_.end(), state, state + width);
        }
        return true;
    }

    bool spend(std::uint64_t steps) {
        if (effort_ < steps) return false;
        effort_ -= steps;
        return true;
    }

    const CoveringProblem& problem_;
    std::uint64_t& effort_;
    std::size_t needs_;
    std::vector<std::size_t> order_;   ///< of choices
    std::vector<Tokens> rest_gives_;   ///< by number of choices decided, then need: at most
    std::vector<Tokens> rest_cost_;    ///< at least
    std::vector<Tokens> rest_second_;  ///< at least
    std::vector<Tokens> states_;
    Tokens best_ = tokens_max;
};

}  // namespace

Covered least_cost(const CoveringProblem& problem, std::uint64_t& effort) {
    Covered covered;
    Int128 at_least = cheapest_cost(problem);
    for (std::size_t need = 0; need < problem.needs.size(); ++need)
        at_least = std::max(at_least, relaxed_cost(problem, need));
    covered.at_least = static_cast<Tokens>(at_least);
    if (problem.needs.empty() && problem.second_most == tokens_max) {
        covered.exact = true;
        return covered;
    }
    if (const std::optional<Tokens> exact = CoveringSolver(problem, effort).solve()) {
        covered.exact = true;
        covered.possible = *exact < tokens_max;
        if (covered.possible) covered.at_least = *exact;
    }
    return covered;
}

}  // namespace equipoise::reassign
