#include "equipoise/catalogue/pieces.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/catalogue/suggest.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/share.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/protocols/dimension_exchange.hpp"
#include "equipoise/protocols/threshold.hpp"

namespace equipoise::catalogue {

namespace {

using engine::Fabric;
using engine::Partition;
using engine::together;

/// The extremes and the sum of all loads.
struct Levels {
    Tokens highest = 0;
    Tokens lowest = 0;
    Tokens sum = 0;
};

Levels levels_of(Fabric& fabric, std::span<const Tokens> own) {
    Fabric::Tally mine;
    mine.maxima[0] = mine.maxima[1] = -tokens_max;
    for (const Tokens load : own) {
        mine.maxima[0] = std::max(mine.maxima[0], load);
        mine.maxima[1] = std::max(mine.maxima[1], -load);
        mine.sums[0] += load;
    }
    const Fabric::Tally all = fabric.reduce(mine);
    return {all.maxima[0], -all.maxima[1], all.sums[0]};
}

load::Loads own_loads(const PiecesRequest& request, Fabric& fabric, const Partition& partition) {
    load::Loads own;
    together(fabric, [&] {
        own =
            load::make_share(request.loads, partition.node_count(), partition.first(fabric.rank()),
                             partition.first(fabric.rank() + 1), request.seed);
    });
    return own;
}

engine::RoundOptions round_options(const PiecesRequest& request, Fabric& fabric, Step quiet) {
    engine::RoundOptions options;
    options.seed = request.seed;
    options.fabric = &fabric;
    options.interrupt = request.interrupt;
    options.stop.own_termination = false;
    if (request.stop)
        options.stop = *request.stop;
    else
        options.stop.quiet_steps = quiet;
    if (request.steps_max)
        options.stop.steps_max = std::min(options.stop.steps_max, *request.steps_max);
    return options;
}

/// Plays, and looks at the loads before and after.
template <class Play>
PiecesOutcome measure(Fabric& fabric, const load::Loads& own, const Play& play) {
    const Levels before = levels_of(fabric, own);
    const auto begin = std::chrono::steady_clock::now();
    engine::RoundOutcome played = play();
    PiecesOutcome outcome;
    outcome.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const Levels after = levels_of(fabric, played.loads);
    outcome.tokens = before.sum;
    outcome.initial_discrepancy = before.highest - before.lowest;
    outcome.discrepancy = after.highest - after.lowest;
    outcome.costs = played.costs;
    outcome.stopped_because = model::to_string(played.stopped_because);
    outcome.reached = played.stopped_because != model::StopReason::steps_max &&
                      played.stopped_because != model::StopReason::interrupted;
    outcome.own_loads = std::move(played.loads);
    return outcome;
}

using Run = PiecesOutcome (*)(const PiecesRequest&, Fabric&);

/// Rules over all links, on the rank's rows.
template <class Rule, Step quiet>
PiecesOutcome run_over_links(const PiecesRequest& request, Fabric& fabric) {
    network::LinkStream stream;
    together(fabric, [&] { stream = network::stream_links(request.network, request.seed); });
    const engine::Piece piece(fabric, stream);
    const load::Loads own = own_loads(request, fabric, piece.partition());
    PiecesOutcome outcome = measure(fabric, own, [&] {
        return engine::run_in_pieces(Rule(), own, piece, round_options(request, fabric, quiet));
    });
    outcome.nodes = piece.node_count();
    outcome.links = piece.link_count();
    return outcome;
}

network::Grid grid_of(const PiecesRequest& request) {
    if (network::names_generator(request.network)) {
        const Spec spec = Spec::parse(request.network);
        if (spec.name() == "mesh" || spec.name() == "torus") {
            const network::AnyNetwork made = network::generate(request.network, request.seed);
            return *made.grid();
        }
    }
    throw UnsuitableError(request.algorithm +
                          " needs the colours of a grid: expected mesh or torus, found " +
                          request.network);
}

/// Rules by dimension exchange, over the colours of a grid.
template <class Rule, bool moves_for_ever>
PiecesOutcome run_over_colours(const PiecesRequest& request, Fabric& fabric) {
    std::optional<network::Grid> grid;
    together(fabric, [&] { grid.emplace(grid_of(request)); });
    const Partition partition = Partition::contiguous(grid->node_count(), fabric.ranks());
    model::GridSchedule schedule(*grid);
    const load::Loads own = own_loads(request, fabric, partition);
    engine::RoundOptions options =
        round_options(request, fabric, std::max<Step>(1, schedule.period()));
    if (moves_for_ever && !request.stop) {
        options.stop.quiet_steps.reset();
        options.stop.one_balanced = true;
    }
    PiecesOutcome outcome = measure(fabric, own, [&] {
        return engine::run_in_pieces(Rule(), schedule, own, *grid, partition, options);
    });
    outcome.nodes = grid->node_count();
    outcome.links = grid->link_count();
    return outcome;
}

struct Entry {
    const char* name;
    Run run;
};

const std::vector<Entry>& table() {
    static const std::vector<Entry> entries = {
        {"threshold-1", run_over_colours<protocols::Threshold1, true>},
        {"threshold-2", run_over_colours<protocols::Threshold2, false>},
        {"dimension-exchange", run_over_colours<protocols::DimensionExchange, false>},
        {"diffusion", run_over_links<protocols::Diffusion, 1>},
        {"deal-agreement-2",
         run_over_links<protocols::DealAgreement2, protocols::DealAgreement2::phases>},
    };
    return entries;
}

}  // namespace

std::vector<std::string> algorithms_in_pieces() {
    std::vector<std::string> names;
    for (const Entry& entry : table())
        names.emplace_back(entry.name);
    return names;
}

PiecesOutcome run_in_pieces(const PiecesRequest& request, engine::Fabric& fabric) {
    for (const Entry& entry : table())
        if (entry.name == request.algorithm) return entry.run(request, fabric);
    std::string known;
    for (const std::string& name : algorithms_in_pieces())
        known += (known.empty() ? "" : ", ") + name;
    throw UnsuitableError("expected one of " + known + " for a network in pieces, found \"" +
                          request.algorithm + '"');
}

}  // namespace equipoise::catalogue
