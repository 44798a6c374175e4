#include "equipoise/reassign/schedule/detours.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/random.hpp"

namespace equipoise::reassign {

namespace {

constexpr int depth_most = 8;
/// Up to so many machines all take part in the search; of more, those around the item that waits,
/// and some with room.
constexpr std::size_t machines_all = 8;
constexpr std::size_t machines_around = 6;
constexpr std::size_t machines_with_room = 6;
/// How many are added for an item that they could take, and up to how many in all.
constexpr std::size_t takers_joined = 2;
constexpr std::size_t machines_joined = 20;
/// Machines to which an item may step aside, and items that are compared once some gain was found.
constexpr std::size_t asides_most = 64;
constexpr std::size_t asides_of_each = 4;
constexpr std::size_t asides_compared = 16;

class Detours {
  public:
    Detours(WaveList& list, const Problem& problem, std::uint64_t effort,
            const std::stop_token& stop)
        : list_(list),
          problem_(problem),
          effort_end_(list.steps() + effort),
          stop_(stop),
          left_first_(list.left()) {}

    bool run() {
        const std::vector<ItemId> waiting = list_.waiting();
        if (waiting.empty()) return false;
        items_on_.resize(problem_.machine_count());
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            items_on_[list_.builder().place(item)].push_back(item);
        with_room_ = machines_by_room();
        // Among few machines, the search below looks at all ways of few moves.
        if (problem_.machine_count() > machines_all && step_aside(waiting)) return true;
        // Ways of few moves around any item come before longer ones.
        for (int depth = 2; depth <= depth_most; ++depth) {
            for (const ItemId item : waiting) {
                if (spent()) return false;
                gather(item);
                seen_.clear();
                if (search(depth, 0, problem_.item_count())) return true;
            }
        }
        return false;
    }

  private:
    [[nodiscard]] bool spent() const {
        return list_.steps() > effort_end_ || stop_.stop_requested();
    }

    /// Sends one of the items that wait aside: the one after which most others get on.
    bool step_aside(std::vector<ItemId> waiting) {
        std::vector<std::uint32_t> wanted(problem_.machine_count(), 0);
        for (const ItemId item : waiting)
            ++wanted[list_.next_stop(item)];
        std::stable_sort(waiting.begin(), waiting.end(), [&](ItemId a, ItemId b) {
            return wanted[list_.builder().place(a)] > wanted[list_.builder().place(b)];
        });
        std::size_t most = 0;
        std::pair<ItemId, MachineId> best;
        std::size_t looked = 0;
        for (const ItemId item : waiting) {
            std::size_t went = 0;
            for (const MachineId machine : asides_of(item)) {
                if (spent() || went == asides_of_each) break;
                if (!list_.add(item, machine)) continue;
                ++went;
                const std::size_t gained = gained_by_wave();
                if (gained <= most) continue;
                most = gained;
                best = {item, machine};
            }
            if (spent() || (most > 0 && ++looked >= asides_compared)) break;
        }
        if (most == 0) return false;
        const bool added = list_.add(best.first, best.second);
        EQUIPOISE_ASSERT(added);
        list_.end_wave();
        return true;
    }

    /// Machines that could take the item now; first those where fewest rules notice that it moved.
    [[nodiscard]] std::vector<MachineId> asides_of(ItemId item) const {
        std::vector<MachineId> machines;
        const MachineId place = list_.builder().place(item);
        for (const MachineId machine : with_room_) {
            if (machines.size() == asides_most) break;
            if (machine != list_.next_stop(item) &&
                list_.builder().judge(item, machine) == Refusal::none)
                machines.push_back(machine);
        }
        std::stable_partition(machines.begin(), machines.end(), [&](MachineId machine) {
            return std::all_of(
                problem_.machine_labels.begin(), problem_.machine_labels.end(),
                [&](const Label& label) { return label.of[machine] == label.of[place]; });
        });
        return machines;
    }

    /// How many items reach their ends once the wave with its one move and what that needs is
    /// over; takes it back.
    std::size_t gained_by_wave() {
        const Step waves = list_.builder().waves();
        list_.end_wave();
        (void)list_.run(~Step{0});
        const std::size_t gained =
            list_.left() < left_first_ && is_within_budget() ? left_first_ - list_.left() : 0;
        while (list_.builder().waves() > waves)
            list_.take_wave_back();
        return gained;
    }

