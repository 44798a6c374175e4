#include "equipoise/reassign/schedule/equal_ends.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/search/placement.hpp"
#include "equipoise/reassign/search/tables.hpp"

namespace equipoise::reassign {

namespace {

class EqualEnds {
  public:
    EqualEnds(const Problem& problem, std::span<const MachineId> ends,
              const EqualEndsOptions& options)
        : problem_(problem),
          options_(options),
          tables_(problem),
          placement_(tables_),
          sources_(problem),
          random_(options.seed, Purpose::schedule, 2),
          gives_(problem.machine_count()),
          takes_(problem.machine_count()),
          given_(problem.machine_count()),
          given_slot_(problem.item_count(), 0),
          taken_(problem.machine_count()) {
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
            if (problem.may_take(machine)) takers_.push_back(machine);
        for (ItemId item = 0; item < problem.item_count(); ++item)
            if (ends[item] != problem.places[item]) go(item, ends[item]);
        worst_ = placement_.score();
    }

    std::vector<MachineId> run() {
        std::vector<MachineId> best(placement_.places().begin(), placement_.places().end());
        if (takers_.empty()) return best;
        Step least = busiest().waves;
        while (steps_ < options_.effort && !options_.stop.stop_requested()) {
            const Busiest busy = busiest();
            if (busy.waves < least) {
                least = busy.waves;
                best.assign(placement_.places().begin(), placement_.places().end());
            }
            if (busy.waves <= options_.enough) break;
            if (!relieve(busy)) break;
        }
        return best;
    }

  private:
    struct Work {
        Tokens items = 0;
        Tokens copied = 0;
    };
    struct Busiest {
        MachineId machine = 0;
        bool takes = false;
        Step waves = 0;
    };

    /// Moves an item in the placement, and counts.
    void go(ItemId item, MachineId to) {
        count(item, -1);
        placement_.move(item, to);
        count(item, 1);
    }
    void count(ItemId item, Tokens sign) {
        if (!placement_.moved(item)) return;
        const Tokens copied = sign * problem_.amount(item, problem_.copied);
        Work& give = gives_[giver(item)];
        Work& take = takes_[placement_.place(item)];
        give.items += sign;
        give.copied += copied;
        take.items += sign;
        take.copied += copied;
        std::vector<ItemId>& taken = taken_[placement_.place(item)];
        std::vector<ItemId>& given = given_[giver(item)];
        if (sign > 0) {
            taken.push_back(item);
            given_slot_[item] = given.size();
            given.push_back(item);
        } else {
            *std::find(taken.begin(), taken.end(), item) = taken.back();
            taken.pop_back();
            given_slot_[given.back()] = given_slot_[item];
            given[given_slot_[item]] = given.back();
            given.pop_back();
        }
    }
    /// The machine that gives as long as nothing has moved.
    [[nodiscard]] MachineId giver(ItemId item) const {
        return sources_.giver(item, problem_.places[item], problem_.places);
    }

    [[nodiscard]] Step waves_of(const Work& work, const std::vector<Tokens>& rates,
                                MachineId machine) const {
        Tokens waves = problem_.at_once > 0 ? ceil_divide(work.items, problem_.at_once) : 0;
        if (!rates.empty() && rates[machine] > 0)
            waves = std::max(waves, ceil_divide(work.copied, rates[machine]));
        return static_cast<Step>(waves);
    }

    /// What counts against the limits of one direction: in half duplex both together.
    [[nodiscard]] Work work_of(MachineId machine, bool takes) const {
        const Work& give = gives_[machine];
        const Work& take = takes_[machine];
        if (problem_.half_duplex) return {give.items + take.items, give.copied + take.copied};
        return takes ? take : give;
    }
    [[nodiscard]] Step waves_of(MachineId machine, bool takes) const {
        return waves_of(work_of(machine, takes), takes ? problem_.take_rates() : problem_.gives,
                        machine);
    }

    [[nodiscard]] Busiest busiest() const {
        Busiest busy;
        for (MachineId machine = 0; machine < problem_.known_machines(); ++machine) {
            const Step takes = waves_of(machine, true);
            if (takes > busy.waves) busy = {machine, true, takes};
            const Step gives = waves_of(machine, false);
            if (gives > busy.waves) busy = {machine, false, gives};
        }
        return busy;
    }
    /// Whether no machine that was touched is as busy.
    [[nodiscard]] bool is_less(const Busiest& busy, std::span<const MachineId> touched) const {
        return std::all_of(touched.begin(), touched.end(), [&](MachineId machine) {
            return machine == problem_.outside ||
                   (waves_of(machine, true) < busy.waves && waves_of(machine, false) < busy.waves);
        });
    }

