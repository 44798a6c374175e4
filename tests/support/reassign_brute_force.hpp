#pragma once
// What all placements and all schedules of a small problem of items on machines reach.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/ends.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::test {

/// All placements of a problem that a plan may aim at, and the best score of those within budget.
class AllPlacements {
  public:
    using Places = std::vector<reassign::MachineId>;

    explicit AllPlacements(const reassign::Problem& problem) : problem_(problem) {
        const reassign::Standing before = reassign::stand(problem, problem.places);
        Places places(problem.item_count(), 0);
        do {
            const reassign::Standing standing = reassign::stand(problem, places);
            scores_.push_back(standing.score);
            no_worse_.push_back(reassign::is_no_worse(standing, before));
            if (!reassign::may_end(problem, places, standing, before) ||
                !reassign::within(problem.budget, standing.moved))
                continue;
            if (!best_ || standing.score < *best_) best_ = standing.score;
        } while (advance(places));
    }

    /// Nothing only if even the present placement is not within budget.
    [[nodiscard]] const std::optional<reassign::Score>& best() const { return best_; }
    /// By number of a placement.
    [[nodiscard]] const reassign::Score& score(std::size_t number) const { return scores_[number]; }
    /// Whether no rule is broken further than in the beginning.
    [[nodiscard]] bool is_no_worse(std::size_t number) const { return no_worse_[number]; }
    [[nodiscard]] std::size_t number_of(const Places& places) const {
        std::size_t number = 0;
        for (std::size_t item = places.size(); item-- > 0;)
            number = number * problem_.machine_count() + places[item];
        return number;
    }
    /// The next placement; false after the last one.
    bool advance(Places& places) const {
        for (reassign::MachineId& place : places) {
            if (++place < problem_.machine_count()) return true;
            place = 0;
        }
        return false;
    }

  private:
    const reassign::Problem& problem_;
    std::vector<reassign::Score> scores_;
    std::vector<bool> no_worse_;
    std::optional<reassign::Score> best_;
};

/// Ends that a plan may aim at, some of them; the present ones are not among them.
inline std::vector<AllPlacements::Places> some_ends(const reassign::Problem& problem,
                                                    const AllPlacements& all, std::uint64_t seed,
                                                    std::size_t most) {
    std::vector<AllPlacements::Places> ends;
    const reassign::Standing before = reassign::stand(problem, problem.places);
    AllPlacements::Places places(problem.item_count(), 0);
    do {
        if (places != problem.places &&
            reassign::may_end(problem, places, reassign::stand(problem, places), before))
            ends.push_back(places);
    } while (all.advance(places));
    RandomStream random(seed, Purpose::sampling, 2);
    while (ends.size() > most)
        ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(random.below(ends.size())));
    return ends;
}

/// All schedules of a problem: every state that they reach. What a wave allows is written down here
/// once more, so that it is also a check of `replay`.
class AllSchedules {
  public:
    using Places = AllPlacements::Places;

    /// Looks at no more than so many waves; `is_complete` says whether that was enough.
    explicit AllSchedules(const reassign::Problem& problem, std::uint64_t waves_most = 30'000'000)
        : problem_(problem),
          placements_(problem),
          machines_(problem.machine_count()),
          kinds_(problem.resource_count()),
          waves_left_(waves_most) {
        for (const reassign::Resource& resource : problem.resources)
            remembers_ |= resource.release == reassign::Release::after_last;
        search();
    }

    /// How a placement is reached.
    struct Reach {
        Step waves = 0;    ///< fewest
        Tokens moves = 0;  ///< fewest, detours included, in any number of waves
        Step waves_of_fewest_moves = 0;
    };

    [[nodiscard]] bool is_complete() const { return waves_left_ > 0; }
    [[nodiscard]] const AllPlacements& placements() const { return placements_; }
    /// All that are reached within budget, by their numbers.
    [[nodiscard]] const std::map<std::size_t, Reach>& reached() const { return reached_; }
    /// How the placement is reached within budget; nothing if it is not.
    [[nodiscard]] std::optional<Reach> reach(const Places& ends) const {
        const auto at = reached_.find(placements_.number_of(ends));
        if (at == reached_.end()) return std::nullopt;
        return at->second;
    }
    /// The best score of all placements that are reached.
    [[nodiscard]] reassign::Score best() const {
        reassign::Score best = placements_.score(placements_.number_of(problem_.places));
        for (const auto& [number, reach] : reached_)
            best = std::min(best, placements_.score(number));
        return best;
    }
    /// The fewest waves, and the fewest moves, to any placement with at most this score.
    [[nodiscard]] Reach reach_score(const reassign::Score& most) const {
        std::optional<Reach> best;
        for (const auto& [number, reach] : reached_)
            if (placements_.score(number) <= most) best = best ? merged(*best, reach) : reach;
        return best.value_or(Reach{});
    }
    /// Whether the wave, which starts in the beginning, is allowed.
    [[nodiscard]] bool allows_first_wave(const Places& ends) const {
        return allows(State{problem_.places, first_been(), {}}, ends);
    }

