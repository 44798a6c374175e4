#include "equipoise/replication/transfers.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"
#include "equipoise/optimum/waves/colouring.hpp"

namespace equipoise::replication {

namespace {

/// A copy that must come from another machine.
struct Wanted {
    ItemId item = 0;
    MachineId to = 0;
};

/// Which machines have which items; grows as copies arrive.
class Holders {
  public:
    explicit Holders(const Problem& problem)
        : machines_(problem.machines),
          has_(std::size_t{problem.items()} * problem.machines, false),
          of_(problem.items()) {}

    [[nodiscard]] bool has(ItemId item, MachineId machine) const {
        return has_[std::size_t{item} * machines_ + machine];
    }
    void add(ItemId item, MachineId machine) {
        if (has(item, machine)) return;
        has_[std::size_t{item} * machines_ + machine] = true;
        of_[item].push_back(machine);
    }
    /// In the order of arrival.
    [[nodiscard]] const std::vector<MachineId>& of(ItemId item) const { return of_[item]; }

  private:
    std::size_t machines_;
    std::vector<bool> has_;  ///< by item, then machine
    std::vector<std::vector<MachineId>> of_;
};

Holders present_holders(const Problem& problem) {
    Holders holders(problem);
    for (std::uint32_t slot = 0; slot < problem.placement.size(); ++slot)
        holders.add(problem.placement[slot], slot / problem.slots);
    return holders;
}

std::vector<Wanted> wanted_of(const Problem& problem, const std::vector<ItemId>& placement,
                              const Holders& present) {
    std::vector<Wanted> wanted;
    for (std::uint32_t slot = 0; slot < placement.size(); ++slot) {
        const MachineId to = slot / problem.slots;
        const auto first = placement.begin() + static_cast<std::ptrdiff_t>(to) * problem.slots;
        const auto here = placement.begin() + static_cast<std::ptrdiff_t>(slot);
        const ItemId item = *here;
        if (present.of(item).empty() || present.has(item, to) ||
            std::find(first, here, item) != here)
            continue;
        wanted.push_back({item, to});
    }
    return wanted;
}

// Problem: transfers of copies in the fewest waves, and of those few across hosts.
// Model: machines give and take at most a number of copies in a wave; what arrived can be given on.
// Source: copies given by machines that have them at first need as many waves as the busiest giver
//   or taker (Koenig 1916; optimum/waves/colouring.hpp); who gives is a cheapest flow. Where some
//   machine would have to give too much, waves are first filled, by a cheapest flow each, with
//   what few have and many want.
// Guarantee: the fewest waves where they are as many as the bound, as whenever the machines that
//   have the items at first can give everything in that time. Cost: a flow for each wave that
//   spreads and each number of waves tried.
class TransferPlanner {
  public:
    TransferPlanner(const Problem& problem, Holders present, std::vector<Wanted> wanted,
                    Tokens at_once)
        : problem_(problem),
          present_(std::move(present)),
          wanted_(std::move(wanted)),
          at_once_(std::min(at_once, static_cast<Tokens>(wanted_.size()))) {}

    Transfers plan() {
        Transfers best;
        if (wanted_.empty()) {
            best.reason = "nothing is copied";
            return best;
        }
        bound(best);
        Transfers spread = best;
        Holders holders = present_;
        std::vector<Wanted> left = wanted_;
        const Step direct = direct_waves(holders, left, best.waves_at_least);
        best.waves = direct;
        add_direct(best.list, holders, left, 0, direct);
        // One more wave that spreads before the rest comes directly, as long as that is no later.
        for (Step wave = 0; best.waves > best.waves_at_least && wave + 1 < best.waves; ++wave) {
            spread_wave(spread.list, holders, left, wave);
            const Step least = takes_waves(left);
            if (wave + 1 + least >= best.waves) break;
            const Step rest = direct_waves(holders, left, least);
            if (wave + 1 + rest >= best.waves) continue;
            best.waves = wave + 1 + rest;
            best.list = spread.list;
            add_direct(best.list, holders, left, wave + 1, rest);
        }
        finish(best);
        return best;
    }

