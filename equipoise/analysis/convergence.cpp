#include "equipoise/analysis/convergence.hpp"

namespace equipoise::analysis {

std::optional<double> Convergence::gap() const {
    if (!lambda) return std::nullopt;
    const double gap = 1 - (lambda->value + lambda->error);
    // If an eigenvalue may have been missed, a gap small enough to come from rounding counts as
    // none.
    const double least = lambda->certified ? 0 : 1e-9;
    return gap > least ? std::optional<double>(gap) : std::nullopt;
}

std::optional<double> Convergence::divergence_upper() const {
    if (!divergence) return std::nullopt;
    return divergence->value + divergence->error;
}

}  // namespace equipoise::analysis