  private:
    /// `been`: which items have been on which machines, where that matters; `moved`: by resource,
    /// where there is a budget.
    struct State {
        Places places;
        std::vector<bool> been;
        std::vector<Tokens> moved;
        friend auto operator<=>(const State&, const State&) = default;
    };
    struct Edge {
        std::size_t from = 0;  ///< numbers of states
        std::size_t to = 0;
        Tokens moves = 0;
    };

    static Reach merged(const Reach& one, const Reach& other) {
        Reach best;
        best.waves = std::min(one.waves, other.waves);
        std::tie(best.moves, best.waves_of_fewest_moves) =
            std::min(std::pair(one.moves, one.waves_of_fewest_moves),
                     std::pair(other.moves, other.waves_of_fewest_moves));
        return best;
    }

    [[nodiscard]] std::vector<bool> first_been() const {
        if (!remembers_) return {};
        std::vector<bool> been(problem_.places.size() * machines_, false);
        for (std::size_t item = 0; item < problem_.places.size(); ++item)
            been[item * machines_ + problem_.places[item]] = true;
        return been;
    }

    void search() {
        const State first{problem_.places, first_been(),
                          std::vector<Tokens>(problem_.budget.amounts.size(), 0)};
        numbers_[first] = 0;
        states_ = {first};
        reaches_ = {Reach{}};
        std::size_t level = 0;
        for (Step wave = 1; level < states_.size() && wave <= step_of(problem_.budget.waves);
             ++wave) {
            const std::size_t next_level = states_.size();
            for (; level < next_level; ++level)
                expand(level, wave);
        }
        find_cheapest();
        for (std::size_t state = 0; state < states_.size(); ++state) {
            const auto [at, is_new] =
                reached_.try_emplace(placements_.number_of(states_[state].places), reaches_[state]);
            if (!is_new) at->second = merged(at->second, reaches_[state]);
        }
    }
    static Step step_of(Tokens waves) { return static_cast<Step>(waves); }

    void expand(std::size_t from, Step wave) {
        const State state = states_[from];
        Places next(state.places.size(), 0);
        do {
            if (waves_left_ == 0) return;
            if (next == state.places || !placements_.is_no_worse(placements_.number_of(next)))
                continue;
            --waves_left_;
            if (!allows(state, next)) continue;
            const State then = after(state, next);
            if (!reassign::within(problem_.budget, then.moved)) continue;
            const auto [at, is_new] = numbers_.try_emplace(then, states_.size());
            if (is_new) {
                states_.push_back(then);
                reaches_.push_back({wave, tokens_max, 0});
            }
            edges_.push_back({from, at->second, count_moves(state.places, next)});
        } while (placements_.advance(next));
    }

    static Tokens count_moves(const Places& one, const Places& other) {
        Tokens count = 0;
        for (std::size_t item = 0; item < one.size(); ++item)
            if (one[item] != other[item]) ++count;
        return count;
    }

    [[nodiscard]] State after(const State& state, const Places& next) const {
        State then{next, state.been, state.moved};
        for (std::size_t item = 0; item < next.size(); ++item) {
            if (next[item] == state.places[item]) continue;
            if (remembers_) then.been[item * machines_ + next[item]] = true;
            for (std::size_t resource = 0; resource < then.moved.size(); ++resource)
                then.moved[resource] +=
                    problem_.amount(static_cast<reassign::ItemId>(item), resource);
        }
        return then;
    }

    /// Fewest moves, then waves, to each state: relaxes until nothing changes.
    void find_cheapest() {
        for (bool changed = true; changed;) {
            changed = false;
            for (const Edge& edge : edges_) {
                const Reach& from = reaches_[edge.from];
                Reach& to = reaches_[edge.to];
                if (from.moves == tokens_max) continue;
                const std::pair cost(from.moves + edge.moves, from.waves_of_fewest_moves + 1);
                if (cost >= std::pair(to.moves, to.waves_of_fewest_moves)) continue;
                std::tie(to.moves, to.waves_of_fewest_moves) = cost;
                changed = true;
            }
        }
    }

