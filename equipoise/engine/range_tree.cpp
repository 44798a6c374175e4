#include "equipoise/engine/range_tree.hpp"

#include <algorithm>
#include <cstddef>

namespace equipoise::engine {

namespace {

constexpr std::size_t fan_out = 16;
/// If more than one in so many nodes has changed, all are looked at.
constexpr std::size_t few = 8;

LoadRange range_of(Tokens load) {
    return {load, load};
}
LoadRange range_of(const LoadRange& range) {
    return range;
}

/// The range of the members of a group.
template <class Member>
LoadRange range_of_group(std::span<const Member> members, std::size_t group) {
    const std::size_t begin = group * fan_out;
    const std::size_t end = std::min(begin + fan_out, members.size());
    LoadRange range = range_of(members[begin]);
    for (std::size_t i = begin + 1; i < end; ++i)
        range.cover(range_of(members[i]));
    return range;
}

template <class Member>
std::vector<LoadRange> groups_of(std::span<const Member> members) {
    std::vector<LoadRange> groups;
    for (std::size_t group = 0; group * fan_out < members.size(); ++group)
        groups.push_back(range_of_group(members, group));
    return groups;
}

}  // namespace

RangeTree::RangeTree(std::span<const Tokens> loads) {
    look_at_all(loads);
}

LoadRange RangeTree::range(std::span<const Tokens> loads) {
    if (loads.empty()) return {};
    if (changed_.size() > loads.size() / few)
        look_at_all(loads);
    else
        for (const NodeId node : changed_)
            look_around(loads, node);
    changed_.clear();
    return levels_.back().front();
}

void RangeTree::look_at_all(std::span<const Tokens> loads) {
    if (loads.empty()) return;
    levels_.clear();
    levels_.push_back(groups_of(loads));
    while (levels_.back().size() > 1)
        levels_.push_back(groups_of(std::span<const LoadRange>(levels_.back())));
}

// Goes up as long as something changes.
void RangeTree::look_around(std::span<const Tokens> loads, NodeId node) {
    std::size_t group = node / fan_out;
    for (std::size_t level = 0; level < levels_.size(); ++level, group /= fan_out) {
        const LoadRange now =
            level == 0 ? range_of_group(loads, group)
                       : range_of_group(std::span<const LoadRange>(levels_[level - 1]), group);
        if (levels_[level][group] == now) return;
        levels_[level][group] = now;
    }
}

}  // namespace equipoise::engine
