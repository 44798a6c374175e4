#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/mesh/strong.hpp"

namespace equipoise::catalogue::entries::mesh_strong_no_bus {

Algorithm entry() {
    return on_mesh({
        .name = "mesh-strong-no-bus",
        .after = "mesh-strong",
        .title = "token distribution on meshes, close to optimal for every initial distribution, "
                 "without a bus",
        .source = theory::cite(theory::papers::meyer, "Section 4, repaired"),
        .guarantee = "every load is between floor(mean) - 1 and ceil(mean) + 1, after O(d^3 T log "
                     "k + s log T) steps: d dimensions, k the largest load, T the fewest steps in "
                     "which these loads can be levelled, s the sum of the sides",
        .goal_discrepancy = 3,
        .promise = promise_one_exact,
        .moves = play_strong<mesh::Agreement::mesh>,
    });
}

}  // namespace equipoise::catalogue::entries::mesh_strong_no_bus
