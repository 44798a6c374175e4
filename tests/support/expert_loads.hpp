#pragma once
// Measured loads of experts, and the published rule that places them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "equipoise/replication/problem.hpp"

namespace equipoise::test {

/// The layers with loads of a recording in `../shared/data/experts`, as units of which a layer has
/// some 2^50; nothing where the file is not there.
inline std::optional<std::vector<std::vector<Tokens>>> expert_loads(const std::string& name) {
    std::ifstream file(EQUIPOISE_SOURCE_DIR "/../shared/data/experts/" + name + ".json");
    if (!file) return std::nullopt;
    std::stringstream stream;
    stream << file.rdbuf();
    const std::string text = stream.str();
    std::vector<std::vector<Tokens>> layers;
    // One list of numbers in brackets a layer, in a list.
    for (std::size_t at = text.find('[') + 1; (at = text.find('[', at)) != std::string::npos;) {
        std::vector<double> row;
        while (text[at] != ']') {
            char* end = nullptr;
            row.push_back(std::strtod(&text[at + 1], &end));
            at = static_cast<std::size_t>(end - text.data());
        }
        const double sum = std::accumulate(row.begin(), row.end(), 0.0);
        if (sum == 0) continue;
        layers.emplace_back();
        for (const double load : row)
            layers.back().push_back(std::llround(load / sum * 0x1p50));
    }
    return layers;
}

/// The rule that serving systems use, from its description: groups to hosts, then a copy at a time
/// to the item whose copies carry most, then copies to machines; both packings give the heaviest to
/// the least loaded that has room. It does not know what is there, and may put an item twice on a
/// machine.
class PublishedRule {
  public:
    static std::vector<replication::ItemId> place(const replication::Problem& problem) {
        const std::uint32_t hosts = problem.groups == 0 ? 1 : problem.hosts;
        const std::uint32_t groups = std::max(problem.groups, std::uint32_t{1});
        const std::uint32_t size = problem.items() / groups;
        std::vector<double> group_loads(groups, 0);
        for (replication::ItemId item = 0; item < problem.items(); ++item)
            group_loads[item / size] += static_cast<double>(problem.loads[item]);
        const auto groups_of_host = pack(group_loads, hosts);
        std::vector<replication::ItemId> placement;
        for (const auto& own : groups_of_host) {
            std::vector<replication::ItemId> items;
            for (const std::size_t group : own)
                for (std::size_t item = group * size; item < (group + 1) * size; ++item)
                    items.push_back(static_cast<replication::ItemId>(item));
            std::sort(items.begin(), items.end());
            place_on_host(problem, items, problem.machines / hosts, placement);
        }
        return placement;
    }

  private:
    /// As many on each place; for each place, what is on it.
    static std::vector<std::vector<std::size_t>> pack(const std::vector<double>& loads,
                                                      std::size_t places) {
        std::vector<std::size_t> order(loads.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return loads[a] > loads[b]; });
        std::vector<std::vector<std::size_t>> on(places);
        std::vector<double> held(places, 0);
        for (const std::size_t each : order) {
            std::size_t best = places;
            for (std::size_t place = 0; place < places; ++place)
                if (on[place].size() < loads.size() / places &&
                    (best == places || held[place] < held[best]))
                    best = place;
            on[best].push_back(each);
            held[best] += loads[each];
        }
        return on;
    }

    static void place_on_host(const replication::Problem& problem,
                              const std::vector<replication::ItemId>& items, std::size_t machines,
                              std::vector<replication::ItemId>& placement) {
        std::vector<double> copies(items.size(), 1);
        std::vector<std::size_t> slots(items.size());
        std::iota(slots.begin(), slots.end(), std::size_t{0});
        const auto each = [&](std::size_t i) {
            return static_cast<double>(problem.loads[items[i]]) / copies[i];
        };
        while (slots.size() < machines * problem.slots) {
            std::size_t most = 0;
            for (std::size_t i = 1; i < items.size(); ++i)
                if (each(i) > each(most)) most = i;
            slots.push_back(most);
            ++copies[most];
        }
        std::vector<double> loads;
        for (const std::size_t i : slots)
            loads.push_back(each(i));
        for (const auto& machine : pack(loads, machines))
            for (const std::size_t slot : machine)
                placement.push_back(items[slots[slot]]);
    }
};

}  // namespace equipoise::test
