#include "equipoise/reassign/checks/waits_rules.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "equipoise/reassign/checks/counted_rules.hpp"
#include "equipoise/reassign/checks/value_counts.hpp"
#include "equipoise/reassign/checks/words.hpp"

namespace equipoise::reassign {

namespace {

constexpr std::size_t moments_most = 20'000;

/// Moments of executions at which none of some moves is under way, by what is done of them.
class QuietMoments {
  public:
    QuietMoments(const std::vector<std::uint32_t>& moves, const MoveOrder& order,
                 const Executions& executions) {
        // Moves that start together are parts of one moment.
        std::map<std::size_t, std::size_t> numbers;
        for (const std::uint32_t at : moves) {
            const auto [number, is_new] =
                numbers.try_emplace(executions.start_of(at), parts_.size());
            if (is_new) parts_.emplace_back();
            parts_[number->second].push_back(at);
        }
        needs_.resize(parts_.size());
        // What is before a part has started, with all that starts with it; it is then done.
        for (const std::uint32_t before : order.sorted()) {
            const auto number = numbers.find(executions.start_of(before));
            if (number == numbers.end()) continue;
            for (std::size_t part = 0; part < parts_.size(); ++part)
                if (order.is_before(before, parts_[part].front()))
                    needs_[part].insert(number->second);
        }
    }

    /// Calls `see` with what is done, by part, of every moment, until it returns false; returns
    /// whether it never did, or nothing if there are too many moments.
    template <class See>
    [[nodiscard]] std::optional<bool> each(const See& see) const {
        std::set<std::vector<bool>> seen;
        std::vector<std::vector<bool>> open = {std::vector<bool>(parts_.size(), false)};
        seen.insert(open.front());
        while (!open.empty()) {
            const std::vector<bool> done = std::move(open.back());
            open.pop_back();
            if (!see(done)) return false;
            for (std::size_t part = 0; part < parts_.size(); ++part) {
                const bool ready =
                    !done[part] && std::all_of(needs_[part].begin(), needs_[part].end(),
                                               [&](std::size_t each) { return done[each]; });
                if (!ready) continue;
                std::vector<bool> next = done;
                next[part] = true;
                if (!seen.insert(next).second) continue;
                if (seen.size() > moments_most) return std::nullopt;
                open.push_back(std::move(next));
            }
        }
        return true;
    }

    [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& parts() const { return parts_; }

  private:
    std::vector<std::vector<std::uint32_t>> parts_;
    std::vector<std::set<std::size_t>> needs_;
};

class RulesCheck {
  public:
    RulesCheck(const Problem& problem, std::span<const Move> moves, const MoveOrder& order,
               const Executions& executions)
        : problem_(problem),
          moves_(moves),
          order_(order),
          executions_(executions),
          rules_(problem, in_order(moves, order)),
          positions_(moves.size()) {
        for (std::size_t i = 0; i < moves.size(); ++i)
            positions_[order.sorted()[i]] = i;
    }

    std::optional<RuleBrokenOnTheWay> run() {
        // By place: the moves that change its counts.
        std::map<std::size_t, std::vector<std::uint32_t>> changing;
        std::vector<std::size_t> places;
        for (const std::uint32_t at : order_.sorted()) {
            places.clear();
            rules_.append_places(moves_[at], places);
            for (const std::size_t place : places)
                changing[place].push_back(at);
        }
        for (const auto& [number, moves] : changing) {
            const CountedRules::Place place = rules_.place(number);
            switch (place.kind) {
                case RuleKind::spread:
                    check_counts(SpreadCounts(problem_, place.rule), place, moves);
                    break;
                case RuleKind::near:
                    check_counts(NearCounts(problem_, place.rule), place, moves);
                    break;
                case RuleKind::apart:
                    check_apart(place, moves);
                    break;
                default:
                    check_least_items(static_cast<MachineId>(place.which), moves);
            }
            if (broken_) break;
        }
        return std::move(broken_);
    }

  private:
    static std::vector<Move> in_order(std::span<const Move> moves, const MoveOrder& order) {
        std::vector<Move> sorted;
        for (const std::uint32_t at : order.sorted())
            sorted.push_back(moves[at]);
        return sorted;
    }

