#include "equipoise/reassign/checks/replay.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/checks/machine_ends.hpp"
#include "equipoise/reassign/checks/value_counts.hpp"
#include "equipoise/reassign/checks/words.hpp"

namespace equipoise::reassign {

namespace {

/// Items that must be apart, counted by machine and value; at first where they are.
class ApartCounts {
  public:
    ApartCounts(const Problem& problem, std::size_t rule)
        : label_(problem.item_labels[problem.apart[rule].label]) {
        for (ItemId item = 0; item < problem.item_count(); ++item)
            add(item, problem.places[item]);
    }
    void add(ItemId item, MachineId machine) {
        if (label_.of[item] != no_value) ++counts_[key(item, machine)];
    }
    void remove(ItemId item, MachineId machine) {
        if (label_.of[item] == no_value) return;
        const auto at = counts_.find(key(item, machine));
        if (--at->second == 0) counts_.erase(at);
    }
    /// How many items with the item's value are there; 0 if it has none.
    [[nodiscard]] ItemId at(ItemId item, MachineId machine) const {
        if (label_.of[item] == no_value) return 0;
        const auto at = counts_.find(key(item, machine));
        return at == counts_.end() ? 0 : at->second;
    }

  private:
    [[nodiscard]] std::uint64_t key(ItemId item, MachineId machine) const {
        return (std::uint64_t{machine} << 32U) | label_.of[item];
    }
    const Label& label_;
    std::unordered_map<std::uint64_t, ItemId> counts_;
};

/// Values or pairs of a rule: how far each is broken in the beginning, and which a wave concerns.
template <class Counts>
struct Watched {
    Counts counts;
    std::vector<Tokens> at_first;                         ///< by value or pair: the sum of `by`
    std::vector<std::vector<std::size_t>> pairs_of = {};  ///< of NearCounts: by value
};

class MoveReplay {
  public:
    MoveReplay(const Problem& problem, std::span<const Move> moves)
        : problem_(problem),
          moves_(moves),
          kinds_(problem.resource_count()),
          sources_(problem),
          order_(moves.size()),
          holds_(std::size_t{problem.machine_count()} * kinds_, 0),
          ends_(problem),
          passed_(ends_.count()),
          moves_now_(problem.item_count(), false) {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
            return moves[a].wave < moves[b].wave;
        });
        result_.places = problem.places;
        result_.moved.assign(kinds_, 0);
        begin();
    }

    Replayed run() {
        std::span<const std::size_t> rest = order_;
        bool allowed = true;
        while (allowed && !rest.empty()) {
            std::size_t size = 1;
            while (size < rest.size() && moves_[rest[size]].wave == moves_[rest[0]].wave)
                ++size;
            wave_ = rest.first(size);
            rest = rest.subspan(size);
            allowed = play_wave();
        }
        result_.allowed = allowed;
        result_.end = stand(problem_, result_.places);
        result_.within_budget = within(problem_.budget, result_.moved, result_.waves);
        return std::move(result_);
    }

  private:
    struct Traffic {
        Tokens amount = 0;  ///< of the resource `copied`
        Tokens items = 0;
    };

