#include "benchmarks/reassign/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "benchmarks/reassign/peers.hpp"
#include "equipoise/base/random.hpp"

namespace equipoise::benchmarks {

namespace {

using reassign::MachineId;
using reassign::Problem;

constexpr std::uint32_t partitions_a_broker = 10;
constexpr std::uint32_t topic_most = 50;
constexpr double median_bytes = 4e9;

Tokens log_normal(RandomStream& draw) {
    const double radius = std::sqrt(-2 * std::log(1 - draw.unit()));
    const double bell = radius * std::cos(2 * std::numbers::pi * draw.unit());
    return static_cast<Tokens>(median_bytes * std::exp(bell));
}

void add_brokers(Problem& problem, std::uint32_t brokers, std::uint32_t racks,
                 std::uint32_t drained) {
    reassign::Label rack{"rack", {}, {}};
    for (std::uint32_t broker = 0; broker < brokers; ++broker) {
        problem.machines.number_of(std::to_string(broker));
        rack.of.push_back(rack.values.number_of("r" + std::to_string(broker % racks)));
        problem.drained.push_back(broker < drained);
    }
    problem.machine_labels.push_back(std::move(rack));
    problem.pinned.assign(brokers, false);
    problem.speeds.assign(brokers, 1);
    problem.capacities.assign(std::size_t{brokers} * 2, tokens_max);
    problem.thresholds = problem.capacities;
}

void add_replica(Problem& problem, const std::string& partition, const std::string& topic,
                 MachineId broker, Tokens bytes) {
    problem.thing.push_back(problem.things.number_of(partition));
    problem.item_labels[0].of.push_back(problem.item_labels[0].values.number_of(partition));
    problem.item_labels[1].of.push_back(problem.item_labels[1].values.number_of(topic));
    problem.places.push_back(broker);
    problem.amounts.push_back(1);
    problem.amounts.push_back(bytes);
}

}  // namespace

Problem kafka_cluster(std::uint32_t brokers, std::uint32_t racks, const Change& change,
                      std::uint64_t seed) {
    Problem problem;
    problem.resources = {{"items"}, {"bytes"}};
    problem.resources[bytes_resource].in_bytes = true;
    problem.item_labels = {{"item", {}, {}}, {"topic", {}, {}}};
    const std::uint32_t added = brokers * change.added / 100;
    add_brokers(problem, brokers + added, racks, brokers * change.drained / 100);

    std::vector<std::uint32_t> present(brokers);
    for (std::uint32_t broker = 0; broker < brokers; ++broker)
        present[broker] = broker;
    const GeneratorRule rule(present, problem.machine_labels[0].of);
    RandomStream draw(seed, Purpose::sampling);
    std::uint32_t left = brokers * partitions_a_broker;
    for (std::uint32_t topic = 0; left > 0; ++topic) {
        const auto partitions =
            std::min(left, static_cast<std::uint32_t>(1 + draw.below(topic_most)));
        left -= partitions;
        const std::string name = "topic" + std::to_string(topic);
        const auto places = rule.place(partitions, replicas_each, draw);
        for (std::uint32_t partition = 0; partition < partitions; ++partition) {
            const Tokens bytes = log_normal(draw);
            for (const std::uint32_t broker : places[partition])
                add_replica(problem, name + '-' + std::to_string(partition), name, broker, bytes);
        }
    }
    problem.apart.push_back({0});
    problem.spread.push_back({0, 0, 0});
    problem.level.push_back({bytes_resource});
    problem.fewest = bytes_resource;
    problem.copied = bytes_resource;
    problem.at_once = 10;
    problem.check();
    return problem;
}

}  // namespace equipoise::benchmarks
