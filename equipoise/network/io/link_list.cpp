#include "equipoise/network/io/link_list.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/plural.hpp"

namespace equipoise::network {

namespace {

std::string link_of(const RawNetwork& raw, Ends ends) {
    Labels labels;
    labels.first_number = raw.first_number;
    const auto name = [&](NodeId node) {
        return node < raw.names.size() ? raw.names[node] : labels.name(node);
    };
    return "link " + name(ends.tail) + '-' + name(ends.head);
}

void expect_names(const RawNetwork& raw, const std::string& origin) {
    if (raw.names.empty()) return;
    if (raw.names.size() != raw.node_count)
        throw InputError(origin + ": expected a name for each of " +
                         with_noun(raw.node_count, "node", "nodes") + ", found " +
                         with_noun(raw.names.size(), "name", "names"));
    std::vector<std::string_view> sorted(raw.names.begin(), raw.names.end());
    std::sort(sorted.begin(), sorted.end());
    const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
    if (twin != sorted.end())
        throw InputError(origin + ": expected nodes with different names, found \"" +
                         std::string(*twin) + "\" twice");
}

/// Counts and removes loops and, unless both directions are required, orients links to tail < head.
void put_in_order(RawNetwork& raw, bool simplify) {
    auto kept = raw.links.begin();
    for (Ends ends : raw.links) {
        if (std::max(ends.tail, ends.head) >= raw.node_count)
            throw InputError(link_of(raw, ends) +
                             " names a node that is not there: the network has " +
                             with_noun(raw.node_count, "node", "nodes"));
        if (ends.tail == ends.head) {
            if (!simplify)
                throw InputError(link_of(raw, ends) + " is a loop: expected " +
                                 std::string(no_loop));
            ++raw.loops;
            continue;
        }
        if (!raw.both_directions && ends.tail > ends.head) std::swap(ends.tail, ends.head);
        *kept++ = ends;
    }
    raw.links.erase(kept, raw.links.end());
}

}  // namespace

AnyNetwork network_of_links(RawNetwork raw, const std::string& origin, const ReadOptions& options,
                            ReadReport* report_out) {
    ReadReport report;
    expect_names(raw, origin);
    put_in_order(raw, options.simplify);
    if (const auto fault = make_simple(raw, options.simplify, report))
        throw InputError(origin + ": expected " + expected_instead_of(*fault) + ", found " +
                         link_of(raw, fault->ends));
    AnyNetwork network = finished(std::move(raw), origin, options, report);
    if (report_out != nullptr) *report_out = report;
    return network;
}

}  // namespace equipoise::network
