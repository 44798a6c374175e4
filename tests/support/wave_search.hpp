#pragma once
// All schedules in waves of tiny problems, by search.

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "equipoise/optimum/waves/check.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::test {

/// What a search of all schedules shows.
struct WaveOptimum {
    std::optional<Tokens> moves;  ///< fewest, in any number of waves; nothing: no schedule at all
    Step waves_of_fewest_moves = 0;  ///< fewest waves of schedules with as many moves
    Step waves = 0;                  ///< fewest waves of all schedules
};

/// The fewest moves of all schedules, by search of moves one after the other, which is faster: what
/// a wave allows is allowed one after the other. Nothing if there is no schedule.
inline std::optional<Tokens> fewest_single_moves(const optimum::ItemsProblem& problem) {
    std::set<std::vector<NodeId>> seen = {problem.places};
    std::vector<std::vector<NodeId>> level = {problem.places};
    optimum::ItemsProblem there = problem;
    for (Tokens moves = 0; !level.empty(); ++moves) {
        std::vector<std::vector<NodeId>> next;
        for (const std::vector<NodeId>& places : level) {
            there.places = places;
            if (optimum::check_waves(there, {}).holds) return moves;
            for (optimum::ItemId item = 0; item < problem.items(); ++item) {
                for (NodeId to = 0; to < problem.nodes; ++to) {
                    const optimum::WaveSchedule move = {{0, item, places[item], to}};
                    std::vector<NodeId> then = places;
                    then[item] = to;
                    if (!seen.contains(then) && optimum::check_waves(there, move).is_allowed) {
                        seen.insert(then);
                        next.push_back(std::move(then));
                    }
                }
            }
        }
        level = std::move(next);
    }
    return std::nullopt;
}

/// Searches all placements, wave by wave, for the fewest moves that lead to each.
class WaveSearch {
  public:
    explicit WaveSearch(const optimum::ItemsProblem& problem) : problem_(problem) {}

    WaveOptimum run() {
        WaveOptimum best;
        std::map<Places, Tokens> reached = {{problem_.places, 0}};
        std::map<Places, Tokens> before;
        for (Step wave = 0; reached != before; ++wave) {
            for (const auto& [places, moves] : reached) {
                if (!is_done(places)) continue;
                if (!best.moves) best.waves = wave;
                if (best.moves && *best.moves <= moves) continue;
                best.moves = moves;
                best.waves_of_fewest_moves = wave;
            }
            before = reached;
            for (const auto& [places, moves] : before)
                extend(places, moves, reached);
        }
        return best;
    }

  private:
    using Places = std::vector<NodeId>;

    [[nodiscard]] bool is_done(const Places& places) const {
        optimum::ItemsProblem there = problem_;
        there.places = places;
        return optimum::check_waves(there, {}).holds;
    }

    /// Every single wave from there, as the check allows it.
    void extend(const Places& places, Tokens moves, std::map<Places, Tokens>& reached) const {
        optimum::ItemsProblem there = problem_;
        there.places = places;
        Places next(places.size(), 0);
        while (true) {
            optimum::WaveSchedule wave;
            for (optimum::ItemId item = 0; item < next.size(); ++item)
                if (next[item] != places[item]) wave.push_back({0, item, places[item], next[item]});
            const Tokens sum = moves + static_cast<Tokens>(wave.size());
            const auto known = reached.find(next);
            if ((known == reached.end() || known->second > sum) &&
                optimum::check_waves(there, wave).is_allowed)
                reached[next] = sum;
            std::size_t item = 0;
            while (item < next.size() && ++next[item] == problem_.nodes)
                next[item++] = 0;
            if (item == next.size()) return;
        }
    }

    const optimum::ItemsProblem& problem_;
};

}  // namespace equipoise::test