  private:
    [[nodiscard]] Step waves_for(Tokens copies) const {
        return static_cast<Step>(ceil_divide(copies, at_once_));
    }
    [[nodiscard]] Step takes_waves(const std::vector<Wanted>& left) const {
        std::vector<Tokens> takes(problem_.machines, 0);
        Tokens most = 0;
        for (const Wanted& copy : left)
            most = std::max(most, ++takes[copy.to]);
        return waves_for(most);
    }

    /// Takes of one machine; how fast one item can spread; what machines must give because no other
    /// had the items at first.
    void bound(Transfers& transfers) const {
        std::vector<Tokens> takes(problem_.machines, 0);
        std::vector<Tokens> wanted_by(problem_.items(), 0);
        for (const Wanted& copy : wanted_) {
            ++takes[copy.to];
            ++wanted_by[copy.item];
        }
        const auto busiest = std::max_element(takes.begin(), takes.end());
        transfers.waves_at_least = waves_for(*busiest);
        transfers.reason = "GPU " + std::to_string(busiest - takes.begin()) + " takes " +
                           with_noun(static_cast<std::uint64_t>(*busiest), "copy", "copies");
        for (ItemId item = 0; item < problem_.items(); ++item) {
            if (wanted_by[item] == 0) continue;
            const auto had = static_cast<Tokens>(present_.of(item).size());
            Step waves = 0;
            for (Tokens have = had; have < had + wanted_by[item]; ++waves)
                have += have * std::min(at_once_, wanted_by[item]);
            if (waves <= transfers.waves_at_least) continue;
            transfers.waves_at_least = waves;
            transfers.reason = with_noun(static_cast<std::uint64_t>(had), "GPU has", "GPUs have") +
                               " expert " + std::to_string(item) + " at first, and " +
                               std::to_string(wanted_by[item]) + " more want it";
        }
        bound_gives(transfers, wanted_by);
    }
    void bound_gives(Transfers& transfers, const std::vector<Tokens>& wanted_by) const {
        // Each item that is wanted must be given at least once by a machine that had it at first.
        std::vector<Wanted> firsts;
        for (ItemId item = 0; item < problem_.items(); ++item)
            if (wanted_by[item] > 0) firsts.push_back({item, problem_.machines});
        while (true) {
            const SourceFlow flow(*this, present_, firsts, transfers.waves_at_least);
            const optimum::Flow most = optimum::maximum_flow(flow.network);
            if (most.value == static_cast<std::int64_t>(firsts.size())) return;
            // The items in the cut are only on its machines, which are too few.
            std::uint64_t items = 0;
            std::uint64_t machines = 0;
            for (std::size_t i = 0; i < firsts.size(); ++i)
                items += most.source_side[i];
            for (MachineId machine = 0; machine < problem_.machines; ++machine)
                machines += most.source_side[firsts.size() + machine];
            transfers.waves_at_least = std::max(
                transfers.waves_at_least + 1,
                waves_for(ceil_divide(static_cast<Tokens>(items), static_cast<Tokens>(machines))));
            transfers.reason = with_noun(items, "expert", "experts") + " must be given by " +
                               with_noun(machines, "GPU", "GPUs") +
                               ", since no others had them at first";
        }
    }

    /// Who gives which copy, as a flow: copies, then machines.
    struct SourceFlow {
        SourceFlow(const TransferPlanner& planner, const Holders& holders,
                   const std::vector<Wanted>& copies, Step waves) {
            const Problem& problem = planner.problem_;
            const auto count = static_cast<optimum::FlowNode>(copies.size());
            network.nodes = count + problem.machines + 2;
            network.source = count + problem.machines;
            network.sink = network.source + 1;
            for (optimum::FlowNode i = 0; i < count; ++i) {
                add(network.source, i, 1, 0);
                for (const MachineId from : holders.of(copies[i].item)) {
                    const bool across = copies[i].to < problem.machines &&
                                        problem.host_of(from) != problem.host_of(copies[i].to);
                    add(i, count + from, 1, across ? 1 : 0);
                }
            }
            const Tokens most = checked_multiply(planner.at_once_, static_cast<Tokens>(waves));
            for (MachineId machine = 0; machine < problem.machines; ++machine)
                add(count + machine, network.sink, most, 0);
        }
        void add(optimum::FlowNode from, optimum::FlowNode to, Tokens most, std::int64_t price) {
            network.add_arc(from, to, most);
            cost.push_back(price);
        }
        optimum::FlowNetwork network;
        std::vector<std::int64_t> cost;
    };

