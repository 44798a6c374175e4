#include "equipoise/model/run/matching_schedule.hpp"

#include <algorithm>
#include <limits>

#include "equipoise/base/random.hpp"

namespace equipoise::model {

RandomMatching::RandomMatching(const network::AnyNetwork& network, std::uint64_t seed)
    : links_(network::all_links(network)),
      seed_(seed),
      slots_max_(network.node_count() / 2),
      keys_(links_.size()),
      least_(network.node_count()) {}

void RandomMatching::prepare(Step step) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    std::fill(least_.begin(), least_.end(), most);
    // The words of a stream differ at different indices, since mixing is a bijection: there are no
    // ties.
    const RandomStream random(seed_, Purpose::schedule, 0, step);
    for (LinkId link = 0; link < links_.size(); ++link) {
        const std::uint64_t key = random.at(link);
        keys_[link] = key;
        least_[links_[link].tail] = std::min(least_[links_[link].tail], key);
        least_[links_[link].head] = std::min(least_[links_[link].head], key);
    }
    // Writes every link and keeps only the matched ones, since a branch would be unpredictable.
    matching_.resize(std::size_t{slots_max_} + 1);
    std::size_t matched = 0;
    for (LinkId link = 0; link < links_.size(); ++link) {
        const Ends ends = links_[link];
        matching_[matched] = ends;
        const std::uint64_t key = keys_[link];
        matched += static_cast<std::size_t>(key == least_[ends.tail]) &
                   static_cast<std::size_t>(key == least_[ends.head]);
    }
    matching_.resize(matched);
}

RandomLink::RandomLink(const network::AnyNetwork& network, std::uint64_t seed)
    : network_(&network), link_count_(network.link_count()), seed_(seed) {}

void RandomLink::prepare(Step step) {
    if (link_count_ == 0) return;
    RandomStream random(seed_, Purpose::schedule, 0, step);
    link_ = network_->ends(static_cast<LinkId>(random.below(link_count_)));
}

void RandomPair::prepare(Step step) {
    if (nodes_ < 2) return;
    RandomStream random(seed_, Purpose::schedule, 0, step);
    const auto initiator = static_cast<NodeId>(random.below(nodes_));
    const auto other = static_cast<NodeId>(random.below(nodes_ - 1));
    pair_ = {initiator, other < initiator ? other : other + 1};
}

SteepestMatching::SteepestMatching(const network::AnyNetwork& network)
    : links_(network::all_links(network)),
      slots_max_(network.node_count() / 2),
      used_in_(network.node_count(), 0) {}

void SteepestMatching::prepare(Step step, std::span<const Tokens> loads) {
    candidates_.clear();
    for (LinkId link = 0; link < links_.size(); ++link) {
        const Tokens difference = loads[links_[link].tail] - loads[links_[link].head];
        if (difference >= 2 || difference <= -2)
            candidates_.push_back({difference < 0 ? -difference : difference, link});
    }
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
        return a.difference != b.difference ? a.difference > b.difference : a.link < b.link;
    });
    matching_.clear();
    for (const Candidate& candidate : candidates_) {
        Ends ends = links_[candidate.link];
        if (used_in_[ends.tail] == step + 1 || used_in_[ends.head] == step + 1) continue;
        used_in_[ends.tail] = used_in_[ends.head] = step + 1;
        if (loads[ends.tail] < loads[ends.head]) std::swap(ends.tail, ends.head);
        matching_.push_back(ends);
    }
}

}  // namespace equipoise::model
