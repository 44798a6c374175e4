#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/mesh/strong.hpp"

namespace equipoise::catalogue::entries::mesh_strong {

Algorithm entry() {
    return on_mesh({
        .name = "mesh-strong",
        .after = "mesh-faster",
        .title = "token distribution on meshes with a one-bit bus, close to optimal for every "
                 "initial distribution",
        .source = theory::cite(theory::papers::meyer, "Section 4, repaired"),
        .guarantee = "every load is between floor(mean) - 1 and ceil(mean) + 1, after O(d^3 T log "
                     "k) steps: d dimensions, k the largest load, T the fewest steps in which "
                     "these loads can be levelled",
        .goal_discrepancy = 3,
        .promise = promise_one_exact,
        .moves = play_strong<mesh::Agreement::bus>,
    });
}

}  // namespace equipoise::catalogue::entries::mesh_strong
