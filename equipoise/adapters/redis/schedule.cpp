#include "equipoise/adapters/redis/schedule.hpp"

#include <algorithm>

namespace equipoise::redis {

void BatchSchedule::add(std::uint32_t move, MasterId from, MasterId to, std::uint64_t bytes) {
    Waiting& waiting = waiting_[{from, to}];
    waiting.moves.emplace_back(move, bytes);
    waiting.bytes += bytes;
}

std::uint64_t BatchSchedule::room(MasterId from, MasterId to) const {
    if (took_[from] || giving_[to] > 0) return 0;
    const std::uint64_t free = at_once_ - std::max(giving_[from], taking_[to]);
    return std::min(free, std::max<std::uint64_t>(1, at_once_ / 2));
}

bool BatchSchedule::has_to_give(MasterId master) const {
    const auto first = waiting_.lower_bound({master, 0});
    return !took_[master] && first != waiting_.end() && first->first.first == master;
}

std::uint64_t BatchSchedule::to_give(MasterId master) const {
    std::uint64_t bytes = 0;
    for (auto pair = waiting_.lower_bound({master, 0});
         pair != waiting_.end() && pair->first.first == master; ++pair)
        bytes += pair->second.bytes;
    return bytes;
}

std::optional<Batch> BatchSchedule::take() {
    auto best = waiting_.end();
    for (auto pair = waiting_.begin(); pair != waiting_.end(); ++pair)
        if (!has_to_give(pair->first.second) && room(pair->first.first, pair->first.second) > 0 &&
            (best == waiting_.end() || pair->second.bytes > best->second.bytes))
            best = pair;
    if (best == waiting_.end() && under_way_ == 0)
        for (auto pair = waiting_.begin(); pair != waiting_.end(); ++pair)
            if (room(pair->first.first, pair->first.second) > 0 &&
                (best == waiting_.end() ||
                 to_give(pair->first.second) < to_give(best->first.second)))
                best = pair;
    if (best == waiting_.end()) return std::nullopt;
    const auto [from, to] = best->first;
    Batch batch{from, to, {}};
    std::vector<std::pair<std::uint32_t, std::uint64_t>>& moves = best->second.moves;
    for (std::uint64_t left = room(from, to); left > 0 && !moves.empty(); --left) {
        batch.moves.push_back(moves.back().first);
        best->second.bytes -= moves.back().second;
        moves.pop_back();
    }
    if (moves.empty()) waiting_.erase(best);
    giving_[from] += batch.moves.size();
    taking_[to] += batch.moves.size();
    took_[to] = true;
    under_way_ += batch.moves.size();
    return batch;
}

void BatchSchedule::end(const Batch& batch) {
    giving_[batch.from] -= batch.moves.size();
    taking_[batch.to] -= batch.moves.size();
    under_way_ -= batch.moves.size();
}

}  // namespace equipoise::redis
