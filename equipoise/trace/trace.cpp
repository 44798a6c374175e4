#include "equipoise/trace/trace.hpp"

namespace equipoise::trace {

std::size_t Phase::task_count() const {
    std::size_t count = 0;
    for (const RankPhase& part : ranks)
        count += part.tasks.size();
    return count;
}

Placement recorded_placement(const Trace& trace) {
    Placement placement;
    for (const Phase& phase : trace.phases) {
        std::vector<int>& ranks = placement.emplace_back();
        ranks.reserve(phase.task_count());
        for (std::size_t rank = 0; rank < phase.ranks.size(); ++rank)
            ranks.insert(ranks.end(), phase.ranks[rank].tasks.size(), static_cast<int>(rank));
    }
    return placement;
}

std::vector<int> rank_of_entity(const Trace& trace, const Phase& phase,
                                const std::vector<int>& rank_of_task) {
    std::vector<int> ranks(trace.entity_count, no_rank);
    std::size_t place = 0;
    for (const RankPhase& part : phase.ranks)
        for (const std::uint32_t task : part.tasks)
            ranks[trace.tasks[task].entity] = rank_of_task[place++];
    return ranks;
}

Traffic traffic_between_ranks(const Trace& trace, const Phase& phase,
                              const std::vector<int>& rank_of_task) {
    const std::vector<int> ranks = rank_of_entity(trace, phase, rank_of_task);
    const auto rank_of = [&](const End& end) {
        const int rank = end.entity == no_entity ? no_rank : ranks[end.entity];
        return rank == no_rank ? end.rank : rank;
    };
    Traffic traffic;
    for (const RankPhase& part : phase.ranks) {
        for (const std::uint32_t place : part.communications) {
            const Communication& sent = trace.communications[place];
            const int from = rank_of(sent.from);
            const int to = rank_of(sent.to);
            if (from == no_rank || to == no_rank) {
                traffic.unplaced = checked_add(traffic.unplaced, sent.messages);
            } else if (from != to) {
                traffic.messages = checked_add(traffic.messages, sent.messages);
                traffic.bytes += sent.bytes;
            }
        }
    }
    return traffic;
}

}  // namespace equipoise::trace