    void begin() {
        used_.assign(holds_.size(), 0);
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            for (std::size_t resource = 0; resource < kinds_; ++resource)
                used_[problem_.places[item] * kinds_ + resource] += problem_.amount(item, resource);
        result_.peaks = used_;
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            items_at_first_.push_back(used_[machine * kinds_ + items_resource]);
        for (const Resource& resource : problem_.resources)
            if (resource.release == Release::after_last) remembers_ = true;
        if (remembers_) {
            ever_ = used_;
            been_.resize(problem_.item_count());
        }
        for (std::size_t rule = 0; rule < problem_.apart.size(); ++rule)
            apart_.emplace_back(problem_, rule);
        for (std::size_t rule = 0; rule < problem_.spread.size(); ++rule) {
            Watched<SpreadCounts>& spread =
                spread_.emplace_back(Watched<SpreadCounts>{SpreadCounts(problem_, rule), {}});
            spread.counts.counts().add_all(problem_.places);
            note(spread, spread.counts.counts().values());
        }
        for (std::size_t rule = 0; rule < problem_.near.size(); ++rule) {
            Watched<NearCounts>& near =
                near_.emplace_back(Watched<NearCounts>{NearCounts(problem_, rule), {}});
            near.counts.counts().add_all(problem_.places);
            const auto& depends = problem_.near[rule].depends;
            note(near, depends.size());
            near.pairs_of.resize(near.counts.counts().values());
            for (std::size_t pair = 0; pair < depends.size(); ++pair) {
                near.pairs_of[depends[pair].first].push_back(pair);
                near.pairs_of[depends[pair].second].push_back(pair);
            }
        }
    }

    template <class Counts>
    static void note(Watched<Counts>& watched, std::size_t size) {
        for (std::size_t each = 0; each < size; ++each)
            watched.at_first.push_back(broken_by(watched.counts, each));
    }

    bool refuse(std::size_t at, const std::string& text) {
        result_.fault = text;
        result_.fault_at = at;
        return false;
    }
    [[nodiscard]] std::string in_wave(std::size_t at) const {
        return " in wave " + std::to_string(moves_[at].wave);
    }
    [[nodiscard]] std::string machine(MachineId machine) const {
        return machine_words(problem_, machine);
    }

    static std::string above(const Resource& resource, Tokens amount, const char* what,
                             Tokens limit) {
        const AmountWords words = amounts_words(resource, amount, limit);
        return words.amount + " of " + resource.name + ", above its " + what + " of " +
               words.limit + ",";
    }

    bool play_wave() {
        bool allowed = true;
        for (std::size_t i = 0; allowed && i < wave_.size(); ++i)
            allowed = move_is_possible(wave_[i]);
        if (!allowed) return false;
        begin_wave();
        for (std::size_t i = 0; allowed && i < wave_.size(); ++i)
            allowed = rates_allow(wave_[i]) && arrives(wave_[i]);
        if (!allowed) return false;
        settle();
        if (!rules_are_kept()) {
            for (const std::size_t at : wave_)
                result_.places[moves_[at].item] = moves_[at].from;
            return false;
        }
        end_wave();
        return true;
    }

    bool move_is_possible(std::size_t at) {
        const auto& [wave, item, from, to] = moves_[at];
        if (item >= problem_.item_count() || from >= problem_.machine_count() ||
            to >= problem_.machine_count())
            return refuse(at, "a move names an item or a machine that does not exist");
        const std::string name = "item " + problem_.item_name(item);
        if (from == to)
            return refuse(at, name + " goes from " + machine(from) + " to itself" + in_wave(at));
        if (moves_now_[item]) return refuse(at, name + " moves twice" + in_wave(at));
        moves_now_[item] = true;
        if (result_.places[item] != from)
            return refuse(at, name + " is on " + machine(result_.places[item]) + ", not on " +
                                  machine(from) + "," + in_wave(at));
        if (problem_.may_be_on(item, to)) return true;
        const MachineId home = problem_.places[item];
        if (problem_.drained[to])
            return refuse(at, machine(to) + " is to be drained, but takes " + name + in_wave(at));
        if (to != home && problem_.pinned[to])
            return refuse(at, machine(to) + " is pinned, but takes " + name + in_wave(at));
        if (to != home && problem_.pinned[home])
            return refuse(at, machine(from) + " is pinned, but gives " + name + in_wave(at));
        if (to != home && !problem_.stays.empty() && problem_.stays[item])
            return refuse(at,
                          name + " must stay on " + machine(from) + ", but moves" + in_wave(at));
        return refuse(
            at, name + " goes to " + machine(to) + ", where it is not allowed," + in_wave(at));
    }

