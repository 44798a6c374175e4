#pragma once
// How a placement stands: which rules it breaks, and how far it is from the aims. Plain sums that
// share nothing with the search: the definition of what the search computes step by step.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// A field that is empty is no value: items without a value of a label are free of its rules;
/// machines without one add nothing to the values that items are spread over, and are near nothing.
enum class RuleKind : std::uint8_t {
    capacity,     ///< `machine` holds more of `resource` than its capacity
    least_items,  ///< `machine` holds fewer items than it must
    drained,      ///< `machine` is to be empty and is not
    not_allowed,  ///< `item` is on `machine`, where it must not be: `Problem::may_be_on` says no,
                  ///< and the machine is not drained (which counts there)
    apart,        ///< items with `value` of a label are on one `machine`
    spread,       ///< items with `value` of a label are on too few values of machines
                  ///< (`machine_value` is `no_value`), or too many are on `machine_value`
    near,  ///< items of a service, `value`, are on machines with `machine_value`, where none of
           ///< the other service is
};

/// The name in JSON and messages: "capacity", "least-items", "drain", "allowed", "apart", "spread",
/// "near".
[[nodiscard]] const char* to_string(RuleKind kind);

/// A rule that does not hold at one place. Fields that do not apply keep their defaults.
struct BrokenRule {
    RuleKind kind = RuleKind::capacity;
    std::size_t rule = 0;  ///< which of `apart`, `spread`, `near`
    MachineId machine = no_machine;
    std::size_t resource = 0;
    ItemId item = 0;
    ValueId value = no_value;          ///< of the label of items
    ValueId machine_value = no_value;  ///< of the label of machines
    std::size_t pair = 0;              ///< of `near`: which of `depends`
    /// The most, or the least, that would be right: the capacity; the least number of items; 0
    /// items on a drained machine; 1 item of those that are apart; values that are needed, or the
    /// most items on one.
    Tokens limit = 0;
    /// How far it is broken: the amount above the capacity; missing or surplus items; for `spread`,
    /// values that are missing or items above the most on a value; for `near`, and an item where it
    /// must not be, 1.
    Tokens by = 0;
    friend bool operator==(const BrokenRule&, const BrokenRule&) = default;
};

/// The rule in words: "machine 3: disk is 12 above its capacity of 100", "rack r1 has 2 copies of
/// t-0, at most 1 allowed".
[[nodiscard]] std::string words(const Problem& problem, const BrokenRule& broken);

/// The rules that people are told: all but those of spread that say how many values are missing
/// where too many items on one value are named, too, and those that keep copies outside apart.
[[nodiscard]] std::vector<BrokenRule> told_once(const Problem& problem,
                                                const std::vector<BrokenRule>& broken);

/// The same of the state before the first wave. What is broken only because copies are still to be
/// made is left out, too.
[[nodiscard]] std::vector<BrokenRule> told_before(const Problem& problem,
                                                  const std::vector<BrokenRule>& broken);

/// What is to be least, the first in order first. Amounts of several resources are added with
/// `Problem::weights`.
struct Score {
    /// Rules: the sum of `by`; capacities in weighted amounts, all others times the largest total
    /// of any resource, at least 1.
    Int128 broken = 0;
    Int128 over_thresholds = 0;
    /// What machines hold above `Problem::level_limits`. A machine that is not drained is level if
    /// a single item of it needs some of the resource, however large that item is.
    Int128 over_levels = 0;
    /// Of the objective, if there is one; then all others but `broken` and `moves` are 0.
    Int128 cost = 0;
    Int128 fewest = 0;  ///< the amount of `Problem::fewest` of items that are not where they were
    Int128 moves = 0;   ///< items that are not where they were
    friend std::strong_ordering operator<=>(const Score&, const Score&) = default;
    friend bool operator==(const Score&, const Score&) = default;
};

struct Standing {
    std::vector<Tokens> used;        ///< by machine, then resource
    std::vector<BrokenRule> broken;  ///< in the order of kinds, then rules and places
    std::vector<Tokens>
        moved;    ///< by resource, of items that are not where they were; first: moves
    Score score;  ///< moves are counted from `Problem::places`
};

/// Looks at a placement, by item. Cost O(items (resources + labels) log items + machines
/// resources). Throws OverflowError if an objective has costs beyond 127 bits.
[[nodiscard]] Standing stand(const Problem& problem, std::span<const MachineId> places);

/// By machine: what it holds above the level of the aim, as `Score::over_levels` counts it; 0 if it
/// counts as level.
[[nodiscard]] std::vector<Tokens> above_level(const Problem& problem, const LevelAim& aim,
                                              std::span<const MachineId> places);

/// What all machines hold above their thresholds of a resource. `used`: by machine, then resource.
[[nodiscard]] Int128 above_thresholds(const Problem& problem, std::size_t resource,
                                      std::span<const Tokens> used);

/// Whether these amounts, by resource, and waves are within the budget. A placement is within it if
/// its `Standing::moved` is; a schedule, if `Replayed::moved` is, detours included, with its waves.
[[nodiscard]] bool within(const Budget& budget, std::span<const Tokens> moved, Step waves = 0);

}  // namespace equipoise::reassign
