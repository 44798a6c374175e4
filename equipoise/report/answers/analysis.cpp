#include "equipoise/report/answers/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/report/tables/glossary.hpp"
#include "equipoise/report/tables/lines.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using analysis::Estimate;

std::string number(double value) {
    constexpr double exact_max = 0x1.0p53;
    if (value == std::floor(value) && std::abs(value) < exact_max)
        return grouped(static_cast<std::int64_t>(value));
    return grouped_real(value);
}

std::string estimate(const Estimate& found) {
    return fmt::format("{:.8g} +- {:.1e}, {}", found.value, found.error,
                       found.certified ? "certified" : "not certified");
}

/// "0.29 to 0.5", or the number if both bounds are equal.
std::string expansion_text(const analysis::EdgeExpansion& found) {
    if (found.lower == found.upper && found.lower_certified)
        return fmt::format("{:.4g}", found.upper);
    return fmt::format("{:.4g} to {:.4g}", found.lower, found.upper);
}

Estimate gap_of(const Estimate& lambda) {
    return {1 - lambda.value, lambda.error, lambda.certified};
}

nlohmann::ordered_json to_object(const Estimate& found) {
    return {{"value", found.value}, {"error", found.error}, {"certified", found.certified}};
}

/// "<= 7", ">= 7", or "~ 7" for an order.
std::string bounded_by(const AppliedBound& bound) {
    const theory::Sense sense = bound.theorem->sense;
    return (sense == theory::Sense::at_most    ? "<= "
            : sense == theory::Sense::at_least ? ">= "
                                               : "~ ") +
           number(bound.value);
}

const char* name_of(theory::Sense sense) {
    if (sense == theory::Sense::order) return "order";
    return sense == theory::Sense::at_least ? "at least" : "at most";
}

class Lines {
  public:
    explicit Lines(std::size_t width) : width_(width) {}

    void add(const char* name, const std::string& value) {
        constexpr std::size_t column = 31;
        text_ += fmt::format("  {:<28} {}\n", name, hanging(value, column, width_));
    }
    [[nodiscard]] const std::string& text() const { return text_; }

  private:
    std::size_t width_;
    std::string text_;
};

std::string kind_of(const Analysis& a) {
    std::string kind = a.tree ? "tree" : a.connected ? "connected" : "not connected";
    if (a.summary.tree_arity)
        kind = fmt::format("complete {}-ary tree of height {}", *a.summary.tree_arity,
                           *a.summary.tree_height);
    if (a.bipartite && !a.tree) kind += ", bipartite";
    if (a.degree_min == a.degree_max) kind += fmt::format(", {}-regular", a.degree_max);
    if (a.vertex_transitive_known) kind += ", looks the same from every node";
    return kind;
}

std::string figures_of(const Analysis& a, std::size_t width) {
    Lines lines(width);
    lines.add("nodes, links", fmt::format("{}, {}", grouped(a.nodes), grouped(a.links)));
    lines.add("degrees", a.degree_min == a.degree_max
                             ? grouped(std::uint64_t{a.degree_max})
                             : fmt::format("{} to {}", a.degree_min, a.degree_max));
    lines.add("kind", kind_of(a));
    if (a.diameter)
        lines.add("diameter", a.diameter->exact()
                                  ? grouped(std::uint64_t{a.diameter->lower})
                                  : fmt::format("{} to {}", a.diameter->lower, a.diameter->upper));
    if (a.colours) lines.add("colours", grouped(std::uint64_t{*a.colours}));
    if (a.diffusion.lambda)
        lines.add(
            "eigenvalue gap, diffusion",
            estimate(gap_of(*a.diffusion.lambda)) +
                (a.diffusion.rounds == 1 ? ""
                                         : fmt::format(" (of {} rounds together; that of one is 0)",
                                                       grouped(a.diffusion.rounds))));
    if (a.circuit.lambda) lines.add("eigenvalue gap, circuit", estimate(gap_of(*a.circuit.lambda)));
    if (a.diffusion.divergence)
        lines.add("local divergence, diffusion", estimate(*a.diffusion.divergence));
    if (a.circuit.divergence)
        lines.add("local divergence, circuit", estimate(*a.circuit.divergence));
    if (a.expansion)
        lines.add("edge expansion",
                  fmt::format("{} ({} cut off {})", expansion_text(*a.expansion),
                              counted(a.expansion->cut_links, "link"),
                              counted(std::uint64_t{a.expansion->cut.size()}, "node")));
    if (a.stable_discrepancy)
        lines.add("maximum stable discrepancy", counted(*a.stable_discrepancy, "token"));
    if (const auto& best = a.exchange_ratio) {
        lines.add("best exchange ratio", fmt::format("{:.6f}", best->ratio));
        lines.add("  factor of a round", estimate(best->factor));
        lines.add("  factor at 1/2", estimate(best->factor_at_half));
    }
    return lines.text();
}