    /// The fewest waves, at least `least`, in which the holders alone can give all.
    [[nodiscard]] Step direct_waves(const Holders& holders, const std::vector<Wanted>& left,
                                    Step least) const {
        Step waves = std::max(least, takes_waves(left));
        while (optimum::maximum_flow(SourceFlow(*this, holders, left, waves).network).value <
               static_cast<std::int64_t>(left.size()))
            ++waves;
        return waves;
    }

    /// Adds what the holders give in so many waves, the fewest across hosts.
    void add_direct(std::vector<Transfer>& list, const Holders& holders,
                    const std::vector<Wanted>& left, Step first, Step waves) const {
        const SourceFlow flow(*this, holders, left, waves);
        const optimum::CheapestFlow cheapest =
            optimum::cheapest_flow(flow.network, flow.cost, static_cast<std::int64_t>(left.size()));
        EQUIPOISE_ASSERT(cheapest.feasible);
        std::map<std::pair<MachineId, MachineId>, std::vector<ItemId>> items;
        for (std::size_t arc = 0; arc < cheapest.by_arc.size(); ++arc) {
            if (cheapest.by_arc[arc] == 0 || flow.network.from[arc] >= left.size()) continue;
            const Wanted& copy = left[flow.network.from[arc]];
            const auto from = static_cast<MachineId>(flow.network.to[arc] - left.size());
            items[{from, copy.to}].push_back(copy.item);
        }
        std::vector<optimum::FatMove> bundles;
        for (const auto& [ends, copies] : items)
            bundles.push_back({ends.first, ends.second, static_cast<Tokens>(copies.size())});
        const std::vector<Tokens> rates(problem_.machines, at_once_);
        const auto split = optimum::split_into_waves(std::move(bundles), waves, rates, rates);
        for (Step wave = 0; wave < split.size(); ++wave)
            for (const auto& [from, to, tokens] : split[wave])
                for (Tokens i = 0; i < tokens; ++i) {
                    std::vector<ItemId>& copies = items[{from, to}];
                    list.push_back({first + wave, copies.back(), from, to});
                    copies.pop_back();
                }
    }

    /// Fills a wave with as many transfers as there can be, those first whose items few have and
    /// many want and those to machines that want most.
    void spread_wave(std::vector<Transfer>& list, Holders& holders, std::vector<Wanted>& left,
                     Step wave) const {
        const std::vector<std::int64_t> cost = costs_of(holders, left);
        optimum::FlowNetwork network;
        std::vector<std::int64_t> costs;
        const auto count = static_cast<optimum::FlowNode>(left.size());
        const auto add = [&](optimum::FlowNode from, optimum::FlowNode to, Tokens most,
                             std::int64_t price) {
            network.add_arc(from, to, most);
            costs.push_back(price);
        };
        // Machines that take; copies, entered and left; machines that give.
        const optimum::FlowNode givers = problem_.machines + count;
        network.nodes = givers + problem_.machines + 2;
        network.source = givers + problem_.machines;
        network.sink = network.source + 1;
        for (MachineId machine = 0; machine < problem_.machines; ++machine) {
            add(network.source, machine, at_once_, 0);
            add(givers + machine, network.sink, at_once_, 0);
        }
        for (optimum::FlowNode i = 0; i < count; ++i) {
            add(left[i].to, problem_.machines + i, 1, cost[i]);
            for (const MachineId from : holders.of(left[i].item))
                add(problem_.machines + i, givers + from, 1,
                    problem_.host_of(from) == problem_.host_of(left[i].to) ? 0 : 1);
        }
        const std::int64_t most = optimum::maximum_flow(network).value;
        const optimum::CheapestFlow flow = optimum::cheapest_flow(network, costs, most);
        EQUIPOISE_ASSERT(flow.feasible && most > 0);
        std::vector<bool> sent(left.size(), false);
        for (std::size_t arc = 0; arc < flow.by_arc.size(); ++arc) {
            const optimum::FlowNode tail = network.from[arc];
            if (flow.by_arc[arc] == 0 || tail < problem_.machines || tail >= givers) continue;
            const std::size_t copy = tail - problem_.machines;
            sent[copy] = true;
            list.push_back({wave, left[copy].item, network.to[arc] - givers, left[copy].to});
        }
        std::vector<Wanted> rest;
        for (std::size_t copy = 0; copy < left.size(); ++copy) {
            if (sent[copy])
                holders.add(left[copy].item, left[copy].to);
            else
                rest.push_back(left[copy]);
        }
        left = std::move(rest);
    }

