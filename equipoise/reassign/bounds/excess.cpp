#include "equipoise/reassign/bounds/excess.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/bounds/phrases.hpp"

namespace equipoise::reassign {

namespace {

/// As many sets of machines are looked at.
constexpr std::size_t sets_most = 256;

class ExcessBounds {
  public:
    ExcessBounds(const Problem& problem, const Reach& reach, const Limits& limits,
                 const Certain& certain)
        : problem_(problem),
          reach_(reach),
          limits_(limits),
          certain_(certain),
          machines_(problem.machine_count()) {
        for (ItemId item = 0; item < problem.item_count(); ++item)
            total_ += amount(item);
        stays_.assign(machines_, 0);
        for (ItemId item = 0; item < problem.item_count(); ++item)
            if (reach.may_stay(item, certain.leaves)) stays_[problem.places[item]] += amount(item);
        gain_ = gain_of_single_items();
        elsewhere_.assign(machines_, 0);
    }

    Excess best() {
        by_machine();
        by_room();
        by_sets();
        for (std::size_t rule = 0; rule < problem_.spread.size(); ++rule)
            if (certain_.spread[rule]) by_spread(problem_.spread[rule]);
        by_large_items();
        best_.elsewhere = std::move(elsewhere_);
        return std::move(best_);
    }

  private:
    [[nodiscard]] Tokens amount(ItemId item) const {
        return problem_.amount(item, limits_.resource);
    }
    [[nodiscard]] Tokens stuck(MachineId machine) const {
        return reach_.stuck[machine * problem_.resource_count() + limits_.resource];
    }
    /// The most that the machine can end with.
    [[nodiscard]] Int128 most_in_the_end(MachineId machine) const {
        return problem_.may_take(machine) ? total_ : stays_[machine];
    }
    [[nodiscard]] std::string words(Int128 amount) const {
        return amount_words(problem_, limits_.resource, amount);
    }
    void offer(Int128 amount, const std::function<std::string()>& reason) {
        if (amount <= best_.amount) return;
        best_ = {amount, reason(), {}};
    }

    /// The most that single items on machines of their own add to what fits below the limits.
    [[nodiscard]] Int128 gain_of_single_items() const {
        if (!limits_.except_single) return 0;
        std::vector<Tokens> large;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            large.push_back(amount(item));
        std::sort(large.begin(), large.end(), std::greater<>());
        std::vector<Int128> small;
        for (MachineId machine = 0; machine < machines_; ++machine)
            if (!problem_.drained[machine]) small.push_back(limits_.most[machine]);
        std::sort(small.begin(), small.end());
        Int128 gain = 0;
        for (std::size_t i = 0; i < std::min(large.size(), small.size()); ++i)
            gain += surplus(large[i], small[i]);
        return gain;
    }

    [[nodiscard]] std::string exception() const {
        return gain_ > 0 ? ", and single items larger than a limit add at most " + words(gain_)
                         : std::string();
    }

    /// What items that cannot leave the machine are above its limit.
    [[nodiscard]] Int128 stuck_above(MachineId machine) const {
        const Int128 over = surplus(stuck(machine), limits_.most[machine]);
        if (over == 0 || !limits_.except_single || problem_.drained[machine]) return over;
        std::size_t needing = 0;
        for (const ItemId item : reach_.on(machine))
            if (!reach_.leaves[item] && amount(item) > 0) ++needing;
        return needing > 1 ? over : Int128{0};
    }

    void by_machine() {
        std::vector<Int128> on(machines_, 0);
        Int128 sum = 0;
        std::vector<MachineId> over;
        for (MachineId machine = 0; machine < machines_; ++machine) {
            on[machine] = stuck_above(machine);
            if (on[machine] == 0) continue;
            sum += on[machine];
            over.push_back(machine);
        }
        for (MachineId machine = 0; machine < machines_; ++machine)
            elsewhere_[machine] = std::max(elsewhere_[machine], sum - on[machine]);
        offer(sum, [&] {
            return "items that cannot leave " + some_machines(problem_, over) + " are " +
                   words(sum) + " above what may be there";
        });
    }

    /// Of machines that must hold `amount` together: what is above limits.
    [[nodiscard]] Int128 over_room(std::span<const MachineId> machines, Int128 amount) const {
        Int128 over = 0;
        Int128 room = 0;
        Int128 stays = 0;
        for (const MachineId machine : machines) {
            const Int128 most = std::min(limits_.most[machine], most_in_the_end(machine));
            over += surplus(stuck(machine), limits_.most[machine]);
            room += surplus(most, stuck(machine));
            stays += stuck(machine);
        }
        return over + surplus(amount - stays, room) - gain_;
    }

    [[nodiscard]] Int128 room_in(std::span<const MachineId> machines) const {
        Int128 room = 0;
        for (const MachineId machine : machines)
            room += std::min(limits_.most[machine], most_in_the_end(machine));
        return room;
    }

    void by_room() {
        std::vector<MachineId> all(machines_);
        for (MachineId machine = 0; machine < machines_; ++machine)
            all[machine] = machine;
        offer(over_room(all, total_), [&] {
            return "there are " + words(total_) + ", and all machines may hold " +
                   words(room_in(all)) + exception();
        });
    }