    /// What machines hold that take part, before anything arrives.
    void begin_wave() {
        touched_.clear();
        for (const std::size_t at : wave_) {
            touched_.push_back(moves_[at].from);
            touched_.push_back(moves_[at].to);
            touched_.push_back(giver(at));
        }
        std::sort(touched_.begin(), touched_.end());
        touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
        for (const MachineId machine : touched_) {
            passed_[ends_.giving(machine)] = {};
            passed_[ends_.taking(machine)] = {};
            for (std::size_t resource = 0; resource < kinds_; ++resource) {
                const std::size_t at = machine * kinds_ + resource;
                holds_[at] = release(resource) == Release::after_last ? ever_[at] : used_[at];
            }
        }
        for (const std::size_t at : wave_)
            for (std::size_t resource = 0; resource < kinds_; ++resource)
                if (release(resource) == Release::at_once)
                    holds_[moves_[at].from * kinds_ + resource] -=
                        problem_.amount(moves_[at].item, resource);
    }
    [[nodiscard]] Release release(std::size_t resource) const {
        return problem_.resources[resource].release;
    }

    /// The machine that gives. Asked before the wave is settled.
    [[nodiscard]] MachineId giver(std::size_t at) const {
        return sources_.giver(moves_[at].item, moves_[at].from, result_.places);
    }

    bool rates_allow(std::size_t at) {
        const Move& move = moves_[at];
        const MachineId gives = giver(at);
        const std::string from =
            gives == move.from ? " "
                               : ", from which " + problem_.item_name(move.item) + " is copied, ";
        const bool both = problem_.half_duplex;
        return count(at, ends_.giving(gives), from + (both ? "gives and takes " : "gives ")) &&
               count(at, ends_.taking(move.to), both ? " gives and takes " : " takes ");
    }

    bool count(std::size_t at, std::size_t end, const std::string& does) {
        const MachineId of = ends_.machine(end);
        if (of == problem_.outside) return true;
        Traffic& traffic = passed_[end];
        traffic.amount += problem_.amount(moves_[at].item, problem_.copied);
        ++traffic.items;
        const Resource& copied = problem_.resources[problem_.copied];
        const Tokens rate = ends_.rate(end);
        if (rate == 0)
            return refuse(at, machine(of) + does + "an item, but its rate is 0," + in_wave(at));
        if (traffic.amount > rate)
            return refuse(
                at, machine(of) + does + above(copied, traffic.amount, "rate", rate) + in_wave(at));
        if (problem_.at_once != 0 && traffic.items > problem_.at_once)
            return refuse(at, machine(of) + does + std::to_string(traffic.items) +
                                  (problem_.half_duplex ? " items together" : " items") +
                                  ", more than " + std::to_string(problem_.at_once) + " at once," +
                                  in_wave(at));
        return true;
    }

