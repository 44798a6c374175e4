#include "equipoise/optimum/schedule.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::optimum {

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// The moves of a step by sender.
struct Rows {
    std::vector<std::size_t> first;  ///< by node, and one more
    std::vector<std::size_t> moves;  ///< numbers of moves

    Rows(const std::vector<FatMove>& all, NodeId nodes)
        : first(nodes + std::size_t{1}, 0), moves(all.size()) {
        for (const FatMove& move : all)
            ++first[move.from + std::size_t{1}];
        for (NodeId node = 0; node < nodes; ++node)
            first[node + std::size_t{1}] += first[node];
        std::vector<std::size_t> next(first.begin(), first.end() - 1);
        for (std::size_t i = 0; i < all.size(); ++i)
            moves[next[all[i].from]++] = i;
    }
};

/// Depth-first walks along the remaining moves. A walk that meets itself has found a cycle.
class CycleCanceller {
  public:
    CycleCanceller(std::vector<FatMove>& moves, NodeId nodes)
        : moves_(moves),
          rows_(moves, nodes),
          next_(rows_.first.begin(), rows_.first.end() - 1),
          place_(nodes, none) {}

    void run() {
        for (NodeId start = 0; start < place_.size(); ++start)
            if (next_[start] < rows_.first[start + std::size_t{1}]) walk(start);
        std::erase_if(moves_, [](const FatMove& move) { return move.tokens == 0; });
    }

  private:
    void walk(NodeId node) {
        place_[node] = 0;
        while (true) {
            std::size_t& at = next_[node];
            while (at < rows_.first[node + std::size_t{1}] && moves_[rows_.moves[at]].tokens == 0)
                ++at;
            if (at == rows_.first[node + std::size_t{1}]) {  // no cycle leads through this node
                place_[node] = none;
                if (path_.empty()) return;
                node = moves_[path_.back()].from;
                path_.pop_back();
                ++next_[node];
                continue;
            }
            path_.push_back(rows_.moves[at]);
            node = moves_[path_.back()].to;
            if (place_[node] == none) {
                place_[node] = path_.size();
            } else {
                node = cancel(place_[node]);
            }
        }
    }
    /// Removes the cycle from a place of the path to its end; returns where the path then ends.
    NodeId cancel(std::size_t from) {
        Tokens least = std::numeric_limits<Tokens>::max();
        for (std::size_t i = from; i < path_.size(); ++i)
            least = std::min(least, moves_[path_[i]].tokens);
        std::size_t keep = path_.size();
        for (std::size_t i = path_.size(); i-- > from;) {
            moves_[path_[i]].tokens -= least;
            if (moves_[path_[i]].tokens == 0) keep = i;
        }
        const NodeId end = moves_[path_[keep]].from;
        for (std::size_t i = keep; i < path_.size(); ++i)
            if (moves_[path_[i]].from != end) place_[moves_[path_[i]].from] = none;
        path_.resize(keep);
        return end;
    }

    std::vector<FatMove>& moves_;
    Rows rows_;
    std::vector<std::size_t> next_;   ///< by node: its first move not yet given up
    std::vector<std::size_t> place_;  ///< by node: moves of the path before it, none: off the path
    std::vector<std::size_t> path_;
};

/// Assigns each move of a set without repeated moves to one of two halves, such that at every
/// sender and every receiver the halves differ by at most one.
std::vector<std::uint8_t> euler_split(const std::vector<FatMove>& moves, NodeId nodes) {
    std::vector<std::size_t> partner_sending(moves.size(), none);
    std::vector<std::size_t> partner_receiving(moves.size(), none);
    std::vector<std::size_t> waiting(nodes, none);
    const auto pair_up = [&](std::vector<std::size_t>& partner, const auto& end) {
        for (std::size_t i = 0; i < moves.size(); ++i) {
            std::size_t& open = waiting[end(moves[i])];
            if (open == none) {
                open = i;
            } else {
                partner[i] = open;
                partner[open] = i;
                open = none;
            }
        }
        for (const FatMove& move : moves)
            waiting[end(move)] = none;
    };
    pair_up(partner_sending, [](const FatMove& move) { return move.from; });
    pair_up(partner_receiving, [](const FatMove& move) { return move.to; });
    // Partners belong to different halves. Along a trail sides alternate, so trails that close have
    // even length.
    constexpr std::uint8_t open = 2;
    std::vector<std::uint8_t> half(moves.size(), open);
    const auto follow = [&](std::size_t from, bool by_sender) {
        for (std::size_t i = from;; by_sender = !by_sender) {
            const std::size_t next = by_sender ? partner_sending[i] : partner_receiving[i];
            if (next == none || half[next] != open) return;
            half[next] = half[i] == 0 ? 1 : 0;
            i = next;
        }
    };
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if (half[i] != open) continue;
        half[i] = 0;
        follow(i, true);
        follow(i, false);
    }
    return half;
}

