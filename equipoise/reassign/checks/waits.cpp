#include "equipoise/reassign/checks/waits.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/checks/machine_ends.hpp"
#include "equipoise/reassign/checks/move_order.hpp"
#include "equipoise/reassign/checks/waits_closure.hpp"
#include "equipoise/reassign/checks/waits_rules.hpp"
#include "equipoise/reassign/checks/words.hpp"

namespace equipoise::reassign {

namespace {

class WaitsCheck {
  public:
    WaitsCheck(const Problem& problem, std::span<const Move> moves, const WaitsFor& waits_for)
        : problem_(problem),
          moves_(moves),
          waits_for_(waits_for),
          sources_(problem),
          order_(waits_for) {}

    CheckedWaits run() {
        if (moves_.size() != waits_for_.size()) {
            refuse(0, "there are not as many lists of moves to wait for as there are moves");
        } else if (!order_.is_possible()) {
            refuse_order();
        } else {
            executions_.emplace(waits_for_);
            result_.kept = moves_are_possible() && find_givers() && ends_are_kept() &&
                           room_is_kept() && stay_apart() && rules_are_kept();
        }
        return std::move(result_);
    }

  private:
    static constexpr std::size_t none = Executions::no_move;

    bool refuse(std::size_t at, std::string text) {
        result_.fault = std::move(text);
        result_.fault_at = at;
        return false;
    }
    /// Says which move can never start: one of those that wait for each other in a circle.
    void refuse_order() {
        const std::size_t count = moves_.size();
        for (std::size_t at = 0; at < count; ++at)
            for (const std::uint32_t first : waits_for_[at])
                if (first >= count) {
                    refuse(at, item(at) + " waits for a move that does not exist");
                    return;
                }
        std::vector<bool> starts(count, false);
        for (const std::uint32_t at : order_.sorted())
            starts[at] = true;
        // A move that never starts waits for one that never does either.
        const auto next = [&](std::size_t at) {
            return std::size_t{*std::find_if(waits_for_[at].begin(), waits_for_[at].end(),
                                             [&](std::uint32_t first) { return !starts[first]; })};
        };
        auto at = static_cast<std::size_t>(std::find(starts.begin(), starts.end(), false) -
                                           starts.begin());
        std::vector<bool> seen(count, false);
        for (; !seen[at]; at = next(at))
            seen[at] = true;
        std::size_t lowest = at;
        for (std::size_t other = next(at); other != at; other = next(other))
            lowest = std::min(lowest, other);
        const std::size_t by = next(lowest);
        refuse(lowest, item(lowest) + " waits for itself" +
                           (by == lowest ? "" : ", by way of " + item(by)));
    }
    [[nodiscard]] std::string item(std::size_t at) const {
        return "item " + problem_.item_name(moves_[at].item);
    }
    [[nodiscard]] std::string machine(MachineId machine) const {
        return machine_words(problem_, machine);
    }
    [[nodiscard]] const Resource& copied_of() const { return problem_.resources[problem_.copied]; }
    [[nodiscard]] bool is_before(std::size_t one, std::size_t other) const {
        return order_.is_before(one, other);
    }
    [[nodiscard]] const Executions& executions() const { return *executions_; }

    /// Each item's moves follow each other, and lead where it may be.
    bool moves_are_possible() {
        of_item_.resize(problem_.item_count());
        for (const std::uint32_t at : order_.sorted()) {
            const auto& [wave, item, from, to] = moves_[at];
            if (item >= problem_.item_count() || from >= problem_.machine_count() ||
                to >= problem_.machine_count())
                return refuse(at, "a move names an item or a machine that does not exist");
            std::vector<std::uint32_t>& earlier = of_item_[item];
            const MachineId place =
                earlier.empty() ? problem_.places[item] : moves_[earlier.back()].to;
            if (!earlier.empty() && !is_before(earlier.back(), at))
                return refuse(at, this->item(at) +
                                      " may start to move before an earlier move "
                                      "of it is done");
            if (place != from)
                return refuse(at, this->item(at) + " is on " + machine(place) + ", not on " +
                                      machine(from) + ", when its move begins");
            if (from == to || !problem_.may_be_on(item, to))
                return refuse(
                    at, this->item(at) + " goes to " + machine(to) + ", where it is not allowed");
            earlier.push_back(at);
        }
        return true;
    }

