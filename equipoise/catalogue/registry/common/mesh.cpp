#include "equipoise/catalogue/registry/common/mesh.hpp"

#include <cstddef>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/progress.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::catalogue {

namespace {

const char* const mesh_needs =
    "a mesh, a torus (its closing links are not used), a hypercube, or a path numbered from end to "
    "end";

/// Whether the links are those between nodes of consecutive numbers.
bool is_numbered_path(const network::AnyNetwork& network) {
    if (network.node_count() == 0 || network.link_count() + 1 != network.node_count()) return false;
    for (LinkId link = 0; link < network.link_count(); ++link)
        if (network.ends(link) != Ends{static_cast<NodeId>(link), static_cast<NodeId>(link + 1)})
            return false;
    return true;
}

/// The strongly adaptive algorithm, which keeps t of its last round.
struct StrongWithNote {
    using Box = mesh::Box;
    mesh::Strong strong;
    Step* last_round = nullptr;

    void run(const Box& box, const load::Loads& loads, model::MoveSink& sink) const {
        *last_round = strong.run(box, loads, sink);
    }
};

}  // namespace

std::optional<mesh::Box> find_box(const network::AnyNetwork& network) {
    if (const network::Grid* grid = network.grid()) return mesh::Box(grid->sides());
    if (is_numbered_path(network)) {
        const NodeId side = network.node_count();
        return mesh::Box({&side, 1});
    }
    if (network::is_hypercube(network)) {
        const std::vector<NodeId> sides(static_cast<std::size_t>(network.degree_max()), 2);
        return mesh::Box(sides);
    }
    return std::nullopt;
}

std::vector<NodeId> sides_of(const network::AnyNetwork& network, const mesh::Box& box) {
    std::vector<NodeId> sides;
    if (const network::Grid* grid = network.grid())
        sides.assign(grid->sides().begin(), grid->sides().end());
    else
        for (const mesh::Axis& axis : box.axes())
            sides.push_back(axis.side);
    return sides;
}

mesh::Box box_of(const Task& task) {
    const std::optional<mesh::Box> box = find_box(task.facts.network());
    if (!box)
        throw UnsuitableError(std::string("the network is not a box of processors: expected ") +
                              mesh_needs + " (mesh:8x8, torus:4x4x4, hypercube:d=6, path:n=9)");
    return *box;
}

Algorithm on_mesh(Algorithm entry) {
    entry.model = StepModel::single_token;
    entry.needs = mesh_needs;
    entry.stop = "its own termination";
    entry.expect_suitable = [](const Task& task) { static_cast<void>(box_of(task)); };
    return entry;
}

engine::RoundOptions mesh_options(const engine::RoundOptions& options) {
    engine::RoundOptions chosen = options;
    for (const model::Observer* observer : options.observers)
        if (dynamic_cast<const model::ProgressObserver*>(observer) == nullptr &&
            observer->next_wanted(0) != ~Step{0})
            chosen.body = engine::Body::reference;
    return chosen;
}

model::Guarantee promise_discrepancy_1(const Task& /*task*/) {
    return {1, {}, theory::cite(theory::papers::meyer, "Theorem 2, repaired")};
}

model::Guarantee promise_one_exact(const Task& task) {
    const auto cells = static_cast<Tokens>(task.loads.size());
    const Tokens uneven = load::total(task.loads) % cells == 0 ? 0 : 1;
    return {2 + uneven, {}, theory::cite_theorem(theory::papers::meyer, "Theorem 3, repaired")};
}

void note_costs(const engine::MoveCosts& costs, model::Notes& notes) {
    notes.moves = {costs.played, costs.distribution_steps, costs.computation_steps};
}

engine::RoundOutcome play_strong(mesh::Agreement agreement, const Task& task,
                                 const engine::RoundOptions& options, model::Notes& notes) {
    Step last_round = 0;
    engine::RoundOutcome outcome =
        play_on_box(StrongWithNote{{agreement}, &last_round}, task, options, notes);
    notes.constants["last_round"] = std::to_string(last_round);
    return outcome;
}

}  // namespace equipoise::catalogue
