#include "equipoise/network/generators/links.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/line_source.hpp"

namespace equipoise::network {

namespace {

constexpr std::uint64_t number_max = no_node - 2;

/// Calls `visit(tail, head)` for each entry of a list; both are the same for a node alone.
template <class Visit>
void for_each_entry(std::string_view list, const Visit& visit) {
    while (true) {
        const std::size_t plus = list.find('+');
        const std::string_view entry = list.substr(0, plus);
        const std::size_t dash = entry.find('-');
        const bool is_link = dash != std::string_view::npos;
        const auto tail = whole_number(entry.substr(0, dash), number_max);
        const auto head = is_link ? whole_number(entry.substr(dash + 1), number_max) : tail;
        if (!tail || !head)
            throw InputError("expected links of nodes numbered from 0 to " +
                             std::to_string(number_max) + ", as in 0-1+1-2, found \"" +
                             std::string(entry) + '"');
        visit(static_cast<NodeId>(*tail), static_cast<NodeId>(*head), is_link);
        if (plus == std::string_view::npos) return;
        list = list.substr(plus + 1);
    }
}

}  // namespace

Network make_links(std::string_view list) {
    NodeId last = 0;
    std::vector<Ends> links;
    for_each_entry(list, [&](NodeId tail, NodeId head, bool is_link) {
        last = std::max({last, tail, head});
        if (is_link) links.push_back({tail, head});
    });
    return {last + 1, std::move(links)};
}

NetworkSize size_of_links(std::string_view list) {
    NodeId last = 0;
    std::uint64_t links = 0;
    for_each_entry(list, [&](NodeId tail, NodeId head, bool is_link) {
        last = std::max({last, tail, head});
        links += is_link ? 1 : 0;
    });
    return {UInt128{last} + 1, links, links};
}

std::string links_spec(const AnyNetwork& network) {
    std::string text = "linked:";
    const auto add = [&](const std::string& entry) {
        if (text.back() != ':') text += '+';
        text += entry;
    };
    for (const Ends& ends : all_links(network))
        add(std::to_string(ends.tail) + '-' + std::to_string(ends.head));
    const NodeId last = network.node_count() - 1;
    if (network.degree(last) == 0) add(std::to_string(last));
    return text;
}

}  // namespace equipoise::network
