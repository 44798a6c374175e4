#include "equipoise/optimum/waves/check.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "equipoise/base/plural.hpp"

namespace equipoise::optimum {

namespace {

/// Replays one wave after the other; stops at the first fault.
class WaveReplay {
  public:
    WaveReplay(const ItemsProblem& problem, std::span<const WaveMove> moves, const WaveNames& names)
        : problem_(problem), moves_(moves), names_(names) {
        verdict_.places = problem.places;
        verdict_.loads = problem.loads();
        for (std::size_t item = 0; item < problem.copies_of.size(); ++item)
            copies_.insert({problem.copies_of[item], problem.places[item]});
    }

    WaveVerdict play() {
        std::size_t first = 0;
        while (first < moves_.size()) {
            std::size_t last = first;
            while (last < moves_.size() && moves_[last].wave == moves_[first].wave)
                ++last;
            if (last < moves_.size() && moves_[last].wave < moves_[first].wave)
                return fault(last, "waves go backwards", no_node);
            if (!play_wave(first, last)) return std::move(verdict_);
            ++verdict_.waves;
            first = last;
        }
        verdict_.moves = moves_.size();
        verdict_.is_allowed = true;
        judge_end();
        return std::move(verdict_);
    }

  private:
    struct Traffic {
        Tokens size = 0;
        Tokens items = 0;
    };

    WaveVerdict fault(std::size_t at, const std::string& text, NodeId node) {
        verdict_.fault = text;
        verdict_.fault_at = at;
        verdict_.fault_node = node;
        return std::move(verdict_);
    }

    bool refuse(std::size_t at, const std::string& text, NodeId node = no_node) {
        verdict_.fault = text;
        verdict_.fault_at = at;
        verdict_.fault_node = node;
        return false;
    }

    bool play_wave(std::size_t first, std::size_t last) {
        std::map<NodeId, Traffic> given;
        std::map<NodeId, Traffic> taken;
        std::map<NodeId, Traffic> both;
        std::set<ItemId> moved;
        Tokens in_wave = 0;
        for (std::size_t at = first; at < last; ++at) {
            const WaveMove& move = moves_[at];
            if (move.item >= problem_.items() || move.from >= problem_.nodes ||
                move.to >= problem_.nodes)
                return refuse(at, "a move names an item or a node that does not exist");
            const std::string item = "item " + names_.item(move.item);
            const std::string wave = " in wave " + std::to_string(move.wave);
            if (move.from == move.to)
                return refuse(at,
                              item + " goes from node " + names_.node(move.from) + " to itself");
            if (!moved.insert(move.item).second) return refuse(at, item + " moves twice" + wave);
            if (verdict_.places[move.item] != move.from)
                return refuse(at,
                              item + " is on node " + names_.node(verdict_.places[move.item]) +
                                  ", not on node " + names_.node(move.from) + wave,
                              move.from);
            const Tokens size = problem_.size_of(move.item);
            if (!count(given[move.from], size, problem_.gives_of(move.from)))
                return refuse(
                    at,
                    too_much(move.from, " gives ", given[move.from], problem_.gives_of(move.from)) +
                        wave,
                    move.from);
            if (!count(taken[move.to], size, problem_.takes_of(move.to)))
                return refuse(
                    at,
                    too_much(move.to, " takes ", taken[move.to], problem_.takes_of(move.to)) + wave,
                    move.to);
            if (problem_.half_duplex && !both_ways_allow(at, both)) return false;
            if (!problem_.copies_of.empty() &&
                !copies_.insert({problem_.copies_of[move.item], move.to}).second)
                return refuse(
                    at, "node " + names_.node(move.to) + " has another copy of " + item + wave,
                    move.to);
            const Tokens holds = verdict_.loads[move.to] + taken[move.to].size;
            if (holds > problem_.capacity_of(move.to))
                return refuse(at,
                              "node " + names_.node(move.to) + " holds " + std::to_string(holds) +
                                  ", above its capacity of " +
                                  std::to_string(problem_.capacity_of(move.to)) + "," + wave,
                              move.to);
            verdict_.peak = std::max(verdict_.peak, holds);
            in_wave += size;
        }
        if (__builtin_add_overflow(verdict_.size, in_wave, &verdict_.size))
            return refuse(first, "the sizes of all that moves up to wave " +
                                     std::to_string(moves_[first].wave) +
                                     " add up to more than can be counted");
        verdict_.wave_peak = std::max(verdict_.wave_peak, in_wave);
        for (std::size_t at = first; at < last; ++at) {
            const WaveMove& move = moves_[at];
            verdict_.loads[move.from] -= problem_.size_of(move.item);
            verdict_.loads[move.to] += problem_.size_of(move.item);
            verdict_.places[move.item] = move.to;
            if (!problem_.copies_of.empty())
                copies_.erase({problem_.copies_of[move.item], move.from});
        }
        return true;
    }

