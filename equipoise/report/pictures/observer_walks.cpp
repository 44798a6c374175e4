#include "equipoise/report/pictures/observer_walks.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/comma_list.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/model/run/record_network.hpp"
#include "equipoise/network/node_names.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::report {

std::vector<NodeId> observers_from_text(std::string_view text, const model::Record& record) {
    const network::AnyNetwork network = model::network_of(record);
    const network::NodeNames names(network);
    std::vector<NodeId> starts;
    for (const std::string& name : comma_list("--observers", "names of nodes", text)) {
        const std::optional<NodeId> node = names.find(name);
        if (!node)
            throw InputError(
                fmt::format("--observers: expected {}, found \"{}\"", names.expected(), name));
        if (std::find(starts.begin(), starts.end(), *node) != starts.end())
            throw InputError(
                fmt::format("--observers: expected different nodes, found \"{}\" twice", name));
        starts.push_back(*node);
    }
    if (starts.size() > observers_max)
        throw InputError(fmt::format("--observers: expected at most {} nodes, found {}",
                                     observers_max, starts.size()));
    return starts;
}

ObserverWalks::ObserverWalks(const model::Record& record, std::vector<NodeId> starts)
    : starts_(std::move(starts)), at_(starts_) {
    const network::AnyNetwork network = model::network_of(record);
    classes_ = record.given.colouring.empty() ? network::colour_edges(network).classes(network)
                                              : record.given.colouring;
    std::vector<NodeId> stays(network.node_count());
    std::iota(stays.begin(), stays.end(), NodeId{0});
    for (const std::vector<Ends>& links : classes_) {
        std::vector<NodeId>& across = across_.emplace_back(stays);
        for (const Ends& link : links) {
            across[link.tail] = link.head;
            across[link.head] = link.tail;
        }
    }
    if (!record.switches.empty())
        throw InputError("observers walk on a network that stays: the run of " + record.algorithm +
                         " had nodes or links that come and go");
    for (const model::Transfer& transfer : record.transfers)
        if (next(transfer.from, transfer.step) != transfer.to)
            throw InputError(fmt::format(
                "observers follow an edge colouring: expected a run whose tokens cross links of "
                "one colour in each step, found {} with a token from {} to {} in step {}",
                record.algorithm, record.labels.name(transfer.from),
                record.labels.name(transfer.to), transfer.step + 1));
}

const std::vector<NodeId>& ObserverWalks::before(Step step) {
    for (; step_ < step; ++step_)
        for (NodeId& node : at_)
            node = next(node, step_);
    return at_;
}

NodeId ObserverWalks::next(NodeId node, Step step) const {
    return across_.empty() ? node : across_[step % across_.size()][node];
}

std::span<const Ends> ObserverWalks::active(Step step) const {
    return classes_.empty() ? std::span<const Ends>() : classes_[step % classes_.size()];
}

}  // namespace equipoise::report
