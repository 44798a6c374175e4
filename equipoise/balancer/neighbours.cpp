#include "equipoise/balancer/neighbours.hpp"

#include <algorithm>
#include <cmath>

#include "equipoise/balancer/planning/flow_rounds.hpp"
#include "equipoise/balancer/planning/layout.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::balancer {

namespace {

load::Loads whole_numbers(std::span<const double> speeds) {
    load::Loads whole;
    for (const double speed : speeds) {
        if (speed != std::floor(speed) || speed < 1 || speed > 1e9)
            throw InputError("neighbours-only takes speeds that are whole numbers up to 10^9");
        whole.push_back(static_cast<Tokens>(speed));
    }
    return whole;
}

}  // namespace

void plan_over_links(const std::vector<Ends>& links, std::span<const Tokens> counts,
                     std::span<const double> speeds, const std::string& algorithm,
                     Plan::Data& plan) {
    const network::Network network(static_cast<NodeId>(counts.size()), links);
    catalogue::RunOptions options;
    options.record_level = model::RecordLevel::full;
    options.speeds = whole_numbers(speeds);
    const load::Loads loads(counts.begin(), counts.end());
    const catalogue::Outcome outcome = catalogue::run(algorithm, network, loads, options);
    const bool items_survive = outcome.record.load_scale == 1 && outcome.record.created.empty() &&
                               outcome.record.destroyed.empty() &&
                               std::all_of(outcome.loads().begin(), outcome.loads().end(),
                                           [](Tokens load) { return load >= 0; });
    if (!items_survive)
        throw InputError(
            algorithm +
            " uses fractions of items, dummies or debts, which real items do not allow");

    std::vector<Transfer> transfers;
    transfers.reserve(outcome.record.transfers.size());
    for (const model::Transfer& transfer : outcome.record.transfers)
        transfers.push_back(
            {static_cast<int>(transfer.from), static_cast<int>(transfer.to), transfer.tokens});
    const int rank = plan.communicator.rank();
    Tokens size = plan.size_before;
    for (const auto& round : rounds_of(net_flows(transfers), counts)) {
        plan.rounds.push_back(layout_at_end(round, rank, size));
        size = plan.rounds.back().size_after;
        plan.transfers.insert(plan.transfers.end(), round.begin(), round.end());
    }
}

}  // namespace equipoise::balancer
