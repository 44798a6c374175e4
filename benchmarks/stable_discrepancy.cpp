// How long the bitset search for the maximum stable discrepancy takes: complete binary trees, and a
// tree of a million nodes with a thousand subtree sizes. `--far` adds heights 28 and 30.
//
// The last column relates the search to the machine: seconds per level divided by the seconds of
// one plain pass that combines (|) as many words as the set of gaps has, once for every generator.

#include "equipoise/analysis/stable_discrepancy.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <vector>

#include "equipoise/network/network.hpp"

namespace {

using namespace equipoise;

template <class F>
double seconds(F&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Seconds of one pass `sum |= words` over the gaps up to n/2.
double seconds_of_pass(std::uint64_t nodes) {
    const std::vector<std::uint64_t> words(nodes / 128 + 1, 5);
    std::vector<std::uint64_t> sums(words.size(), 2);
    const auto repetitions = 1 + (std::uint64_t{1} << 22U) / words.size();
    volatile std::uint64_t sink = 0;
    const double total = seconds([&] {
        for (std::uint64_t repetition = 0; repetition < repetitions; ++repetition) {
            for (std::size_t i = 0; i < words.size(); ++i)
                sums[i] |= words[i] << repetition % 3;
            sink = sink + sums[repetition % sums.size()];
        }
    });
    return total / static_cast<double>(repetitions);
}

void report(const char* name, const analysis::StableGaps& gaps) {
    analysis::StableDiscrepancy found;
    const double taken = seconds([&] { found = analysis::maximum_stable_discrepancy(gaps); });
    const double pass = seconds_of_pass(gaps.nodes) * static_cast<double>(gaps.gaps.size());
    std::printf("%-34s %11llu nodes %5zu gaps  MSD %4llu  %9.4f s  %6.2f passes a level\n", name,
                static_cast<unsigned long long>(gaps.nodes), gaps.gaps.size(),
                static_cast<unsigned long long>(found.tokens), taken,
                taken / static_cast<double>(found.tokens) / pass);
    std::fflush(stdout);
}

/// A centre with paths of 1, 2, .., 1,000 nodes, repeated until a million nodes are used.
network::Network spider() {
    constexpr NodeId nodes = 1'000'000;
    std::vector<Ends> links;
    for (NodeId node = 1, arm = 0; node < nodes; ++arm) {
        NodeId before = 0;
        for (NodeId i = 0; i <= arm % 1000 && node < nodes; ++i) {
            links.push_back({before, node});
            before = node++;
        }
    }
    return {nodes, std::move(links)};
}

}  // namespace

int main(int count, char** arguments) {
    const bool far = count > 1 && std::string_view(arguments[1]) == "--far";
    using analysis::stable_gaps_of_complete_tree;
    report("complete binary tree, height 18", stable_gaps_of_complete_tree(2, 18));
    report("complete binary tree, height 22", stable_gaps_of_complete_tree(2, 22));
    report("complete binary tree, height 26", stable_gaps_of_complete_tree(2, 26));
    report("complete 7-ary tree, height 6", stable_gaps_of_complete_tree(7, 6));
    analysis::StableGaps gaps;
    const network::Network tree = spider();
    const double taken = seconds([&] { gaps = analysis::stable_gaps(tree); });
    std::printf("stable gaps of a million nodes: %.4f s\n", taken);
    report("spider of a million nodes", gaps);
    if (far) {
        report("complete binary tree, height 28", stable_gaps_of_complete_tree(2, 28));
        report("complete binary tree, height 30", stable_gaps_of_complete_tree(2, 30));
    }
    return 0;
}
