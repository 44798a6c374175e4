#pragma once
// The delays, ports and adversaries under which tests simulate node programs.

#include <vector>

#include "equipoise/engine/simulation/simulation.hpp"

namespace equipoise::test {

inline std::vector<engine::SimulationOptions> simulated_worlds() {
    using engine::Adversary;
    using engine::DelayModel;
    std::vector<engine::SimulationOptions> all(7);
    all[1].delays = DelayModel::random;
    all[2].delays = DelayModel::heavy_tail;
    all[3].single_port = true;
    all[4].adversary.kind = Adversary::Kind::newest_first;
    all[5].adversary.kind = Adversary::Kind::starve_node;
    all[6].adversary.kind = Adversary::Kind::slow_link;
    return all;
}

}  // namespace equipoise::test