/// What the words of the figures mean.
std::string explained_figures(const std::string& figures) {
    return explained(
        words_in(figures, {"diameter", "colour", "eigenvalue gap", "local divergence", "certified",
                           "edge expansion", "maximum stable discrepancy"}));
}

template <class Values>
std::string joined(const Values& values, const char* between) {
    return fmt::format("{}", fmt::join(values, between));
}

std::string observers_text(const ObserverFigures& figures, std::size_t width) {
    constexpr std::size_t nodes_listed_max = 64;
    Lines lines(width);
    std::vector<std::size_t> lengths;
    std::size_t nodes = 0;
    for (const auto& tour : figures.tours) {
        lengths.push_back(tour.size());
        nodes += tour.size();
    }
    std::sort(lengths.begin(), lengths.end(), std::greater<>());
    lines.add("steps of a round", grouped(figures.round));
    lines.add("tours",
              fmt::format("{} of {} rounds", counted(std::uint64_t{lengths.size()}, "tour"),
                          joined(lengths, ", ")));
    if (nodes <= nodes_listed_max)
        for (const auto& tour : figures.tours)
            lines.add("", joined(tour, " "));
    lines.add("stability window", fmt::format("{} steps", grouped(figures.stability_window)));
    if (figures.kept_discrepancy)
        lines.add("kept discrepancy", fmt::format("at most {}, and some loads keep it",
                                                  counted(*figures.kept_discrepancy, "token")));
    if (!figures.gap) return lines.text();
    const GapFigures& gap = *figures.gap;
    lines.add("stable gaps", joined(figures.stable_gaps, " "));
    lines.add("gap", fmt::format("{}: at most {} apart", grouped(gap.gap),
                                 counted(gap.stability, "token")));
    lines.add("  its subgraph",
              fmt::format("{} ({} of CONSTRUCT SUBGRAPH)",
                          gap.subgraph.size() <= nodes_listed_max ? joined(gap.subgraph, " ")
                                                                  : counted(gap.gap, "node"),
                          counted(std::uint64_t{gap.iterations}, "iteration")));
    lines.add("  as stable gaps",
              fmt::format("{} modulo {}", joined(gap.sums.shorter(), " + "), grouped(nodes)));
    return lines.text();
}

nlohmann::ordered_json to_object(const ObserverFigures& figures) {
    nlohmann::ordered_json object = {{"round_steps", figures.round},
                                     {"tours", figures.tours},
                                     {"stability_window", figures.stability_window}};
    if (figures.kept_discrepancy) object["kept_discrepancy"] = *figures.kept_discrepancy;
    if (!figures.gap) return object;
    const GapFigures& gap = *figures.gap;
    object["stable_gaps"] = figures.stable_gaps;
    object["gap"] = {{"gap", gap.gap},
                     {"stability", gap.stability},
                     {"subgraph", gap.subgraph},
                     {"iterations", gap.iterations},
                     {"sum_outside", gap.sums.outside},
                     {"sum_inside", gap.sums.inside}};
    return object;
}

/// The bounds, under the paper that each comes from; below them, what their words mean.
std::string bounds_text(const std::vector<AppliedBound>& bounds, std::size_t width) {
    std::vector<std::vector<std::string>> rows;
    std::string_view source;
    for (const AppliedBound& bound : bounds) {
        if (bound.theorem->source != source) {
            source = bound.theorem->source;
            rows.push_back({std::string(source) + ':', "", ""});
        }
        rows.push_back({"  " + std::string(bound.theorem->quantity), bounded_by(bound),
                        std::string(bound.theorem->name)});
    }
    std::string text = layout(
        {{"what", Align::left, true}, {"bound", Align::right}, {"theorem", Align::left, true}},
        rows, true, width);
    std::string words =
        explained(words_in(text, {"1-balanced", "1-smooth", "repaired", "sharpened"}));
    if (std::any_of(bounds.begin(), bounds.end(), [](const AppliedBound& bound) {
            return bound.theorem->sense == theory::Sense::order;
        }))
        words += "~: an order of magnitude; the theorem gives no constant.\n";
    return text + wrapped(words, width, 2);
}

}  // namespace

