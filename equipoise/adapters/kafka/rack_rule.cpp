#include "equipoise/adapters/kafka/rack_rule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::kafka {

using reassign::Label;
using reassign::MachineId;
using reassign::no_value;
using reassign::Problem;
using reassign::Spread;

namespace {

/// The label of racks, if some broker has one and no rule speaks of them.
std::optional<std::size_t> free_racks(const Problem& problem) {
    const auto racks = find_label(problem.machine_labels, "rack");
    if (!racks || problem.machine_labels[*racks].values.size() == 0) return std::nullopt;
    const auto speaks_of_racks = [&](const Spread& rule) { return rule.machine_label == *racks; };
    if (std::any_of(problem.spread.begin(), problem.spread.end(), speaks_of_racks))
        return std::nullopt;
    return racks;
}

/// The racks of brokers that may take replicas.
std::uint32_t taking_racks(const Problem& problem, const Label& racks) {
    std::vector<bool> taking(racks.values.size(), false);
    for (MachineId machine = 0; machine < problem.known_machines(); ++machine)
        if (racks.of[machine] != no_value && problem.may_take(machine))
            taking[racks.of[machine]] = true;
    return static_cast<std::uint32_t>(std::count(taking.begin(), taking.end(), true));
}

[[noreturn]] void fail_without_rack(const Problem& problem, MachineId machine,
                                    const std::string& machines) {
    const std::string name = printable(problem.machine_name(machine));
    const bool holds =
        std::find(problem.places.begin(), problem.places.end(), machine) != problem.places.end();
    throw InputError(machines + ": expected the rack of every broker, found none of broker " +
                     name + (holds ? ", which holds replicas" : "") +
                     " (--spread none plans without racks, --drain " + name +
                     (holds ? " empties it)" : " keeps it empty)"));
}

}  // namespace

void add_rack_rule(Problem& problem, const std::string& machines, std::vector<std::string>& notes) {
    const auto racks = free_racks(problem);
    if (!racks) return;
    const Label& label = problem.machine_labels[*racks];
    for (MachineId machine = 0; machine < problem.known_machines(); ++machine)
        if (label.of[machine] == no_value && !problem.drained[machine])
            fail_without_rack(problem, machine, machines);
    const std::uint32_t count = taking_racks(problem, label);
    if (count < 2) return;
    problem.spread.push_back({0, *racks, count});
    notes.push_back("each partition is kept on all " + std::to_string(count) +
                    " racks, or on as many as it has replicas, as Kafka places it "
                    "(--spread none: anywhere)");
}

void note_target_without_rack_rule(const Problem& problem, std::vector<std::string>& notes) {
    const auto racks = free_racks(problem);
    if (!racks || taking_racks(problem, problem.machine_labels[*racks]) < 2) return;
    notes.emplace_back(
        "the target is taken as it is: on the way a partition may be on fewer racks "
        "(--spread item:rack keeps it on all)");
}

}  // namespace equipoise::kafka
