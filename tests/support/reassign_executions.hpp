#pragma once
// All executions of a few moves that wait for moves, state by state: what `check_waits` says,
// written down once more without anything that it uses.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/checks/waits.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::test {

/// Walks through every state: which moves have started, and which of these are done.
class AllExecutions {
  public:
    AllExecutions(const reassign::Problem& problem, std::span<const reassign::Move> moves,
                  const reassign::WaitsFor& waits_for)
        : problem_(problem),
          moves_(moves.begin(), moves.end()),
          waits_for_(waits_for),
          before_(reassign::stand(problem, problem.places)) {
        Phases first(moves_.size(), Phase::waits);
        State state{first, problem.places, std::vector<reassign::MachineId>(moves_.size(), 0), {}};
        for (reassign::ItemId item = 0; item < problem.item_count(); ++item)
            state.been.insert({item, problem.places[item]});
        visit(state);
        ended_ = ended_ || moves_.empty();
    }

    /// Whether every execution keeps all limits and ends.
    [[nodiscard]] bool kept() const { return fault_.empty() && ended_; }
    [[nodiscard]] const std::string& fault() const { return fault_; }
    [[nodiscard]] std::size_t states() const { return seen_.size(); }

  private:
    enum class Phase : std::uint8_t { waits, goes, done };
    using Phases = std::vector<Phase>;
    struct State {
        Phases phases;
        std::vector<reassign::MachineId> places;  ///< where items are, with moves that are done
        std::vector<reassign::MachineId> givers;  ///< by move that has started
        std::set<std::pair<reassign::ItemId, reassign::MachineId>> been;
    };

    bool refuse(const std::string& fault) {
        if (fault_.empty()) fault_ = fault;
        return false;
    }

    void visit(const State& state) {
        if (!fault_.empty() || !seen_.insert(state.phases).second) return;
        if (!judge(state)) return;
        ended_ = ended_ || std::all_of(state.phases.begin(), state.phases.end(),
                                       [](Phase phase) { return phase == Phase::done; });
        for (std::size_t at = 0; at < moves_.size(); ++at) {
            if (state.phases[at] == Phase::goes) {
                State next = state;
                next.phases[at] = Phase::done;
                next.places[moves_[at].item] = moves_[at].to;
                visit(next);
            }
            if (state.phases[at] != Phase::waits) continue;
            const bool ready = std::all_of(
                waits_for_[at].begin(), waits_for_[at].end(),
                [&](std::uint32_t first) { return state.phases[first] == Phase::done; });
            if (ready) start_with(at, state);
        }
    }

    /// Starts all that wait for the same.
    void start_with(std::size_t at, const State& state) {
        State next = state;
        for (std::size_t other = 0; other < moves_.size(); ++other) {
            if (waits_for_[other] != waits_for_[at]) continue;
            const auto& [wave, item, from, to] = moves_[other];
            if (state.places[item] != from || goes(state, item)) {
                refuse("an item is not where its move begins");
                return;
            }
            next.phases[other] = Phase::goes;
            next.givers[other] = giver(state, item);
            next.been.insert({item, to});
        }
        visit(next);
    }

    [[nodiscard]] bool goes(const State& state, reassign::ItemId item) const {
        for (std::size_t at = 0; at < moves_.size(); ++at)
            if (moves_[at].item == item && state.phases[at] == Phase::goes) return true;
        return false;
    }

    /// The item that this one is copied from.
    [[nodiscard]] reassign::ItemId source(reassign::ItemId item, bool is_made) const {
        if (!is_made && !problem_.copies_from_leader) return item;
        reassign::ItemId first = reassign::no_item;
        for (reassign::ItemId other = 0; other < problem_.item_count(); ++other) {
            if (problem_.thing[other] != problem_.thing[item]) continue;
            if (!problem_.leads.empty() && problem_.leads[other]) return other;
            if (first == reassign::no_item && problem_.places[other] != problem_.outside)
                first = other;
        }
        if (!is_made) return item;
        if (first != reassign::no_item) return first;
        for (reassign::ItemId other = 0; other < problem_.item_count(); ++other)
            if (problem_.thing[other] == problem_.thing[item]) return other;
        return item;
    }
    [[nodiscard]] reassign::MachineId giver(const State& state, reassign::ItemId item) const {
        return state.places[source(item, state.places[item] == problem_.outside)];
    }

