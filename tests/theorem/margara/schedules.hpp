#pragma once
// Schedules worth trying on a tree: lock-step, random, slow nodes, slow links, and worse.

#include <initializer_list>
#include <vector>

#include "equipoise/engine/simulation/options.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::test {

/// `held`: kinds of message each of which one schedule holds back.
template <class Kind>
std::vector<engine::SimulationOptions> schedules(const network::Network& tree,
                                                 std::initializer_list<Kind> held) {
    using engine::Adversary;
    std::vector<engine::SimulationOptions> all(5);
    all[1].delays = engine::DelayModel::random;
    all[2].delays = engine::DelayModel::heavy_tail;
    all[3].single_port = true;
    all[4].adversary.kind = Adversary::Kind::newest_first;
    for (const Kind kind : held) {
        all.emplace_back().adversary.kind = Adversary::Kind::hold_kinds;
        all.back().adversary.kinds = model::KindSet::of(kind);
    }
    for (NodeId v = 0; v < tree.node_count(); ++v) {
        all.emplace_back().adversary.kind = Adversary::Kind::starve_node;
        all.back().adversary.node = v;
    }
    for (LinkId link = 0; link < tree.link_count(); ++link) {
        for (const bool from_head : {false, true}) {
            all.emplace_back().adversary.kind = Adversary::Kind::slow_link;
            all.back().adversary.link = link;
            all.back().adversary.from_head = from_head;
        }
    }
    return all;
}

}  // namespace equipoise::test
