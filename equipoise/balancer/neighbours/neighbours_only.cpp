#include "equipoise/balancer/neighbours/neighbours_only.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

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

std::vector<Transfer> transfers_over_links(const std::vector<Ends>& links,
                                           std::span<const Tokens> counts,
                                           std::span<const double> speeds,
                                           const std::string& algorithm) {
    const network::Network network(static_cast<NodeId>(counts.size()), links);
    catalogue::RunOptions options;
    options.record_level = model::RecordLevel::full;
    options.speeds = whole_numbers(speeds);
    const load::Loads loads(counts.begin(), counts.end());
    const catalogue::Outcome outcome = catalogue::run(algorithm, network, loads, options);
    const model::Record& record = outcome.record;
    const bool items_survive = record.load_scale == 1 && record.created.empty() &&
                               record.destroyed.empty() &&
                               std::all_of(record.final_loads.begin(), record.final_loads.end(),
                                           [](Tokens load) { return load >= 0; });
    if (!items_survive)
        throw InputError(
            algorithm +
            " uses fractions of items, dummies or debts, which real items do not allow");
    std::vector<Transfer> transfers;
    transfers.reserve(record.transfers.size());
    for (const model::Transfer& transfer : record.transfers)
        transfers.push_back(
            {static_cast<int>(transfer.from), static_cast<int>(transfer.to), transfer.tokens});
    return transfers;
}

}  // namespace

Options neighbours_only(std::string algorithm) {
    Options options;
    options.policy = Policy::neighbours_only;
    options.algorithm = std::move(algorithm);
    options.transfers_over_links = transfers_over_links;
    return options;
}

}  // namespace equipoise::balancer
