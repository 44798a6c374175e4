#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/tables/table.hpp"

#ifdef EQUIPOISE_WITH_MPI
#include "equipoise/mpi/machines.hpp"
#endif

namespace equipoise::cli {

namespace {

#ifdef EQUIPOISE_WITH_MPI

/// The ranks of a group in short form: "0-3, 6".
std::string ranges(const std::vector<int>& ranks) {
    std::string text;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(ranks[i]);
        if (last > i) text += '-' + std::to_string(ranks[last]);
        i = last + 1;
    }
    return text;
}

/// The groups of a resource, each in ascending order.
std::vector<std::vector<int>> groups_of(const mpi::SharedResource& resource) {
    std::vector<std::vector<int>> groups;
    for (int first = 0; first < static_cast<int>(resource.groups.size()); ++first) {
        std::vector<int> members;
        for (int rank = first; rank < static_cast<int>(resource.groups.size()); ++rank)
            if (resource.groups[static_cast<std::size_t>(rank)] == first) members.push_back(rank);
        if (!members.empty()) groups.push_back(std::move(members));
    }
    return groups;
}

nlohmann::ordered_json object_of(const mpi::Topology& topology) {
    nlohmann::ordered_json object = object_of_schema("equipoise-mpi-info");
    object.update({{"mpi", true},
                   {"library", topology.library},
                   {"standard", topology.standard},
                   {"ranks", topology.processors.size()},
                   {"processors", topology.processors}});
    object["not_bound"] = nlohmann::ordered_json::array();
    for (const mpi::SharedResource& resource : topology.resources) {
        if (resource.groups.empty()) {
            object["not_bound"].push_back(resource.name);
        } else {
            object["groups"][resource.name] = groups_of(resource);
        }
    }
    return object;
}

std::string text_of(const mpi::Topology& topology) {
    std::string text =
        fmt::format("{} (MPI {}), {} rank{}\n\n", topology.library, topology.standard,
                    topology.processors.size(), topology.processors.size() == 1 ? "" : "s");
    std::vector<std::vector<std::string>> machines;
    for (const std::vector<int>& group : groups_of(topology.resources.front()))
        machines.push_back({topology.processors[static_cast<std::size_t>(group.front())],
                            std::to_string(group.size()), ranges(group)});
    text +=
        report::layout({{"machine"}, {"ranks", report::Align::right}, {"which"}}, machines, true);
    std::vector<std::vector<std::string>> shared;
    for (const mpi::SharedResource& resource : topology.resources) {
        std::string groups;
        for (const std::vector<int>& group : groups_of(resource))
            groups += (groups.empty() ? "" : " | ") + ranges(group);
        const bool known = !resource.groups.empty();
        shared.push_back({resource.name, known ? std::to_string(mpi::group_count(resource)) : "-",
                          known ? std::move(groups) : "unknown: ranks are not bound to any"});
    }
    text += '\n';
    text += report::layout({{"shared"}, {"groups", report::Align::right}, {"ranks"}}, shared, true);
    return text;
}

int act(const JsonArgument& json, const Ranks& alone_or_all) {
    // Without mpirun, MPI sees a single rank.
    std::unique_ptr<Ranks> own;
    if (alone_or_all.fabric() == nullptr) own = std::make_unique<Ranks>(true);
    const Ranks& ranks = own ? *own : alone_or_all;
    const mpi::Topology topology = mpi::topology_of_all_ranks();
    ranks.first([&] {
        if (json.wanted()) json.emit(json_text(object_of(topology), 2) + '\n');
        if (!json.to_output()) print(text_of(topology));
    });
    return exit_done;
}

#else

int act(const JsonArgument& json, const Ranks& /*ranks*/) {
    nlohmann::ordered_json object = object_of_schema("equipoise-mpi-info");
    object["mpi"] = false;
    if (json.wanted()) json.emit(json_text(object, 2) + '\n');
    if (!json.to_output()) print("this program was built without MPI\n");
    return exit_done;
}

#endif

}  // namespace

void add_mpi_info(Command& program, Action& action, const Ranks& ranks) {
    Command* verb = program.add_subcommand(
        "mpi-info", "Show which ranks and machines MPI sees (under mpirun -n R)");
    const auto json = std::make_shared<JsonArgument>();
    json->add_to(*verb);
    verb->footer(
        "Examples:\n"
        "  mpirun -n 4 equipoise mpi-info\n"
        "  mpirun -n 4 equipoise mpi-info --json");
    verb->callback([json, &action, &ranks] {
        action.on_all_ranks([json, &ranks] { return act(*json, ranks); });
    });
}

}  // namespace equipoise::cli