void split_into_units(const FatStep& step, Step first, NodeId nodes, Schedule& schedule) {
    if (step.moves.empty()) return;
    if (step.size == 1) {
        for (const FatMove& move : step.moves)
            for (Tokens i = 0; i < move.tokens; ++i)
                schedule.push_back({first, move.from, move.to});
        return;
    }
    FatStep early;
    FatStep late;
    halve(step, nodes, early, late);
    split_into_units(early, first, nodes, schedule);
    split_into_units(late, first + early.size, nodes, schedule);
}

}  // namespace

Int128 MovesLimit::bytes(Int128 moves) {
    return 2 * Int128{sizeof(Move)} * moves;
}

std::uint64_t MovesLimit::most() const {
    return std::min(written_max, memory_bytes / (2 * sizeof(Move)));
}

std::string MovesLimit::exceeded_by(Int128 moves) const {
    if (moves > Int128{written_max})
        return "more than the " + std::to_string(written_max) + " that are written out one by one";
    constexpr std::uint64_t mib = std::uint64_t{1} << 20U;
    return "more than the " + std::to_string(most()) + " that half of --memory (" +
           std::to_string(memory_bytes / mib) + " MiB) holds: expected --memory " +
           load::to_decimal((bytes(moves) + mib - 1) / mib);
}

Tokens exchanges_of(std::span<const FatStep> steps) {
    Tokens sum = 0;
    for (const FatStep& step : steps)
        for (const FatMove& move : step.moves)
            if (__builtin_add_overflow(sum, move.tokens, &sum))
                throw OverflowError("number of exchanges (tokens times links)");
    return sum;
}

void cancel_cycles(FatStep& step, NodeId nodes) {
    CycleCanceller(step.moves, nodes).run();
}

void halve(const FatStep& whole, NodeId nodes, FatStep& first, FatStep& second) {
    EQUIPOISE_ASSERT(whole.size % 2 == 0);
    first = {whole.size / 2, {}};
    second = {whole.size / 2, {}};
    std::vector<FatMove> odd;
    for (const FatMove& move : whole.moves)
        if (move.tokens % 2 == 1) odd.push_back({move.from, move.to, 1});
    const std::vector<std::uint8_t> half = euler_split(odd, nodes);
    // One move for each link stays one, so that no link gets more than half, rounded up.
    std::size_t of_odd = 0;
    for (const FatMove& move : whole.moves) {
        Tokens early = move.tokens / 2;
        Tokens late = early;
        if (move.tokens % 2 == 1) ++(half[of_odd++] == 0 ? early : late);
        if (early > 0) first.moves.push_back({move.from, move.to, early});
        if (late > 0) second.moves.push_back({move.from, move.to, late});
    }
}

Schedule unit_steps(std::span<const FatStep> steps, NodeId nodes, std::uint64_t moves_max) {
    const Tokens moves = exchanges_of(steps);
    if (static_cast<std::uint64_t>(moves) > moves_max)
        throw InputError("the schedule has " + std::to_string(moves) + " moves, more than the " +
                         std::to_string(moves_max) + " that may be written out");
    Schedule schedule;
    schedule.reserve(static_cast<std::size_t>(moves));
    Step first = 0;
    for (const FatStep& step : steps) {
        split_into_units(step, first, nodes, schedule);
        first += step.size;
    }
    return schedule;
}

}  // namespace equipoise::optimum
