#include "equipoise/cli/run_pieces.hpp"

#include <optional>
#include <utility>

#include "equipoise/catalogue/registry/sheets.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/engine/parts/solo_fabric.hpp"
#include "equipoise/report/runs/pieces.hpp"

namespace equipoise::cli {

int run_pieces(catalogue::PiecesRequest request, catalogue::CheckpointRequest kept,
               const NetworkArguments& network, const JsonArgument& json, bool quiet,
               const Ranks& ranks) {
    engine::SoloFabric alone;
    engine::Fabric& fabric = ranks.fabric() == nullptr ? alone : *ranks.fabric();
    catalogue::PiecesOutcome outcome;
    {
        const InterruptGuard interrupt;
        ProgressLine progress(quiet, 1);
        request.interrupt = interrupt.token();
        kept.progress = progress.callback();
        kept.steps_max = request.steps_max.value_or(~Step{0});
        std::optional<catalogue::Checkpoints> keeper;
        engine::together(fabric, [&] { keeper.emplace(std::move(kept)); });
        request.keeper = &*keeper;
        outcome = catalogue::run_in_pieces(request, fabric);
    }
    ranks.first([&] {
        if (!quiet) network.tell(outcome.dropped);
        if (json.wanted()) json.emit(report::pieces_json(outcome));
        if (!json.to_output() && !quiet) {
            report::TextStyle style = text_style(true);
            style.usual_parameters = catalogue::usual_parameters(outcome.algorithm);
            print(report::pieces_text(outcome, style));
        }
    });
    return outcome.reached ? exit_done : exit_not_reached;
}

}  // namespace equipoise::cli
