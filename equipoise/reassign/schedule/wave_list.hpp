#pragma once
// List scheduling: waves filled one after the other with the most urgent moves.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/waves/wave_builder.hpp"

namespace equipoise::reassign {

/// By item: the machines that it goes to, in order, the last one being its end; empty: it stays.
using Routes = std::vector<std::vector<MachineId>>;

/// Straight to the ends.
[[nodiscard]] Routes straight_routes(const Problem& problem, std::span<const MachineId> ends);
/// The routes on which the moves take items; each item's moves are in order.
[[nodiscard]] Routes routes_of(const Problem& problem, std::span<const Move> moves);

// Problem: items on given routes, in few waves.
// Model: waves as `replay` allows them.
// Source: list scheduling (Graham 1966): first the items whose machines have most left to do. A
//   move that would leave a rule broken is made together with others that mend it: these are looked
//   for one by one among the moves that are still to be made; or all moves that can be made at once
//   are made, and then taken back as long as a rule is broken.
// Guarantee: none but that every wave is allowed.
// Cost: O(waves * moves left) looks; a move that needs partners may take `partner_looks` more.

/// How a wave is begun.
enum class Begin : std::uint8_t {
    one_by_one,  ///< with the most urgent move and what it needs
    together,    ///< with all moves that can be made at once and break no rule together
};

/// Fills waves. The problem outlives it.
class WaveList {
  public:
    WaveList(const Problem& problem, Routes routes);

    /// By item, added to its urgency, which is a number of waves; 0 in the beginning.
    void set_bonuses(std::vector<double> bonuses) { bonuses_ = std::move(bonuses); }
    void set_routes(Routes routes);
    void set_begin(Begin begin) { begin_ = begin; }
    /// Waves that are asked to stop end early, but are allowed.
    void set_stop(std::stop_token stop) { stop_ = std::move(stop); }
    /// Takes all waves back.
    void restart();
    /// Fills and ends waves until nothing moves any more, or `waves_most` are there. Whether all
    /// items have reached their ends.
    bool run(Step waves_most);

    // One wave by hand, for detours.
    /// Adds a move to the wave, with others on their routes that it needs; or changes nothing.
    bool add(ItemId item, MachineId to);
    void end_wave();
    /// Opens the last wave again and takes its moves back; the present one must be empty.
    void take_wave_back();

    /// Whether some waves may only end with moves that need each other.
    [[nodiscard]] bool needs_partners() const { return needs_partners_; }
    /// Items that are not at their ends.
    [[nodiscard]] std::size_t left() const { return left_; }
    /// Items whose next stop is another machine.
    [[nodiscard]] std::vector<ItemId> waiting() const;
    [[nodiscard]] MachineId end(ItemId item) const {
        return routes_[item].empty() ? problem_.places[item] : routes_[item].back();
    }
    /// Where the item goes next; its own place if it has arrived.
    [[nodiscard]] MachineId next_stop(ItemId item) const {
        return next_[item] < routes_[item].size() ? routes_[item][next_[item]] : end(item);
    }
    [[nodiscard]] const WaveBuilder& builder() const { return builder_; }
    [[nodiscard]] const std::vector<Move>& moves() const { return builder_.moves(); }
    /// Moves looked at so far.
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

  private:
    /// What a machine has still to give or take.
    struct Work {
        double items = 0;
        double copied = 0;
    };

    void wait_for(ItemId item);
    void drop_arrived();
    void sort_by_urgency();
    [[nodiscard]] double waves_for(const Work& work, const std::vector<Tokens>& rates,
                                   MachineId machine) const;
    void index(ItemId item);
    void forget_last(ItemId item);
    void fill_wave();
    void fill_together();
    void withdraw(std::size_t number);
    void withdraw_for(const Debt& debt);
    [[nodiscard]] std::vector<std::size_t> withdrawable(const Debt& debt) const;
    [[nodiscard]] bool settle(std::size_t first_debt, int& looks);
    [[nodiscard]] bool settle_with(ItemId item, std::size_t first_debt, int& looks);
    [[nodiscard]] std::vector<const std::vector<ItemId>*> partners(const Debt& debt) const;

    const Problem& problem_;
    WaveBuilder builder_;
    Routes routes_;
    std::vector<std::uint32_t> next_;  ///< by item: which of its stops
    std::vector<bool> on_route_;       ///< by move: whether it took its item one stop on
    std::vector<double> bonuses_;
    std::size_t left_ = 0;
    std::vector<ItemId> waiting_;  ///< the most urgent ones first; some may have arrived
    std::vector<bool> is_waiting_;
    std::size_t sorted_at_ = 0;  ///< how many waited when they were sorted last
    std::uint64_t steps_ = 0;

    // Items that may mend a rule, if they wait then; filled only where there are such rules.
    bool needs_partners_ = false;
    std::vector<std::vector<ItemId>> by_place_;  ///< items that have been there
    std::vector<std::vector<ItemId>> by_stop_;
    std::vector<std::vector<std::vector<ItemId>>> by_value_;  ///< by label of items
    std::vector<Debt> debts_;
    Begin begin_ = Begin::one_by_one;
    std::vector<std::size_t>
        in_wave_;  ///< by item of the wave: its number there; while it is filled
    std::stop_token stop_;
};

}  // namespace equipoise::reassign
