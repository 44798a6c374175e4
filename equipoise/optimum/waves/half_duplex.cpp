#include "equipoise/optimum/waves/half_duplex.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/optimum/waves/colouring.hpp"

namespace equipoise::optimum {

namespace {

using Waves = std::vector<std::vector<FatMove>>;

/// Units are put into waves one by one only if there are at most so many, in a table of at most so
/// many places, with at most so many looks at units in all.
constexpr Tokens units_most = 100'000;
constexpr Tokens units_in_pairs_most = 2'000'000;
constexpr Tokens places_most = 4'000'000;
constexpr std::uint64_t looks_most = 20'000'000;
/// The first waves of a list are sorted one by one, later ones when so small a part has gone.
constexpr std::size_t waves_sorted_each = 64;
constexpr std::size_t sorted_part = 20;
constexpr std::uint64_t triangle_looks_most = 2'000'000;

/// By node, the units that it gives or takes.
std::vector<Tokens> degrees_of(std::span<const FatMove> bundles, std::size_t nodes) {
    std::vector<Tokens> degrees(nodes, 0);
    for (const auto& [from, to, tokens] : bundles) {
        degrees[from] += tokens;
        degrees[to] += tokens;
    }
    return degrees;
}

/// The waves that the busiest node needs.
Step waves_of_nodes(const std::vector<Tokens>& degrees, const std::vector<Tokens>& at_most) {
    Tokens waves = 0;
    for (std::size_t node = 0; node < degrees.size(); ++node)
        if (degrees[node] > 0) waves = std::max(waves, ceil_divide(degrees[node], at_most[node]));
    return static_cast<Step>(waves);
}

/// Rounded down to even numbers; up where the node can take part in all its transfers at once.
/// Nothing if that leaves a node without any.
std::optional<std::vector<Tokens>> even_numbers(const std::vector<Tokens>& degrees,
                                                const std::vector<Tokens>& at_most) {
    std::vector<Tokens> even(at_most.size(), 0);
    for (std::size_t node = 0; node < at_most.size(); ++node) {
        const Tokens degree = degrees[node];
        even[node] = at_most[node] >= degree ? degree + degree % 2 : at_most[node] / 2 * 2;
        if (degree > 0 && even[node] == 0) return std::nullopt;
    }
    return even;
}

/// All transfers between two nodes.
struct Pair {
    NodeId low = 0;
    NodeId high = 0;
    Tokens up = 0;  ///< from `low` to `high`
    Tokens down = 0;
};

/// Sorted by `low`, then `high`.
std::vector<Pair> pairs_of(std::span<const FatMove> bundles) {
    std::vector<Pair> pairs;
    pairs.reserve(bundles.size());
    for (const auto& [from, to, tokens] : bundles)
        pairs.push_back(from < to ? Pair{from, to, tokens, 0} : Pair{to, from, 0, tokens});
    const auto ends = [](const Pair& pair) { return std::pair(pair.low, pair.high); };
    std::sort(pairs.begin(), pairs.end(),
              [&](const Pair& a, const Pair& b) { return ends(a) < ends(b); });
    std::size_t kept = 0;
    for (const Pair& pair : pairs) {
        if (kept > 0 && ends(pairs[kept - 1]) == ends(pair)) {
            pairs[kept - 1].up += pair.up;
            pairs[kept - 1].down += pair.down;
        } else {
            pairs[kept++] = pair;
        }
    }
    pairs.resize(kept);
    return pairs;
}

/// The transfers, each turned so that no node has more than half of its units, rounded up, on
/// either side.
std::vector<FatMove> turned(const std::vector<Pair>& pairs, std::size_t nodes) {
    std::vector<FatMove> all;
    std::vector<FatMove> odd;
    std::vector<std::vector<std::size_t>> odd_of(nodes);
    for (const Pair& pair : pairs) {
        const Tokens tokens = pair.up + pair.down;
        if (tokens > 1) {
            all.push_back({pair.low, pair.high, tokens / 2});
            all.push_back({pair.high, pair.low, tokens / 2});
        }
        if (tokens % 2 == 0) continue;
        odd_of[pair.low].push_back(odd.size());
        odd_of[pair.high].push_back(odd.size());
        odd.push_back({pair.low, pair.high, 1});
    }
    std::vector<bool> is_turned(odd.size(), false);
    std::vector<std::size_t> left(nodes, 0);
    for (std::size_t node = 0; node < nodes; ++node)
        left[node] = odd_of[node].size();
    // A walk ends where nothing is left: at another node with an odd number, or where it began.
    const auto walk = [&](NodeId node) {
        while (left[node] > 0) {
            while (is_turned[odd_of[node].back()])
                odd_of[node].pop_back();
            const std::size_t at = odd_of[node].back();
            is_turned[at] = true;
            FatMove& move = odd[at];
            if (move.from != node) std::swap(move.from, move.to);
            --left[move.from];
            --left[move.to];
            node = move.to;
        }
    };
    for (NodeId node = 0; node < nodes; ++node)
        if (left[node] % 2 == 1) walk(node);
    for (NodeId node = 0; node < nodes; ++node)
        walk(node);
    all.insert(all.end(), odd.begin(), odd.end());
    return all;
}

/// For even numbers: as many waves as the busiest node needs.
Waves split_evenly(std::span<const FatMove> bundles, const std::vector<Tokens>& degrees,
                   const std::vector<Tokens>& even) {
    std::vector<Pair> pairs = pairs_of(bundles);
    std::vector<Tokens> halves;
    halves.reserve(even.size());
    for (const Tokens number : even)
        halves.push_back(number / 2);
    Waves waves =
        split_into_waves(turned(pairs, even.size()), waves_of_nodes(degrees, even), halves, halves);
    for (std::vector<FatMove>& wave : waves) {
        std::vector<FatMove> moves;
        for (const auto& [from, to, tokens] : wave) {
            const std::pair ends(std::min(from, to), std::max(from, to));
            Pair& pair = *std::lower_bound(pairs.begin(), pairs.end(), ends,
                                           [](const Pair& each, const auto& wanted) {
                                               return std::pair(each.low, each.high) < wanted;
                                           });
            const Tokens up = std::min(pair.up, tokens);
            if (up > 0) moves.push_back({pair.low, pair.high, up});
            if (up < tokens) moves.push_back({pair.high, pair.low, tokens - up});
            pair.up -= up;
            pair.down -= tokens - up;
        }
        wave = std::move(moves);
    }
    return waves;
}

/// Waves filled one after the other, first with transfers of nodes that have most left to do.
Waves list_for_half_duplex(std::span<const FatMove> bundles, std::vector<Tokens> left,
                           const std::vector<Tokens>& at_most) {
    std::vector<FatMove> waiting(bundles.begin(), bundles.end());
    std::erase_if(waiting, [](const FatMove& move) { return move.tokens == 0; });
    Waves waves;
    std::vector<Tokens> room(at_most.size());
    const auto urgency = [&](const FatMove& move) {
        const double from =
            static_cast<double>(left[move.from]) / static_cast<double>(at_most[move.from]);
        const double to =
            static_cast<double>(left[move.to]) / static_cast<double>(at_most[move.to]);
        return std::pair(std::max(from, to), std::min(from, to));
    };
    std::size_t sorted = 0;  // how many waited when they were sorted last
    while (!waiting.empty()) {
        if (waves.size() < waves_sorted_each || waiting.size() + sorted / sorted_part < sorted) {
            std::stable_sort(
                waiting.begin(), waiting.end(),
                [&](const FatMove& a, const FatMove& b) { return urgency(a) > urgency(b); });
            sorted = waiting.size();
        }
        room = at_most;
        std::vector<FatMove>& wave = waves.emplace_back();
        for (FatMove& move : waiting) {
            const Tokens tokens = std::min({move.tokens, room[move.from], room[move.to]});
            if (tokens == 0) continue;
            wave.push_back({move.from, move.to, tokens});
            move.tokens -= tokens;
            for (const NodeId node : {move.from, move.to})
                room[node] -= tokens;
        }
        for (const FatMove& move : wave) {
            left[move.from] -= move.tokens;
            left[move.to] -= move.tokens;
        }
        std::erase_if(waiting, [](const FatMove& move) { return move.tokens == 0; });
    }
    return waves;
}

/// Moves of few nodes, which get numbers of their own.
struct NumberedNodes {
    std::vector<FatMove> moves;
    std::vector<Tokens> most;   ///< by number
    std::vector<NodeId> nodes;  ///< by number

