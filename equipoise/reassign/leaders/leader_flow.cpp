#include "equipoise/reassign/leaders/leader_flow.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::reassign {

namespace {

constexpr Tokens unreached = std::numeric_limits<Tokens>::max();

class MachineNetwork {
  public:
    explicit MachineNetwork(const LeaderChoices& choices)
        : choices_(choices),
          led_(choices.limits.size()),
          place_(choices.things()),
          potential_(choices.limits.size(), 0),
          level_(choices.limits.size()),
          next_(choices.limits.size()) {
        flow_.chosen.resize(choices.things());
        // Where nothing changes no path costs less than nothing, as potentials of 0 say.
        for (std::uint32_t thing = 0; thing < choices.things(); ++thing) {
            std::uint32_t choice = choices.first[thing];
            EQUIPOISE_ASSERT(choice < choices.first[thing + 1]);
            for (std::uint32_t at = choice; at < choices.first[thing + 1]; ++at)
                if (!choices.is_change[at]) choice = at;
            lead(thing, choice);
        }
    }

    LeaderFlow run() {
        while (find_potentials())
            while (find_levels())
                block();
        finish();
        return std::move(flow_);
    }

  private:
    using Machine = MachineId;

    [[nodiscard]] Machine machines() const { return static_cast<Machine>(led_.size()); }
    [[nodiscard]] Tokens room(Machine machine) const {
        return choices_.limits[machine] - static_cast<Tokens>(led_[machine].size());
    }
    [[nodiscard]] Machine machine_of(std::uint32_t thing) const {
        return choices_.machine[flow_.chosen[thing]];
    }

    void lead(std::uint32_t thing, std::uint32_t choice) {
        flow_.chosen[thing] = choice;
        std::vector<std::uint32_t>& there = led_[choices_.machine[choice]];
        place_[thing] = static_cast<std::uint32_t>(there.size());
        there.push_back(thing);
    }
    void release(std::uint32_t thing) {
        std::vector<std::uint32_t>& there = led_[machine_of(thing)];
        const std::uint32_t last = there.back();
        there[place_[thing]] = last;
        place_[last] = place_[thing];
        there.pop_back();
    }

    [[nodiscard]] Tokens cost(std::uint32_t thing, std::uint32_t choice) const {
        return Tokens{choices_.is_change[choice] ? 1 : 0} -
               Tokens{choices_.is_change[flow_.chosen[thing]] ? 1 : 0};
    }
    [[nodiscard]] Tokens reduced(std::uint32_t thing, std::uint32_t choice) const {
        return cost(thing, choice) + potential_[machine_of(thing)] -
               potential_[choices_.machine[choice]];
    }

    /// Calls `take(choice's machine, reduced cost)` for all that the machine leads.
    template <class Take>
    void for_each_arc(Machine machine, const Take& take) const {
        for (const std::uint32_t thing : led_[machine])
            for (std::uint32_t choice = choices_.first[thing]; choice < choices_.first[thing + 1];
                 ++choice)
                if (choices_.machine[choice] != machine)
                    take(choices_.machine[choice], reduced(thing, choice));
    }

    /// Brings potentials up to date with the shortest paths from machines that lead too much;
    /// false if none leads to room, or none leads too much.
    bool find_potentials() {
        std::vector<Tokens> distance(machines(), unreached);
        using Entry = std::pair<Tokens, Machine>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
        for (Machine machine = 0; machine < machines(); ++machine) {
            if (room(machine) >= 0) continue;
            distance[machine] = 0;
            queue.emplace(0, machine);
        }
        Tokens to_room = unreached;
        while (!queue.empty()) {
            const auto [near, machine] = queue.top();
            queue.pop();
            if (near > distance[machine]) continue;
            if (room(machine) > 0) {
                to_room = near;
                break;
            }
            for_each_arc(machine, [&](Machine other, Tokens length) {
                if (near + length >= distance[other]) return;
                distance[other] = near + length;
                queue.emplace(distance[other], other);
            });
        }
        for (Machine machine = 0; machine < machines(); ++machine) {
            if (to_room != unreached) {
                potential_[machine] += std::min(distance[machine], to_room);
            } else if (distance[machine] != unreached) {
                potential_[machine] += distance[machine];
            }
        }
        if (to_room != unreached) {
            length_ += to_room;
            return true;
        }
        flow_.crowded.assign(machines(), false);
        for (Machine machine = 0; machine < machines(); ++machine)
            flow_.crowded[machine] = distance[machine] != unreached;
        return false;
    }