    /// Items that are nowhere else than on the machines of a set; of many sets, those with most.
    void by_sets() {
        struct OfSet {
            std::size_t set = 0;
            Int128 amount = 0;
            Int128 stuck = 0;
        };
        std::vector<OfSet> sets(problem_.sets.size());
        for (std::size_t set = 0; set < sets.size(); ++set)
            sets[set].set = set;
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            if (reach_.kinds[item] == 0) continue;
            OfSet& of = sets[reach_.kinds[item] - 1];
            const bool is_inside = problem_.sets[of.set][problem_.places[item]];
            if (is_inside || !reach_.may_stay(item, certain_.leaves)) of.amount += amount(item);
            if (is_inside && !reach_.leaves[item]) of.stuck += amount(item);
        }
        std::stable_sort(sets.begin(), sets.end(), [](const OfSet& one, const OfSet& other) {
            return one.amount > other.amount;
        });
        for (std::size_t i = 0; i < std::min(sets.size(), sets_most) && sets[i].amount > 0; ++i)
            by_set(sets[i].set, sets[i].amount, sets[i].stuck);
    }

    void by_set(std::size_t set, Int128 amount_there, Int128 stuck_there) {
        std::vector<MachineId> machines;
        Int128 others_stuck = -stuck_there;
        for (MachineId machine = 0; machine < machines_; ++machine) {
            if (!problem_.sets[set][machine]) continue;
            machines.push_back(machine);
            others_stuck += stuck(machine);
        }
        // What others cannot take away from there is in `over_room` as well.
        offer(over_room(machines, amount_there + others_stuck), [&] {
            return "items that may be only on " + some_machines(problem_, machines) + " need " +
                   words(amount_there) + ", and there is room for " +
                   words(room_in(machines) - others_stuck) + exception();
        });
    }

    void by_spread(const Spread& rule) {
        const Label& label = problem_.machine_labels[rule.machine_label];
        const RackRanges ranges = rack_ranges(problem_, reach_, certain_, rule, limits_.resource);
        std::vector<Int128> room(label.values.size(), 0);
        Int128 free_room = 0;  // of machines without a value
        for (MachineId machine = 0; machine < machines_; ++machine) {
            const Int128 most = std::min(limits_.most[machine], most_in_the_end(machine));
            (label.of[machine] == no_value ? free_room : room[label.of[machine]]) += most;
        }
        Int128 over = 0;
        Int128 rest = total_;
        Int128 more = free_room;
        ValueId worst = 0;
        for (ValueId value = 0; value < label.values.size(); ++value) {
            over += surplus(ranges.least[value], room[value]);
            rest -= ranges.least[value];
            more += surplus(std::min<Int128>(room[value], ranges.most[value]), ranges.least[value]);
            if (surplus(ranges.least[value], room[value]) >
                surplus(ranges.least[worst], room[worst]))
                worst = value;
        }
        for (MachineId machine = 0; machine < machines_; ++machine) {
            const ValueId here = label.of[machine];
            const Int128 on_rack =
                here == no_value ? Int128{0} : surplus(ranges.least[here], room[here]);
            elsewhere_[machine] = std::max(elsewhere_[machine], over - on_rack - gain_);
        }
        offer(over + surplus(rest, more) - gain_, [&] {
            if (over == 0)
                return "with items spread over " + label.name + " there is room for " +
                       words(total_ - rest + more) + " of " + words(total_) + exception();
            return "for items to be spread, " + label.name + " " +
                   std::string(label.values.name(worst)) + " must hold " +
                   words(ranges.least[worst]) + " and may hold " + words(room[worst]) + exception();
        });
    }

    /// Of the q largest items some machines must hold several: as many on each as can be is the
    /// least, since the sum of the c smallest of them is convex in c.
    void by_large_items() {
        std::vector<Tokens> large;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (amount(item) > 0) large.push_back(amount(item));
        std::sort(large.begin(), large.end(), std::greater<>());
        Int128 limit = 0;
        std::size_t takers = 0;
        for (MachineId machine = 0; machine < machines_; ++machine) {
            if (most_in_the_end(machine) == 0) continue;
            limit = std::max(limit, limits_.most[machine]);
            ++takers;
        }
        if (takers == 0) return;
        std::vector<Int128> sums = {0};
        for (const Tokens each : large)
            sums.push_back(sums.back() + each);
        for (std::size_t q = 1; q <= large.size(); ++q) {
            const Int128 most =
                limits_.except_single ? std::max<Int128>(limit, large[q - 1]) : limit;
            const auto over = [&](std::size_t count) {
                return surplus(sums[q] - sums[q - count], most);
            };
            const std::size_t each = q / takers;
            const std::size_t with_more = q % takers;
            const Int128 sum = Int128{with_more} * (with_more > 0 ? over(each + 1) : Int128{0}) +
                               Int128{takers - with_more} * over(each);
            offer(sum, [&] {
                return "there are " + counted(std::uint64_t{q}, "item") + " with " +
                       words(large[q - 1]) + " or more, and " +
                       counted(std::uint64_t{takers}, "machine") + " that may hold at most " +
                       words(limit);
            });
        }
    }

    const Problem& problem_;
    const Reach& reach_;
    const Limits& limits_;
    const Certain& certain_;
    MachineId machines_;
    Int128 total_ = 0;
    std::vector<Int128> stays_;  ///< by machine: of items that may stay
    Int128 gain_ = 0;
    std::vector<Int128> elsewhere_;
    Excess best_;
};

}  // namespace

Excess excess_at_least(const Problem& problem, const Reach& reach, const Limits& limits,
                       const Certain& certain) {
    return ExcessBounds(problem, reach, limits, certain).best();
}

}  // namespace equipoise::reassign