    /// Whether the nodes of the move may give and take so much together.
    bool both_ways_allow(std::size_t at, std::map<NodeId, Traffic>& both) {
        const WaveMove& move = moves_[at];
        for (const NodeId node : {move.from, move.to}) {
            const Tokens most = problem_.gives_of(node);
            if (!count(both[node], problem_.size_of(move.item), most))
                return refuse(at,
                              too_much(node, " gives and takes ", both[node], most) + " in wave " +
                                  std::to_string(move.wave),
                              node);
        }
        return true;
    }

    bool count(Traffic& traffic, Tokens size, Tokens most) const {
        traffic.size += size;
        ++traffic.items;
        return most > 0 && traffic.size <= most &&
               (problem_.at_once == 0 || traffic.items <= problem_.at_once);
    }

    std::string too_much(NodeId node, const char* does, const Traffic& traffic, Tokens most) const {
        if (traffic.size > most)
            return "node " + names_.node(node) + does + std::to_string(traffic.size) +
                   ", above its rate of " + std::to_string(most) + ",";
        if (most == 0) return "node " + names_.node(node) + does + "an item, but its rate is 0,";
        return "node " + names_.node(node) + does + std::to_string(traffic.items) +
               " items, more than " + std::to_string(problem_.at_once) + " at once,";
    }

    static std::string items_in_words(Tokens count) {
        return with_noun(static_cast<std::uint64_t>(count), "item", "items");
    }

    /// An item that is not where it should end, and that place.
    [[nodiscard]] std::optional<std::pair<ItemId, NodeId>> stray() const {
        if (problem_.copies_of.empty()) {
            for (ItemId item = 0; item < problem_.items(); ++item)
                if (verdict_.places[item] != problem_.final_places[item])
                    return std::pair(item, problem_.final_places[item]);
            return std::nullopt;
        }
        // Copies of the same thing are interchangeable.
        std::set<std::pair<std::uint32_t, NodeId>> ends;
        for (ItemId item = 0; item < problem_.items(); ++item)
            ends.insert({problem_.copies_of[item], problem_.final_places[item]});
        std::optional<ItemId> found;
        for (ItemId item = 0; item < problem_.items(); ++item)
            if (ends.erase({problem_.copies_of[item], verdict_.places[item]}) == 0 && !found)
                found = item;
        if (!found) return std::nullopt;
        return std::pair(*found, ends.lower_bound({problem_.copies_of[*found], 0})->second);
    }

    void judge_end() {
        verdict_.fault_at = moves_.size();
        if (!problem_.final_places.empty()) {
            if (const auto found = stray()) {
                verdict_.fault = "item " + names_.item(found->first) + " ends on node " +
                                 names_.node(verdict_.places[found->first]) + ", not on node " +
                                 names_.node(found->second);
                return;
            }
            verdict_.holds = true;
            return;
        }
        const Tokens extra = problem_.one_size();
        Tokens extras = problem_.target.extras;
        std::vector<Tokens> counts(problem_.nodes, 0);
        for (const NodeId place : verdict_.places)
            ++counts[place];
        for (NodeId node = 0; node < problem_.nodes; ++node) {
            const Tokens most = problem_.target.base[node];
            if (problem_.may_end_with(node, verdict_.loads[node], counts[node])) continue;
            verdict_.fault_node = node;
            if (problem_.ends_empty_at(node)) {
                verdict_.fault = "node " + names_.node(node) + " ends with " +
                                 items_in_words(counts[node]) + ", but must end empty";
                return;
            }
            if (problem_.target.extra_at(node) && extra > 0 && extras > 0 &&
                verdict_.loads[node] <= most + extra) {
                --extras;
                continue;
            }
            const bool or_one = problem_.may_hold_one_at(node);
            verdict_.fault = "node " + names_.node(node) + " ends with " +
                             (or_one ? items_in_words(counts[node]) + " of size " : std::string()) +
                             std::to_string(verdict_.loads[node]) + (or_one ? " in all" : "") +
                             ", above its final load of " + std::to_string(most) +
                             (or_one ? " or one item" : "");
            return;
        }
        verdict_.fault_node = no_node;
        verdict_.holds = true;
    }

    const ItemsProblem& problem_;
    std::span<const WaveMove> moves_;
    const WaveNames& names_;
    std::set<std::pair<std::uint32_t, NodeId>> copies_;
    WaveVerdict verdict_;
};

}  // namespace

WaveVerdict check_waves(const ItemsProblem& problem, std::span<const WaveMove> moves,
                        const WaveNames& names) {
    return WaveReplay(problem, moves, names).play();
}

}  // namespace equipoise::optimum