    /// Takes one item, or as much as another wave, from what the machine has to do.
    bool relieve(const Busiest& busy) {
        const Work before = work_of(busy.machine, busy.takes);
        while (steps_ < options_.effort && !options_.stop.stop_requested()) {
            ++steps_;
            undo_.clear();
            std::vector<MachineId> touched;
            if (!(looks_at_taking(busy) ? try_other_taker(busy, touched)
                                        : try_other_giver(busy, touched))) {
                undo();
                continue;
            }
            std::erase(touched, busy.machine);
            const Work work = work_of(busy.machine, busy.takes);
            const bool helps =
                problem_.at_once > 0 ? work.items < before.items : work.copied < before.copied;
            if (helps && placement_.score() <= worst_ && is_less(busy, touched)) {
                worst_ = placement_.score();
                return true;
            }
            undo();
        }
        return false;
    }

    /// Whether an item that the machine takes is to go elsewhere, rather than one that it gives.
    bool looks_at_taking(const Busiest& busy) {
        if (!problem_.half_duplex || given_[busy.machine].empty()) return busy.takes;
        return !taken_[busy.machine].empty() && random_.below(2) == 0;
    }

    ItemId drawn(std::span<const ItemId> items) {
        return items[static_cast<std::size_t>(random_.below(items.size()))];
    }
    bool send(ItemId item, MachineId to) {
        if (placement_.place(item) == to || !tables_.may_be_on(item, to)) return false;
        undo_.emplace_back(item, placement_.place(item));
        go(item, to);
        return true;
    }
    void undo() {
        while (!undo_.empty()) {
            const auto [item, place] = undo_.back();
            undo_.pop_back();
            go(item, place);
        }
    }

    /// An item that the machine takes goes elsewhere; or two do, for one that comes; or it stays,
    /// and another one of its first machine goes elsewhere.
    bool try_other_taker(const Busiest& busy, std::vector<MachineId>& touched) {
        const std::vector<ItemId>& taken = taken_[busy.machine];
        const ItemId item = drawn(taken);
        const MachineId other = takers_[static_cast<std::size_t>(random_.below(takers_.size()))];
        const MachineId home = problem_.places[item];
        touched = {other, home};
        switch (random_.below(3)) {
            case 0:
                return other != home && send(item, other);
            case 1: {
                if (other == busy.machine || taken_[other].empty() || taken.size() < 2)
                    return false;
                const ItemId back = drawn(taken_[other]);
                const ItemId second = drawn(taken);
                return second != item && problem_.places[back] != busy.machine &&
                       problem_.places[item] != other && problem_.places[second] != other &&
                       send(item, other) && send(second, other) && send(back, busy.machine);
            }
            default: {
                if (placement_.items_on(home).empty()) return false;
                const ItemId instead = drawn(placement_.items_on(home));
                return problem_.places[instead] == home && other != busy.machine &&
                       send(item, home) && send(instead, other);
            }
        }
    }

    /// An item that the machine gives stays, and one that another machine gives goes in its place.
    bool try_other_giver(const Busiest& busy, std::vector<MachineId>& touched) {
        const ItemId item = drawn(given_[busy.machine]);
        const MachineId to = placement_.place(item);
        const MachineId other = static_cast<MachineId>(random_.below(problem_.machine_count()));
        if (other == problem_.places[item] || placement_.items_on(other).empty()) return false;
        const ItemId instead = drawn(placement_.items_on(other));
        touched = {giver(instead), to};
        return giver(instead) != busy.machine && problem_.places[instead] == other &&
               send(item, problem_.places[item]) && send(instead, to);
    }

    const Problem& problem_;
    const EqualEndsOptions& options_;
    SearchTables tables_;
    Placement placement_;
    CopySources sources_;
    RandomStream random_;
    std::vector<Work> gives_;
    std::vector<Work> takes_;
    std::vector<std::vector<ItemId>> given_;  ///< by machine
    std::vector<std::size_t> given_slot_;     ///< by item: its place in the list of `given_`
    std::vector<std::vector<ItemId>> taken_;  ///< by machine
    std::vector<MachineId> takers_;
    FullScore worst_;
    std::uint64_t steps_ = 0;
    std::vector<std::pair<ItemId, MachineId>> undo_;  ///< items, and where they were
};

}  // namespace

std::vector<MachineId> equal_ends(const Problem& problem, std::span<const MachineId> ends,
                                  const EqualEndsOptions& options) {
    return EqualEnds(problem, ends, options).run();
}

}  // namespace equipoise::reassign
