#include "equipoise/optimum/waves/move_search.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/waves/builder.hpp"

namespace equipoise::optimum {

namespace {

/// How many moves a placement still needs at least; 0 if it is at the target.
class MovesLeft {
  public:
    explicit MovesLeft(const ItemsProblem& problem) : problem_(problem) {
        for (ItemId item = 0; item < problem.final_places.size(); ++item)
            ends_.emplace(thing(item), problem.final_places[item]);
        order_.reserve(problem.items());
        for (ItemId item = 0; item < problem.items(); ++item)
            order_.push_back(item);
        std::stable_sort(order_.begin(), order_.end(), [&](ItemId a, ItemId b) {
            return problem.size_of(a) > problem.size_of(b);
        });
    }

    [[nodiscard]] Tokens at(const std::vector<NodeId>& places) const {
        return problem_.final_places.empty() ? to_target(places) : to_places(places);
    }

  private:
    /// Copies of one thing are interchangeable.
    [[nodiscard]] std::uint32_t thing(ItemId item) const {
        return problem_.copies_of.empty() ? item : problem_.copies_of[item];
    }

    [[nodiscard]] Tokens to_places(const std::vector<NodeId>& places) const {
        Tokens moves = 0;
        for (ItemId item = 0; item < problem_.items(); ++item)
            if (!ends_.contains({thing(item), places[item]})) ++moves;
        return moves;
    }

    [[nodiscard]] Tokens to_target(const std::vector<NodeId>& places) const {
        load::Loads loads(problem_.nodes, 0);
        std::vector<Tokens> counts(problem_.nodes, 0);
        for (ItemId item = 0; item < problem_.items(); ++item) {
            loads[places[item]] += problem_.size_of(item);
            ++counts[places[item]];
        }
        Tokens moves = 0;
        Tokens extras = problem_.target.extras;
        std::vector<bool> has_extra(problem_.nodes, false);
        for (const ItemId item : order_) {
            const NodeId node = places[item];
            if (problem_.may_end_with(node, loads[node], counts[node])) continue;
            if (extras > 0 && !has_extra[node] && may_take_extra(node)) {
                has_extra[node] = true;
                --extras;
            } else {
                ++moves;
            }
            loads[node] -= problem_.size_of(item);
            --counts[node];
        }
        return moves;
    }
    [[nodiscard]] bool may_take_extra(NodeId node) const {
        return problem_.target.extra_at(node) && !problem_.ends_empty_at(node);
    }

    const ItemsProblem& problem_;
    std::set<std::pair<std::uint32_t, NodeId>> ends_;
    std::vector<ItemId> order_;  ///< the largest first
};

class MoveSearch {
  public:
    MoveSearch(const ItemsProblem& problem, std::uint64_t effort)
        : problem_(problem), left_(problem), effort_left_(effort) {}

    SearchedMoves run() {
        SearchedMoves found;
        enter(problem_.places, {});
        while (!open_.empty() && !is_exhausted()) {
            const auto [total, moves_left, state] = take();
            found.moves_at_least = std::max(found.moves_at_least, total);
            if (moves_left == 0) {
                found.schedule = moves_to(state);
                return found;
            }
            expand(state);
        }
        found.is_complete = open_.empty() && !is_exhausted();
        return found;
    }

  private:
    static constexpr std::size_t places_max = 8'000'000;

    struct State {
        const std::vector<NodeId>* places = nullptr;
        std::size_t parent = 0;
        WaveMove move;  ///< from the parent; its wave counts the moves so far, from 0
        Tokens moves = 0;
    };
    struct Open {
        Tokens total = 0;  ///< moves so far and still needed
        Tokens moves_left = 0;
        std::size_t state = 0;
    };

    [[nodiscard]] bool is_exhausted() const {
        return effort_left_ == 0 || states_.size() * (problem_.items() + 16) > places_max;
    }

    /// Those with the least total, and of them the nearest to the target.
    Open take() {
        const auto first = open_.begin();
        const Open next{first->first.first, first->first.second, first->second.back()};
        first->second.pop_back();
        if (first->second.empty()) open_.erase(first);
        return next;
    }

