#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::reassign {

namespace {

/// Throws InputError for a name that partitions do not have.
void expect_partitions_have(const std::string& file, const NamedColumn& wanted, bool is_there,
                            const std::string& remedy) {
    if (is_there) return;
    throw InputError(file + ": expected a column \"" + printable(wanted.name) + "\", which " +
                     wanted.by + " names, found Kafka's partitions, " + remedy);
}

}  // namespace

void take_partitions(const load::Items& items, const std::string& file, const Columns& columns,
                     Problem& problem, ReadTables& read) {
    read.items_file = file;
    const auto is_label = [](const std::string& name) {
        const std::string lower = lower_case(name);
        return lower == "item" || lower == "topic";
    };
    const std::string labels = "whose labels are item and topic";
    for (const NamedColumn& label : columns.item_labels)
        expect_partitions_have(file, label, is_label(label.name), labels);
    for (const NamedColumn& label : columns.labels)
        read.labels_found.push_back(is_label(label.name));
    if (columns.depends) expect_partitions_have(file, {"depends", "--near"}, false, labels);
    if (columns.cost) expect_partitions_have(file, *columns.cost, false, labels);
    for (const NamedColumn& resource : columns.resources) {
        const std::string lower = lower_case(resource.name);
        const bool is_sized = lower == "bytes" && !items.sizes.empty();
        expect_partitions_have(file, resource, lower == "items" || lower == "moves" || is_sized,
                               "whose resource is bytes, with --log-dirs");
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
    problem.item_labels = {Label{"item", items.things, items.thing}, Label{"topic", {}, {}}};
    Label& topic = problem.item_labels.back();
    std::vector<ValueId> topic_of;
    for (std::uint32_t thing = 0; thing < items.things.size(); ++thing) {
        const std::string_view name = items.things.name(thing);
        topic_of.push_back(topic.values.number_of(name.substr(0, name.rfind('-'))));
    }
    for (const std::uint32_t thing : items.thing)
        topic.of.push_back(topic_of[thing]);
}

}  // namespace equipoise::reassign
