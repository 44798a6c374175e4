#include "equipoise/reassign/schedule/made_schedule.hpp"

#include <optional>
#include <utility>

#include "equipoise/reassign/checks/replay.hpp"

namespace equipoise::reassign {

Schedule made_schedule(const Problem& problem, std::span<const MachineId> ends,
                       std::vector<Move> moves) {
    Schedule schedule;
    const std::vector<MachineId> places = places_after(problem, moves);
    for (ItemId item = 0; item < problem.item_count(); ++item)
        if (places[item] != ends[item]) schedule.blocked.push_back(item);
    schedule.complete = schedule.blocked.empty();
    Step waves = 0;
    std::optional<Step> last;
    for (Move& move : moves) {
        if (move.to != ends[move.item]) ++schedule.detours;
        if (last != move.wave) ++waves;
        last = move.wave;
        move.wave = waves - 1;
    }
    schedule.moves = std::move(moves);
    return schedule;
}

}  // namespace equipoise::reassign
