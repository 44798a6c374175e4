#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/mesh/weak.hpp"

namespace equipoise::catalogue::entries::mesh_weak {

Algorithm entry() {
    return on_mesh({
        .name = "mesh-weak",
        .after = "async-one-token-diffusion",
        .title =
            "token distribution on meshes, up to a constant factor (for a fixed dimension) as fast "
            "as possible for the worst loads with this number of tokens and this maximum load",
        .source = theory::cite(theory::papers::meyer, "Section 3.2"),
        .guarantee = "discrepancy at most 1 after O(2^d (root + n)) steps, root = (N "
                     "k^(d-1))^(1/d) on cubes of d dimensions and side n",
        .goal_discrepancy = 1,
        .promise = promise_discrepancy_1,
        .moves = play_mesh<mesh::Weak>,
    });
}

}  // namespace equipoise::catalogue::entries::mesh_weak
