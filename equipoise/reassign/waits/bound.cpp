#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/bounds/phrases.hpp"
#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/checks/machine_ends.hpp"
#include "equipoise/reassign/checks/words.hpp"
#include "equipoise/reassign/waits/partial_order.hpp"

namespace equipoise::reassign {

namespace {

constexpr double no_rate_limit = std::numeric_limits<double>::infinity();

/// What a machine must give and take to reach the ends, and when.
class BusyMachines {
  public:
    BusyMachines(const Problem& problem, std::span<const MachineId> ends)
        : problem_(problem),
          ends_(ends),
          sources_(problem),
          gives_(problem.machine_count(), 0),
          takes_(problem.machine_count(), 0),
          copies_(problem.item_count(), 0) {
        for (ItemId item = 0; item < problem.item_count(); ++item)
            if (ends[item] != problem.places[item]) count(item);
    }

    SecondsBound run() {
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (machine != problem_.outside) look_at(machine);
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (copies_[item] > 0)
                offer(static_cast<double>(copies_[item]) / fastest_giver(item),
                      "the machine from which " + problem_.item_name(item) +
                          " is copied must give " + amount(copies_[item]));
        if (problem_.at_once > 0) look_at_slots();
        look_at_waiting();
        return std::move(best_);
    }

  private:
    void offer(double seconds, const std::string& reason) {
        if (seconds > best_.at_least) best_ = {seconds, reason};
    }
    [[nodiscard]] std::string amount(Tokens amount) const {
        return amount_words(problem_, problem_.copied, amount);
    }
    [[nodiscard]] double giving_rate(MachineId machine) const {
        if (problem_.gives_a_second.empty() || machine == problem_.outside) return no_rate_limit;
        return problem_.gives_a_second[machine];
    }
    [[nodiscard]] double taking_rate(MachineId machine) const {
        if (problem_.half_duplex) return giving_rate(machine);
        if (problem_.takes_a_second.empty()) return no_rate_limit;
        return problem_.takes_a_second[machine];
    }

    /// Whatever the way: the item is given once by where it is, or by where the item is that it is
    /// copied from, and taken once by its end.
    void count(ItemId item) {
        const Tokens amount = problem_.amount(item, problem_.copied);
        takes_[ends_[item]] += amount;
        const ItemId source = sources_.of(item, problem_.places[item]);
        if (source == item ||
            (problem_.places[source] != problem_.outside && problem_.must_stay(source))) {
            gives_[problem_.places[source]] += amount;
        } else if (problem_.places[source] != problem_.outside) {
            copies_[source] += amount;
        }
    }

    /// The highest rate at which the item can be copied, wherever it is.
    [[nodiscard]] double fastest_giver(ItemId item) const {
        double fastest = giving_rate(problem_.places[item]);
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (problem_.may_be_on(item, machine))
                fastest = std::max(fastest, giving_rate(machine));
        return fastest;
    }

    void look_at(MachineId machine) {
        const std::string name = machine_words(problem_, machine);
        if (problem_.half_duplex) {
            const Tokens both = gives_[machine] + takes_[machine];
            if (both > 0)
                offer(static_cast<double>(both) / giving_rate(machine),
                      name + " must give and take " + amount(both));
            return;
        }
        if (gives_[machine] > 0)
            offer(static_cast<double>(gives_[machine]) / giving_rate(machine),
                  name + " must give " + amount(gives_[machine]));
        if (takes_[machine] > 0)
            offer(static_cast<double>(takes_[machine]) / taking_rate(machine),
                  name + " must take " + amount(takes_[machine]));
    }

    /// How long an item keeps one end of a machine busy at least.
    struct Hop {
        double direct = 0;  ///< if it goes straight
        double around = 0;  ///< if it goes by way of another machine, which may be faster
        double detour = 0;  ///< when it arrives then at the earliest
    };

    /// A machine gives, or takes, so many items at once, each no faster than its other end allows.
    void look_at_slots() {
        std::vector<MachineId> takers;
        std::vector<MachineId> givers;
        for (MachineId machine = 0; machine < problem_.known_machines(); ++machine) {
            takers.push_back(machine);
            givers.push_back(machine);
        }
        std::stable_sort(takers.begin(), takers.end(),
                         [&](MachineId a, MachineId b) { return taking_rate(a) > taking_rate(b); });
        std::stable_sort(givers.begin(), givers.end(),
                         [&](MachineId a, MachineId b) { return giving_rate(a) > giving_rate(b); });
        const MachineEnds machine_ends(problem_);
        std::vector<std::vector<Hop>> hops(machine_ends.count());
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            const MachineId from = problem_.places[item];
            const MachineId to = ends_[item];
            const auto amount = static_cast<double>(problem_.amount(item, problem_.copied));
            if (from == to || amount == 0) continue;
            const auto fastest = [&](const std::vector<MachineId>& machines, auto rate) {
                const auto found =
                    std::find_if(machines.begin(), machines.end(), [&](MachineId machine) {
                        return machine != to && machine != from &&
                               problem_.may_be_on(item, machine);
                    });
                return found == machines.end() ? 0.0 : (this->*rate)(*found);
            };
            const ItemId source = sources_.of(item, from);
            if (source != item) {
                const double seconds = amount / std::min(fastest_giver(source), taking_rate(to));
                hops[machine_ends.taking(to)].push_back({seconds, seconds, 0});
                continue;
            }
            const double direct = amount / std::min(giving_rate(from), taking_rate(to));
            const double by_taker = fastest(takers, &BusyMachines::taking_rate);
            const double by_giver = fastest(givers, &BusyMachines::giving_rate);
            // By way of another machine, if there is one, or even of its end or its own place.
            const double leaves =
                by_taker > 0 ? std::min(direct, amount / std::min(giving_rate(from), by_taker))
                             : direct;
            const double arrives =
                by_giver > 0 ? std::min(direct, amount / std::min(by_giver, taking_rate(to)))
                             : direct;
            if (from != problem_.outside)
                hops[machine_ends.giving(from)].push_back({direct, leaves, leaves + arrives});
            hops[machine_ends.taking(to)].push_back({direct, arrives, leaves + arrives});
        }
        for (std::size_t end = 0; end < hops.size(); ++end)
            offer_slots(machine_ends.machine(end), hops[end]);
    }

