#include "equipoise/report/runs/summary.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/load/loads.hpp"
#include "equipoise/report/runs/extremes.hpp"
#include "equipoise/report/runs/recovery.hpp"
#include "equipoise/report/runs/words.hpp"
#include "equipoise/report/tables/glossary.hpp"
#include "equipoise/report/tables/lines.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using model::Record;

/// When the last node ends each phase: "1 ends after 8 ticks, 2 after 12, 3 after 16".
std::string phases_text(const std::vector<model::PhaseEnd>& phases) {
    std::string text;
    for (std::size_t k = 0; k < phases.size(); ++k) {
        if (k > 0) text += ", ";
        text += std::to_string(k + 1);
        if (!phases[k].last)
            text += " does not end everywhere";
        else if (k == 0)
            text += " ends after " + counted(*phases[k].last, "tick");
        else
            text += " after " + grouped(*phases[k].last);
    }
    return text;
}

/// Lines that only asynchronous runs have.
void describe_asynchrony(const Record& record,
                         std::vector<std::pair<std::string, std::string>>& lines) {
    const model::Asynchrony& run = *record.asynchrony;
    lines.emplace_back("largest message", counted(run.largest_message_bits, "bit"));
    lines.emplace_back("memory", counted(run.memory_bits, "bit") + " per node at most");
    if (run.ranks > 0)
        lines.emplace_back("nodes on",
                           counted(run.ranks, "rank") +
                               "; the longest chain of events that cause each other has " +
                               grouped(run.time));
    else
        lines.emplace_back("delays", run.delays + ", " + counted(run.time, "tick"));
    if (!run.phases.empty()) lines.emplace_back("phases", phases_text(run.phases));
    if (!run.ports.empty())
        lines.emplace_back(
            "ports", run.ports == "1"
                         ? "1 (a node sends at most one message per tick, and receives at most one)"
                         : run.ports);
    if (!run.adversary.empty()) lines.emplace_back("adversary", run.adversary);
    if (run.faults.empty()) return;
    lines.emplace_back("faults", run.faults);
    const Tokens made = tokens_in(record.created);
    const Tokens lost = tokens_in(record.destroyed);
    if (made > 0 || lost > 0)
        lines.emplace_back(
            "tokens at the end",
            fmt::format("{}  ({} added {}, removed {})",
                        in_tokens(record, load::total(record.final_loads)),
                        record.world ? "the changing world and faults" : "corruption",
                        grouped(made), grouped(lost)));
    if (const std::string met = faults_met_text(record); !met.empty())
        lines.emplace_back("faults met", met);
}

/// The deviation, the step after which it was this large, and its bound.
std::string deviation_line(const Record& record, const TextStyle& style) {
    const model::Deviation& deviation = *record.deviation;
    const std::string when = deviation.step    ? " after step " + grouped(*deviation.step)
                             : deviation.error ? " in the limit, as the idealised loads level"
                                               : "";
    return fmt::format("{}{}  ({})", deviation_text(record), when,
                       deviation.bound
                           ? "Theorem 2, sharpened: " + at_most(six_digits(*deviation.bound), style)
                           : "from the idealised process");
}

/// When a circuit had counted its loads, and by when that was promised.
std::string counted_line(const Record& record, const std::string& rounds, const TextStyle& style) {
    const std::string bound = constant(record, "counts_within_rounds");
    return "after round " + rounds +
           (bound.empty() ? "" : "  (promised " + at_most(bound, style) + ")") + "  (" +
           std::string(meaning_of("counted")) + ")";
}

/// The fewest steps, if the run moves single tokens, and the fewest exchanges.
std::string best_possible_line(const Record& record) {
    const std::string exchanges = counted(record.optimum->exchanges, "exchange");
    if (!record.optimum->steps) return exchanges;
    return counted(std::uint64_t{*record.optimum->steps}, "step") + ", " + exchanges;
}

}  // namespace

std::string network_name(const Record& record) {
    const std::string& origin = record.labels.origin;
    if (origin.empty()) return "an unnamed network";
    if (record.generated) return origin;
    const std::size_t slash = origin.rfind('/');
    return slash == std::string::npos ? origin : origin.substr(slash + 1);
}

std::string heading(const Record& record) {
    return fmt::format(
        "{}: {}, {}; {}, initial discrepancy {}\n", network_name(record),
        counted(std::uint64_t{record.node_count}, "node"), counted(record.link_count, "link"),
        counted(static_cast<std::uint64_t>(load::total(record.initial_loads)) / record.load_scale,
                "token"),
        in_tokens(record, record.initial_discrepancy));
}

std::string reordering_line(const Reordering& reordering) {
    return fmt::format(
        "nodes reordered ({}) in {:.3g} s; reading a neighbour's load takes {:.3g} ns, by number "
        "{:.3g} ns",
        reordering.order, reordering.seconds, reordering.read_after, reordering.read_before);
}

