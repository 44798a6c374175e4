#include "equipoise/catalogue/registry/common/deal_links.hpp"

#include <algorithm>

#include "equipoise/base/error.hpp"

namespace equipoise::catalogue {

namespace {

constexpr unsigned labelled_capacity_max = programs::LabelledLink::capacity_max;

}  // namespace

Parameter link_parameter() {
    return word_parameter(
        "link", {"auto", "labelled", "numbered"},
        "how packets are told apart: labelled (self-stabilising, for channels of bounded "
        "capacity), numbered (for any channels, from a clean start) or auto (labelled where "
        "--faults gives a capacity)");
}

Parameter period_parameter() {
    return whole_parameter("period", "8", {1, 1'000'000},
                           "ticks of silence after which packets are repeated, on average; with "
                           "--ports 1 it is raised to at least 4 d times the packets of an offer");
}

bool has_labelled_links(const Task& task, const engine::FaultPlan& faults) {
    const std::string& link = task.parameters.word("link");
    return link == "labelled" ||
           (link == "auto" && faults.capacity > 0 && faults.capacity <= labelled_capacity_max);
}

void expect_links_supported(const std::string& algorithm, const Task& task,
                            const engine::FaultPlan& faults) {
    const auto refuse = [&](const std::string& what) {
        throw UnsuitableError(algorithm + ": " + what);
    };
    const std::string most = std::to_string(labelled_capacity_max);
    if (!has_labelled_links(task, faults)) {
        if (faults.corrupt_start)
            refuse(
                "numbered packets do not tolerate an arbitrary start; expected link=labelled and a "
                "capacity of 1 to " +
                most + " with corrupt-start");
        return;
    }
    if (faults.capacity > labelled_capacity_max)
        refuse("labelled packets need channels of capacity 1 to " + most + ", found " +
               std::to_string(faults.capacity));
    if (faults.capacity == 0 && (faults.duplicate > 0 || faults.reorder > 0))
        refuse(
            "labelled packets tolerate duplicates and reordering only in channels of bounded "
            "capacity; expected capacity=K in --faults, or link=numbered");
}

Tokens room_for_offers(const Task& task, const engine::FaultPlan& faults) {
    constexpr Tokens least = 4096;
    if (!faults.corrupt_start) return tokens_max;
    return std::clamp(2 * load::total(task.loads), least, tokens_max);
}

model::Ticks period_of_packets(const Task& task, const engine::SimulationOptions& asynchrony,
                               unsigned packets) {
    const model::Ticks asked = task.parameters.whole("period");
    if (!asynchrony.single_port) return asked;
    const model::Ticks degree = all_channels(task.facts).degree_max();
    return std::max(asked, 4 * degree * packets);
}

}  // namespace equipoise::catalogue
