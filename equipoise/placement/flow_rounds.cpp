#include "equipoise/placement/flow_rounds.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::placement {

namespace {

using Flows = std::map<int, std::map<int, Tokens>>;  // from, to, items

// Walks along flows until it meets a rank again. Returns the circulation found, or an empty list.
std::vector<int> find_circulation(const Flows& flows) {
    enum class Mark : std::uint8_t { fresh, on_path, done };
    std::map<int, Mark> marks;
    for (const auto& [start, unused] : flows) {
        if (marks[start] != Mark::fresh) continue;
        std::vector<std::pair<int, std::map<int, Tokens>::const_iterator>> path;
        const auto enter = [&](int rank) {
            const auto found = flows.find(rank);
            if (found == flows.end()) {
                marks[rank] = Mark::done;
                return;
            }
            marks[rank] = Mark::on_path;
            path.emplace_back(rank, found->second.begin());
        };
        enter(start);
        while (!path.empty()) {
            auto& [rank, next] = path.back();
            if (next == flows.at(rank).end()) {
                marks[rank] = Mark::done;
                path.pop_back();
                continue;
            }
            const int to = (next++)->first;
            if (marks[to] == Mark::fresh)
                enter(to);
            else if (marks[to] == Mark::on_path) {
                std::vector<int> circulation;
                auto place = std::find_if(path.begin(), path.end(),
                                          [&](const auto& step) { return step.first == to; });
                for (; place != path.end(); ++place)
                    circulation.push_back(place->first);
                return circulation;
            }
        }
    }
    return {};
}

void subtract(Flows& flows, int from, int to, Tokens items) {
    Tokens& flow = flows.at(from).at(to);
    flow -= items;
    if (flow > 0) return;
    flows.at(from).erase(to);
    if (flows.at(from).empty()) flows.erase(from);
}

}  // namespace

std::vector<Transfer> net_flows(std::span<const Transfer> transfers) {
    std::map<std::pair<int, int>, Tokens> net;  // net flow from the lower to the higher rank
    for (const Transfer& transfer : transfers) {
        const bool up = transfer.from < transfer.to;
        net[std::minmax(transfer.from, transfer.to)] += up ? transfer.items : -transfer.items;
    }
    Flows flows;
    for (const auto& [ends, items] : net) {
        if (items > 0) flows[ends.first][ends.second] = items;
        if (items < 0) flows[ends.second][ends.first] = -items;
    }
    while (true) {
        const std::vector<int> circulation = find_circulation(flows);
        if (circulation.empty()) break;
        const auto next = [&](std::size_t i) { return circulation[(i + 1) % circulation.size()]; };
        Tokens items = flows.at(circulation[0]).at(next(0));
        for (std::size_t i = 1; i < circulation.size(); ++i)
            items = std::min(items, flows.at(circulation[i]).at(next(i)));
        for (std::size_t i = 0; i < circulation.size(); ++i)
            subtract(flows, circulation[i], next(i), items);
    }
    std::vector<Transfer> result;
    for (const auto& [from, receivers] : flows) {
        for (const auto& [to, items] : receivers)
            result.push_back({from, to, items});
    }
    return result;
}

std::vector<std::vector<Transfer>> rounds_of(std::span<const Transfer> flows,
                                             std::span<const Tokens> counts) {
    std::vector<Transfer> left(flows.begin(), flows.end());
    std::vector<Tokens> held(counts.begin(), counts.end());
    std::vector<std::vector<Transfer>> rounds;
    while (!left.empty()) {
        std::vector<Transfer> round;
        for (Transfer& flow : left) {
            Tokens& available = held[static_cast<std::size_t>(flow.from)];
            const Tokens items = std::min(flow.items, available);
            if (items == 0) continue;
            round.push_back({flow.from, flow.to, items});
            available -= items;
            flow.items -= items;
        }
        EQUIPOISE_ASSERT(!round.empty());
        for (const Transfer& transfer : round)
            held[static_cast<std::size_t>(transfer.to)] += transfer.items;
        std::erase_if(left, [](const Transfer& flow) { return flow.items == 0; });
        rounds.push_back(std::move(round));
    }
    return rounds;
}

}  // namespace equipoise::placement
