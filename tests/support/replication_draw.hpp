#pragma once
// Problems of copies, drawn at random.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "equipoise/replication/problem.hpp"
#include "tests/support/draw.hpp"

namespace equipoise::test {

/// Up to some 24 items on up to 12 machines: loads alike, skewed or 0; few or many copies; with or
/// without groups; a present placement that is drawn slot by slot, so that items are missing, twice
/// on a machine or on other hosts than their group, or one that is allowed but for some slots, or
/// none. The numbers fit each other, and some placement is allowed.
inline replication::Problem draw_replication(std::uint64_t seed) {
    Draw<std::uint32_t> draw(seed);
    replication::Problem problem;
    const bool grouped = draw(0, 2) == 0;
    problem.hosts = grouped ? draw(1, 3) : 1;
    problem.groups = grouped ? problem.hosts * draw(1, 3) : 0;
    const std::uint32_t items = grouped ? problem.groups * draw(1, 4) : draw(1, 24);
    problem.machines = problem.hosts * draw(1, 4);
    const std::uint32_t of_host = items / problem.hosts;
    const std::uint32_t machines_of_host = problem.machines / problem.hosts;
    const std::uint32_t least = (of_host + machines_of_host - 1) / machines_of_host;
    problem.slots = draw(least, std::min(of_host, least + 2));
    const std::uint32_t kind = draw(0, 3);
    for (std::uint32_t item = 0; item < items; ++item)
        problem.loads.push_back(kind == 0   ? 0
                                : kind == 1 ? draw(0, 5)
                                : kind == 2 ? draw(900, 1100)
                                            : Tokens{1'000'000} / (1 + draw(0, 50)));
    if (draw(0, 4) == 0) problem.loads[draw(0, items - 1)] = 20'000'000;
    const std::uint32_t present = draw(0, 2);
    for (std::uint32_t slot = 0; present != 0 && slot < problem.all_slots(); ++slot) {
        const bool anything = present == 1 || draw(0, 9) == 0;
        const std::uint32_t host = problem.host_of(slot / problem.slots);
        const std::uint32_t in_host = slot - host * machines_of_host * problem.slots;
        problem.placement.push_back(anything ? draw(0, items - 1)
                                             : host * of_host + in_host % of_host);
    }
    return problem;
}

}  // namespace equipoise::test
