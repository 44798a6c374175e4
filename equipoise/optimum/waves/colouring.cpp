#include "equipoise/optimum/waves/colouring.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/optimum/flows/flow_network.hpp"

namespace equipoise::optimum {

namespace {

class WaveSplit {
  public:
    WaveSplit(const std::vector<Tokens>& gives, const std::vector<Tokens>& takes)
        : gives_(gives), takes_(takes), nodes_(static_cast<NodeId>(gives.size())) {}

    void split(FatStep bundles) {
        if (bundles.moves.empty()) {
            waves_.resize(waves_.size() + bundles.size);
            return;
        }
        if (bundles.size == 1) {
            waves_.push_back(std::move(bundles.moves));
            return;
        }
        if (bundles.size % 2 == 1) {
            waves_.push_back(take_wave(bundles));
            --bundles.size;
        }
        FatStep first;
        FatStep second;
        halve(bundles, nodes_, first, second);
        bundles.moves.clear();
        split(std::move(first));
        split(std::move(second));
    }
    [[nodiscard]] std::vector<std::vector<FatMove>> take() { return std::move(waves_); }

  private:
    /// How much the node must move now so that the later waves are enough.
    static Tokens least_now(Tokens degree, Step waves, Tokens rate) {
        const Int128 later = static_cast<Int128>(waves - 1) * rate;
        return degree > later ? static_cast<Tokens>(degree - later) : 0;
    }

    /// Takes one wave out of the bundles.
    std::vector<FatMove> take_wave(FatStep& bundles) {
        std::vector<Tokens> given(nodes_, 0);
        std::vector<Tokens> taken(nodes_, 0);
        for (const auto& [from, to, tokens] : bundles.moves) {
            given[from] += tokens;
            taken[to] += tokens;
        }
        FlowNetwork network;
        network.nodes = 2 * nodes_ + 4;
        const FlowNode source = 2 * nodes_;
        const FlowNode sink = source + 1;
        network.source = source + 2;
        network.sink = source + 3;
        for (const auto& [from, to, tokens] : bundles.moves)
            network.add_arc(from, nodes_ + to, tokens);
        Tokens least_given = 0;
        Tokens least_taken = 0;
        for (NodeId node = 0; node < nodes_; ++node) {
            if (given[node] > 0) {
                const Tokens least = least_now(given[node], bundles.size, gives_[node]);
                network.add_arc(source, node, std::min(gives_[node], given[node]) - least);
                network.add_arc(network.source, node, least);
                least_given += least;
            }
            if (taken[node] > 0) {
                const Tokens least = least_now(taken[node], bundles.size, takes_[node]);
                network.add_arc(nodes_ + node, sink, std::min(takes_[node], taken[node]) - least);
                network.add_arc(nodes_ + node, network.sink, least);
                least_taken += least;
            }
        }
        network.add_arc(source, network.sink, least_given);
        network.add_arc(network.source, sink, least_taken);
        network.add_arc(sink, source, unlimited_flow);
        const Flow flow = maximum_flow(network);
        EQUIPOISE_ASSERT(flow.value == least_given + least_taken);
        std::vector<FatMove> wave;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < bundles.moves.size(); ++i) {
            FatMove move = bundles.moves[i];
            if (flow.by_arc[i] > 0) wave.push_back({move.from, move.to, flow.by_arc[i]});
            move.tokens -= flow.by_arc[i];
            if (move.tokens > 0) bundles.moves[kept++] = move;
        }
        bundles.moves.resize(kept);
        return wave;
    }

    const std::vector<Tokens>& gives_;
    const std::vector<Tokens>& takes_;
    NodeId nodes_;
    std::vector<std::vector<FatMove>> waves_;
};

}  // namespace

std::vector<std::vector<FatMove>> split_into_waves(std::vector<FatMove> bundles, Step waves,
                                                   const std::vector<Tokens>& gives,
                                                   const std::vector<Tokens>& takes) {
    WaveSplit split(gives, takes);
    FatStep all;
    all.size = waves;
    all.moves = std::move(bundles);
    if (waves > 0) split.split(std::move(all));
    return split.take();
}

}  // namespace equipoise::optimum