    bool judge(const State& state) {
        return copies_hold(state) && ends_hold(state) && room_holds(state) && apart_holds(state) &&
               end_apart_holds(state) && rules_hold(state);
    }

    /// While something is copied, what it is copied from is still where it was, or about to leave
    /// since both started; and it stays there until the copy is made.
    bool copies_hold(const State& state) {
        for (std::size_t at = 0; at < moves_.size(); ++at) {
            if (state.phases[at] != Phase::goes) continue;
            const reassign::ItemId from =
                source(moves_[at].item, moves_[at].from == problem_.outside);
            if (from == moves_[at].item) continue;
            for (std::size_t other = 0; other < moves_.size(); ++other) {
                if (moves_[other].item != from) continue;
                const bool together = waits_for_[other] == waits_for_[at];
                if (state.phases[other] == Phase::goes && !together)
                    return refuse("the source of a copy moves while it is made");
                if (state.phases[other] != Phase::done || !together) continue;
                for (std::size_t later = 0; later < moves_.size(); ++later)
                    if (state.phases[later] != Phase::waits && waits_for_move(later, other))
                        return refuse("something started since the source had left");
            }
        }
        return true;
    }
    [[nodiscard]] bool waits_for_move(std::size_t later, std::size_t first) const {
        for (const std::uint32_t each : waits_for_[later])
            if (each == first || waits_for_move(each, first)) return true;
        return false;
    }