    NumberedNodes(const std::vector<FatMove>& all, const std::vector<Tokens>& at_most)
        : moves(all) {
        for (const FatMove& move : all)
            nodes.insert(nodes.end(), {move.from, move.to});
        std::sort(nodes.begin(), nodes.end());
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        for (const NodeId node : nodes)
            most.push_back(at_most[node]);
        const auto number = [&](NodeId node) {
            return static_cast<NodeId>(std::lower_bound(nodes.begin(), nodes.end(), node) -
                                       nodes.begin());
        };
        for (FatMove& move : moves) {
            move.from = number(move.from);
            move.to = number(move.to);
        }
    }
    [[nodiscard]] std::vector<FatMove> back(std::vector<FatMove> numbered) const {
        for (FatMove& move : numbered) {
            move.from = nodes[move.from];
            move.to = nodes[move.to];
        }
        return numbered;
    }
};

/// Puts units into a given number of waves, one by one.
class UnitColouring {
  public:
    UnitColouring(std::span<const FatMove> bundles, const std::vector<Tokens>& degrees,
                  const std::vector<Tokens>& at_most, Step waves, std::uint64_t& looks)
        : at_most_(at_most),
          waves_(static_cast<std::size_t>(waves)),
          looks_(looks),
          of_node_(at_most.size()),
          count_(at_most.size() * waves_, 0) {
        for (const auto& [from, to, tokens] : bundles)
            units_.insert(units_.end(), static_cast<std::size_t>(tokens), {from, to});
        const auto busiest = [&](const Unit& unit) {
            const auto waves_of = [&](NodeId node) {
                return static_cast<double>(degrees[node]) / static_cast<double>(at_most[node]);
            };
            return std::max(waves_of(unit.from), waves_of(unit.to));
        };
        std::stable_sort(units_.begin(), units_.end(),
                         [&](const Unit& a, const Unit& b) { return busiest(a) > busiest(b); });
        for (std::size_t at = 0; at < units_.size(); ++at)
            for (const NodeId node : {units_[at].from, units_[at].to})
                of_node_[node].push_back(at);
        seen_.assign(units_.size(), 0);
    }

