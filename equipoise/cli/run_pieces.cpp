#include "equipoise/cli/run_pieces.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/engine/parts/solo_fabric.hpp"
#include "equipoise/report/json_tokens.hpp"
#include "equipoise/report/table.hpp"
#include "equipoise/report/words.hpp"

namespace equipoise::cli {

namespace {

using catalogue::PiecesOutcome;
using catalogue::PiecesRequest;

std::string json_of(const PiecesRequest& request, const PiecesOutcome& outcome, int ranks) {
    const auto in_tokens = [&](Tokens units) {
        return report::json_tokens(outcome.load_scale, units);
    };
    const nlohmann::ordered_json object = {
        {"algorithm", request.algorithm},
        {"parameters", nlohmann::ordered_json(outcome.parameters)},
        {"network",
         {{"name", request.network.spec}, {"nodes", outcome.nodes}, {"links", outcome.links}}},
        {"tokens", outcome.tokens},
        {"seed", request.network.seed},
        {"ranks", ranks},
        {"links_between_ranks", outcome.cut},
        {"made_by_rank_0", !outcome.streamed},
        {"initial_discrepancy", in_tokens(outcome.initial_discrepancy)},
        {"discrepancy", in_tokens(outcome.discrepancy)},
        {"local_imbalance", in_tokens(outcome.local_imbalance)},
        {"steps", outcome.costs.steps},
        {"rounds", outcome.costs.rounds},
        {"exchanges", in_tokens(static_cast<Tokens>(outcome.costs.exchanges))},
        {"messages", outcome.costs.messages},
        {"reached", outcome.reached},
        {"stopped_because", outcome.stopped_because},
        {"seconds", outcome.seconds}};
    return json_text(object, 2) + '\n';
}

std::string text_of(const PiecesRequest& request, const PiecesOutcome& outcome, int ranks) {
    using report::counted;
    using report::grouped;
    const auto in_tokens = [&](Tokens units) {
        return report::in_tokens(outcome.load_scale, units);
    };
    std::string text =
        fmt::format("{}: {}, {} in {}; {}, initial discrepancy {}\n\n", request.network.spec,
                    counted(std::uint64_t{outcome.nodes}, "node"), counted(outcome.links, "link"),
                    counted(std::int64_t{ranks}, "piece"), counted(outcome.tokens, "token"),
                    in_tokens(outcome.initial_discrepancy));
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("  {:<15}  {}\n", name, value);
    };
    std::string algorithm = request.algorithm;
    for (const auto& [name, value] : request.parameters)
        algorithm += ' ' + name + '=' + value;
    line("algorithm", algorithm);
    if (ranks > 1) line("between ranks", counted(outcome.cut, "link"));
    line("made by", outcome.streamed ? "each rank for itself" : "rank 0 for all");
    line("discrepancy", in_tokens(outcome.discrepancy));
    line("local imbalance", in_tokens(outcome.local_imbalance));
    line("steps", grouped(outcome.costs.steps));
    line("rounds", grouped(outcome.costs.rounds));
    line("exchanges", in_tokens(static_cast<Tokens>(outcome.costs.exchanges)));
    line("messages", grouped(outcome.costs.messages));
    line("ended by",
         outcome.stopped_because + (outcome.reached ? "" : "  (the goal was not reached)"));
    line("time", report::duration(outcome.seconds));
    return text;
}

}  // namespace

int run_pieces(PiecesRequest request, const NetworkArguments& network, const JsonArgument& json,
               bool quiet, const Ranks& ranks) {
    engine::SoloFabric alone;
    engine::Fabric& fabric = ranks.fabric() == nullptr ? alone : *ranks.fabric();
    PiecesOutcome outcome;
    {
        const InterruptGuard interrupt;
        request.interrupt = interrupt.token();
        outcome = catalogue::run_in_pieces(request, fabric);
    }
    ranks.first([&] {
        if (!quiet) network.tell(outcome.dropped);
        if (json.wanted()) json.emit(json_of(request, outcome, fabric.ranks()));
        if (!json.to_output() && !quiet) print(text_of(request, outcome, fabric.ranks()));
    });
    return outcome.reached ? exit_done : exit_not_reached;
}

}  // namespace equipoise::cli
