#pragma once
// What fuzzers feed to the readers of what Kafka's tools print.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/adapters/kafka/brokers.hpp"
#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/log_dirs.hpp"
#include "equipoise/adapters/kafka/partitions.hpp"
#include "equipoise/adapters/kafka/progress.hpp"
#include "equipoise/adapters/kafka/read_cluster.hpp"
#include "equipoise/adapters/kafka/take_partitions.hpp"
#include "equipoise/adapters/kafka/words.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/reassign/input/tables.hpp"
#include "tests/fuzz/reassign_targets.hpp"

namespace equipoise::fuzz {

/// The replicas as a document that kafka-reassign-partitions takes.
inline std::string assignment_text(const kafka::Cluster& cluster) {
    nlohmann::json partitions = nlohmann::json::array();
    for (const kafka::Partition& partition : cluster.partitions) {
        nlohmann::json replicas = nlohmann::json::array();
        for (const kafka::Replica& replica : partition.replicas)
            replicas.push_back(nlohmann::json::parse(cluster.brokers.name(replica.broker)));
        partitions.push_back({{"topic", partition.topic},
                              {"partition", partition.number},
                              {"replicas", std::move(replicas)}});
    }
    return json_text(nlohmann::json{{"version", 1}, {"partitions", std::move(partitions)}});
}

/// Every partition has replicas on different brokers; its leader and what is in sync are among
/// them.
inline void expect_consistent(const kafka::Cluster& cluster) {
    for (const kafka::Partition& partition : cluster.partitions) {
        std::vector<kafka::BrokerId> brokers;
        brokers.reserve(partition.replicas.size());
        for (const kafka::Replica& replica : partition.replicas)
            brokers.push_back(replica.broker);
        std::sort(brokers.begin(), brokers.end());
        EQUIPOISE_ASSERT(!brokers.empty() && brokers.back() < cluster.brokers.size());
        EQUIPOISE_ASSERT(std::adjacent_find(brokers.begin(), brokers.end()) == brokers.end());
        const auto holds = [&](kafka::BrokerId broker) {
            return std::binary_search(brokers.begin(), brokers.end(), broker);
        };
        EQUIPOISE_ASSERT(!partition.leader || holds(*partition.leader));
        EQUIPOISE_ASSERT(std::all_of(partition.in_sync.begin(), partition.in_sync.end(), holds));
    }
    for (const std::uint32_t number : cluster.under_way)
        EQUIPOISE_ASSERT(number < cluster.partitions.size());
}

/// What is accepted as a cluster is a problem, and is written as an assignment that is read as the
/// same.
inline void feed_cluster(std::string_view text) {
    const kafka::Cluster cluster = kafka::read_cluster(text, "fuzz");
    expect_consistent(cluster);
    const load::Items items = items_of(cluster);
    const std::string written = assignment_text(cluster);
    EQUIPOISE_ASSERT(assignment_text(kafka::read_assignment(written, "written")) == written);
    reassign::Problem problem;
    reassign::ReadTables read;
    kafka::take_partitions(cluster, "fuzz", {}, problem, read);
    no_machine_limits(problem);
    problem.check();
    EQUIPOISE_ASSERT(problem.places == items.places);
    EQUIPOISE_ASSERT(static_cast<std::size_t>(std::count(problem.leads.begin(), problem.leads.end(),
                                                         true)) == items.things.size());
}

/// Every reader of what Kafka's tools print sees the text: as a cluster, as directories of one that
/// is there, as brokers, as what has become of reassignments.
inline void feed_kafka(std::string_view text) {
    const kafka::Cluster there = kafka::read_assignment(
        R"({"partitions":[{"topic":"t","partition":0,"replicas":[1,2],"log_dirs":["any","/d"]},)"
        R"({"topic":"t-1","partition":1,"replicas":[3]}]})",
        "there");
    reads([&] { feed_cluster(text); });
    reads([&] {
        kafka::Cluster sized = there;
        kafka::read_log_dirs(text, "fuzz", sized);
        EQUIPOISE_ASSERT(!items_of(sized).sizes.empty());
        expect_consistent(sized);
    });
    reads([&] {
        std::vector<std::string> silent;
        const reassign::MachineTable table = kafka::read_brokers(text, "fuzz", {}, silent);
        reassign::Problem problem;
        reassign::ReadTables read;
        kafka::take_partitions(there, "there", {}, problem, read);
        set_machines(table, {}, problem, read);
        kafka::pin_silent_brokers(silent, "fuzz", false, problem, read.notes);
        problem.check();
    });
    reads([&] {
        kafka::Cluster told = there;
        const std::vector<kafka::Progress> progress = kafka::read_progress(text, "fuzz");
        for (const kafka::Progress& each : progress)
            EQUIPOISE_ASSERT(kafka::partition_name(each.partition));
        static_cast<void>(kafka::progress_notes(progress, "fuzz"));
        static_cast<void>(kafka::take_progress(progress, "fuzz", told));
        expect_consistent(told);
    });
    reads([&] {
        const load::Items items = items_of(there);
        for (const auto& wave : kafka::read_reassignments(text, "fuzz", items))
            for (const kafka::Replicas& replicas : wave)
                EQUIPOISE_ASSERT(replicas.thing < items.things.size() && !replicas.nodes.empty());
    });
}

}  // namespace equipoise::fuzz