    void check_least_items(MachineId machine, const std::vector<std::uint32_t>& moves) {
        const auto first = static_cast<Tokens>(
            std::count(problem_.places.begin(), problem_.places.end(), machine));
        const Tokens least = std::min(problem_.least_items_of(machine), first);
        judge(moves, "machine " + problem_.machine_name(machine) + " may hold too few items",
              [&](const std::vector<std::uint32_t>& done) {
                  Tokens items = first;
                  for (const std::uint32_t at : done)
                      items += moves_[at].to == machine ? 1 : -1;
                  return items >= least;
              });
    }

    /// Once an item has arrived it is alone of its value.
    void check_apart(const CountedRules::Place& place, const std::vector<std::uint32_t>& moves) {
        const std::size_t label = problem_.apart[place.rule].label;
        const auto value = static_cast<ValueId>(place.which);
        Tokens first = 0;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (problem_.places[item] == place.machine &&
                problem_.item_labels[label].of[item] == value)
                ++first;
        judge(moves,
              machine_words(problem_, place.machine) + " may take " +
                  items_words(problem_, label, value, 1) + " and keep another",
              [&](const std::vector<std::uint32_t>& done) {
                  bool has_taken = false;
                  Tokens items = first;
                  for (const std::uint32_t at : done) {
                      has_taken = has_taken || moves_[at].to == place.machine;
                      items += moves_[at].to == place.machine ? 1 : -1;
                  }
                  return !has_taken || items < 2;
              });
    }

    template <class Counts>
    void check_counts(Counts counts, const CountedRules::Place& place,
                      const std::vector<std::uint32_t>& moves) {
        counts.counts().add_all(problem_.places);
        const Tokens first = broken_by(counts, place.which);
        judge(moves, words_of(place), [&](const std::vector<std::uint32_t>& done) {
            for (const std::uint32_t at : done) {
                counts.counts().remove(moves_[at].item, moves_[at].from);
                counts.counts().add(moves_[at].item, moves_[at].to);
            }
            const Tokens now = broken_by(counts, place.which);
            for (auto at = done.rbegin(); at != done.rend(); ++at) {
                counts.counts().remove(moves_[*at].item, moves_[*at].to);
                counts.counts().add(moves_[*at].item, moves_[*at].from);
            }
            return now <= first;
        });
    }

    [[nodiscard]] std::string words_of(const CountedRules::Place& place) const {
        if (place.kind == RuleKind::spread) {
            const std::size_t label = problem_.spread[place.rule].label;
            return "items with " + problem_.item_labels[label].name + ' ' +
                   std::string(
                       problem_.item_labels[label].values.name(static_cast<ValueId>(place.which))) +
                   " may be spread further from the rule than in the beginning";
        }
        const Near& near = problem_.near[place.rule];
        const NameTable& values = problem_.item_labels[near.label].values;
        const auto& [service, other] = near.depends[place.which];
        return std::string(values.name(service)) + " may be without " +
               std::string(values.name(other)) + " near it";
    }

    /// `is_kept` is asked of the moves that are done, in their order.
    template <class IsKept>
    void judge(const std::vector<std::uint32_t>& moves, const std::string& words,
               const IsKept& is_kept) {
        const QuietMoments moments(moves, order_, executions_);
        const std::optional<bool> kept = moments.each([&](const std::vector<bool>& parts) {
            std::vector<std::uint32_t> done;
            for (std::size_t part = 0; part < parts.size(); ++part)
                if (parts[part])
                    done.insert(done.end(), moments.parts()[part].begin(),
                                moments.parts()[part].end());
            std::sort(done.begin(), done.end(), [&](std::uint32_t a, std::uint32_t b) {
                return positions_[a] < positions_[b];
            });
            return is_kept(done);
        });
        if (kept.value_or(false)) return;
        broken_ = RuleBrokenOnTheWay{
            moves.front(), words + (kept ? "" : ", or not: there are too many orders to tell")};
    }

    const Problem& problem_;
    std::span<const Move> moves_;
    const MoveOrder& order_;
    const Executions& executions_;
    CountedRules rules_;
    std::vector<std::size_t> positions_;  ///< by move: where it stands in `order_`
    std::optional<RuleBrokenOnTheWay> broken_;
};

}  // namespace

std::optional<RuleBrokenOnTheWay> find_broken_rule(const Problem& problem,
                                                   std::span<const Move> moves,
                                                   const MoveOrder& order,
                                                   const Executions& executions) {
    return RulesCheck(problem, moves, order, executions).run();
}

}  // namespace equipoise::reassign
