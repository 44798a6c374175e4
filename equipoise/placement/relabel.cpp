#include "equipoise/placement/relabel.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/placement/assignment_check.hpp"

namespace equipoise::placement {

namespace {

std::size_t number(int index) {
    return static_cast<std::size_t>(index);
}

Tokens all_bytes(const RelabelProblem& problem) {
    Tokens sum = 0;
    for (const Holding& holding : problem.holdings) {
        if (holding.bytes > tokens_max - sum)
            throw InputError("expected items of at most 2^61 bytes together, found more");
        sum += holding.bytes;
    }
    return sum;
}

// The bytes that every part keeps on every rank.
std::vector<Gain> gains_of(const RelabelProblem& problem, Tokens bytes) {
    std::vector<Gain> gains;
    if (problem.machines.empty()) {
        for (const Holding& holding : problem.holdings)
            if (holding.bytes > 0) gains.push_back({holding.part, holding.rank, holding.bytes});
        return gains;
    }
    std::map<int, std::vector<int>> ranks_of;
    for (int rank = 0; rank < problem.ranks; ++rank)
        ranks_of[problem.machines[number(rank)]].push_back(rank);
    std::map<std::pair<int, int>, Tokens> on_machine;  // by part and machine
    for (const Holding& holding : problem.holdings)
        if (holding.bytes > 0)
            on_machine[{holding.part, problem.machines[number(holding.rank)]}] += holding.bytes;
    std::map<std::pair<int, int>, Tokens> on_rank;
    for (const Holding& holding : problem.holdings)
        if (holding.bytes > 0) on_rank[{holding.part, holding.rank}] += holding.bytes;
    for (const auto& [pair, held] : on_machine) {
        const auto [part, machine] = pair;
        for (const int rank : ranks_of[machine]) {
            const auto found = on_rank.find({part, rank});
            gains.push_back(
                {part, rank,
                 (Int128{bytes} + 1) * held + (found == on_rank.end() ? 0 : found->second)});
        }
    }
    return gains;
}

// Parts without a rank get the remaining room: that of their own number if there is some, otherwise
// the lowest.
void fill_up(const RelabelProblem& problem, std::vector<int>& rank_of_part) {
    std::vector<int> room(number(problem.ranks), problem.parts_a_rank);
    for (const int rank : rank_of_part)
        if (rank >= 0) --room[number(rank)];
    for (std::size_t part = 0; part < rank_of_part.size(); ++part) {
        const int same = static_cast<int>(part) / problem.parts_a_rank;
        if (rank_of_part[part] < 0 && room[number(same)] > 0) {
            rank_of_part[part] = same;
            --room[number(same)];
        }
    }
    std::size_t next = 0;
    for (int& rank : rank_of_part) {
        if (rank >= 0) continue;
        while (room[next] == 0)
            ++next;
        rank = static_cast<int>(next);
        --room[next];
    }
}

struct Moved {
    Tokens ranks = 0;
    Tokens machines = 0;
};
template <class RankOf>
Moved moved_by(const RelabelProblem& problem, const RankOf& rank_of) {
    Moved moved;
    for (const Holding& holding : problem.holdings) {
        const int rank = rank_of(holding.part);
        if (rank == holding.rank) continue;
        moved.ranks += holding.bytes;
        if (!problem.machines.empty() &&
            problem.machines[number(rank)] != problem.machines[number(holding.rank)])
            moved.machines += holding.bytes;
    }
    return moved;
}

}  // namespace

Relabelling fewest_bytes(const RelabelProblem& problem) {
    if (problem.parts > Int128{problem.ranks} * problem.parts_a_rank)
        throw InputError("expected at most " + counted(std::int64_t{problem.parts_a_rank}, "part") +
                         " for each of " + counted(std::int64_t{problem.ranks}, "rank") +
                         ", found " + counted(std::int64_t{problem.parts}, "part"));
    Relabelling result;
    result.bytes = all_bytes(problem);
    const std::vector<int> capacity(number(problem.ranks), problem.parts_a_rank);
    const std::vector<Gain> gains = gains_of(problem, result.bytes);
    PartsOnRanks best = best_assignment(problem.parts, capacity, gains);
    result.rank_of_part = std::move(best.rank_of_part);
    result.part_prices = std::move(best.prices.part);
    result.rank_prices = std::move(best.prices.rank);
    fill_up(problem, result.rank_of_part);
    const Moved moved =
        moved_by(problem, [&](int part) { return result.rank_of_part[number(part)]; });
    const Moved identity = moved_by(problem, [&](int part) { return part / problem.parts_a_rank; });
    result.moved = moved.ranks;
    result.moved_by_identity = identity.ranks;
    result.between_machines = moved.machines;
    result.between_machines_by_identity = identity.machines;
    return result;
}

std::string fault_of(const Relabelling& claim, const RelabelProblem& problem) {
    if (claim.rank_of_part.size() != number(problem.parts)) return "not every part has a rank";
    if (std::any_of(claim.rank_of_part.begin(), claim.rank_of_part.end(),
                    [](int rank) { return rank < 0; }))
        return "not every part has a rank";
    const Tokens bytes = all_bytes(problem);
    const std::vector<int> capacity(number(problem.ranks), problem.parts_a_rank);
    PartsOnRanks assignment;
    assignment.rank_of_part = claim.rank_of_part;
    assignment.prices = {claim.part_prices, claim.rank_prices};
    // The bytes that stay follow from those that move, so that a wrong figure shows as a wrong
    // gain.
    assignment.gain = Int128{bytes} - claim.moved;
    if (!problem.machines.empty())
        assignment.gain += (Int128{bytes} + 1) * (Int128{bytes} - claim.between_machines);
    return fault_of(assignment, capacity, gains_of(problem, bytes));
}

}  // namespace equipoise::placement