    /// Nothing if some unit finds no place.
    std::optional<Waves> all() {
        for (std::size_t at = 0; at < units_.size(); ++at)
            if (looks_ > looks_most || !place(at)) return std::nullopt;
        return made();
    }
    /// What finds a place; all else is appended to `left`.
    Waves some(std::vector<FatMove>& left) {
        for (std::size_t at = 0; at < units_.size(); ++at)
            if (!place(at)) left.push_back({units_[at].from, units_[at].to, 1});
        return made();
    }

  private:
    static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
    /// Pairs of waves that are tried for a unit.
    static constexpr int trails_most = 400;

    struct Unit {
        NodeId from = 0;
        NodeId to = 0;
        std::size_t wave = nowhere;
    };

    [[nodiscard]] Waves made() const {
        Waves waves(waves_);
        for (const Unit& unit : units_)
            if (unit.wave != nowhere) waves[unit.wave].push_back({unit.from, unit.to, 1});
        return waves;
    }

    [[nodiscard]] Tokens& count(NodeId node, std::size_t wave) {
        return count_[node * waves_ + wave];
    }
    [[nodiscard]] bool has_room(NodeId node, std::size_t wave) {
        return count(node, wave) < at_most_[node];
    }
    [[nodiscard]] std::vector<std::size_t> waves_with_room(NodeId node) {
        std::vector<std::size_t> found;
        for (std::size_t wave = 0; wave < waves_; ++wave)
            if (has_room(node, wave)) found.push_back(wave);
        looks_ += waves_;
        return found;
    }

    void put(std::size_t at, std::size_t wave) {
        Unit& unit = units_[at];
        for (const NodeId node : {unit.from, unit.to}) {
            if (unit.wave != nowhere) --count(node, unit.wave);
            if (wave != nowhere) ++count(node, wave);
        }
        unit.wave = wave;
    }

    bool place(std::size_t at) {
        const NodeId one = units_[at].from;
        const NodeId other = units_[at].to;
        const std::vector<std::size_t> room = waves_with_room(one);
        for (const std::size_t here : room) {
            if (!has_room(other, here)) continue;
            put(at, here);
            return true;
        }
        const std::vector<std::size_t> other_room = waves_with_room(other);
        int tried = 0;
        for (const std::size_t here : room)
            for (const std::size_t there : other_room) {
                if (++tried > trails_most || looks_ > looks_most) return false;
                if (make_room(other, one, here, there) || make_room(one, other, there, here)) {
                    put(at, has_room(one, here) && has_room(other, here) ? here : there);
                    return true;
                }
            }
        return false;
    }

