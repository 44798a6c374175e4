#include "equipoise/network/network.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/network/sort_links.hpp"

namespace equipoise::network {

Network::Network(NodeId node_count, std::vector<Ends> links)
    : node_count_(node_count), ends_(std::move(links)) {
    for (Ends& ends : ends_) {
        if (ends.tail > ends.head) std::swap(ends.tail, ends.head);
        if (ends.head >= node_count_)
            throw InputError("link " + std::to_string(ends.tail) + "-" + std::to_string(ends.head) +
                             " names a node that is not there: expected numbers below " +
                             std::to_string(node_count_));
        if (ends.tail == ends.head)
            throw InputError("link " + std::to_string(ends.tail) + "-" + std::to_string(ends.head) +
                             " is a loop: expected two different ends");
    }
    sort_links(ends_, node_count_);
    const auto twin = std::adjacent_find(ends_.begin(), ends_.end());
    if (twin != ends_.end())
        throw InputError("link " + std::to_string(twin->tail) + "-" + std::to_string(twin->head) +
                         " is given twice: expected every link once");
    ends_.shrink_to_fit();
    fill_rows();
}

void Network::fill_rows() {
    offsets_.assign(std::size_t{node_count_} + 1, 0);
    for (const Ends& ends : ends_) {
        ++offsets_[std::size_t{ends.tail} + 1];
        ++offsets_[std::size_t{ends.head} + 1];
    }
    degree_min_ = node_count_ == 0 ? 0 : std::numeric_limits<Port>::max();
    degree_max_ = 0;
    for (NodeId node = 0; node < node_count_; ++node) {
        const Port degree = static_cast<Port>(offsets_[std::size_t{node} + 1]);
        degree_min_ = std::min(degree_min_, degree);
        degree_max_ = std::max(degree_max_, degree);
        offsets_[std::size_t{node} + 1] += offsets_[node];
    }
    neighbours_.resize(2 * ends_.size());
    const bool wide = ends_.size() > std::numeric_limits<std::uint32_t>::max();
    (wide ? wide_links_.resize(neighbours_.size()) : narrow_links_.resize(neighbours_.size()));

    // The offsets serve as cursors while rows fill and are shifted back afterwards. All smaller
    // neighbours of a node come before its larger ones because heads are placed in a first sweep,
    // and each sweep meets them in ascending order: rows end up sorted without a sort.
    const auto place = [&](NodeId at, NodeId other, LinkId link) {
        const std::uint64_t arc = offsets_[at]++;
        neighbours_[arc] = other;
        if (wide) {
            wide_links_[arc] = link;
        } else {
            narrow_links_[arc] = static_cast<std::uint32_t>(link);
        }
    };
    for (LinkId link = 0; link < ends_.size(); ++link)
        place(ends_[link].head, ends_[link].tail, link);
    for (LinkId link = 0; link < ends_.size(); ++link)
        place(ends_[link].tail, ends_[link].head, link);
    for (NodeId node = node_count_; node > 0; --node)
        offsets_[node] = offsets_[node - 1];
    offsets_[0] = 0;
    EQUIPOISE_HEAVY_ASSERT(offsets_[node_count_] == neighbours_.size());
}

std::uint64_t Network::memory_bytes() const {
    return ends_.capacity() * sizeof(Ends) + offsets_.capacity() * sizeof(std::uint64_t) +
           neighbours_.capacity() * sizeof(NodeId) +
           narrow_links_.capacity() * sizeof(std::uint32_t) +
           wide_links_.capacity() * sizeof(std::uint64_t);
}

}  // namespace equipoise::network
