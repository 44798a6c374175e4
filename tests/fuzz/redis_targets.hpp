#pragma once
// What fuzzers feed to the readers of what servers of Redis say of their cluster.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/adapters/redis/cluster.hpp"
#include "equipoise/adapters/redis/nodes.hpp"
#include "equipoise/adapters/redis/open_slots.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::fuzz {

inline constexpr std::string_view between_views = "---\n";

/// The output of CLUSTER NODES by which a view is read as the same.
inline std::string nodes_text(const redis::View& view) {
    std::string text;
    for (const redis::Node& node : view.nodes) {
        text += node.id + " [" + node.address.host + "]:" + std::to_string(node.address.port) + ' ';
        text += node.is_self ? "myself," : "";
        text += node.is_master ? "master" : "slave";
        text += node.has_failed ? ",fail" : "";
        text += node.is_joining ? ",handshake" : "";
        text += ' ' + (node.master.empty() ? "-" : node.master) + " 0 0 " +
                std::to_string(node.epoch) + " connected";
        for (const redis::SlotRange& range : node.slots)
            text += ' ' + std::to_string(range.first) + '-' + std::to_string(range.last);
        for (const redis::OpenFlag& flag : view.open)
            if (node.is_self)
                text += " [" + std::to_string(flag.slot) + (flag.importing ? "-<-" : "->-") +
                        flag.other + ']';
        text += '\n';
    }
    return text;
}

/// Masters, owners and open slots name each other.
inline void expect_consistent(const redis::Cluster& cluster) {
    const std::size_t masters = cluster.masters.size();
    EQUIPOISE_ASSERT(cluster.owners.size() == redis::slot_count);
    for (const redis::MasterId owner : cluster.owners)
        EQUIPOISE_ASSERT(owner < masters);
    for (const redis::OpenSlot& open : cluster.open) {
        EQUIPOISE_ASSERT(open.slot < redis::slot_count);
        EQUIPOISE_ASSERT(open.owner == cluster.owners[open.slot]);
        EQUIPOISE_ASSERT(open.migrating.size() == open.migrating_to.size());
        for (const redis::MasterId master : open.migrating)
            EQUIPOISE_ASSERT(master < masters);
        for (const redis::MasterId master : open.importing)
            EQUIPOISE_ASSERT(master < masters);
        EQUIPOISE_ASSERT(open.given_to == redis::no_master || open.given_to == open.owner);
        const redis::Remedy remedy = remedy_of(open, std::vector<std::uint64_t>(masters, 0));
        EQUIPOISE_ASSERT(remedy.to == redis::no_master || remedy.to < masters);
    }
}

/// Views of several servers, with lines `---` between them: what is accepted is written as a text
/// that is read as the same; joined, they are a cluster or refused.
inline void feed_redis(std::string_view text) {
    constexpr std::size_t views_max = 3;
    const redis::Address seed{"fuzz", 1};
    std::vector<redis::View> views;
    try {
        static_cast<void>(redis::address_in(std::string(text)));
    } catch (const InputError&) {
        // Most texts are no address.
    }
    try {
        while (!text.empty() && views.size() < views_max) {
            const std::string_view one = text.substr(0, text.find(between_views));
            text.remove_prefix(one.size() == text.size() ? one.size()
                                                         : one.size() + between_views.size());
            views.push_back(redis::read_view(one, "fuzz"));
            const std::string written = nodes_text(views.back());
            EQUIPOISE_ASSERT(nodes_text(redis::read_view(written, "fuzz")) == written);
        }
        if (!views.empty()) expect_consistent(redis::join_views(views, seed));
    } catch (const InputError& error) {
        EQUIPOISE_ASSERT(std::string_view(error.what()).find('\n') == std::string_view::npos);
    }
}

}  // namespace equipoise::fuzz