std::string tokens_text(const Record& record, Tokens units) {
    return record.load_scale <= 1 ? std::to_string(units)
                                  : fmt::format("{}", static_cast<double>(units) /
                                                          static_cast<double>(record.load_scale));
}

using NamedLines = std::vector<std::pair<std::string, std::string>>;

/// Values that were computed once for the run.
void add_constants(const Record& record, NamedLines& lines) {
    if (!constant(record, "beta").empty()) lines.emplace_back("beta", constant(record, "beta"));
    if (const std::string count = constant(record, "distinct_eigenvalues"); !count.empty())
        lines.emplace_back("eigenvalues",
                           count + " distinct, " + constant(record, "order") + " order");
    if (!constant(record, "least_load").empty())
        lines.emplace_back("least load ever", constant(record, "least_load"));
}

std::string run_text(const Record& record, const TextStyle& style) {
    NamedLines lines;
    const model::Guarantee& promise = record.guarantee;
    const auto with_promise = [&](const std::string& value, const std::string& bound) {
        return fmt::format("{}  (promised {})", value, at_most(bound, style));
    };
    std::string discrepancy = in_tokens(record, record.final_discrepancy);
    if (promise.discrepancy)
        discrepancy = with_promise(discrepancy, in_tokens(record, *promise.discrepancy));
    std::string steps = grouped(record.costs.steps);
    if (promise.steps) steps = with_promise(steps, grouped(*promise.steps));
    lines.emplace_back("algorithm", name_with_parameters(record.algorithm, record.parameters,
                                                         style.usual_parameters));
    if (!record.speeds.empty()) {
        lines.emplace_back("off share", share_distance_text(record) +
                                            "  (tokens, of the node farthest from its " +
                                            "share by speed" +
                                            (promises_shares(record) ? "; promised < 1)" : ")"));
        lines.emplace_back("by speed",
                           by_speed(record) + "  (largest minus smallest load per unit of speed)");
    }
    lines.emplace_back("discrepancy", discrepancy);
    lines.emplace_back("local imbalance", in_tokens(record, record.local_imbalance));
    if (style.with_extremes)
        if (const auto extremes = extremes_of(record))
            lines.emplace_back("loads", extremes_text(record, *extremes));
    if (record.deviation) lines.emplace_back("deviation", deviation_line(record, style));
    add_constants(record, lines);
    if (const std::string level = level_text(record); !level.empty())
        lines.emplace_back("level", level);
    lines.emplace_back("steps", steps + "  (" + record.model + ")");
    if (const std::string kinds = step_kinds(record); !kinds.empty())
        lines.emplace_back("of these", kinds);
    if (const std::string moves = how_moves_were_made(record); !moves.empty())
        lines.emplace_back("moves", moves);
    lines.emplace_back("rounds", grouped(record.costs.rounds));
    if (const std::string rounds = constant(record, "counted_after_rounds"); !rounds.empty())
        lines.emplace_back("counted", counted_line(record, rounds, style));
    lines.emplace_back("exchanges", in_tokens(record, static_cast<Tokens>(record.costs.exchanges)));
    lines.emplace_back("messages", grouped(record.costs.messages));
    if (record.optimum) lines.emplace_back("best possible", best_possible_line(record));
    if (record.world) {
        const model::WorldFigures& world = *record.world;
        lines.emplace_back("over time",
                           fmt::format("discrepancy {} in half the steps, {} in 99 of 100 "
                                       "steps, never above {}",
                                       at_most(in_tokens(record, world.discrepancy_50), style),
                                       at_most(in_tokens(record, world.discrepancy_99), style),
                                       in_tokens(record, world.discrepancy_max)));
        lines.emplace_back("arrived", in_tokens(record, world.arrived));
        lines.emplace_back("consumed", in_tokens(record, world.consumed));
        if (world.arrived > 0)
            lines.emplace_back("moved", fmt::format("{:.2f} links per token that arrived",
                                                    world.moved_per_arrival));
        if (style.with_recovery)
            if (const auto recovery = recovery_of(record))
                lines.emplace_back("recovery", recovery_text(*recovery));
    }
    if (record.asynchrony) describe_asynchrony(record, lines);
    if (!promise.source.empty()) lines.emplace_back("guarantee", promise_text(promise.source));
    if (record.on_spanning_tree) lines.emplace_back("runs on", "a spanning tree");
    lines.emplace_back("ended by", ending_text(record));
    if (style.with_seconds) lines.emplace_back("time", duration(record.seconds));
    std::string text = heading(record) + '\n';
    for (const auto& [name, value] : lines)
        text += named_line(name, value, style.width);
    const std::string marks =
        explained(words_in(promise.source, {"repaired", "sharpened", "1-smooth", "frozen"}));
    return text + (marks.empty() ? "" : '\n' + wrapped(marks, style.width, 2));
}

}  // namespace equipoise::report
