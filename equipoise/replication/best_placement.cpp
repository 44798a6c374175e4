// The best of all placements, one after the other.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/replication/bounds.hpp"

namespace equipoise::replication {

namespace {

/// Fills slots one by one, those of a machine with items of growing numbers. What is definite is
/// judged on the way: a copy carries at least what it would if every machine still to be filled had
/// one, too.
class EveryPlacement {
  public:
    EveryPlacement(const Problem& problem, std::optional<Tokens> level, std::uint64_t effort)
        : problem_(problem),
          level_(level),
          effort_(effort),
          copies_(problem.items(), 0),
          placement_(problem.all_slots(), 0),
          missing_(problem.items()) {}

    std::optional<BestPlacement> best() {
        fill(0);
        if (ended_early_) return std::nullopt;
        if (!least_)
            throw UnsuitableError(
                "no placement is allowed: a host has fewer experts than a GPU has slots");
        // Placements may lie within a level that none of those kept reaches.
        if (!within_) return EveryPlacement(problem_, least_, effort_).best();
        within_->largest = *least_;
        return within_;
    }

  private:
    /// The largest machine that is of interest: below the least one so far, or within the level.
    [[nodiscard]] Tokens interesting() const {
        if (!least_) return tokens_max;
        return level_ ? std::max(*least_, *level_) : *least_;
    }

    void fill(std::uint32_t slot) {
        if (ended_early_) return;
        if (effort_ == 0) {
            ended_early_ = true;
            return;
        }
        --effort_;
        if (missing_ > problem_.all_slots() - slot) return;
        if (slot % problem_.slots == 0 && slot > 0 && !is_interesting(slot / problem_.slots))
            return;
        if (slot == problem_.all_slots()) {
            judge();
            return;
        }
        const ItemId first = slot % problem_.slots == 0 ? 0 : placement_[slot - 1] + 1;
        // Slots that follow on this machine need an item each.
        const ItemId end = problem_.items() - (problem_.slots - 1 - slot % problem_.slots);
        for (ItemId item = first; item < end; ++item) {
            placement_[slot] = item;
            if (copies_[item]++ == 0) --missing_;
            fill(slot + 1);
            if (--copies_[item] == 0) ++missing_;
        }
    }

    /// Whether the first machines can still be part of a placement that is looked for.
    [[nodiscard]] bool is_interesting(MachineId filled) const {
        const std::uint32_t left = problem_.machines - filled;
        for (MachineId machine = 0; machine < filled; ++machine) {
            Tokens held = 0;
            for (std::uint32_t slot = machine * problem_.slots;
                 slot < (machine + 1) * problem_.slots; ++slot)
                held += load_of_copy(problem_.loads[placement_[slot]],
                                     Tokens{copies_[placement_[slot]]} + left);
            if (held > interesting()) return false;
        }
        return true;
    }

    void judge() {
        const Standing standing = stand(problem_, placement_);
        if (!standing.allowed) return;
        if (!least_ || standing.largest < *least_) {
            least_ = standing.largest;
            if (!level_) within_.reset();
        }
        if (standing.largest > (level_ ? *level_ : *least_)) return;
        if (!within_ || standing.copied < within_->copied)
            within_ = BestPlacement{0, standing.copied, placement_};
    }

    const Problem& problem_;
    std::optional<Tokens> level_;
    std::uint64_t effort_;  ///< what is left of it
    std::vector<std::uint32_t> copies_;
    std::vector<ItemId> placement_;
    std::uint32_t missing_;  ///< items without a copy
    bool ended_early_ = false;
    std::optional<Tokens> least_;
    std::optional<BestPlacement> within_;
};

}  // namespace

std::optional<BestPlacement> best_placement(const Problem& problem, std::optional<Tokens> level,
                                            std::uint64_t effort) {
    return EveryPlacement(problem, level, effort).best();
}

}  // namespace equipoise::replication
