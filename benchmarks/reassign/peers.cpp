#include "benchmarks/reassign/peers.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>

#include "benchmarks/reassign/clusters.hpp"

namespace equipoise::benchmarks {

namespace {

using reassign::ItemId;
using reassign::MachineId;
using reassign::Problem;
using reassign::ValueId;

/// One broker of each rack in turn.
std::vector<std::uint32_t> racks_in_turn(const std::vector<std::uint32_t>& brokers,
                                         const std::vector<std::uint32_t>& racks) {
    std::vector<std::vector<std::uint32_t>> in_rack;
    for (const std::uint32_t broker : brokers) {
        if (in_rack.size() <= racks[broker]) in_rack.resize(racks[broker] + std::size_t{1});
        in_rack[racks[broker]].push_back(broker);
    }
    std::vector<std::uint32_t> listed;
    for (std::size_t row = 0; listed.size() < brokers.size(); ++row)
        for (const std::vector<std::uint32_t>& rack : in_rack)
            if (row < rack.size()) listed.push_back(rack[row]);
    return listed;
}

/// The state of a greedy mover.
class Greedy {
  public:
    explicit Greedy(const Problem& problem)
        : problem_(problem),
          places_(problem.places),
          limits_(problem.level_limits(problem.level.front())),
          held_(problem.machine_count(), 0),
          on_(problem.machine_count()),
          of_thing_(problem.things.size()) {
        for (ItemId item = 0; item < problem.item_count(); ++item) {
            held_[places_[item]] += bytes(item);
            on_[places_[item]].insert({-bytes(item), item});
            of_thing_[problem.thing[item]].push_back(item);
        }
    }

    std::vector<MachineId> run() {
        for (MachineId broker = 0; broker < problem_.machine_count(); ++broker)
            while (problem_.drained[broker] && !on_[broker].empty())
                if (!move_to_emptiest(on_[broker].begin()->second, tokens_max)) break;
        while (level_one()) {
        }
        return std::move(places_);
    }

  private:
    [[nodiscard]] Tokens bytes(ItemId item) const { return problem_.amount(item, bytes_resource); }

    /// Whether rules allow the replica on the broker: no other one of its partition in that rack.
    [[nodiscard]] bool allowed(ItemId item, MachineId broker) const {
        if (!problem_.may_be_on(item, broker)) return false;
        const std::vector<ValueId>& racks = problem_.machine_labels[0].of;
        return std::ranges::none_of(of_thing_[problem_.thing[item]], [&](ItemId other) {
            return other != item && racks[places_[other]] == racks[broker];
        });
    }

    /// Onto the allowed broker that holds least, if it then holds at most `most`.
    bool move_to_emptiest(ItemId item, Tokens most) {
        MachineId best = reassign::no_machine;
        for (MachineId broker = 0; broker < problem_.machine_count(); ++broker)
            if (broker != places_[item] && allowed(item, broker) &&
                (best == reassign::no_machine || held_[broker] < held_[best]))
                best = broker;
        if (best == reassign::no_machine || held_[best] + bytes(item) > most) return false;
        const MachineId from = places_[item];
        on_[from].erase({-bytes(item), item});
        held_[from] -= bytes(item);
        places_[item] = best;
        on_[best].insert({-bytes(item), item});
        held_[best] += bytes(item);
        return true;
    }

    /// Moves one replica off the fullest broker that is not level and can give one.
    bool level_one() {
        std::vector<MachineId> order(problem_.machine_count());
        std::iota(order.begin(), order.end(), MachineId{0});
        std::erase_if(order, [&](MachineId broker) { return held_[broker] <= limits_[broker]; });
        std::ranges::sort(order, [&](MachineId a, MachineId b) { return held_[a] > held_[b]; });
        for (const MachineId broker : order)
            for (const auto& [negative, item] : on_[broker])
                if (move_to_emptiest(item, held_[broker] - 1)) return true;
        return false;
    }

