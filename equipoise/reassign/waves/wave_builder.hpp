#pragma once
// Waves under construction: says of every move whether it may be made in the wave, and of every
// wave whether it may end so.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/checks/machine_ends.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/search/pair_counts.hpp"
#include "equipoise/reassign/waves/end_rules.hpp"
#include "equipoise/reassign/waves/presence.hpp"

namespace equipoise::reassign {

/// Why a move cannot be made in the wave.
enum class Refusal : std::uint8_t {
    none,   ///< it can
    never,  ///< in no wave: the item may not be there, or is larger than what a wave allows
    limit,  ///< in this wave the machines give or take no more, or the item moves already
    room,   ///< the machine that takes has no room
    apart,  ///< there is an item from which this one must be apart on the way
};

/// Resources of which some machine has a capacity.
[[nodiscard]] std::vector<std::size_t> limited_resources(const Problem& problem);

/// Builds waves from `Problem::places`, move by move, as `replay` allows them. Moves and waves can
/// be taken back, the last ones first. The problem outlives it. A move costs O(resources + rules).
class WaveBuilder {
  public:
    explicit WaveBuilder(const Problem& problem);

    /// The machine that gives if the item moves in this wave.
    [[nodiscard]] MachineId giver(ItemId item) const {
        return sources_.are_own() ? places_[item]
                                  : sources_.giver(item, places_[item], first_places_);
    }
    /// Whether the machine gives, or takes, one more item in this wave, if it is small enough.
    [[nodiscard]] bool gives_more(MachineId machine) const {
        if (machine == problem_.outside) return true;
        return passes_more(ends_.giving(machine));
    }
    [[nodiscard]] bool takes_more(MachineId machine) const {
        return passes_more(ends_.taking(machine));
    }
    /// Adds the move to the wave, if what it needs while it moves is there.
    Refusal add(ItemId item, MachineId to);
    /// The same without adding it.
    [[nodiscard]] Refusal judge(ItemId item, MachineId to) const;
    /// Takes the last move of the wave back.
    void take_back() { withdraw(wave().size() - 1); }
    /// Takes a move of the wave back, given its number in `wave()`; the last one gets this number.
    /// It could be added again. What other moves owe may be more then.
    void withdraw(std::size_t number);
    /// Appends what the given move of this wave, already made, may have left to be mended by
    /// further moves. A wave may end when no move of it has debts.
    void append_debts(const Move& move, std::vector<Debt>& debts) const;
    [[nodiscard]] bool settled(const Debt& debt) const;

    /// Ends the wave. It must have moves, and no debts.
    void end_wave();
    /// Opens the last wave again, with all its moves; the present one must be empty.
    void reopen_wave();

    /// Where the item is, with the moves of this wave.
    [[nodiscard]] MachineId place(ItemId item) const { return places_[item]; }
    [[nodiscard]] const std::vector<MachineId>& places() const { return places_; }
    [[nodiscard]] bool moves_now(ItemId item) const { return moves_now_[item]; }
    [[nodiscard]] Step waves() const { return static_cast<Step>(wave_begins_.size() - 1); }
    [[nodiscard]] std::span<const Move> wave() const {
        return std::span(moves_).subspan(wave_begins_.back());
    }
    /// All moves so far, in the order of waves.
    [[nodiscard]] const std::vector<Move>& moves() const { return moves_; }
    /// Whether what items leave behind counts to the end: then waves depend on more than places.
    [[nodiscard]] bool remembers() const { return !kept_.empty(); }
    /// How much of the resource the machine can still take in this wave, if nothing leaves at once;
    /// may be negative.
    [[nodiscard]] Tokens room(MachineId machine, std::size_t resource) const;
    [[nodiscard]] const Problem& problem() const { return problem_; }

  private:
    /// What a machine gives or takes in this wave.
    struct Traffic {
        Tokens items = 0;
        Tokens copied = 0;
    };

    [[nodiscard]] bool passes_more(std::size_t end) const {
        return passed_[end].items < at_once_ && passed_[end].copied < ends_.rate(end);
    }
    [[nodiscard]] std::size_t at(MachineId machine, std::size_t resource) const {
        return machine * problem_.resource_count() + resource;
    }
    [[nodiscard]] bool keeps(std::size_t resource) const {
        return problem_.resources[resource].release == Release::after_last;
    }
    [[nodiscard]] bool meets(ItemId item, MachineId machine) const;
    void count_traffic(const Move& move, Tokens sign);
    void count_held(const Move& move, Tokens sign);

    const Problem& problem_;
    Tokens at_once_;
    std::vector<std::size_t> limited_;  ///< resources of which some machine has a capacity
    CopySources sources_;
    std::vector<MachineId> places_;
    std::vector<MachineId> first_places_;  ///< when the wave began; empty if `sources_` are own
    std::vector<bool> moves_now_;
    // By machine, then resource.
    std::vector<Tokens> held_;      ///< when the wave began
    std::vector<Tokens> arriving_;  ///< in this wave; of `keeps` only by items that are new there
    std::vector<Tokens> leaving_;
    std::vector<Tokens> kept_;  ///< all items that were there before this wave; empty: none `keeps`
    PairCounts been_;           ///< by item and machine: arrivals in earlier waves, or at the start
    MachineEnds ends_;
    std::vector<Traffic> passed_;    ///< by end
    std::vector<Presence> present_;  ///< by element of `Problem::apart`
    EndRules end_rules_;
    std::vector<Move> moves_;
    std::vector<std::size_t> wave_begins_ = {0};
};

}  // namespace equipoise::reassign