std::string analysis_text(const Analysis& analysis, std::string_view network,
                          std::string_view loads, std::size_t width) {
    const std::string figures = figures_of(analysis, width);
    std::string text = fmt::format("{}\n{}", network, figures);
    for (const std::string& missing : analysis.left_out)
        text += wrapped(fmt::format("  left out: {}", missing), width, 2);
    text += '\n' + wrapped(explained_figures(figures), width, 2);

    if (analysis.observers)
        text += "\nObservers under threshold-1 (Houle, Symvonis, Wood 2004, Section 4)\n" +
                observers_text(*analysis.observers, width);

    text += '\n' + wrapped(fmt::format("What the theorems promise for {} ({}, discrepancy {})",
                                       loads, counted(analysis.summary.tokens, "token"),
                                       grouped(analysis.summary.discrepancy)),
                           width);
    text += bounds_text(analysis.bounds, width);

    if (!analysis.recommendations.empty()) text += "\nAlgorithms that suit it\n";
    for (const Recommendation& recommendation : analysis.recommendations) {
        constexpr std::size_t column = 25;
        text += fmt::format("  {:<22} {}\n", recommendation.algorithm,
                            hanging(recommendation.reason, column, width));
    }
    return text;
}

std::string analysis_json(const Analysis& analysis) {
    nlohmann::ordered_json object = object_of_schema("equipoise-analyze");
    object.update({
        {"nodes", analysis.nodes},
        {"links", analysis.links},
        {"degree", {{"min", analysis.degree_min}, {"max", analysis.degree_max}}},
        {"connected", analysis.connected},
        {"bipartite", analysis.bipartite},
        {"tree", analysis.tree},
        {"regular", analysis.degree_min == analysis.degree_max},
        {"vertex_transitive", analysis.vertex_transitive_known ? nlohmann::ordered_json(true)
                                                               : nlohmann::ordered_json("unknown")},
    });
    if (analysis.diameter) {
        if (analysis.diameter->exact()) {
            object["diameter"] = analysis.diameter->lower;
        } else {
            object["diameter_at_least"] = analysis.diameter->lower;
            object["diameter_at_most"] = analysis.diameter->upper;
        }
    }
    if (analysis.colours) object["colours"] = *analysis.colours;
    if (analysis.diffusion.lambda)
        object["eigenvalue_gap"] = to_object(gap_of(*analysis.diffusion.lambda));
    if (analysis.diffusion.lambda && analysis.diffusion.rounds > 1)
        object["eigenvalue_gap"]["rounds"] = analysis.diffusion.rounds;
    if (analysis.circuit.lambda)
        object["circuit_eigenvalue_gap"] = to_object(gap_of(*analysis.circuit.lambda));
    if (analysis.diffusion.divergence)
        object["local_divergence"]["diffusion"] = to_object(*analysis.diffusion.divergence);
    if (analysis.circuit.divergence)
        object["local_divergence"]["circuit"] = to_object(*analysis.circuit.divergence);
    if (analysis.expansion)
        object["edge_expansion"] = {{"at_least", analysis.expansion->lower},
                                    {"at_least_certified", analysis.expansion->lower_certified},
                                    {"at_most", analysis.expansion->upper},
                                    {"cut_nodes", analysis.expansion->cut.size()},
                                    {"cut_links", analysis.expansion->cut_links}};
    if (analysis.stable_discrepancy)
        object["maximum_stable_discrepancy"] = *analysis.stable_discrepancy;
    if (const auto& best = analysis.exchange_ratio)
        object["exchange_ratio"] = {{"value", best->ratio},
                                    {"factor", to_object(best->factor)},
                                    {"factor_at_half", to_object(best->factor_at_half)}};
    if (analysis.observers) object["observers"] = to_object(*analysis.observers);
    object["tokens"] = analysis.summary.tokens;
    object["initial_discrepancy"] = analysis.summary.discrepancy;
    nlohmann::ordered_json bounds = nlohmann::ordered_json::array();
    for (const AppliedBound& bound : analysis.bounds)
        bounds.push_back({{"theorem", bound.theorem->name},
                          {"source", bound.theorem->source},
                          {"quantity", bound.theorem->quantity},
                          {"formula", bound.theorem->formula},
                          {"sense", name_of(bound.theorem->sense)},
                          {"value", bound.value}});
    object["bounds"] = std::move(bounds);
    nlohmann::ordered_json recommended = nlohmann::ordered_json::array();
    for (const Recommendation& recommendation : analysis.recommendations)
        recommended.push_back(
            {{"algorithm", recommendation.algorithm}, {"reason", recommendation.reason}});
    object["recommended"] = std::move(recommended);
    if (!analysis.left_out.empty()) object["left_out"] = analysis.left_out;
    return json_text(object, 2) + '\n';
}

}  // namespace equipoise::report
