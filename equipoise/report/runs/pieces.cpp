#include "equipoise/report/runs/pieces.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/report/runs/words.hpp"
#include "equipoise/report/tables/json_tokens.hpp"
#include "equipoise/report/tables/lines.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

std::string pieces_json(const PiecesFigures& run) {
    const auto in_tokens = [&](Tokens units) { return json_tokens(run.load_scale, units); };
    nlohmann::ordered_json object = object_of_schema("equipoise-run-in-pieces");
    object.update(nlohmann::ordered_json{
        {"algorithm", run.algorithm},
        {"parameters", nlohmann::ordered_json(run.parameters)},
        {"network", {{"name", run.network}, {"nodes", run.nodes}, {"links", run.links}}},
        {"tokens", run.tokens},
        {"seed", run.seed},
        {"ranks", run.ranks},
        {"links_between_ranks", run.cut},
        {"made_by_rank_0", !run.streamed},
        {"initial_discrepancy", in_tokens(run.initial_discrepancy)},
        {"discrepancy", in_tokens(run.discrepancy)}});
    if (run.level_since) object["level_since"] = *run.level_since;
    object.update(
        nlohmann::ordered_json{{"local_imbalance", in_tokens(run.local_imbalance)},
                               {"steps", run.costs.steps},
                               {"rounds", run.costs.rounds},
                               {"exchanges", in_tokens(static_cast<Tokens>(run.costs.exchanges))},
                               {"messages", run.costs.messages},
                               {"reached", run.reached},
                               {"stopped_because", run.stopped_because},
                               {"seconds", run.seconds}});
    return json_text(object, 2) + '\n';
}

std::string pieces_text(const PiecesFigures& run, const TextStyle& style) {
    const auto tokens = [&](Tokens units) { return in_tokens(run.load_scale, units); };
    std::string text =
        fmt::format("{}: {}, {} in {}; {}, initial discrepancy {}\n\n", run.network,
                    counted(std::uint64_t{run.nodes}, "node"), counted(run.links, "link"),
                    counted(std::int64_t{run.ranks}, "piece"), counted(run.tokens, "token"),
                    tokens(run.initial_discrepancy));
    const auto line = [&](const char* name, const std::string& value) {
        text += named_line(name, value, style.width);
    };
    line("algorithm", name_with_parameters(run.algorithm, run.parameters, style.usual_parameters));
    if (run.ranks > 1) line("between ranks", counted(run.cut, "link"));
    line("made by", run.streamed ? "each rank for itself" : "rank 0 for all");
    line("discrepancy", tokens(run.discrepancy));
    line("local imbalance", tokens(run.local_imbalance));
    if (run.level_since)
        line("level", level_text(run.level_since, run.costs.steps, tokens(run.discrepancy)));
    line("steps", grouped(run.costs.steps));
    line("rounds", grouped(run.costs.rounds));
    line("exchanges", tokens(static_cast<Tokens>(run.costs.exchanges)));
    line("messages", grouped(run.costs.messages));
    line("ended by", ending_text(run.stopped_because, run.stop, false, run.reached));
    line("time", duration(run.seconds));
    return text;
}

}  // namespace equipoise::report
