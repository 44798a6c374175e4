#include <map>
#include <string>
#include <utility>

#include "equipoise/analysis/laplacian_spectrum.hpp"
#include "equipoise/analysis/polynomial_plan.hpp"
#include "equipoise/catalogue/registry/common/polynomial_scheme.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"
#include "equipoise/protocols/polynomial_scheme.hpp"

namespace equipoise::catalogue::entries::optimal_polynomial {

namespace {

using analysis::RootOrder;
using protocols::PolynomialScheme;

const std::map<std::string, RootOrder>& orders() {
    static const std::map<std::string, RootOrder> all{{"auto", RootOrder::automatic},
                                                      {"descending", RootOrder::descending},
                                                      {"leja", RootOrder::leja},
                                                      {"ascending", RootOrder::ascending}};
    return all;
}

analysis::ProductPlan plan_of(const Task& task) {
    return plan_product(task.facts.laplacian_spectrum(), scheme_start(task),
                        orders().at(task.parameters.word("order")));
}

void expect_suitable(const Task& task) {
    expect_connected(task);
    static_cast<void>(plan_of(task));
}

model::Guarantee promise(const Task& task) {
    const analysis::ProductPlan plan = plan_of(task);
    return imitation_promise(task, plan.spread, plan.roots.size(), "1 to 3");
}

auto make(const Task& task) {
    const analysis::ProductPlan plan = plan_of(task);
    PolynomialScheme::Rounds rounds;
    for (const double root : plan.roots)
        rounds.emplace_back(root, 0, plan.exact);
    return protocols::ForSteps(PolynomialScheme(std::move(rounds), plan.one), plan.roots.size());
}

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    const analysis::ProductPlan plan = plan_of(task);
    notes.constants["distinct_eigenvalues"] =
        std::to_string(task.facts.laplacian_spectrum().distinct.size());
    for (const auto& [word, order] : orders())
        if (order == plan.order) notes.constants["order"] = word;
    return play_scheme(task, options, notes, plan.roots.size(), play);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "optimal-polynomial",
        .after = "diffusion-2",
        .title = "the optimal polynomial scheme in whole tokens: about a round for each eigenvalue",
        .source =
            "Diekmann, Frommer, Monien 1999; Elsaesser, Monien, Preis, Frommer 2004 (rule "
            "reconstructed from the abstracts, product form derived)",
        .model = StepModel::multi_port,
        .needs =
            "a connected network of at most 1,200 nodes, or a grid, hypercube, path, cycle, star "
            "or complete network with at most 8,192 distinct eigenvalues",
        .parameters = {word_parameter(
            "order", {"auto", "descending", "leja", "ascending"},
            "the order of the eigenvalues: descending (idealised loads do not grow, but errors "
            "do), leja (any number of eigenvalues, but loads may fall below 0) or auto (descending "
            "where 128 bits are enough, else leja)")},
        .guarantee =
            "discrepancy at most the largest degree after a number of rounds computed beforehand: "
            "one for each distinct eigenvalue of the Laplacian except 0, fewer if the rest is "
            "small enough, more if eigenvalues are not known well enough",
        .stop = "after the last round",
        .loads_may_be_negative = true,
        .expect_suitable = expect_suitable,
        .promise = promise,
        .rounds = plays(make, all_links()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::optimal_polynomial