    [[nodiscard]] bool allows(const State& state, const Places& next) const {
        return single_moves_are_allowed(state, next) && rates_allow(state, next) &&
               capacities_allow(state, next) && stay_apart(state, next) &&
               placements_.is_no_worse(placements_.number_of(next));
    }

    [[nodiscard]] bool single_moves_are_allowed(const State& state, const Places& next) const {
        for (reassign::ItemId item = 0; item < problem_.item_count(); ++item)
            if (next[item] != state.places[item] && !problem_.may_be_on(item, next[item]))
                return false;
        return true;
    }

    [[nodiscard]] bool rates_allow(const State& state, const Places& next) const {
        for (reassign::MachineId machine = 0; machine < problem_.known_machines(); ++machine) {
            Tokens given = 0;
            Tokens taken = 0;
            Tokens items_given = 0;
            Tokens items_taken = 0;
            for (reassign::ItemId item = 0; item < problem_.item_count(); ++item) {
                if (next[item] == state.places[item]) continue;
                const Tokens amount = problem_.amount(item, problem_.copied);
                if (giver(state, item) == machine) given += amount, ++items_given;
                if (next[item] == machine) taken += amount, ++items_taken;
            }
            if (problem_.half_duplex) {
                given += taken;
                items_given += items_taken;
            }
            if (problem_.at_once > 0 && std::max(items_given, items_taken) > problem_.at_once)
                return false;
            if (!problem_.gives.empty() && items_given > 0 &&
                (problem_.gives[machine] == 0 || given > problem_.gives[machine]))
                return false;
            if (!problem_.takes.empty() && items_taken > 0 &&
                (problem_.takes[machine] == 0 || taken > problem_.takes[machine]))
                return false;
        }
        return true;
    }

    /// Where the copy is that an item is made from when it moves.
    [[nodiscard]] reassign::MachineId giver(const State& state, reassign::ItemId item) const {
        const bool is_made = state.places[item] == problem_.outside;
        if (!is_made && !problem_.copies_from_leader) return state.places[item];
        std::optional<reassign::ItemId> first;
        for (reassign::ItemId other = 0; other < problem_.item_count(); ++other) {
            if (problem_.thing[other] != problem_.thing[item]) continue;
            if (!problem_.leads.empty() && problem_.leads[other]) return state.places[other];
            if (!first && problem_.places[other] != problem_.outside) first = other;
        }
        return is_made ? state.places[*first] : state.places[item];
    }

    [[nodiscard]] bool capacities_allow(const State& state, const Places& next) const {
        for (reassign::MachineId machine = 0; machine < machines_; ++machine) {
            for (std::size_t resource = 0; resource < kinds_; ++resource) {
                Tokens holds = 0;
                bool takes = false;
                for (reassign::ItemId item = 0; item < problem_.item_count(); ++item) {
                    const bool was = state.places[item] == machine;
                    const bool will_be = next[item] == machine;
                    const Tokens amount = problem_.amount(item, resource);
                    takes |= !was && will_be && amount > 0;
                    if (uses(state, item, machine, resource, was, will_be)) holds += amount;
                }
                if (takes && holds > problem_.capacity(machine, resource)) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool uses(const State& state, reassign::ItemId item, reassign::MachineId machine,
                            std::size_t resource, bool was, bool will_be) const {
        switch (problem_.resources[resource].release) {
            case reassign::Release::at_once:
                return will_be;
            case reassign::Release::after_wave:
                return was || will_be;
            case reassign::Release::after_last:
                return will_be || state.been[item * machines_ + machine];
        }
        return true;
    }

    [[nodiscard]] bool stay_apart(const State& state, const Places& next) const {
        for (const reassign::Apart& rule : problem_.apart) {
            const std::vector<reassign::ValueId>& of = problem_.item_labels[rule.label].of;
            for (std::size_t item = 0; item < next.size(); ++item) {
                if (next[item] == state.places[item] || of[item] == reassign::no_value) continue;
                for (std::size_t other = 0; other < next.size(); ++other)
                    if (other != item && of[other] == of[item] &&
                        (next[other] == next[item] ||
                         (rule.on_the_way && state.places[other] == next[item])))
                        return false;
            }
        }
        return true;
    }

    const reassign::Problem& problem_;
    AllPlacements placements_;
    std::size_t machines_;
    std::size_t kinds_;
    bool remembers_ = false;  ///< whether it matters where items have been
    std::uint64_t waves_left_;
    std::map<State, std::size_t> numbers_;
    std::vector<State> states_;   ///< by number
    std::vector<Reach> reaches_;  ///< by number of a state
    std::vector<Edge> edges_;
    std::map<std::size_t, Reach> reached_;  ///< by number of a placement
};

}  // namespace equipoise::test
