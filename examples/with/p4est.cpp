// p4est with our plan in place of p4est_partition: quadrants stay on their curve, and p4est ships
// them, but the cuts are ours, by counts or by weights. Run it on 4 ranks.
// Look at the largest load, and at how many quadrants move, beside p4est's own cuts.

#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include <mpi.h>
#include <p4est_algorithms.h>
#include <p4est_extended.h>

#include "tell.hpp"
#include <equipoise/balancer/balancer.hpp>

// The glue begins.
// Cuts the forest by counts or, with weights, one for each quadrant of this rank, by weights; moves
// what the program stores beside the quadrants, too. Returns how many quadrants moved.
p4est_gloidx_t partition(p4est_t* forest, std::span<const double> weights, double tolerance,
                         std::vector<double>& field) {
    using namespace equipoise::balancer;
    const Plan plan =
        make_plan(forest->mpicomm, forest->local_num_quadrants,
                  {.policy = Policy::keep_order, .weights = weights, .tolerance = tolerance});
    const auto mine = static_cast<p4est_locidx_t>(plan.size_after());
    std::vector<p4est_locidx_t> counts(static_cast<std::size_t>(forest->mpisize));
    MPI_Allgather(&mine, 1, P4EST_MPI_LOCIDX, counts.data(), 1, P4EST_MPI_LOCIDX, forest->mpicomm);
    plan.execute(field);
    return p4est_partition_given(forest, counts.data());
}
// The glue ends.

// What the program has anyway: a square refined near an arc, where quadrants also cost more.
int near_arc(p4est_t* /*forest*/, p4est_topidx_t /*tree*/, p4est_quadrant_t* quadrant) {
    const double x = static_cast<double>(quadrant->x) / P4EST_ROOT_LEN;
    const double y = static_cast<double>(quadrant->y) / P4EST_ROOT_LEN;
    const double size = 1.0 / (1 << quadrant->level);
    return x * x + y * y < 0.5 && (x + size) * (x + size) + (y + size) * (y + size) > 0.5 ? 1 : 0;
}

int cost(p4est_t* forest, p4est_topidx_t tree, p4est_quadrant_t* quadrant) {
    return near_arc(forest, tree, quadrant) != 0 ? 40 : 1 + quadrant->level;
}

std::vector<double> costs_of(p4est_t* forest) {
    std::vector<double> costs;
    for (p4est_topidx_t t = forest->first_local_tree; t <= forest->last_local_tree; ++t) {
        sc_array_t& quadrants = p4est_tree_array_index(forest->trees, t)->quadrants;
        for (std::size_t i = 0; i < quadrants.elem_count; ++i)
            costs.push_back(cost(forest, t, p4est_quadrant_array_index(&quadrants, i)));
    }
    return costs;
}

// The load of this rank if `field`, which has moved with the quadrants, still is what they cost.
void look(p4est_t* forest, const char* how, const std::vector<double>& field,
          p4est_gloidx_t moved) {
    const bool true_to_quadrants = field == costs_of(forest);
    const double load = std::accumulate(field.begin(), field.end(), 0.0);
    tell(forest->mpicomm, how, true_to_quadrants ? load : -1,
         forest->mpirank == 0 ? static_cast<double>(moved) : 0);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    sc_init(MPI_COMM_WORLD, 0, 0, nullptr, SC_LP_SILENT);
    p4est_init(nullptr, SC_LP_SILENT);
    p4est_connectivity_t* square = p4est_connectivity_new_unitsquare();
    p4est_t* forest = p4est_new_ext(MPI_COMM_WORLD, square, 0, 3, 1, 0, nullptr, nullptr);
    for (int level = 3; level < 6; ++level)
        p4est_refine(forest, 0, near_arc, nullptr);
    const std::vector<double> costs = costs_of(forest);
    look(forest, "as refined", costs, 0);
    for (const bool by_weights : {false, true}) {
        p4est_t* copy = p4est_copy(forest, 0);
        const p4est_gloidx_t moved = p4est_partition_ext(copy, 0, by_weights ? cost : nullptr);
        look(copy, by_weights ? "p4est, by weights" : "p4est, by counts", costs_of(copy), moved);
        p4est_destroy(copy);
    }
    struct Way {
        const char* how;
        std::span<const double> weights;
        double tolerance;
    };
    for (const Way& way :
         {Way{"Equipoise, by counts", {}, 0}, Way{"Equipoise, by weights", costs, 0},
          Way{"Equipoise, 5 % allowed", costs, 0.05}}) {
        p4est_t* copy = p4est_copy(forest, 0);
        std::vector<double> field = costs;
        const p4est_gloidx_t moved = partition(copy, way.weights, way.tolerance, field);
        look(copy, way.how, field, moved);
        p4est_destroy(copy);
    }
    p4est_destroy(forest);
    p4est_connectivity_destroy(square);
    sc_finalize();
    MPI_Finalize();
}
