#include "equipoise/catalogue/algorithm.hpp"

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/entries/entries.hpp"
#include "equipoise/catalogue/suggest.hpp"

namespace equipoise::catalogue {

std::string to_string(Model model) {
    switch (model) {
        case Model::single_port:
            return "single-port";
        case Model::single_token:
            return "single-token";
        case Model::multi_port:
            return "multi-port";
        case Model::asynchronous:
            return "asynchronous";
    }
    return "unknown";
}

bool moves_single_tokens(const Algorithm& algorithm) {
    return algorithm.model == Model::single_token ||
           (algorithm.model == Model::single_port && algorithm.one_token_a_link);
}

const std::vector<Algorithm>& algorithms() {
    static const std::vector<Algorithm> table = {
        entries::threshold_2(),
        entries::threshold_1(),
        entries::threshold_1_plus(),
        entries::discrepancy_1(),
        entries::deal_agreement_1(),
        entries::deal_agreement_2(),
        entries::deal_agreement_3(),
        entries::diffusion(),
        entries::diffusion_2(),
        entries::dimension_exchange(),
        entries::balancing_circuit(),
        entries::flow_imitation(),
        entries::quasirandom_diffusion(),
        entries::randomised_diffusion(),
        entries::one_token_diffusion(),
        entries::coin_matching(),
        entries::one_token_matching(),
        entries::steepest_matching(),
        entries::random_walks(),
        entries::rooted_target(),
        entries::perfect_tree(),
        entries::perfect_tree_batched(),
        entries::minimum_exchange_tree(),
        entries::async_deal_agreement(),
        entries::self_stabilising(),
        entries::partially_asynchronous(),
        entries::async_one_token_diffusion(),
        entries::mesh_weak(),
        entries::mesh_faster(),
        entries::mesh_strong(),
        entries::mesh_strong_no_bus(),
    };
    return table;
}

const Algorithm& find_algorithm(std::string_view name) {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms()) {
        if (algorithm.name == name) return algorithm;
        names.push_back(algorithm.name);
    }
    throw InputError("unknown algorithm \"" + std::string(name) + '"' + suggestion(name, names));
}

}  // namespace equipoise::catalogue
