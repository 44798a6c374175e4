#pragma once
// Rules that count items, while moves are done in any order: `least_items`, `spread`, `near`, and
// `apart` where that is not judged on the way.

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// A machine and a value of items as one number.
[[nodiscard]] constexpr std::uint64_t key_of(MachineId machine, ValueId value) {
    return (std::uint64_t{machine} << 32U) | value;
}

/// The places at which such rules are judged one by one: machines, values of items that are spread,
/// pairs of services, values of items that are apart on a machine. Some of them could be broken
/// further than in the beginning if the moves were done in some other order. The problem outlives
/// it.
class CountedRules {
  public:
    /// `moves`: all that there are, each item's moves in their order. Cost O(items + moves) for
    /// each rule, times a logarithm.
    CountedRules(const Problem& problem, std::span<const Move> moves);

    /// One place at which a rule is judged.
    struct Place {
        RuleKind kind = RuleKind::least_items;
        std::size_t rule = 0;            ///< which of `Problem::spread`, `near` or `apart`
        std::size_t which = 0;           ///< the machine, the value, or the pair of `Near::depends`
        MachineId machine = no_machine;  ///< of `apart`
    };
    /// They are numbered.
    [[nodiscard]] std::size_t places() const { return could_break_.size(); }
    [[nodiscard]] Place place(std::size_t number) const;
    /// Appends the places whose counts the move changes and that some order of all moves could
    /// break.
    void append_places(const Move& move, std::vector<std::size_t>& numbers) const;

  private:
    void judge_least_items(std::span<const Move> moves);
    void judge_spread(std::size_t rule, std::span<const Move> moves);
    void judge_near(std::size_t rule, std::span<const Move> moves);
    void judge_apart(std::size_t rule, std::span<const Move> moves);

    const Problem& problem_;
    std::vector<std::size_t> spread_begins_;  ///< by rule: the number of its first value
    std::vector<std::size_t> near_begins_;    ///< by rule: the number of its first pair
    std::vector<bool> could_break_;           ///< by number
    /// By rule of apart, then machine and value: the number, if it could break.
    std::vector<std::unordered_map<std::uint64_t, std::size_t>> apart_numbers_;
    std::vector<Place> apart_places_;                              ///< the last ones
    std::vector<std::vector<std::vector<std::size_t>>> pairs_of_;  ///< by rule of near, then value
};

}  // namespace equipoise::reassign
