#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "equipoise/analysis/laplacian_spectrum.hpp"
#include "equipoise/analysis/polynomial_plan.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/idealised.hpp"
#include "equipoise/catalogue/registry/common/polynomial_scheme.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/protocols/for_steps.hpp"
#include "equipoise/protocols/polynomial_scheme.hpp"

namespace equipoise::catalogue::entries::chebyshev {

namespace {

using analysis::LaplacianEnds;
using protocols::PolynomialScheme;

/// The ends that a run uses.
struct UsedEnds {
    theory::Enclosure ends;
    bool certified = false;
    double widened_by = 0;  ///< the most by which an end differs from the given one
};

/// A given end that is too close to the eigenvalue to be told apart, since that is computed with an
/// error, is replaced by the certified end beyond it.
double certified_end(double given, const theory::Enclosure& eigenvalue, double certified,
                     double& widened_by) {
    if (given < eigenvalue.least || given > eigenvalue.most) return given;
    widened_by = std::max(widened_by, std::abs(given - certified));
    return certified;
}

/// Given ends count as certified if they enclose certified ones.
UsedEnds ends_of(const Task& task) {
    const double given_least = task.parameters.real("l2");
    const double given_most = task.parameters.real("lmax");
    if (given_least == 0 && given_most == 0) {
        const LaplacianEnds& all = task.facts.laplacian_ends();
        return {all.around(), all.certified};
    }
    const LaplacianEnds* const known = task.facts.known_laplacian_ends();
    UsedEnds used;
    theory::Enclosure& ends = used.ends;
    ends.least = given_least > 0 ? given_least : task.facts.laplacian_ends().smallest.least;
    ends.most = given_most > 0     ? given_most
                : known != nullptr ? known->largest.most
                                   : analysis::laplacian_at_most(task.facts.network());
    if (ends.most < ends.least)
        throw UnsuitableError("chebyshev: expected l2 <= lmax, found l2=" + to_text(ends.least) +
                              " and lmax=" + to_text(ends.most));
    if (known == nullptr || !known->certified) return used;
    ends.least = certified_end(ends.least, known->smallest, known->smallest.least, used.widened_by);
    ends.most = certified_end(ends.most, known->largest, known->largest.most, used.widened_by);
    used.certified = ends.least <= known->smallest.least && known->largest.most <= ends.most;
    return used;
}

analysis::ChebyshevPlan plan_of(const Task& task) {
    return analysis::plan_chebyshev(ends_of(task).ends, scheme_start(task),
                                    task.parameters.whole("rounds"));
}

void expect_suitable(const Task& task) {
    expect_connected(task);
    static_cast<void>(plan_of(task));
}

model::Guarantee promise(const Task& task) {
    if (!ends_of(task).certified) return {};
    const analysis::ChebyshevPlan plan = plan_of(task);
    return imitation_promise(task, plan.spread, plan.roots.size(), "1 and 4");
}

auto make(const Task& task) {
    const analysis::ChebyshevPlan plan = plan_of(task);
    PolynomialScheme::Rounds rounds;
    for (std::size_t i = 0; i < plan.roots.size(); ++i)
        rounds.emplace_back(plan.roots[i], plan.momenta[i]);
    return protocols::ForSteps(PolynomialScheme(std::move(rounds), plan.one), plan.roots.size());
}

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    const UsedEnds used = ends_of(task);
    notes.constants["l2"] = to_text(used.ends.least);
    notes.constants["lmax"] = to_text(used.ends.most);
    if (used.widened_by > 0) notes.constants["ends_widened_by"] = to_text(used.widened_by);
    return play_scheme(task, options, notes, plan_of(task).roots.size(), play);
}

}  // namespace

Algorithm entry() {
    constexpr double end_most = 1e10;
    constexpr double rounds_most = 1e6;
    return {
        .name = "chebyshev",
        .after = "optimal-polynomial",
        .title = "the Chebyshev iteration in whole tokens: nodes know two eigenvalues",
        .source =
            "Diekmann, Frommer, Monien 1999 (textbook iteration, imitated in whole "
            "tokens)",
        .model = StepModel::multi_port,
        .needs =
            "a connected network; l2 must be given on stored networks of more than 50,000 links",
        .parameters =
            {real_parameter(
                 "l2", "0", {0, end_most},
                 "at most the smallest eigenvalue of the Laplacian except 0; 0: computed once"),
             real_parameter(
                 "lmax", "0", {0, end_most},
                 "at least the largest eigenvalue of the Laplacian; 0: computed or bounded"),
             whole_parameter("rounds", "0", {0, rounds_most},
                             "rounds, which all nodes know; 0: until idealised loads as far from "
                             "the mean as these are level up to 1/1,024 of a token")},
        .guarantee =
            "discrepancy at most the largest degree plus the spread that remains in the idealised "
            "loads; none if the eigenvalues are not certified",
        .stop = "after the last round",
        .loads_may_be_negative = true,
        .expect_suitable = expect_suitable,
        .promise = promise,
        .rounds = plays(make, all_links()),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::chebyshev