    const Problem& problem_;
    std::vector<MachineId> places_;
    std::vector<Tokens> limits_;
    std::vector<Tokens> held_;
    std::vector<std::set<std::pair<Tokens, ItemId>>> on_;  ///< by broker, the largest first
    std::vector<std::vector<ItemId>> of_thing_;
};

}  // namespace

GeneratorRule::GeneratorRule(const std::vector<std::uint32_t>& brokers,
                             const std::vector<std::uint32_t>& racks)
    : listed_(racks_in_turn(brokers, racks)), racks_(racks) {
    const std::set<std::uint32_t> different = [&] {
        std::set<std::uint32_t> values;
        for (const std::uint32_t broker : brokers)
            values.insert(racks[broker]);
        return values;
    }();
    rack_count_ = different.size();
}

std::vector<std::uint32_t> GeneratorRule::replicas_of(std::size_t first, std::size_t shift,
                                                      std::size_t replicas) const {
    const std::size_t brokers = listed_.size();
    std::vector<std::uint32_t> chosen = {listed_[first]};
    std::set<std::uint32_t> racks = {racks_[chosen[0]]};
    for (std::size_t step = 0; chosen.size() < std::min(replicas, brokers); ++step) {
        const std::size_t distance = 1 + (shift * rack_count_ + step) % (brokers - 1);
        const std::uint32_t broker = listed_[(first + distance) % brokers];
        if (std::ranges::find(chosen, broker) != chosen.end()) continue;
        if (racks.contains(racks_[broker]) && racks.size() < rack_count_) continue;
        chosen.push_back(broker);
        racks.insert(racks_[broker]);
    }
    return chosen;
}

std::vector<std::vector<std::uint32_t>> GeneratorRule::place(std::uint32_t partitions,
                                                             std::size_t replicas,
                                                             RandomStream& draw) const {
    const std::size_t start = draw.below(listed_.size());
    std::size_t shift = draw.below(listed_.size());
    std::vector<std::vector<std::uint32_t>> places;
    for (std::uint32_t partition = 0; partition < partitions; ++partition) {
        if (partition > 0 && partition % listed_.size() == 0) ++shift;
        places.push_back(replicas_of((partition + start) % listed_.size(), shift, replicas));
    }
    return places;
}

std::vector<MachineId> generated_places(const Problem& problem, std::uint64_t seed) {
    std::vector<std::uint32_t> brokers;
    for (MachineId broker = 0; broker < problem.machine_count(); ++broker)
        if (problem.may_take(broker)) brokers.push_back(broker);
    const GeneratorRule rule(brokers, problem.machine_labels[0].of);
    RandomStream draw(seed, Purpose::schedule);
    std::vector<MachineId> places(problem.item_count());
    const std::vector<ValueId>& topics = problem.item_labels[1].of;
    for (ItemId first = 0; first < problem.item_count();) {
        ItemId end = first;
        while (end < problem.item_count() && topics[end] == topics[first])
            ++end;
        const auto partitions = static_cast<std::uint32_t>((end - first) / replicas_each);
        const auto chosen = rule.place(partitions, replicas_each, draw);
        for (std::uint32_t partition = 0; partition < partitions; ++partition) {
            // A replica that stays costs nothing: brokers that have one already keep it.
            const ItemId at = first + partition * static_cast<ItemId>(replicas_each);
            std::vector<std::uint32_t> others = chosen[partition];
            std::vector<ItemId> moving;
            for (ItemId item = at; item < at + replicas_each; ++item) {
                const auto kept = std::ranges::find(others, problem.places[item]);
                if (kept == others.end()) {
                    moving.push_back(item);
                } else {
                    places[item] = *kept;
                    others.erase(kept);
                }
            }
            for (std::size_t i = 0; i < moving.size(); ++i)
                places[moving[i]] = others[i];
        }
        first = end;
    }
    return places;
}

std::vector<MachineId> greedy_places(const Problem& problem) {
    return Greedy(problem).run();
}

}  // namespace equipoise::benchmarks
