#pragma once
// One thread's search for low weighted costs: simulated annealing.

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/search/cost/cost_state.hpp"

namespace equipoise::reassign {

// Problem: a placement with low weighted costs, and of those with equal ones, with few moves.
// Model: as `CostState`; only placements that break no rule further than the first one count.
// Source: simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983), as entrants of the ROADEF/EURO
//   challenge 2012 used it, over shifts, swaps, chains of two items on three machines, and
//   exchanges of one item for several. Rules may be broken on the way at a price, which rises where
//   they stay broken. The temperature follows the part of the time or effort that is spent: a short
//   run measures how much energies vary at each, and the next one takes its time where they vary
//   most for the temperature (the heat capacity: Aarts and van Laarhoven 1985 cool by it).
// Guarantee: none on the cost, but it is never above that of the first placement.

class CostAnnealing {
  public:
    using Clock = std::chrono::steady_clock;
    using GoesOn = std::function<bool(const CostAnnealing&)>;
    /// When the search ends; the temperature follows the effort if it is given. Without either it
    /// goes on for ever.
    struct Span {
        std::optional<std::uint64_t> effort;  ///< tries
        std::optional<Clock::time_point> deadline;
    };
    /// Of two placements the one with the lower cost is better, then the one with fewer moves.
    struct Worth {
        Tokens cost = 0;
        Tokens moves = 0;
        friend std::strong_ordering operator<=>(const Worth&, const Worth&) = default;
        friend bool operator==(const Worth&, const Worth&) = default;
    };

    /// Begins at places that a plan may aim at. Threads differ in what they draw and how hot they
    /// begin. `goes_on` is asked now and then.
    CostAnnealing(const CostTables& tables, std::span<const MachineId> places, std::uint64_t seed,
                  unsigned thread, Span span, GoesOn goes_on);

    /// Searches until the span is over, nobody wants it to go on, or the cost is good enough.
    void run(Worth good_enough);

    [[nodiscard]] std::span<const MachineId> best_places() const { return best_places_; }
    [[nodiscard]] const Worth& best() const { return best_; }
    [[nodiscard]] std::uint64_t tries() const { return tries_; }

    /// The bytes of a search on these tables.
    [[nodiscard]] static std::uint64_t bytes(const SearchTables& tables);

  private:
    using Hop = CostState::Hop;
    /// The time that a run of annealing takes at each temperature, and what it found there.
    /// Temperatures are in bins, even in their logarithm, the hottest first.
    struct Cooling {
        static constexpr std::size_t bins = 80;
        double hottest = 1;
        double coldest = 1;
        std::array<double, bins> times{};  ///< parts of the run
        struct Sums {
            Tokens first = 0;  ///< energy: the others are differences to it
            double count = 0;
            double energy = 0;
            double squares = 0;
            std::uint64_t tries = 0;
            std::uint64_t accepted = 0;
        };
        std::array<Sums, bins> sums{};

        [[nodiscard]] double temperature(double bin) const;
        void note(std::size_t bin, Tokens energy);
        /// Begins so hot next time, and gives each bin time as energies vary in it; where nothing
        /// was measured, as in the next bin. Colder bins in which next to nothing was accepted get
        /// none.
        void adapt(double next_hottest);
    };

    void search();
    bool tick();
    void look_at_the_clock();
    [[nodiscard]] double tries_for_each() const;
    [[nodiscard]] double hottest(double most) const;
    [[nodiscard]] std::uint32_t below(std::size_t bound);
    [[nodiscard]] double typical_increase();
    void anneal(Cooling& cooling, double from, double to);
    void set_prices_as_it_cools(double hottest);
    void adapt_prices(double part);
    void mend(double part, const Cooling& cooling);
    void descend(double to);
    void go_home();
    void step();
    void step_home();
    void step_exchange();
    void shift(ItemId item, MachineId to);
    void swap(ItemId item, ItemId other);
    void chain(ItemId item, ItemId other, MachineId to);
    [[nodiscard]] ItemId any_item() { return tables_.movable[below(tables_.movable.size())]; }
    [[nodiscard]] ItemId item_to_move();
    [[nodiscard]] ItemId partner_of(ItemId item);
    [[nodiscard]] MachineId any_machine() { return tables_.takers[below(tables_.takers.size())]; }
    void consider(std::span<const Hop> hops);
    void note_move(std::span<const Hop> hops);
    [[nodiscard]] Tokens drawn_limit();
    void touch(ItemId item);
    void note_best();
    void back_to_best();

    const CostTables& tables_;
    CostState state_;
    RandomStream random_;
    unsigned number_;  ///< of the thread
    Span span_;
    GoesOn goes_on_;
    std::uint64_t looked_every_;
    Worth good_enough_;
    Clock::time_point began_ = Clock::now();
    std::uint64_t tries_ = 0;
    bool ended_ = false;
    std::uint64_t first_try_ = 0;  ///< of a search without an end: of the stretch at hand
    std::uint64_t stretch_ = 0;    ///< its length; 0: the span has an end
    double spent_ = 0;             ///< the part of the span or stretch that is over
    double temperature_ = 0;
    double typical_ = 1;                  ///< increase of load costs
    std::uint64_t accepted_ = 0;          ///< tries
    Tokens repriced_ = 0;                 ///< change of energy in this run by prices alone
    double priced_at_ = 0;                ///< the temperature for which prices are set
    double adapted_at_ = 0;               ///< the part of the run at which prices were adapted
    std::uint64_t adapt_next_at_ = 0;     ///< the try at which they are next
    std::vector<Hop> exchanged_;          ///< of the exchange that is tried
    std::vector<MachineId> too_full_;     ///< while rules are mended
    std::vector<ItemId> that_mend_;       ///< the same: `CostState::items_that_mend`
    std::uint64_t look_for_them_at_ = 0;  ///< the try at which these are looked up again

    std::vector<MachineId> best_places_;
    Worth best_;
    std::vector<ItemId> touched_;   ///< may be elsewhere than in `best_places_`
    std::vector<bool> is_touched_;  ///< by item
};

}  // namespace equipoise::reassign