    /// By copy, what it costs to send it: less the more urgent it is.
    [[nodiscard]] std::vector<std::int64_t> costs_of(const Holders& holders,
                                                     const std::vector<Wanted>& left) const {
        std::vector<Tokens> takes(problem_.machines, 0);
        std::vector<Tokens> wanted_by(problem_.items(), 0);
        for (const Wanted& copy : left) {
            ++takes[copy.to];
            ++wanted_by[copy.item];
        }
        // What machines must give if each item's holders share in it.
        std::vector<Tokens> gives(problem_.machines, 0);
        const auto asked = [&](ItemId item) {
            return 16 * wanted_by[item] / static_cast<Tokens>(holders.of(item).size());
        };
        for (ItemId item = 0; item < problem_.items(); ++item)
            if (wanted_by[item] > 0)
                for (const MachineId machine : holders.of(item))
                    gives[machine] += asked(item);
        std::vector<Tokens> urgency;
        for (const Wanted& copy : left) {
            Tokens giver = tokens_max;
            for (const MachineId machine : holders.of(copy.item))
                giver = std::min(giver, gives[machine]);
            urgency.push_back(8 * asked(copy.item) + giver + 16 * takes[copy.to]);
        }
        const Tokens most = *std::max_element(urgency.begin(), urgency.end());
        for (Tokens& value : urgency)
            value = 4 * (most - value);
        return urgency;
    }

    /// Orders the list; where a machine of the same host has an item by then and gives less than it
    /// can, it gives it.
    void finish(Transfers& transfers) const {
        std::vector<Transfer>& list = transfers.list;
        std::sort(list.begin(), list.end(), [](const Transfer& a, const Transfer& b) {
            return std::tuple(a.wave, a.to, a.item) < std::tuple(b.wave, b.to, b.item);
        });
        Holders holders = present_;
        for (std::size_t begin = 0, end = 0; begin < list.size(); begin = end) {
            std::vector<Tokens> given(problem_.machines, 0);
            for (end = begin; end < list.size() && list[end].wave == list[begin].wave; ++end)
                ++given[list[end].from];
            for (std::size_t i = begin; i < end; ++i) {
                Transfer& transfer = list[i];
                const std::uint32_t host = problem_.host_of(transfer.to);
                if (problem_.host_of(transfer.from) == host) continue;
                for (const MachineId machine : holders.of(transfer.item)) {
                    if (problem_.host_of(machine) != host || given[machine] == at_once_) continue;
                    --given[transfer.from];
                    ++given[machine];
                    transfer.from = machine;
                    break;
                }
            }
            for (std::size_t i = begin; i < end; ++i)
                holders.add(list[i].item, list[i].to);
        }
        transfers.waves = list.back().wave + 1;
    }

    const Problem& problem_;
    Holders present_;
    std::vector<Wanted> wanted_;
    Tokens at_once_;
};

}  // namespace

Transfers plan_transfers(const Problem& problem, const std::vector<ItemId>& placement,
                         Tokens at_once) {
    EQUIPOISE_ASSERT(placement.size() == problem.all_slots() && at_once > 0);
    Holders present = present_holders(problem);
    std::vector<Wanted> wanted = wanted_of(problem, placement, present);
    return TransferPlanner(problem, std::move(present), std::move(wanted), at_once).plan();
}

}  // namespace equipoise::replication
