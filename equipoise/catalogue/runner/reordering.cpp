#include "equipoise/catalogue/runner/reordering.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/base/large_pages.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/same_on_ranks.hpp"

namespace equipoise::catalogue {

namespace {

template <class Work>
double seconds_of(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A sample of the reads of a round: the places of the neighbours of some stretches of nodes.
/// `order`: the nodes by their places; `places`: the inverse.
std::vector<NodeId> sampled_reads(const network::AnyNetwork& network,
                                  const std::vector<NodeId>& order,
                                  const std::vector<NodeId>& places) {
    constexpr std::uint64_t stretches = 64;
    constexpr std::size_t reads_max = std::size_t{1} << 22U;
    const std::uint64_t nodes = order.size();
    std::vector<NodeId> reads;
    reads.reserve(reads_max);
    network.visit([&](const auto& graph) {
        for (std::uint64_t stretch = 0; stretch < stretches; ++stretch) {
            const std::size_t enough = reads_max / stretches * (stretch + 1);
            for (std::uint64_t at = nodes * stretch / stretches;
                 at < nodes * (stretch + 1) / stretches && reads.size() < enough; ++at) {
                const NodeId node = order[at];
                const Port ports = static_cast<Port>(
                    std::min<std::size_t>(graph.degree(node), reads_max - reads.size()));
                for (Port port = 0; port < ports; ++port)
                    reads.push_back(places[graph.neighbour(node, port)]);
            }
        }
    });
    return reads;
}

/// The nanoseconds that reading a neighbour's load takes, with fetching ahead as in rounds.
double read_time(const network::AnyNetwork& network, const std::vector<NodeId>& order,
                 const std::vector<NodeId>& places) {
    constexpr std::size_t fetch_ahead = 192;
    const std::vector<NodeId> reads = sampled_reads(network, order, places);
    if (reads.empty()) return 0;
    const std::vector<std::uint32_t, LargePages<std::uint32_t>> words(order.size(), 1);
    double best = 0;
    volatile std::uint32_t kept = 0;
    for (int repetition = 0; repetition < 3; ++repetition) {
        const double seconds = seconds_of([&] {
            std::uint32_t sum = 0;
            for (std::size_t i = 0; i < reads.size(); ++i) {
                __builtin_prefetch(words.data() +
                                   reads[std::min(i + fetch_ahead, reads.size() - 1)]);
                sum += words[reads[i]];
            }
            kept = sum;
        });
        best = repetition == 0 ? seconds : std::min(best, seconds);
    }
    static_cast<void>(kept);
    return best * 1e9 / static_cast<double>(reads.size());
}

std::vector<NodeId> inverse(const std::vector<NodeId>& order) {
    std::vector<NodeId> places(order.size());
    for (std::size_t place = 0; place < order.size(); ++place)
        places[order[place]] = static_cast<NodeId>(place);
    return places;
}

}  // namespace

Reordering::Reordering(const network::AnyNetwork& network, const RunOptions& options) {
    if (options.reorder == network::NodeOrder::natural) return;
    engine::try_together(options.fabric, [&] {
        std::vector<NodeId> order;
        ReorderCosts costs{options.reorder};
        costs.seconds = seconds_of([&] {
            order = network::node_order(network, options.reorder);
            const int ranks = options.fabric == nullptr ? 1 : options.fabric->ranks();
            partition_ = (options.partition != nullptr
                              ? *options.partition
                              : engine::Partition::contiguous(network.node_count(), ranks))
                             .in_order(order);
        });
        const std::vector<NodeId> natural =
            network::node_order(network, network::NodeOrder::natural);
        costs.read_before = read_time(network, natural, natural);
        costs.read_after = read_time(network, order, inverse(order));
        costs_ = costs;
    });
}

void Reordering::apply(engine::RoundOptions& round) {
    if (!partition_) return;
    if (round.fabric == nullptr) round.fabric = &solo_;
    round.partition = &*partition_;
}

}  // namespace equipoise::catalogue
