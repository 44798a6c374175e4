#include "equipoise/analysis/round_matrix.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

DiffusionMatrix DiffusionMatrix::metropolis(const network::AnyNetwork& network) {
    std::vector<Ends> links = network::all_links(network);
    std::vector<double> weights(links.size());
    for (std::size_t i = 0; i < links.size(); ++i)
        weights[i] =
            1.0 / (std::max(network.degree(links[i].tail), network.degree(links[i].head)) + 1.0);
    return {network.node_count(), std::move(links), std::move(weights)};
}

DiffusionMatrix DiffusionMatrix::uniform(const network::AnyNetwork& network) {
    std::vector<Ends> links = network::all_links(network);
    std::vector<double> weights(links.size(), 1.0 / (network.degree_max() + 1.0));
    return {network.node_count(), std::move(links), std::move(weights)};
}

DiffusionMatrix::DiffusionMatrix(NodeId node_count, std::vector<Ends> links,
                                 std::vector<double> weights)
    : node_count_(node_count), links_(std::move(links)), weights_(std::move(weights)) {
    EQUIPOISE_ASSERT(links_.size() == weights_.size());
    constexpr double rounding = 1e-12;
    std::vector<double> sums(node_count_, 0.0);
    std::vector<Port> degrees(node_count_, 0);
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const Ends ends = links_[i];
        if (ends.tail >= node_count_ || ends.head >= node_count_ || ends.tail == ends.head)
            throw InputError("diffusion matrix: entry " + std::to_string(ends.tail) + "," +
                             std::to_string(ends.head) + " is not a link of the network");
        if (!(weights_[i] > 0))
            throw InputError("diffusion matrix: the weight of link " + std::to_string(ends.tail) +
                             "-" + std::to_string(ends.head) + " must be above 0");
        for (const NodeId node : {ends.tail, ends.head}) {
            sums[node] += weights_[i];
            degree_max_ = std::max(degree_max_, ++degrees[node]);
        }
    }
    for (NodeId node = 0; node < node_count_; ++node)
        if (sums[node] > 1 + rounding)
            throw InputError("diffusion matrix: the weights at node " + std::to_string(node) +
                             " sum to more than 1");
}

void DiffusionMatrix::apply(std::span<const double> in, std::span<double> out) const {
    std::copy(in.begin(), in.end(), out.begin());
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const Ends ends = links_[i];
        const double flow = weights_[i] * (in[ends.tail] - in[ends.head]);
        out[ends.tail] -= flow;
        out[ends.head] += flow;
    }
}

void average_pairs(std::span<const Ends> matching, std::span<double> row) {
    for (const Ends& pair : matching) {
        const double mean = (row[pair.tail] + row[pair.head]) / 2;
        row[pair.tail] = mean;
        row[pair.head] = mean;
    }
}

CircuitMatrix::CircuitMatrix(NodeId node_count, std::vector<std::vector<Ends>> matchings)
    : node_count_(node_count), matchings_(std::move(matchings)) {
    std::vector<std::size_t> seen(node_count_, 0);
    for (std::size_t k = 0; k < matchings_.size(); ++k) {
        for (const Ends& pair : matchings_[k]) {
            for (const NodeId node : {pair.tail, pair.head}) {
                if (node >= node_count_ || seen[node] == k + 1)
                    throw InputError("matching " + std::to_string(k) + ": node " +
                                     std::to_string(node) +
                                     (node >= node_count_ ? " is not there" : " stands twice"));
                seen[node] = k + 1;
            }
        }
        slot_count_ += matchings_[k].size();
    }
}

CircuitMatrix CircuitMatrix::reversed() const {
    std::vector<std::vector<Ends>> backwards(matchings_.rbegin(), matchings_.rend());
    return {node_count_, std::move(backwards)};
}

void CircuitMatrix::apply(std::span<double> row) const {
    for (const auto& matching : matchings_)
        average_pairs(matching, row);
}

void CircuitMatrix::apply_transposed(std::span<double> row) const {
    for (auto matching = matchings_.rbegin(); matching != matchings_.rend(); ++matching)
        average_pairs(*matching, row);
}

}  // namespace equipoise::analysis