    /// Of the items that pass one end of the machine, those go around that gain by it: either none
    /// does that arrives after some moment, or the last one arrives after it.
    void offer_slots(MachineId machine, std::vector<Hop>& hops) {
        std::sort(hops.begin(), hops.end(),
                  [](const Hop& a, const Hop& b) { return a.detour < b.detour; });
        const auto slots = static_cast<double>(problem_.at_once);
        double busy = 0;
        for (const Hop& hop : hops)
            busy += hop.direct;
        double least = busy / slots;
        for (const Hop& hop : hops) {
            if (hop.detour >= least) break;
            busy -= hop.direct - hop.around;
            least = std::min(least, std::max(hop.detour, busy / slots));
        }
        if (least <= best_.at_least) return;
        offer(least, machine_words(problem_, machine) + " moves " +
                         counted(std::uint64_t{hops.size()}, "item") + ", at most " +
                         std::to_string(problem_.at_once) +
                         " at once, each at the rate of the slower machine");
    }

    /// Items that cannot start for their end before something has left it.
    void look_at_waiting() {
        const std::size_t kinds = problem_.resource_count();
        std::vector<Int128> held(problem_.capacities.size(), 0);
        std::vector<std::vector<ItemId>> there(problem_.machine_count());
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            there[problem_.places[item]].push_back(item);
            for (std::size_t resource = 0; resource < kinds; ++resource)
                held[problem_.places[item] * kinds + resource] += problem_.amount(item, resource);
        }
        std::vector<std::vector<std::pair<double, ItemId>>> waiting(problem_.machine_count());
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            const MachineId end = ends_[item];
            if (end == problem_.places[item] || problem_.amount(item, problem_.copied) == 0)
                continue;
            double start = apart_from(item, there[end]);
            for (std::size_t resource = 0; resource < kinds; ++resource)
                start = std::max(
                    start, room_for(item, resource, held[end * kinds + resource], there[end]));
            if (start > 0) waiting[end].emplace_back(start, item);
        }
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            look_at_waiting(machine, waiting[machine]);
    }

    void look_at_waiting(MachineId machine, std::vector<std::pair<double, ItemId>>& waiting) {
        std::sort(waiting.rbegin(), waiting.rend());
        Tokens taken = 0;
        for (const auto& [start, item] : waiting) {
            taken += problem_.amount(item, problem_.copied);
            const double seconds = start + static_cast<double>(taken) / taking_rate(machine);
            if (seconds <= best_.at_least) continue;
            offer(seconds, machine_words(problem_, machine) + " must take " + amount(taken) +
                               " after something has left that " + problem_.item_name(item) +
                               " must wait for");
        }
    }

    /// How long an item takes at least to leave the machine that it is on at first.
    [[nodiscard]] double leaves_in(ItemId item) const {
        const Tokens amount = problem_.amount(item, problem_.copied);
        if (amount == 0) return 0;
        const ItemId source = sources_.of(item, problem_.places[item]);
        return static_cast<double>(amount) /
               (source == item ? giving_rate(problem_.places[item]) : fastest_giver(source));
    }

    /// When those are gone at the earliest from which the item must be apart on the way.
    [[nodiscard]] double apart_from(ItemId item, const std::vector<ItemId>& there) const {
        double gone = 0;
        for (const Apart& rule : problem_.apart) {
            if (!rule.on_the_way) continue;
            const std::vector<ValueId>& of = problem_.item_labels[rule.label].of;
            if (of[item] == no_value) continue;
            for (const ItemId other : there)
                if (other != item && of[other] == of[item]) gone = std::max(gone, leaves_in(other));
        }
        return gone;
    }

    /// When there is room for the item at the earliest, if nothing else arrives.
    [[nodiscard]] double room_for(ItemId item, std::size_t resource, Int128 held,
                                  const std::vector<ItemId>& there) const {
        const Tokens amount = problem_.amount(item, resource);
        const Int128 short_of = held + amount - problem_.capacity(ends_[item], resource);
        if (amount == 0 || short_of <= 0 ||
            problem_.resources[resource].release != Release::after_wave)
            return 0;
        double first = std::numeric_limits<double>::infinity();
        bool own = true;
        for (const ItemId other : there) {
            if (problem_.must_stay(other) || problem_.amount(other, resource) == 0) continue;
            own = own && sources_.of(other, problem_.places[other]) == other;
            first = std::min(first, leaves_in(other));
        }
        if (resource == problem_.copied && own)
            first = std::max(first, static_cast<double>(short_of) / giving_rate(ends_[item]));
        return first;
    }

    const Problem& problem_;
    std::span<const MachineId> ends_;
    CopySources sources_;
    std::vector<Tokens> gives_;  ///< by machine
    std::vector<Tokens> takes_;
    std::vector<Tokens> copies_;  ///< by item: what is copied from it, wherever it is
    SecondsBound best_;
};

}  // namespace

SecondsBound seconds_at_least(const Problem& problem, std::span<const MachineId> ends) {
    if (!knows_seconds(problem)) return {};
    return BusyMachines(problem, ends).run();
}

}  // namespace equipoise::reassign