    /// Moves units along a trail from `start`, which has no room in the wave `wanted` and some in
    /// `spare`, between these two waves, until no node has too many. Whether `wanted` then has room
    /// at `start` and at `kept`; if not, nothing has changed.
    bool make_room(NodeId start, NodeId kept, std::size_t wanted, std::size_t spare) {
        ++trail_;
        std::vector<std::size_t> changed;
        NodeId node = start;
        std::size_t full = wanted;
        std::size_t roomy = spare;
        while (true) {
            const std::size_t next = unseen(node, full);
            if (next == nowhere) break;
            seen_[next] = trail_;
            put(next, roomy);
            changed.push_back(next);
            node = units_[next].from == node ? units_[next].to : units_[next].from;
            if (count(node, roomy) <= at_most_[node]) {
                if (has_room(start, wanted) && has_room(kept, wanted)) return true;
                break;
            }
            std::swap(full, roomy);
        }
        for (const std::size_t at : changed)
            put(at, units_[at].wave == wanted ? spare : wanted);
        return false;
    }

    /// A unit of the node in the wave that is not yet on the trail.
    [[nodiscard]] std::size_t unseen(NodeId node, std::size_t wave) {
        for (const std::size_t at : of_node_[node]) {
            ++looks_;
            if (units_[at].wave == wave && seen_[at] != trail_) return at;
        }
        return nowhere;
    }

    const std::vector<Tokens>& at_most_;
    std::size_t waves_;
    std::uint64_t& looks_;
    std::vector<Unit> units_;
    std::vector<std::vector<std::size_t>> of_node_;
    std::vector<Tokens> count_;  ///< by node, then wave
    std::uint64_t trail_ = 0;
    std::vector<std::uint64_t> seen_;  ///< by unit: the last trail that it was on
};

/// Two waves together may do an even number everywhere, so that pairs of waves are found first.
/// What then fits into neither wave of its pair makes up further waves.
Waves split_by_pairs_of_waves(std::span<const FatMove> bundles, const std::vector<Tokens>& degrees,
                              const std::vector<Tokens>& at_most) {
    std::vector<Tokens> doubled;
    doubled.reserve(at_most.size());
    for (std::size_t node = 0; node < at_most.size(); ++node)
        doubled.push_back(2 * std::min(at_most[node], degrees[node]));
    Waves waves;
    std::vector<FatMove> left;
    for (const std::vector<FatMove>& pair : split_evenly(bundles, degrees, doubled)) {
        std::uint64_t looks = 0;
        const NumberedNodes numbered(pair, at_most);
        std::vector<FatMove> left_here;
        Waves both = UnitColouring(numbered.moves, degrees_of(numbered.moves, numbered.most.size()),
                                   numbered.most, 2, looks)
                         .some(left_here);
        for (std::vector<FatMove>& wave : both)
            waves.push_back(numbered.back(std::move(wave)));
        left_here = numbered.back(std::move(left_here));
        left.insert(left.end(), left_here.begin(), left_here.end());
    }
    Waves rest = list_for_half_duplex(left, degrees_of(left, at_most.size()), at_most);
    waves.insert(waves.end(), rest.begin(), rest.end());
    std::erase_if(waves, [](const std::vector<FatMove>& wave) { return wave.empty(); });
    return waves;
}

/// Which sets of nodes have too many transfers among themselves.
class DenseSets {
  public:
    DenseSets(std::span<const FatMove> bundles, const std::vector<Tokens>& degrees,
              const std::vector<Tokens>& at_most)
        : nodes_(static_cast<NodeId>(at_most.size())),
          most_(at_most),
          neighbours_(nodes_),
          within_(nodes_, 0) {
        // More than all its transfers a node need not be able to do.
        for (NodeId node = 0; node < nodes_; ++node)
            most_[node] = std::min(most_[node], degrees[node]);
        for (const Pair& pair : pairs_of(bundles)) {
            neighbours_[pair.low][pair.high] += pair.up + pair.down;
            neighbours_[pair.high][pair.low] += pair.up + pair.down;
        }
    }

    Step waves() {
        try_triangles();
        std::vector<bool> seen(nodes_, false);
        for (NodeId node = 0; node < nodes_; ++node)
            if (!seen[node] && !neighbours_[node].empty()) peel(component_of(node, seen));
        return static_cast<Step>(waves_);
    }

  private:
    void offer(Tokens transfers, Tokens sum_of_most) {
        if (sum_of_most > 1) waves_ = std::max(waves_, ceil_divide(transfers, sum_of_most / 2));
    }

