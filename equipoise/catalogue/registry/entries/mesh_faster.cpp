#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/mesh/faster.hpp"

namespace equipoise::catalogue::entries::mesh_faster {

Algorithm entry() {
    return on_mesh({
        .name = "mesh-faster",
        .after = "mesh-weak",
        .title = "token distribution on meshes, polynomial in the dimension",
        .source = theory::cite(theory::papers::meyer, "Section 3.2, repaired"),
        .guarantee = "discrepancy at most 1 after O(d^2 (root + n)) steps, root = (N "
                     "k^(d-1))^(1/d) on cubes of d dimensions and side n",
        .goal_discrepancy = 1,
        .promise = promise_discrepancy_1,
        .moves = play_mesh<mesh::Faster>,
    });
}

}  // namespace equipoise::catalogue::entries::mesh_faster