    /// How many arcs of no reduced cost lead to each machine from those that lead too much; false
    /// if none leads to room.
    bool find_levels() {
        std::fill(level_.begin(), level_.end(), no_level);
        std::fill(next_.begin(), next_.end(), Next{});
        std::vector<Machine> queue;
        for (Machine machine = 0; machine < machines(); ++machine) {
            if (room(machine) >= 0) continue;
            level_[machine] = 0;
            queue.push_back(machine);
        }
        bool found = false;
        for (std::size_t at = 0; at < queue.size(); ++at) {
            const Machine machine = queue[at];
            if (room(machine) > 0) {
                found = true;
                continue;
            }
            for_each_arc(machine, [&](Machine other, Tokens length) {
                if (length != 0 || level_[other] != no_level) return;
                level_[other] = level_[machine] + 1;
                queue.push_back(other);
            });
        }
        return found;
    }

    void block() {
        for (Machine machine = 0; machine < machines(); ++machine)
            while (room(machine) < 0 && level_[machine] == 0 && send(machine)) {
            }
    }

    /// Sends one leader on from a machine along a path of rising levels to room, if there is one.
    bool send(Machine from) {
        path_.assign(1, from);
        while (!path_.empty()) {
            const Machine machine = path_.back();
            if (room(machine) > 0) {
                shift();
                return true;
            }
            if (advance(machine)) {
                path_.push_back(choices_.machine[next_[machine].choice]);
                continue;
            }
            level_[machine] = no_level;
            path_.pop_back();
        }
        return false;
    }

    /// Looks for the next arc of the machine to a higher level.
    bool advance(Machine machine) {
        Next& next = next_[machine];
        for (; next.at < led_[machine].size(); ++next.at, next.choice = 0) {
            const std::uint32_t thing = led_[machine][next.at];
            // After a thing has gone another one is in its place.
            if (next.choice < choices_.first[thing] || next.choice >= choices_.first[thing + 1])
                next.choice = choices_.first[thing];
            for (; next.choice < choices_.first[thing + 1]; ++next.choice) {
                const Machine other = choices_.machine[next.choice];
                if (other != machine && level_[other] == level_[machine] + 1 &&
                    reduced(thing, next.choice) == 0)
                    return true;
            }
        }
        return false;
    }

    /// Each machine of the path leads one thing less, the next one leads it.
    void shift() {
        for (std::size_t at = 0; at + 1 < path_.size(); ++at) {
            const Next next = next_[path_[at]];
            const std::uint32_t thing = led_[path_[at]][next.at];
            release(thing);
            lead(thing, next.choice);
        }
    }

    void finish() {
        const Tokens things = choices_.things();
        flow_.over_price = things + 2 * Tokens{machines()} + 2;
        for (Machine machine = 0; machine < machines(); ++machine) {
            flow_.over += std::max<Tokens>(-room(machine), 0);
            flow_.prices.push_back((flow_.crowded[machine] ? flow_.over_price : length_) -
                                   potential_[machine]);
        }
        for (const std::uint32_t choice : flow_.chosen)
            if (choices_.is_change[choice]) ++flow_.changes;
        EQUIPOISE_ASSERT(at_least(choices_, flow_.prices) ==
                         Int128{flow_.over} * flow_.over_price + flow_.changes);
    }

    struct Next {
        std::size_t at = 0;        ///< of the things that the machine leads
        std::uint32_t choice = 0;  ///< of that thing's choices
    };
    static constexpr std::uint32_t no_level = std::numeric_limits<std::uint32_t>::max() - 1;

    const LeaderChoices& choices_;
    LeaderFlow flow_;
    std::vector<std::vector<std::uint32_t>> led_;  ///< by machine: things
    std::vector<std::uint32_t> place_;             ///< by thing: in the list of its machine
    std::vector<Tokens> potential_;                ///< by machine: at most `length_`...
    Tokens length_ = 0;                            ///< ... of the shortest path to room so far
    std::vector<std::uint32_t> level_;
    std::vector<Next> next_;
    std::vector<Machine> path_;
};

}  // namespace

LeaderFlow level_leaders(const LeaderChoices& choices) {
    return MachineNetwork(choices).run();
}

Int128 at_least(const LeaderChoices& choices, const std::vector<Tokens>& prices) {
    Int128 sum = 0;
    for (std::uint32_t thing = 0; thing < choices.things(); ++thing) {
        Tokens cheapest = tokens_max;
        for (std::uint32_t choice = choices.first[thing]; choice < choices.first[thing + 1];
             ++choice)
            cheapest = std::min(cheapest, Tokens{choices.is_change[choice] ? 1 : 0} +
                                              prices[choices.machine[choice]]);
        sum += cheapest;
    }
    for (std::size_t machine = 0; machine < prices.size(); ++machine)
        sum -= Int128{prices[machine]} * choices.limits[machine];
    return sum;
}

}  // namespace equipoise::reassign