    bool arrives(std::size_t at) {
        const auto& [wave, item, from, to] = moves_[at];
        for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
            if (problem_.apart[rule].on_the_way && apart_[rule].at(item, to) > 0) {
                const std::size_t label = problem_.apart[rule].label;
                return refuse(
                    at, machine(to) + " takes " +
                            items_words(problem_, label, problem_.item_labels[label].of[item], 1) +
                            " and has another" + in_wave(at));
            }
            apart_[rule].add(item, to);
        }
        for (std::size_t resource = 0; resource < kinds_; ++resource) {
            const Tokens amount = problem_.amount(item, resource);
            Tokens& holds = holds_[to * kinds_ + resource];
            if (release(resource) != Release::after_last || !has_been(item, to)) holds += amount;
            const Tokens capacity = problem_.capacity(to, resource);
            if (amount > 0 && holds > capacity)
                return refuse(at,
                              machine(to) + " holds " +
                                  above(problem_.resources[resource], holds, "capacity", capacity) +
                                  in_wave(at));
        }
        return true;
    }

    /// Whether the item needs no more of what is released after the last wave. Asked only then.
    [[nodiscard]] bool has_been(ItemId item, MachineId machine) const {
        return machine == problem_.places[item] ||
               std::find(been_[item].begin(), been_[item].end(), machine) != been_[item].end();
    }

    /// Makes the moves of the wave.
    void settle() {
        for (const std::size_t at : wave_) {
            const auto& [wave, item, from, to] = moves_[at];
            result_.places[item] = to;
            for (std::size_t resource = 0; resource < kinds_; ++resource) {
                const Tokens amount = problem_.amount(item, resource);
                used_[from * kinds_ + resource] -= amount;
                used_[to * kinds_ + resource] += amount;
            }
            for (ApartCounts& apart : apart_)
                apart.remove(item, from);
            for (Watched<SpreadCounts>& spread : spread_) {
                spread.counts.counts().remove(item, from);
                spread.counts.counts().add(item, to);
            }
            for (Watched<NearCounts>& near : near_) {
                near.counts.counts().remove(item, from);
                near.counts.counts().add(item, to);
            }
        }
    }

    /// Whether no rule is broken further than in the beginning.
    bool rules_are_kept() {
        for (const std::size_t at : wave_) {
            const MachineId from = moves_[at].from;
            const Tokens items = used_[from * kinds_ + items_resource];
            const Tokens least = problem_.least_items_of(from);
            if (items >= std::min(least, items_at_first_[from])) continue;
            BrokenRule broken;
            broken.kind = RuleKind::least_items;
            broken.machine = from;
            broken.limit = least;
            broken.by = least - items;
            return refuse_rule(at, broken, least - items_at_first_[from]);
        }
        if (!ends_apart()) return false;
        for (std::size_t rule = 0; rule < spread_.size(); ++rule)
            for (const std::size_t at : concerned(problem_.spread[rule].label))
                if (!is_kept(at, spread_[rule], rule,
                             problem_.item_labels[problem_.spread[rule].label].of[moves_[at].item]))
                    return false;
        for (std::size_t rule = 0; rule < near_.size(); ++rule)
            for (const std::size_t at : concerned(problem_.near[rule].label)) {
                const Label& label = problem_.item_labels[problem_.near[rule].label];
                for (const std::size_t pair : near_[rule].pairs_of[label.of[moves_[at].item]])
                    if (!is_kept(at, near_[rule], rule, pair)) return false;
            }
        return true;
    }

    /// Whether nothing has arrived where it must be apart, now that the wave is over.
    bool ends_apart() {
        for (std::size_t rule = 0; rule < apart_.size(); ++rule) {
            if (problem_.apart[rule].on_the_way) continue;
            for (const std::size_t at : wave_) {
                const auto& [wave, item, from, to] = moves_[at];
                const ItemId items = apart_[rule].at(item, to);
                if (items < 2) continue;
                BrokenRule broken;
                broken.kind = RuleKind::apart;
                broken.rule = rule;
                broken.machine = to;
                broken.value = problem_.item_labels[problem_.apart[rule].label].of[item];
                broken.limit = 1;
                broken.by = Tokens{items} - 1;
                return refuse_rule(at, broken, 0);
            }
        }
        return true;
    }

    /// One move of the wave for each value of the label that moves.
    [[nodiscard]] std::vector<std::size_t> concerned(std::size_t label) const {
        const Label& of_items = problem_.item_labels[label];
        std::vector<std::pair<ValueId, std::size_t>> found;
        for (const std::size_t at : wave_)
            if (of_items.of[moves_[at].item] != no_value)
                found.emplace_back(of_items.of[moves_[at].item], at);
        std::sort(found.begin(), found.end());
        std::vector<std::size_t> moves;
        for (std::size_t i = 0; i < found.size(); ++i)
            if (i == 0 || found[i].first != found[i - 1].first) moves.push_back(found[i].second);
        return moves;
    }

    template <class Counts>
    bool is_kept(std::size_t at, const Watched<Counts>& watched, std::size_t rule,
                 std::size_t which) {
        if (broken_by(watched.counts, which) <= watched.at_first[which]) return true;
        std::vector<BrokenRule> broken;
        watched.counts.append_broken(static_cast<ValueId>(which), broken);
        // The message names a place that was better in the beginning.
        Counts first(problem_, rule);
        first.counts().add_all(problem_.places);
        std::vector<BrokenRule> broken_first;
        first.append_broken(static_cast<ValueId>(which), broken_first);
        const auto worse = std::find_if(broken.begin(), broken.end(), [&](const BrokenRule& each) {
            return std::find(broken_first.begin(), broken_first.end(), each) == broken_first.end();
        });
        return refuse_rule(at, worse == broken.end() ? broken.front() : *worse,
                           watched.at_first[which]);
    }

    bool refuse_rule(std::size_t at, const BrokenRule& broken, Tokens at_first) {
        return refuse(
            at, "after wave " + std::to_string(moves_[at].wave) + ", " + words(problem_, broken) +
                    (at_first > 0 ? ": further from the rule than in the beginning" : ""));
    }

    void end_wave() {
        for (const MachineId machine : touched_) {
            for (std::size_t resource = 0; resource < kinds_; ++resource) {
                const std::size_t at = machine * kinds_ + resource;
                result_.peaks[at] = std::max({result_.peaks[at], holds_[at], used_[at]});
                if (remembers_ && release(resource) == Release::after_last) ever_[at] = holds_[at];
            }
        }
        for (const std::size_t at : wave_) {
            const Move& move = moves_[at];
            moves_now_[move.item] = false;
            if (remembers_) been_[move.item].push_back(move.to);
            for (std::size_t resource = 0; resource < kinds_; ++resource)
                result_.moved[resource] =
                    checked_add(result_.moved[resource], problem_.amount(move.item, resource));
        }
        ++result_.waves;
        if (knows_seconds(problem_)) result_.seconds.push_back(seconds());
    }

    /// How long the wave takes: as long as the machine that takes longest.
    [[nodiscard]] double seconds() const {
        double longest = 0;
        for (const MachineId machine : touched_)
            for (const std::size_t end : {ends_.giving(machine), ends_.taking(machine)})
                longest = std::max(longest, ends_.seconds(end, passed_[end].amount));
        return longest;
    }

    const Problem& problem_;
    std::span<const Move> moves_;
    std::size_t kinds_;
    CopySources sources_;
    std::vector<std::size_t> order_;  ///< of moves, by wave
    std::vector<Tokens> used_;        ///< by machine, then resource: after the last wave
    std::vector<Tokens> items_at_first_;
    bool remembers_ = false;    ///< whether a resource is released after the last wave
    std::vector<Tokens> ever_;  ///< what items need that have been there
    std::vector<std::vector<MachineId>> been_;  ///< by item: where it has arrived
    std::vector<ApartCounts> apart_;
    std::vector<Watched<SpreadCounts>> spread_;
    std::vector<Watched<NearCounts>> near_;

    // Of the current wave. What is by machine is right for machines in `touched_`.
    std::span<const std::size_t> wave_;
    std::vector<MachineId> touched_;
    std::vector<Tokens> holds_;  ///< by machine, then resource
    MachineEnds ends_;
    std::vector<Traffic> passed_;  ///< by end
    std::vector<bool> moves_now_;  ///< by item
    Replayed result_;
};

}  // namespace

Replayed replay(const Problem& problem, std::span<const Move> moves) {
    return MoveReplay(problem, moves).run();
}

std::vector<MachineId> places_after(const Problem& problem, std::span<const Move> moves) {
    std::vector<MachineId> places = problem.places;
    for (const Move& move : moves)
        places[move.item] = move.to;
    return places;
}

}  // namespace equipoise::reassign
