#include "equipoise/catalogue/entries/idealised.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/entries/play.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/theory/diffusion.hpp"

namespace equipoise::catalogue::entries {

Parameter idealised_parameter() {
    return {.name = "idealised",
            .type = ParameterType::word,
            .default_value = "no",
            .help = "yes: the real-valued process in place of the tokens, in fixed point",
            .words = {"no", "yes"}};
}

std::uint64_t idealised_scale(const Task& task) {
    if (task.parameters.word("idealised") == "no") return 1;
    constexpr unsigned bits_max = 24;
    const Tokens total = std::max<Tokens>(1, load::total(task.loads));
    unsigned bits = 0;
    while (bits < bits_max && (total << (bits + 1)) >> (bits + 1) == total &&
           (total << (bits + 1)) <= tokens_max)
        ++bits;
    return std::uint64_t{1} << bits;
}

std::string to_text(double value) {
    return fmt::format("{:.6g}", value);
}

void note_convergence(const Convergence& convergence, Constants& constants) {
    if (convergence.lambda) {
        constants["second_eigenvalue"] = to_text(convergence.lambda->value);
        if (!convergence.lambda->certified) constants["second_eigenvalue_certified"] = "no";
    }
    if (convergence.divergence)
        constants["local_divergence"] = to_text(convergence.divergence->value);
}

std::optional<Step> smoothing_rounds(const Task& task, const Convergence& convergence) {
    const std::optional<double> gap = convergence.gap();
    if (!gap) return std::nullopt;
    return std::max<Step>(1, theory::idealised_smoothing_rounds(
                                 task.loads.size(), load::discrepancy(task.loads), *gap, 1));
}

model::Guarantee smoothing_promise(const Task& task, const Convergence& convergence,
                                   double deviation, Step round_length) {
    const std::optional<Step> rounds = smoothing_rounds(task, convergence);
    if (!rounds) return {};
    std::string source = "Rabani, Sinclair, Wanka 1998, Theorems 1 and 2 with constants";
    if (!convergence.lambda->certified) source += " (eigenvalue computed, not certified)";
    return {theory::token_discrepancy(1, deviation), *rounds * round_length, source};
}

DefaultStop stop_quiet_or_smooth(const Task& task, const Convergence& convergence, Step quiet_steps,
                                 Step round_length) {
    DefaultStop stop = stop_when_quiet(quiet_steps);
    if (const std::optional<Step> rounds = smoothing_rounds(task, convergence)) {
        stop.rule.steps_max = *rounds * round_length;
        stop.cap_means = "smoothing-rounds";
    }
    return stop;
}

void expect_deviation_makes_sense(const Task& task) {
    if (!task.with_deviation) return;
    if (!task.speeds.empty())
        throw UnsuitableError("--deviation is for equal speeds: expected no --speeds with it");
    if (task.parameters.texts().contains("idealised") && task.parameters.word("idealised") == "yes")
        throw UnsuitableError(
            "--deviation compares tokens with the idealised process: expected idealised=no");
}

void expect_gap(const Convergence& convergence, const std::string& what) {
    if (convergence.lambda && !convergence.gap())
        throw UnsuitableError(what +
                              " have eigenvalue gap 0: the idealised process does not level "
                              "every load on this network");
}

}  // namespace equipoise::catalogue::entries
