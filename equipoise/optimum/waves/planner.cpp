#include "equipoise/optimum/waves/planner.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/optimum/waves/check.hpp"
#include "equipoise/optimum/waves/colouring.hpp"
#include "equipoise/optimum/waves/greedy.hpp"
#include "equipoise/optimum/waves/half_duplex.hpp"
#include "equipoise/optimum/waves/list.hpp"
#include "equipoise/optimum/waves/move_search.hpp"
#include "equipoise/optimum/waves/placement_search.hpp"
#include "equipoise/optimum/waves/wrap_around.hpp"

namespace equipoise::optimum {

namespace {

/// Items of one size to given places: exact unless capacities or copies rule out the order, or
/// giving and taking count together in odd numbers.
WaveSchedule coloured(const ItemsProblem& problem, Step waves) {
    std::map<std::pair<NodeId, NodeId>, std::vector<ItemId>> items;
    for (ItemId item = 0; item < problem.items(); ++item)
        if (problem.places[item] != problem.final_places[item])
            items[{problem.places[item], problem.final_places[item]}].push_back(item);
    std::vector<FatMove> bundles;
    bundles.reserve(items.size());
    for (const auto& [ends, of_bundle] : items)
        bundles.push_back({ends.first, ends.second, static_cast<Tokens>(of_bundle.size())});
    const Tokens unit = problem.one_size();
    std::vector<Tokens> gives;
    std::vector<Tokens> takes;
    for (NodeId node = 0; node < problem.nodes; ++node) {
        gives.push_back(problem.items_a_wave(node, unit));
        takes.push_back(std::min(problem.takes_of(node) / unit, problem.at_once_max()));
    }
    WaveSchedule schedule;
    Step wave = 0;
    for (const std::vector<FatMove>& moves : problem.half_duplex
                                                 ? split_for_half_duplex(bundles, gives)
                                                 : split_into_waves(bundles, waves, gives, takes)) {
        for (const auto& [from, to, tokens] : moves) {
            std::vector<ItemId>& of_bundle = items[{from, to}];
            for (Tokens i = 0; i < tokens; ++i) {
                schedule.push_back({wave, of_bundle.back(), from, to});
                of_bundle.pop_back();
            }
        }
        ++wave;
    }
    return schedule;
}

/// The best of all candidates: fewest moves, then fewest waves, then least size.
class BestPlan {
  public:
    BestPlan(const ItemsProblem& problem, WavesPlan& plan) : problem_(problem), plan_(plan) {}

    /// Whether the schedule reaches the target.
    bool offer(std::optional<WaveSchedule> schedule, const char* method) {
        if (!schedule) return false;
        const WaveVerdict verdict = check_waves(problem_, *schedule);
        if (!verdict.holds) return false;
        const auto rank = [](Tokens moves, Step waves, Tokens size) {
            return std::tuple(moves, waves, size);
        };
        if (plan_.found && rank(static_cast<Tokens>(verdict.moves), verdict.waves, verdict.size) >=
                               rank(plan_.moves(), plan_.waves, plan_.size))
            return true;
        plan_.found = true;
        plan_.schedule = std::move(*schedule);
        plan_.method = method;
        plan_.waves = verdict.waves;
        plan_.size = verdict.size;
        return true;
    }
    [[nodiscard]] bool is_done() const { return plan_.exact(); }

