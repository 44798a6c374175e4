#include "equipoise/engine/ranks/rank_run.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "equipoise/base/counts.hpp"

namespace equipoise::engine {

namespace {

template <class T>
void write_list(std::vector<std::byte>& out, const std::vector<T>& list) {
    const std::uint64_t count = list.size();
    const std::size_t at = out.size();
    out.resize(at + sizeof(count) + count * sizeof(T));
    std::memcpy(out.data() + at, &count, sizeof(count));
    if (count > 0) std::memcpy(out.data() + at + sizeof(count), list.data(), count * sizeof(T));
}

// Moves a list to the end of another and advances past its bytes.
template <class T>
void read_list(std::span<const std::byte>& bytes, std::vector<T>& list) {
    std::uint64_t count = 0;
    EQUIPOISE_ASSERT(bytes.size() >= sizeof(count));
    std::memcpy(&count, bytes.data(), sizeof(count));
    bytes = bytes.subspan(sizeof(count));
    EQUIPOISE_ASSERT(bytes.size() >= count * sizeof(T));
    const std::size_t at = list.size();
    list.resize(at + count);
    if (count > 0) std::memcpy(list.data() + at, bytes.data(), count * sizeof(T));
    bytes = bytes.subspan(count * sizeof(T));
}

}  // namespace

void RankFigures::operator+=(const RankFigures& other) {
    time = std::max(time, other.time);
    events += other.events;
    count_up(messages, other.messages, "number of messages");
    count_up(exchanges, other.exchanges, "number of exchanges");
    largest_message_bits = std::max(largest_message_bits, other.largest_message_bits);
    nodes_done += other.nodes_done;
    links_at_odds += other.links_at_odds;
}

RankRun gather_reports(Fabric& fabric, Parting reason, RankReport report) {
    std::vector<std::byte> for_all;
    std::vector<std::byte> for_first;
    together(fabric, [&] {
        write_list(for_all, std::vector<RankFigures>{report.figures});
        write_list(for_all, report.loads);
        write_list(for_all, report.corrections);
        write_list(for_first, report.events);
    });
    report = {};
    std::vector<std::byte> all = fabric.gather(for_all);
    broadcast_values(fabric, all);
    const std::vector<std::byte> orders = fabric.gather(for_first);
    RankRun run;
    run.reason = reason;
    together(fabric, [&] {
        std::vector<RankFigures> figures;
        std::vector<Correction> corrections;
        for (std::span<const std::byte> bytes(all); !bytes.empty();) {
            read_list(bytes, figures);
            read_list(bytes, run.loads);
            read_list(bytes, corrections);
        }
        for (std::span<const std::byte> bytes(orders); !bytes.empty();)
            read_list(bytes, run.order);
        for (const RankFigures& theirs : figures)
            run.figures += theirs;
        for (const Correction& correction : corrections)
            run.loads[correction.node] += correction.tokens;
        // An event is later than what causes it, and events of one rank at the same time stay in
        // order.
        std::stable_sort(run.order.begin(), run.order.end(),
                         [](const auto& a, const auto& b) { return a.arrived < b.arrived; });
        if (run.figures.links_at_odds > 0)
            throw std::logic_error("the ends of " + std::to_string(run.figures.links_at_odds) +
                                   " links did not book the same tokens");
    });
    return run;
}

}  // namespace equipoise::engine