    [[nodiscard]] std::vector<MachineId> machines_by_room() const {
        std::vector<MachineId> machines;
        std::vector<double> room(problem_.machine_count(), 1);
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine) {
            if (!problem_.may_take(machine)) continue;
            machines.push_back(machine);
            for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource) {
                const auto capacity = static_cast<double>(problem_.capacity(machine, resource));
                room[machine] = std::min(
                    room[machine], static_cast<double>(list_.builder().room(machine, resource)) /
                                       std::max(capacity, 1.0));
            }
        }
        std::stable_sort(machines.begin(), machines.end(),
                         [&](MachineId a, MachineId b) { return room[a] > room[b]; });
        return machines;
    }

    /// The machines and items that take part in the search for a way for one item.
    void gather(ItemId item) {
        machines_.clear();
        items_.clear();
        join(list_.builder().place(item));
        join(list_.next_stop(item));
        for (std::size_t i = 0; i < machines_.size() && machines_.size() < machines_around; ++i)
            for (const ItemId other : items_on_[machines_[i]])
                if (machines_.size() < machines_around) join(list_.next_stop(other));
        if (problem_.machine_count() <= machines_all)
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                join(machine);
        for (const MachineId machine : machines_)
            for (const ItemId other : items_on_[machine])
                items_.push_back(other);
        std::stable_partition(items_.begin(), items_.end(), [&](ItemId other) {
            return list_.next_stop(other) != list_.builder().place(other);
        });
        for (std::size_t i = 0; i < std::min(with_room_.size(), machines_with_room); ++i)
            join(with_room_[i]);
        // Those that could take it, or what may be in its way, now.
        join_takers(item);
        for (const ItemId other : items_on_[list_.next_stop(item)])
            if (list_.next_stop(other) != list_.builder().place(other)) join_takers(other);
    }

    void join(MachineId machine) {
        if (std::find(machines_.begin(), machines_.end(), machine) == machines_.end())
            machines_.push_back(machine);
    }

    void join_takers(ItemId item) {
        std::size_t found = 0;
        for (const MachineId machine : with_room_) {
            if (found == takers_joined || machines_.size() >= machines_joined) return;
            if (list_.builder().judge(item, machine) != Refusal::none) continue;
            join(machine);
            ++found;
        }
    }

    /// Whether moves so far, and the one that each item still needs, are within the budget.
    [[nodiscard]] bool is_within_budget() const {
        for (std::size_t resource = 0; resource < problem_.budget.amounts.size(); ++resource) {
            Tokens sum = 0;
            for (const Move& move : list_.moves())
                sum += problem_.amount(move.item, resource);
            for (const ItemId item : list_.waiting())
                sum += problem_.amount(item, resource);
            if (sum > problem_.budget.amounts[resource]) return false;
        }
        return true;
    }

    bool search(int depth, std::uint64_t hash, ItemId last) {
        if (list_.left() >= left_first_ + static_cast<std::size_t>(depth)) return false;
        int& tried = seen_[hash];
        if (tried >= depth) return false;
        tried = depth;
        for (const ItemId item : items_) {
            if (item == last) continue;
            const MachineId from = list_.builder().place(item);
            const MachineId stop = list_.next_stop(item);
            if (stop != from && go(item, stop, depth, hash)) return true;
            for (const MachineId to : machines_) {
                if (to == from || to == stop) continue;
                if (spent()) return false;
                if (go(item, to, depth, hash)) return true;
            }
        }
        return false;
    }

    bool go(ItemId item, MachineId to, int depth, std::uint64_t hash) {
        if (!list_.add(item, to)) return false;
        for (const Move& move : list_.builder().wave())
            hash ^= key(move.item, move.from) ^ key(move.item, move.to);
        list_.end_wave();
        if (list_.left() < left_first_ && is_within_budget()) return true;
        if (depth > 1 && search(depth - 1, hash, item)) return true;
        list_.take_wave_back();
        return false;
    }

    [[nodiscard]] static std::uint64_t key(ItemId item, MachineId machine) {
        return mix_bits((std::uint64_t{item} << 32U) | machine);
    }

    WaveList& list_;
    const Problem& problem_;
    std::uint64_t effort_end_;
    const std::stop_token& stop_;
    std::size_t left_first_;
    std::vector<std::vector<ItemId>> items_on_;
    std::vector<MachineId> with_room_;
    std::vector<MachineId> machines_;
    std::vector<ItemId> items_;
    std::unordered_map<std::uint64_t, int> seen_;  ///< by placement: the depth searched from there
};

}  // namespace

bool make_way(WaveList& list, const Problem& problem, std::uint64_t effort,
              const std::stop_token& stop) {
    return Detours(list, problem, effort, stop).run();
}

}  // namespace equipoise::reassign
