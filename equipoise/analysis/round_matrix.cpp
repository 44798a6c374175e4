#include "equipoise/analysis/round_matrix.hpp"

#include <algorithm>
#include <cmath>
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
    expect_doubly_stochastic();
}

DiffusionMatrix::DiffusionMatrix(NodeId node_count, std::vector<Ends> links,
                                 std::vector<double> forth, std::vector<double> back)
    : node_count_(node_count),
      links_(std::move(links)),
      weights_(std::move(forth)),
      back_(std::move(back)) {
    EQUIPOISE_ASSERT(back_.size() == weights_.size());
    if (weights_ == back_) back_.clear();
    expect_doubly_stochastic();
}

void DiffusionMatrix::expect_doubly_stochastic() {
    EQUIPOISE_ASSERT(links_.size() == weights_.size());
    constexpr double rounding = 1e-12;
    std::vector<double> rows(node_count_, 0.0);
    std::vector<double> columns(node_count_, 0.0);
    std::vector<Port> degrees(node_count_, 0);
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const auto [tail, head] = links_[i];
        const double forth = weights_[i];
        const double back = weights_back()[i];
        if (tail >= node_count_ || head >= node_count_ || tail == head)
            throw InputError("diffusion matrix: entry " + std::to_string(tail) + "," +
                             std::to_string(head) + " is not a link of the network");
        if (!(forth >= 0 && back >= 0 && forth + back > 0))
            throw InputError("diffusion matrix: the weight of link " + std::to_string(tail) + "-" +
                             std::to_string(head) + " must be above 0");
        rows[tail] += forth;
        columns[head] += forth;
        rows[head] += back;
        columns[tail] += back;
        for (const NodeId node : {tail, head})
            degree_max_ = std::max(degree_max_, ++degrees[node]);
    }
    for (NodeId node = 0; node < node_count_; ++node) {
        if (rows[node] > 1 + rounding)
            throw InputError("diffusion matrix: the weights at node " + std::to_string(node) +
                             " sum to more than 1");
        if (std::abs(rows[node] - columns[node]) > rounding)
            throw InputError("diffusion matrix: row and column of node " + std::to_string(node) +
                             " have different sums");
    }
}

DiffusionMatrix DiffusionMatrix::transposed() const {
    DiffusionMatrix other = *this;
    if (!symmetric()) other.weights_.swap(other.back_);
    return other;
}

void DiffusionMatrix::apply(std::span<const double> in, std::span<double> out) const {
    std::copy(in.begin(), in.end(), out.begin());
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const auto [tail, head] = links_[i];
        const double flow = symmetric() ? weights_[i] * (in[tail] - in[head])
                                        : weights_[i] * in[tail] - back_[i] * in[head];
        out[tail] -= flow;
        out[head] += flow;
    }
}

void DiffusionMatrix::apply_transposed(std::span<const double> in, std::span<double> out) const {
    std::copy(in.begin(), in.end(), out.begin());
    const std::span<const double> back = weights_back();
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const auto [tail, head] = links_[i];
        out[tail] -= weights_[i] * (in[tail] - in[head]);
        out[head] += back[i] * (in[tail] - in[head]);
    }
}

void average_pairs(std::span<const Ends> matching, std::span<double> row) {
    for (const Ends& pair : matching) {
        const double mean = (row[pair.tail] + row[pair.head]) / 2;
        row[pair.tail] = mean;
        row[pair.head] = mean;
    }
}

void share_pairs(std::span<const Ends> matching, double share, std::span<double> row) {
    if (share == 0.5) return average_pairs(matching, row);
    for (const Ends& pair : matching) {
        const double moves = share * (row[pair.tail] - row[pair.head]);
        row[pair.tail] -= moves;
        row[pair.head] += moves;
    }
}

CircuitMatrix::CircuitMatrix(NodeId node_count, std::vector<std::vector<Ends>> matchings,
                             double share)
    : node_count_(node_count), share_(share), matchings_(std::move(matchings)) {
    EQUIPOISE_ASSERT(0 < share_ && share_ < 1);
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
    return {node_count_, std::move(backwards), share_};
}

void CircuitMatrix::apply(std::span<double> row) const {
    for (const auto& matching : matchings_)
        share_pairs(matching, share_, row);
}

void CircuitMatrix::apply_transposed(std::span<double> row) const {
    for (auto matching = matchings_.rbegin(); matching != matchings_.rend(); ++matching)
        share_pairs(*matching, share_, row);
}

}  // namespace equipoise::analysis
