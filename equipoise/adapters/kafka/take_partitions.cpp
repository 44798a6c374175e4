#include "equipoise/adapters/kafka/take_partitions.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "equipoise/adapters/kafka/words.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/load/items.hpp"

namespace equipoise::kafka {

using reassign::Columns;
using reassign::expect_column_there;
using reassign::Label;
using reassign::NamedColumn;
using reassign::Problem;
using reassign::ReadTables;
using reassign::Release;
using reassign::Resource;

void take_brokers(const reassign::MachineTable& table, Cluster& cluster) {
    cluster.forget_brokers_without_replicas();
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const std::string& broker = table.rows[row][table.machine];
        if (!is_broker_id(broker))
            throw InputError::at(table.file, table.lines[row],
                                 "the id of a broker, a whole number of at most " +
                                     std::to_string(broker_id_max) + " without leading zeros",
                                 broker);
        static_cast<void>(cluster.brokers.number_of(broker));
    }
}

void take_partitions(const Cluster& cluster, const std::string& file, const Columns& columns,
                     Problem& problem, ReadTables& read) {
    const load::Items items = items_of(cluster);
    read.items_file = file;
    const auto is_label = [](const std::string& name) {
        const std::string lower = lower_case(name);
        return lower == "item" || lower == "topic";
    };
    const std::string labels = "Kafka's partitions, whose labels are item and topic";
    for (const NamedColumn& label : columns.item_labels)
        expect_column_there(file, label, is_label(label.name), labels);
    for (const NamedColumn& label : columns.labels)
        read.labels_found.push_back(is_label(label.name));
    if (columns.depends) expect_column_there(file, {"depends", "--near"}, false, labels);
    if (columns.cost) expect_column_there(file, *columns.cost, false, labels);
    for (const NamedColumn& resource : columns.resources) {
        const std::string lower = lower_case(resource.name);
        const bool is_sized = lower == "bytes" && !items.sizes.empty();
        expect_column_there(file, resource, lower == "items" || lower == "moves" || is_sized,
                            "Kafka's partitions, whose resource is bytes, with --log-dirs");
    }
    problem.things = items.things;
    problem.thing = items.thing;
    problem.machines = items.nodes;
    problem.places = items.places;
    problem.resources = {Resource{"items", 0, Release::after_wave, false}};
    if (!items.sizes.empty()) problem.resources.push_back({"bytes", 0, Release::after_wave, true});
    read.without_unit.assign(problem.resources.size(), false);
    for (std::uint32_t copy = 0; copy < items.count(); ++copy) {
        problem.amounts.push_back(1);
        if (!items.sizes.empty()) problem.amounts.push_back(items.sizes[copy]);
    }
    problem.leads.assign(items.count(), false);
    problem.item_labels = {Label{"item", items.things, items.thing}, Label{"topic", {}, {}}};
    Label& topic = problem.item_labels.back();
    std::size_t first = 0;
    for (const Partition& partition : cluster.partitions) {
        problem.leads[first + partition.leading_replica()] = true;
        first += partition.replicas.size();
        topic.of.insert(topic.of.end(), partition.replicas.size(),
                        topic.values.number_of(partition.topic));
    }
}

}  // namespace equipoise::kafka