    /// Where each item is copied from, whatever the execution.
    bool find_givers() {
        givers_.resize(moves_.size());
        for (std::size_t at = 0; at < moves_.size(); ++at) {
            const ItemId source = sources_.of(moves_[at].item, moves_[at].from);
            givers_[at] = moves_[at].from;
            if (source == moves_[at].item) continue;
            givers_[at] = problem_.places[source];
            for (const std::uint32_t other : of_item_[source]) {
                if (is_before(other, at)) {
                    givers_[at] = moves_[other].to;
                } else if (!is_before(at, other) && !start_together(at, other)) {
                    return refuse(at, item(at) + " may be copied before or after the item that " +
                                          "it is copied from moves");
                }
            }
        }
        return true;
    }

    /// Whether the copy starts when the item moves that it is made from, whose place is not free
    /// for anything before the copy is made.
    [[nodiscard]] bool start_together(std::size_t copy, std::size_t source) const {
        if (executions().start_of(copy) != executions().start_of(source)) return false;
        for (std::size_t later = 0; later < moves_.size(); ++later)
            if (is_before(source, later) && !is_before(copy, later)) return false;
        return true;
    }

    /// What machines give and take at once.
    bool ends_are_kept() {
        struct End {
            std::size_t move = 0;
            Tokens copied = 0;
        };
        const MachineEnds machine_ends(problem_);
        std::vector<std::vector<End>> ends(machine_ends.count());
        for (std::size_t at = 0; at < moves_.size(); ++at) {
            const Tokens copied = problem_.amount(moves_[at].item, problem_.copied);
            if (givers_[at] != problem_.outside)
                ends[machine_ends.giving(givers_[at])].push_back({at, copied});
            ends[machine_ends.taking(moves_[at].to)].push_back({at, copied});
        }
        for (std::size_t end = 0; end < ends.size(); ++end) {
            const MachineId of = machine_ends.machine(end);
            const Tokens most = machine_ends.rate(end);
            std::vector<Executions::Weight> items;
            std::vector<Executions::Weight> copied;
            for (const auto& [at, amount] : ends[end]) {
                if (most == 0)
                    return refuse(at,
                                  item(at) + " moves, but the rate of " + machine(of) + " is 0");
                items.push_back({at, 1, -1});
                copied.push_back({at, amount, -amount});
            }
            const Tokens at_once = problem_.at_once == 0 ? tokens_max : problem_.at_once;
            for (const auto& [weights, limit] :
                 {std::pair(&items, at_once), std::pair(&copied, most)})
                if (!ordered_enough(*weights, limit) && executions().most(*weights) > limit)
                    return refuse(weights->front().move,
                                  machine(of) + " may " +
                                      (problem_.half_duplex      ? "give and take"
                                       : machine_ends.gives(end) ? "give"
                                                                 : "take") +
                                      " more at once than " +
                                      (weights == &items ? counted(limit, "item")
                                                         : exact_amount(copied_of(), limit) +
                                                               " of " + copied_of().name));
        }
        return true;
    }

    /// Whether for each move the sum of all that may be under way with it keeps the limit.
    [[nodiscard]] bool ordered_enough(const std::vector<Executions::Weight>& weights,
                                      Tokens limit) const {
        if (limit == tokens_max) return true;
        for (const Executions::Weight& one : weights) {
            Int128 sum = 0;
            for (const Executions::Weight& other : weights)
                if (!order_.are_ordered(one.move, other.move)) sum += other.started;
            if (sum > limit) return false;
        }
        return true;
    }

    bool room_is_kept() {
        const std::size_t kinds = problem_.resource_count();
        std::vector<Int128> held(problem_.capacities.size(), 0);
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            for (std::size_t resource = 0; resource < kinds; ++resource)
                held[problem_.places[item] * kinds + resource] += problem_.amount(item, resource);
        std::vector<std::vector<std::uint32_t>> touching(problem_.machine_count());
        for (const std::uint32_t at : order_.sorted()) {
            touching[moves_[at].from].push_back(at);
            touching[moves_[at].to].push_back(at);
        }
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            for (std::size_t resource = 0; resource < kinds; ++resource)
                if (!room_is_kept(machine, resource, held[machine * kinds + resource],
                                  touching[machine]))
                    return false;
        return true;
    }

