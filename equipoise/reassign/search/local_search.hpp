#pragma once
// One thread's search: repair, then annealing in rounds.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/search/placement.hpp"
#include "equipoise/reassign/search/tables.hpp"

namespace equipoise::reassign {

// Problem: a placement with a low score, lexicographically: where it is as good as another in rules
//   and levels, with less moved.
// Model: as `Problem` says; the budget and what no schedule allows are never exceeded in the end.
// Source: a greedy repair; then rounds of simulated annealing over moves, swaps and short chains,
//   as entrants of the ROADEF/EURO challenge 2012 had them. In one half of the rounds the parts of
//   the score are taken in order: those before the part that is annealed never get worse. In the
//   other half all may get worse, at a price. In both, a machine exchanges items that left it for
//   others whose sum fits its limits better.
// Guarantee: none on the score, but it is never above that of the present places. A round's length
//   and temperatures depend on the number of rounds before it alone, so that a search that is
//   stopped early is the beginning of a longer one.

/// One thread's search. It begins at the present places.
class LocalSearch {
  public:
    /// `goes_on` is asked now and then with the iterations done so far; the search also ends after
    /// `effort` iterations.
    using GoesOn = std::function<bool(const LocalSearch&)>;

    LocalSearch(const SearchTables& tables, std::uint64_t seed, std::uint64_t thread,
                std::optional<std::uint64_t> effort, GoesOn goes_on);

    /// Searches until the effort is used up, nobody wants it to go on, or nothing can be better.
    void run(const std::optional<Score>& good_enough);

    [[nodiscard]] std::span<const MachineId> best_places() const { return best_places_; }
    [[nodiscard]] const FullScore& best() const { return best_; }
    [[nodiscard]] std::uint64_t iterations() const { return iterations_; }

    /// The bytes of a search on these tables.
    [[nodiscard]] static std::uint64_t bytes(const SearchTables& tables);

  private:
    struct Hop {
        ItemId item = 0;
        MachineId to = 0;
    };
    /// The parts of a score in order, the first one is `excluded`.
    enum Part : std::size_t { excluded, broken, thresholds, levels, cost, fewest, moves, parts };
    [[nodiscard]] static std::array<Int128, parts> parts_of(const FullScore& change);
    using Energies = std::array<double, parts>;

    // The course of the search (local_search.cpp).
    [[nodiscard]] bool tick();
    void note_best();
    void back_to_best();
    void back_home();
    void do_move(Hop hop, const FullScore& change);
    [[nodiscard]] bool good_enough() const;
    [[nodiscard]] MachineId any_machine_to(ItemId item);
    void look_around();

    // Repair (repair.cpp).
    struct Found {
        Hop hop;
        FullScore change;
        std::size_t part = parts;  ///< the first that changes
        double gain = 0;           ///< by which that part decreases
        double gain_each = 0;      ///< for each unit that moves more
        double fill = 0;           ///< of the machine that takes the item, before
        [[nodiscard]] bool is_better_than(const Found& other) const;
    };
    [[nodiscard]] Found look_at(Hop hop) const;
    void repair();
    void go_home();
    [[nodiscard]] bool improve_machine(MachineId machine);
    [[nodiscard]] bool improve(std::span<const ItemId> items);
    bool push_out(ItemId item);
    [[nodiscard]] std::optional<Found> best_hop(std::span<const ItemId> items,
                                                std::span<const MachineId> machines);
    [[nodiscard]] std::vector<MachineId> machines_to_try();
    [[nodiscard]] std::vector<ItemId> items_to_try(MachineId machine);
    [[nodiscard]] bool is_bad(MachineId machine) const;
    [[nodiscard]] bool lacks_items(MachineId machine) const;
    [[nodiscard]] double fill(MachineId machine) const;

    // Annealing (annealing.cpp).
    void polish();
    void anneal(Part part, std::uint64_t length, double heat);
    void find_scales(Part part);
    [[nodiscard]] bool accepts(const FullScore& change);
    void consider(std::span<const Hop> hops);
    [[nodiscard]] ItemId any_moved();
    void step();
    void step_home();
    void step_reshuffle(MachineId home);
    void step_refill(MachineId home);
    struct Reshuffle {
        std::vector<ItemId> back;   ///< items that go home
        std::vector<ItemId> leave;  ///< items that go elsewhere instead
        double energy = 0;
        void clear();
    };
    bool draw_reshuffle(MachineId home, Reshuffle& drawn);
    bool draw_refill(MachineId home, Reshuffle& drawn);
    void reshuffle(MachineId home, const Reshuffle& drawn);
    [[nodiscard]] double moved_energy(ItemId item) const;
    [[nodiscard]] std::optional<MachineId> machine_with_room(ItemId item,
                                                             std::span<const ItemId> leaving);
    void step_elsewhere();
    void step_leave();
    void step_swap();
    void step_bad();
    void step_chain();
    [[nodiscard]] std::optional<Hop> next_in_chain(MachineId over, MachineId first,
                                                   const FullScore& total);

    const SearchTables& tables_;
    const Problem& problem_;
    std::uint64_t items_;
    std::uint64_t machines_;
    RandomStream random_;
    std::optional<std::uint64_t> effort_;
    GoesOn goes_on_;
    std::optional<Score> good_enough_;

    Placement placement_;
    std::vector<MachineId> best_places_;
    FullScore best_;
    std::vector<ItemId> touched_;   ///< may be elsewhere than in `best_places_`
    std::vector<bool> is_touched_;  ///< by item
    std::uint64_t iterations_ = 0;
    bool ended_ = false;

    std::vector<ItemId> movable_;       ///< items that may move
    std::vector<MachineId> takers_;     ///< machines that may take items
    std::vector<MachineId> bad_;        ///< machines where something is too much or too little
    std::vector<ItemId> bad_items_;     ///< that break rules
    std::vector<MachineId> roomy_;      ///< takers that hold less than most
    std::uint64_t look_around_at_ = 0;  ///< the iteration at which these are looked up again

    // Kept to save allocations.
    Reshuffle drawn_;
    Reshuffle best_drawn_;
    std::vector<Hop> hops_;
    std::vector<MachineId> places_before_;
    std::vector<std::pair<ItemId, MachineId>> chain_;  ///< items that moved, and where they were

    Part part_ = fewest;
    bool chains_ = false;  ///< whether longer chains are tried
    Energies scales_{};
    double temperature_ = 0;
};

}  // namespace equipoise::reassign