    void try_triangles() {
        std::uint64_t looks = 0;
        for (NodeId a = 0; a < nodes_; ++a)
            for (auto b = neighbours_[a].upper_bound(a); b != neighbours_[a].end(); ++b)
                for (auto c = neighbours_[a].upper_bound(b->first); c != neighbours_[a].end();
                     ++c) {
                    if (++looks > triangle_looks_most) return;
                    const auto across = neighbours_[b->first].find(c->first);
                    if (across == neighbours_[b->first].end()) continue;
                    offer(b->second + c->second + across->second,
                          most_[a] + most_[b->first] + most_[c->first]);
                }
    }

    std::vector<NodeId> component_of(NodeId node, std::vector<bool>& seen) const {
        std::vector<NodeId> component = {node};
        seen[node] = true;
        for (std::size_t at = 0; at < component.size(); ++at)
            for (const auto& [other, tokens] : neighbours_[component[at]])
                if (!seen[other]) {
                    seen[other] = true;
                    component.push_back(other);
                }
        return component;
    }

    /// Takes away one node after the other, first those with few transfers for what they can do.
    void peel(const std::vector<NodeId>& component) {
        std::set<std::pair<double, NodeId>> order;
        Tokens transfers = 0;  // twice
        Tokens sum = 0;
        const auto rank = [&](NodeId node) {
            return std::pair(static_cast<double>(within_[node]) / static_cast<double>(most_[node]),
                             node);
        };
        for (const NodeId node : component) {
            for (const auto& [other, tokens] : neighbours_[node])
                within_[node] += tokens;
            transfers += within_[node];
            sum += most_[node];
            order.insert(rank(node));
        }
        while (!order.empty()) {
            offer(transfers / 2, sum);
            const NodeId node = order.begin()->second;
            order.erase(order.begin());
            transfers -= 2 * within_[node];
            sum -= most_[node];
            for (const auto& [other, tokens] : neighbours_[node]) {
                if (order.erase(rank(other)) == 0) continue;
                within_[other] -= tokens;
                order.insert(rank(other));
            }
        }
    }

    NodeId nodes_;
    std::vector<Tokens> most_;
    std::vector<std::map<NodeId, Tokens>> neighbours_;  ///< by node: transfers between the two
    std::vector<Tokens> within_;  ///< by node: its transfers within what is left of its component
    Tokens waves_ = 0;
};

}  // namespace

Step half_duplex_waves_at_least(std::span<const FatMove> bundles,
                                const std::vector<Tokens>& at_most) {
    const std::vector<Tokens> degrees = degrees_of(bundles, at_most.size());
    return std::max(waves_of_nodes(degrees, at_most), DenseSets(bundles, degrees, at_most).waves());
}

std::vector<std::vector<FatMove>> split_for_half_duplex(std::span<const FatMove> bundles,
                                                        const std::vector<Tokens>& at_most) {
    const std::vector<Tokens> degrees = degrees_of(bundles, at_most.size());
    for (std::size_t node = 0; node < at_most.size(); ++node)
        EQUIPOISE_ASSERT(degrees[node] == 0 || at_most[node] > 0);
    const std::optional<std::vector<Tokens>> even = even_numbers(degrees, at_most);
    const Step by_node = waves_of_nodes(degrees, at_most);
    if (even && waves_of_nodes(degrees, *even) == by_node)
        return split_evenly(bundles, degrees, *even);
    Waves best = list_for_half_duplex(bundles, degrees, at_most);
    if (best.size() == by_node) return best;
    if (even && waves_of_nodes(degrees, *even) < best.size())
        best = split_evenly(bundles, degrees, *even);
    Tokens units = 0;
    for (const FatMove& bundle : bundles)
        units += bundle.tokens;
    const Step at_least = half_duplex_waves_at_least(bundles, at_most);
    if (units <= units_in_pairs_most && at_least < best.size()) {
        Waves other = split_by_pairs_of_waves(bundles, degrees, at_most);
        if (other.size() < best.size()) best = std::move(other);
    }
    std::uint64_t looks = 0;
    const Tokens nodes = static_cast<Tokens>(at_most.size());
    for (Step waves = at_least; waves < best.size(); ++waves) {
        if (units > units_most || nodes > places_most / static_cast<Tokens>(waves)) break;
        if (auto found = UnitColouring(bundles, degrees, at_most, waves, looks).all())
            return std::move(*found);
    }
    return best;
}

}  // namespace equipoise::optimum