    bool ends_hold(const State& state) {
        for (reassign::MachineId machine = 0; machine < problem_.known_machines(); ++machine) {
            std::array<Tokens, 2> items = {};
            std::array<Tokens, 2> copied = {};
            for (std::size_t at = 0; at < moves_.size(); ++at) {
                if (state.phases[at] != Phase::goes) continue;
                const Tokens amount = problem_.amount(moves_[at].item, problem_.copied);
                if (state.givers[at] == machine) ++items[0], copied[0] += amount;
                const std::size_t end = problem_.half_duplex ? 0 : 1;
                if (moves_[at].to == machine) ++items[end], copied[end] += amount;
            }
            for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
                const std::vector<Tokens>& rates = end == 0 ? problem_.gives : problem_.takes;
                if (problem_.at_once > 0 && items[end] > problem_.at_once)
                    return refuse("too many items at once");
                if (!rates.empty() && items[end] > 0 &&
                    (rates[machine] == 0 || copied[end] > rates[machine]))
                    return refuse("too much at once");
            }
        }
        return true;
    }

    bool room_holds(const State& state) {
        for (reassign::MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource) {
                Tokens holds = 0;
                bool takes = false;
                for (reassign::ItemId item = 0; item < problem_.item_count(); ++item)
                    if (counts(state, item, machine, resource))
                        holds += problem_.amount(item, resource);
                for (std::size_t at = 0; at < moves_.size(); ++at)
                    takes |= state.phases[at] != Phase::waits && moves_[at].to == machine &&
                             problem_.amount(moves_[at].item, resource) > 0;
                if (takes && holds > problem_.capacity(machine, resource))
                    return refuse("no room of " + problem_.resources[resource].name);
            }
        return true;
    }

    [[nodiscard]] bool counts(const State& state, reassign::ItemId item,
                              reassign::MachineId machine, std::size_t resource) const {
        const reassign::Release release = problem_.resources[resource].release;
        if (release == reassign::Release::after_last) return state.been.contains({item, machine});
        bool leaves = false;
        for (std::size_t at = 0; at < moves_.size(); ++at) {
            if (moves_[at].item != item || state.phases[at] != Phase::goes) continue;
            if (moves_[at].to == machine) return true;
            leaves = true;
        }
        return state.places[item] == machine && !(leaves && release == reassign::Release::at_once);
    }

    bool apart_holds(const State& state) {
        for (const reassign::Apart& rule : problem_.apart) {
            if (!rule.on_the_way) continue;
            const std::vector<reassign::ValueId>& of = problem_.item_labels[rule.label].of;
            for (std::size_t at = 0; at < moves_.size(); ++at) {
                const auto& [wave, item, from, to] = moves_[at];
                if (state.phases[at] != Phase::goes || of[item] == reassign::no_value) continue;
                for (reassign::ItemId other = 0; other < problem_.item_count(); ++other)
                    if (other != item && of[other] == of[item] && is_on(state, other, to))
                        return refuse("items that must be apart meet");
            }
        }
        return true;
    }
    [[nodiscard]] bool is_on(const State& state, reassign::ItemId item,
                             reassign::MachineId machine) const {
        if (state.places[item] == machine) return true;
        for (std::size_t at = 0; at < moves_.size(); ++at)
            if (moves_[at].item == item && moves_[at].to == machine &&
                state.phases[at] == Phase::goes)
                return true;
        return false;
    }

    /// Whether items that have arrived are alone of their value by rules that are not judged on the
    /// way, where nothing with it comes or goes.
    bool end_apart_holds(const State& state) {
        for (const reassign::Apart& rule : problem_.apart) {
            const std::vector<reassign::ValueId>& of = problem_.item_labels[rule.label].of;
            for (const reassign::Move& move : moves_) {
                const reassign::ValueId value = of[move.item];
                if (rule.on_the_way || value == reassign::no_value) continue;
                bool has_taken = false;
                bool is_quiet = true;
                for (std::size_t at = 0; at < moves_.size(); ++at) {
                    const auto& [wave, item, from, to] = moves_[at];
                    if (of[item] != value || (from != move.to && to != move.to)) continue;
                    if (state.phases[at] == Phase::goes) is_quiet = false;
                    if (state.phases[at] == Phase::done && to == move.to) has_taken = true;
                }
                Tokens items = 0;
                for (reassign::ItemId item = 0; item < problem_.item_count(); ++item)
                    if (of[item] == value && state.places[item] == move.to) ++items;
                if (is_quiet && has_taken && items > 1)
                    return refuse("items that must be apart stay together");
            }
        }
        return true;
    }

    /// By place: how far rules are broken that are judged while nothing moves that they count.
    using Broken = std::map<std::vector<std::size_t>, Tokens>;
    [[nodiscard]] Broken broken(const reassign::Standing& standing) const {
        Broken sums;
        for (const reassign::BrokenRule& each : standing.broken) {
            if (each.kind == reassign::RuleKind::least_items) sums[{0, each.machine}] += each.by;
            if (each.kind == reassign::RuleKind::spread)
                sums[{1, each.rule, each.value}] += each.by;
            if (each.kind == reassign::RuleKind::near) sums[{2, each.rule, each.pair}] += each.by;
        }
        return sums;
    }

    bool rules_hold(const State& state) {
        const Broken first = broken(before_);
        for (const auto& [place, by] : broken(reassign::stand(problem_, state.places))) {
            const auto at_first = first.find(place);
            if (at_first != first.end() && by <= at_first->second) continue;
            if (at_first == first.end() && by == 0) continue;
            if (!moves_at(state, place)) return refuse("a rule that counts items is broken");
        }
        return true;
    }
    [[nodiscard]] bool moves_at(const State& state, const std::vector<std::size_t>& place) const {
        for (std::size_t at = 0; at < moves_.size(); ++at)
            if (state.phases[at] == Phase::goes && changes(moves_[at], place)) return true;
        return false;
    }
    [[nodiscard]] bool changes(const reassign::Move& move,
                               const std::vector<std::size_t>& place) const {
        if (place[0] == 0) return move.from == place[1] || move.to == place[1];
        const bool spread = place[0] == 1;
        const std::size_t label =
            spread ? problem_.spread[place[1]].label : problem_.near[place[1]].label;
        const std::size_t machines = spread ? problem_.spread[place[1]].machine_label
                                            : problem_.near[place[1]].machine_label;
        const std::vector<reassign::ValueId>& of = problem_.machine_labels[machines].of;
        if (of[move.from] == of[move.to]) return false;
        const reassign::ValueId value = problem_.item_labels[label].of[move.item];
        if (value == reassign::no_value) return false;
        if (spread) return value == place[2];
        const auto& [service, other] = problem_.near[place[1]].depends[place[2]];
        return value == service || value == other;
    }

    const reassign::Problem& problem_;
    std::vector<reassign::Move> moves_;
    const reassign::WaitsFor& waits_for_;
    reassign::Standing before_;
    std::set<Phases> seen_;
    bool ended_ = false;
    std::string fault_;
};

}  // namespace equipoise::test
