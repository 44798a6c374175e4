#pragma once
// How many pairs of a machine and an item must be new, so that no machine holds more than a level.

#include <cstdint>
#include <vector>

#include "equipoise/replication/level_needs.hpp"
#include "equipoise/replication/problem.hpp"

namespace equipoise::replication {

/// The present placement, as pairs of a machine and an item.
struct PresentPairs {
    explicit PresentPairs(const Problem& problem);

    std::vector<std::vector<ItemId>> on;       ///< by machine: different items, in order
    std::vector<std::uint32_t> machines_with;  ///< by item
    std::uint32_t twice = 0;                   ///< slots beside one with the same item
};

// Problem: the fewest new pairs of any allowed placement whose largest machine is at most `level`.
// Model: a placement in which each machine has `slots` different items (problem.hpp).
// Source: sums of weights. A machine above the level (weights `above`) gets a new pair for what
//   carries enough, or its items get more copies. Other machines take what is above (`raise`):
//   they get new pairs, or share items of which a copy goes. Where a share would then be too much
//   for a machine (`push`), that gets a new pair itself, or its items more copies. As many copies
//   come as go (`spare`, a price: it changes no sum).
// Guarantee: for all weights, no fewer pairs: k pairs contribute at most what the k best new pairs
//   and the k best further copies do, each on its own; whole numbers, rounded to the safe side. The
//   best of some 60 choices of weights is taken. Cost O(pairs log pairs) for each.
class FewestPairs {
  public:
    FewestPairs(const Problem& problem, const PresentPairs& present, const LevelNeeds& needs,
                Tokens level);

    /// Machines that hold more than the level.
    [[nodiscard]] std::uint32_t above() const { return above_; }
    [[nodiscard]] std::uint64_t at_least() const;

  private:
    static constexpr Tokens whole = Tokens{1} << 20;  ///< the unit of parts and weights
    /// Further copies of an item are told apart up to this number.
    static constexpr std::uint32_t copies_listed = 5;

    /// What it means that an item has a copy less.
    struct Drop {
        std::vector<Tokens> raises;  ///< by number of copies less: parts of what must be taken
        std::vector<Tokens> pushed;  ///< by machine that it pushes: how many items push that
    };
    /// What it means that an item has more copies; each list begins with none more.
    struct More {
        std::vector<MachineId> machines;  ///< those above the level that have the item
        std::vector<Tokens> parts;   ///< by number of copies more, then such machine: of its excess
        std::vector<Tokens> pushed;  ///< by number of copies more: for machines that are pushed
    };
    struct Weights {
        std::vector<Tokens> above;  ///< by machine; 0 where it is not above the level
        Tokens raise = 0;
        Tokens push = 0;
        Tokens spare = 0;
    };
    struct PairGains {
        Tokens in_any_case = 0;
        std::vector<Tokens> further;  ///< of each pair
    };
    /// The fewest new pairs that can contribute enough, the last one by parts.
    struct Count {
        Tokens pairs = 0;      ///< in parts of `whole`
        Tokens last_pair = 0;  ///< the least contributions that count
        Tokens last_copy = 0;
    };

    [[nodiscard]] Tokens share(ItemId item, std::int64_t more, bool up = false) const;
    void find_reliefs();
    void find_pushes();
    void find_shares();
    void find_drops();
    [[nodiscard]] std::vector<Tokens> gains_of_drops(const Weights& weights) const;
    [[nodiscard]] PairGains gains_of_pairs(const Weights& weights) const;
    static void total_of_copies(const More& more, const Weights& weights,
                                std::vector<Tokens>& totals);
    [[nodiscard]] std::vector<Tokens> gains_of_copies(const Weights& weights) const;
    [[nodiscard]] Count pairs(const Weights& weights) const;
    void shift(Weights& weights, const Count& count, double step) const;

    const Problem& problem_;
    const PresentPairs& present_;
    const LevelNeeds& needs_;
    std::vector<Tokens> excess_;  ///< by machine: what it holds above the level, rounded down
    std::uint32_t above_ = 0;
    Int128 to_take_ = 0;  ///< what machines that are not above the level must take, at least
    /// By machine above the level, then item on it: what it relieves it of, as part of the excess.
    std::vector<std::vector<Tokens>> parts_;
    std::vector<Tokens> rooms_;  ///< by other machine: parts of what must be taken
    /// By other machine: by item that pushes it, how far above the level it would be.
    std::vector<std::vector<Tokens>> pushes_;
    std::vector<More> more_;   ///< by item
    std::vector<Drop> drops_;  ///< by item
};

}  // namespace equipoise::replication