  private:
    const ItemsProblem& problem_;
    WavesPlan& plan_;
};

void expect_items_can_go(const ItemsProblem& problem) {
    const std::vector<Tokens> smallest = problem.smallest_copies();
    for (ItemId item = 0; item < problem.items(); ++item) {
        const NodeId from = problem.places[item];
        const NodeId to = problem.final_places[item];
        if (from != to &&
            (problem.size_of(item) > problem.gives_of(from) ||
             smallest[item] > std::min(problem.takes_of(to), problem.capacity_of(to))))
            throw UnsuitableError(
                "no plan reaches the target: an item that must move is larger than what its node "
                "may give, or its final node may take or hold");
    }
}

void plan_to_places(const ItemsProblem& problem, const WavesPlan& plan, BestPlan& best) {
    if (problem.one_size() != 0)
        best.offer(coloured(problem, plan.wave_bound.waves()), "colouring");
    if (!best.is_done()) best.offer(list_to_places(problem, problem.final_places), "list");
}

/// The final places of a list schedule, as fixed ends: with these, waves are often packed better.
std::vector<NodeId> ends_of(const ItemsProblem& problem, const WaveSchedule& schedule) {
    std::vector<NodeId> ends = problem.places;
    for (const WaveMove& move : schedule)
        ends[move.item] = move.to;
    return ends;
}

/// Plans with the largest items first; if some find no room, searches for the largest size that
/// does.
void offer_lists(const ItemsProblem& problem, TakerChoice choice, BestPlan& best) {
    if (best.offer(list_anywhere(problem, choice), "list")) return;
    std::vector<Tokens> sizes = problem.sizes;
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    std::size_t fits = 0;  // sizes up to this one found room, if any did
    std::size_t fails = sizes.size();
    while (fails - fits > 1) {
        const std::size_t middle = fits + (fails - fits) / 2;
        (best.offer(list_anywhere(problem, choice, sizes[middle]), "list") ? fits : fails) = middle;
    }
}

/// Plans to the places that need the fewest moves.
void offer_searched_places(const ItemsProblem& problem, WavesPlan& plan, BestPlan& best) {
    constexpr std::uint64_t effort = 20'000'000;
    const Tokens fewer = plan.found ? plan.moves() - 1 : static_cast<Tokens>(problem.items());
    const SearchedPlaces searched =
        search_final_places(problem, plan.at_least.moves, fewer, effort);
    plan.at_least.moves = searched.moves_at_least;
    if (searched.ends) best.offer(list_to_places(problem, *searched.ends), "search");
}

void plan_to_target(const ItemsProblem& problem, WavesPlan& plan, BestPlan& best) {
    if (problem.one_size() != 0) {
        best.offer(wrap_around(problem, std::max<Step>(plan.wave_bound.waves(), 1)), "wrap-around");
        if (best.is_done()) return;
    }
    if (problem.target.extras == 0) {
        for (const TakerChoice choice :
             {TakerChoice::emptiest, TakerChoice::fastest, TakerChoice::fullest}) {
            offer_lists(problem, choice, best);
            if (best.is_done()) return;
        }
    }
    best.offer(greedy_waves(problem, 0), "greedy");
    if (!plan.moves_exact()) offer_searched_places(problem, plan, best);
    if (plan.found && !best.is_done())
        best.offer(list_to_places(problem, ends_of(problem, plan.schedule)), "list");
}

/// Where nothing else finds a plan with the fewest moves.
void offer_searched_moves(const ItemsProblem& problem, WavesPlan& plan, BestPlan& best) {
    constexpr std::uint64_t effort = 20'000'000;
    const SearchedMoves searched = search_moves(problem, effort);
    plan.at_least.moves = std::max(plan.at_least.moves, searched.moves_at_least);
    plan.none_exists = !plan.found && searched.is_complete && !searched.schedule;
    if (searched.schedule) best.offer(packed(problem, *searched.schedule), "search");
    if (plan.found && !best.is_done())
        best.offer(list_to_places(problem, ends_of(problem, plan.schedule)), "list");
}

}  // namespace

WavesPlan plan_waves(const ItemsProblem& problem) {
    problem.check();
    if (!problem.final_places.empty()) expect_items_can_go(problem);
    WavesPlan plan;
    plan.at_least = moves_at_least(problem);
    plan.wave_bound = waves_at_least(problem);
    const std::string fault = check_wave_bound(problem, plan.wave_bound);
    EQUIPOISE_ASSERT(fault.empty());
    BestPlan best(problem, plan);
    if (problem.final_places.empty()) {
        plan_to_target(problem, plan, best);
    } else {
        plan_to_places(problem, plan, best);
    }
    if (!plan.moves_exact()) offer_searched_moves(problem, plan, best);
    return plan;
}

}  // namespace equipoise::optimum