    bool room_is_kept(MachineId machine, std::size_t resource, Int128 held,
                      const std::vector<std::uint32_t>& touching) {
        const Tokens capacity = problem_.capacity(machine, resource);
        const Release release = problem_.resources[resource].release;
        std::vector<Executions::Weight> weights;
        std::vector<std::uint32_t> arrivals;
        std::set<ItemId> been;
        Int128 all = held;
        for (const std::uint32_t at : touching) {
            const Move& move = moves_[at];
            const Tokens amount = problem_.amount(move.item, resource);
            if (amount == 0) continue;
            if (move.to == machine) {
                const bool is_new =
                    problem_.places[move.item] != machine && been.insert(move.item).second;
                if (release != Release::after_last || is_new) all += amount;
                arrivals.push_back(at);
                weights.push_back({at, amount, 0});
            } else if (release == Release::at_once) {
                weights.push_back({at, -amount, 0});
            } else {
                weights.push_back({at, 0, -amount});
            }
        }
        if (arrivals.empty() || all <= capacity) return true;
        if (release != Release::after_last) {
            if (held <= capacity) {
                if (held + executions().most(weights) <= capacity) return true;
            } else {
                const bool kept =
                    std::all_of(arrivals.begin(), arrivals.end(), [&](std::uint32_t at) {
                        return held + executions().most(weights, at) <= capacity;
                    });
                if (kept) return true;
            }
        }
        return refuse(arrivals.front(), this->machine(machine) + " may hold more of " +
                                            problem_.resources[resource].name +
                                            " than its capacity of " +
                                            exact_amount(problem_.resources[resource], capacity));
    }

    /// The time of an item on a machine: from the start of one move, if it was not there at first,
    /// until another one is done, if it leaves.
    struct Stay {
        ItemId item = 0;
        std::size_t arrives = none;
        std::size_t leaves = none;
    };

    bool stay_apart() {
        for (const Apart& rule : problem_.apart) {
            if (!rule.on_the_way) continue;
            const Label& label = problem_.item_labels[rule.label];
            std::map<std::pair<MachineId, ValueId>, std::vector<Stay>> stays;
            for (ItemId item = 0; item < problem_.item_count(); ++item) {
                if (label.of[item] == no_value) continue;
                Stay stay{item, none, none};
                MachineId place = problem_.places[item];
                for (const std::uint32_t at : of_item_[item]) {
                    stay.leaves = at;
                    stays[{place, label.of[item]}].push_back(stay);
                    stay = {item, at, none};
                    place = moves_[at].to;
                }
                stays[{place, label.of[item]}].push_back(stay);
            }
            for (const auto& [at, list] : stays)
                if (!stay_apart(rule.label, at.first, at.second, list)) return false;
        }
        return true;
    }

    bool stay_apart(std::size_t label, MachineId machine, ValueId value,
                    const std::vector<Stay>& stays) {
        const auto is_over_before = [&](const Stay& earlier, const Stay& later) {
            return earlier.leaves != none && later.arrives != none &&
                   (earlier.leaves == later.arrives || is_before(earlier.leaves, later.arrives));
        };
        for (const Stay& one : stays) {
            if (one.arrives == none) continue;
            for (const Stay& other : stays) {
                if (&one == &other || is_over_before(one, other) || is_over_before(other, one))
                    continue;
                return refuse(one.arrives, this->machine(machine) + " may take " +
                                               items_words(problem_, label, value, 1) +
                                               " and have another");
            }
        }
        return true;
    }

    bool rules_are_kept() {
        const auto broken = find_broken_rule(problem_, moves_, order_, executions());
        return !broken || refuse(broken->move, broken->words);
    }

    const Problem& problem_;
    std::span<const Move> moves_;
    const WaitsFor& waits_for_;
    CopySources sources_;
    MoveOrder order_;
    std::optional<Executions> executions_;  ///< once it is known that the order is possible
    std::vector<std::vector<std::uint32_t>> of_item_;  ///< moves in their order
    std::vector<MachineId> givers_;                    ///< by move
    CheckedWaits result_;
};

}  // namespace

CheckedWaits check_waits(const Problem& problem, std::span<const Move> moves,
                         const WaitsFor& waits_for) {
    if (moves.size() > checked_waits_most)
        return {false,
                "expected at most " + std::to_string(checked_waits_most) + " moves that wait", 0};
    return WaitsCheck(problem, moves, waits_for).run();
}

}  // namespace equipoise::reassign