    void enter(const std::vector<NodeId>& places, const State& from) {
        const auto [at, is_new] = numbers_.try_emplace(places, states_.size());
        if (is_new) {
            states_.push_back(from);
            states_.back().places = &at->first;
        } else {
            if (states_[at->second].moves <= from.moves) return;
            states_[at->second].parent = from.parent;
            states_[at->second].move = from.move;
            states_[at->second].moves = from.moves;
        }
        const Tokens left = left_.at(places);
        open_[{from.moves + left, left}].push_back(at->second);
    }

    void expand(std::size_t state) {
        std::vector<NodeId> places = *states_[state].places;
        load::Loads loads(problem_.nodes, 0);
        std::set<std::pair<std::uint32_t, NodeId>> copies;
        for (ItemId item = 0; item < problem_.items(); ++item) {
            loads[places[item]] += problem_.size_of(item);
            if (!problem_.copies_of.empty()) copies.emplace(problem_.copies_of[item], places[item]);
        }
        const Tokens moves = states_[state].moves;
        for (ItemId item = 0; item < problem_.items() && !is_exhausted(); ++item) {
            const NodeId from = places[item];
            const Tokens size = problem_.size_of(item);
            if (problem_.gives_of(from) == 0 || size > problem_.gives_of(from)) continue;
            for (NodeId to = 0; to < problem_.nodes; ++to) {
                if (to == from || problem_.takes_of(to) == 0 || size > problem_.takes_of(to) ||
                    size > problem_.capacity_of(to) - loads[to] ||
                    (!copies.empty() && copies.contains({problem_.copies_of[item], to})))
                    continue;
                effort_left_ -= std::min<std::uint64_t>(
                    effort_left_, std::uint64_t{problem_.items()} + problem_.nodes);
                places[item] = to;
                enter(places,
                      {nullptr, state, {static_cast<Step>(moves), item, from, to}, moves + 1});
                places[item] = from;
            }
        }
    }

    [[nodiscard]] WaveSchedule moves_to(std::size_t state) const {
        WaveSchedule schedule;
        for (; states_[state].moves > 0; state = states_[state].parent)
            schedule.push_back(states_[state].move);
        std::reverse(schedule.begin(), schedule.end());
        return schedule;
    }

    const ItemsProblem& problem_;
    MovesLeft left_;
    std::map<std::vector<NodeId>, std::size_t> numbers_;
    std::vector<State> states_;
    std::map<std::pair<Tokens, Tokens>, std::vector<std::size_t>> open_;
    std::uint64_t effort_left_;
};

/// Fills waves with the moves in their order; `overtakes`: one that must wait lets others pass that
/// are of other items. Nothing if a wave stays empty.
std::optional<WaveSchedule> in_waves(const ItemsProblem& problem, const WaveSchedule& schedule,
                                     bool overtakes) {
    WaveBuilder builder(problem);
    WaveSchedule rest = schedule;
    while (!rest.empty()) {
        WaveSchedule later;
        std::set<ItemId> waiting;
        for (const WaveMove& move : rest) {
            const bool may_pass = later.empty() || (overtakes && !waiting.contains(move.item));
            if (may_pass && builder.place(move.item) == move.from &&
                builder.allows(move.item, move.to)) {
                builder.move(move.item, move.to);
                continue;
            }
            waiting.insert(move.item);
            later.push_back(move);
        }
        if (builder.wave_is_empty()) return std::nullopt;
        builder.end_wave();
        rest = std::move(later);
    }
    return std::move(builder.schedule());
}

}  // namespace

SearchedMoves search_moves(const ItemsProblem& problem, std::uint64_t effort) {
    return MoveSearch(problem, effort).run();
}

WaveSchedule packed(const ItemsProblem& problem, const WaveSchedule& schedule) {
    std::optional<WaveSchedule> waves = in_waves(problem, schedule, true);
    if (!waves) waves = in_waves(problem, schedule, false);
    return waves ? *std::move(waves) : schedule;
}

}  // namespace equipoise::optimum
