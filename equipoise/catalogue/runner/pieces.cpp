#include "equipoise/catalogue/runner/pieces.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/catalogue/runner/ending.hpp"
#include "equipoise/catalogue/runner/preparation.hpp"
#include "equipoise/catalogue/runner/requirements.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/engine/parts/link_figures.hpp"
#include "equipoise/engine/parts/metis.hpp"
#include "equipoise/engine/parts/scatter.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::catalogue {

namespace {

using engine::Fabric;
using engine::on_first;
using engine::Partition;

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

/// What rank 0 has made from a request.
struct Whole {
    Whole(const Algorithm& algorithm, const PiecesRequest& request)
        : instance(make_instance(request.network, request.loads, &dropped)),
          facts(instance.network) {
        options.seed = request.network.seed;
        options.parameters = request.parameters;
        options.stop = request.stop;
        options.steps_max = request.steps_max;
        prepared.emplace(prepare(algorithm, facts, instance.loads, options));
    }

    network::ReadReport dropped;
    Instance instance;
    NetworkFacts facts;
    RunOptions options;
    std::optional<Preparation> prepared;
};

/// Everything that a rank holds before it plays: its part of network and loads, the rule, and which
/// links are active when.
struct Setup {
    Partition partition;
    bool streamed = false;
    load::Loads loads = {};  ///< of own nodes
    std::uint64_t load_scale = 1;
    DefaultStop stop = {};
    network::ReadReport dropped = {};
    std::optional<AnyRule> rule = {};
    // One of the two; a grid is computed, not stored:
    std::unique_ptr<const engine::Piece> piece = {};
    std::unique_ptr<const network::AnyNetwork> grid = {};
    // One of the two, or all links of the piece (which deal rules find by themselves):
    std::unique_ptr<HeldSchedule> numbers = {};
    std::unique_ptr<const engine::PeriodicPart> links = {};

    [[nodiscard]] engine::Graph graph() const {
        return piece != nullptr ? engine::Graph(*piece) : engine::Graph(*grid);
    }
    [[nodiscard]] engine::AnySchedule schedule() const {
        if (numbers != nullptr) return numbers->any();
        return links != nullptr ? schedule_of(*links) : all_links_of(graph());
    }
};

engine::RoundOptions round_options(const PiecesRequest& request, Fabric& fabric,
                                   const model::StopRule& stop) {
    engine::RoundOptions options;
    options.seed = request.network.seed;
    options.fabric = &fabric;
    options.interrupt = request.interrupt;
    options.stop = stop;
    return options;
}

/// The stop rule of a run in which no rank knows more than its rows: `standard` unless the request
/// names another.
DefaultStop stop_of(const PiecesRequest& request, const DefaultStop& standard) {
    DefaultStop stop = standard;
    if (request.stop) {
        stop = with_own_ends(*request.stop, standard);
        if (request.steps_max) stop.rule = *request.stop;
    }
    if (request.steps_max) stop.rule.steps_max = std::min(stop.rule.steps_max, *request.steps_max);
    return stop;
}

/// Calls a maker on every rank; nothing if one of them fails. Errors in the request are then
/// reported by rank 0, which makes the whole.
template <class Make>
auto try_all(Fabric& fabric, const Make& make) {
    std::optional<decltype(make())> made;
    const std::exception_ptr failure = engine::failure_of([&] {
        try {
            made = make();
        } catch (const InputError&) {
            made.reset();
        }
    });
    fabric.agree(failure);
    if (engine::largest_of(fabric, made ? 0 : 1) != 0) made.reset();
    return made;
}

/// A setup with stop rule and loads, with room for a halo; nothing if loads do not follow from
/// numbers.
std::optional<Setup> streamed_setup(const Algorithm& algorithm, const PiecesRequest& request,
                                    Fabric& fabric, NodeId nodes, Step period, NodeId halo) {
    Setup setup = {Partition::contiguous(nodes, fabric.ranks()), true};
    setup.stop = stop_of(request, algorithm.stop_by_rows(nodes, period));
    auto own = try_all(fabric, [&] {
        return load::make_part_loads(request.loads, nodes, setup.partition.first(fabric.rank()),
                                     setup.partition.first(fabric.rank() + 1), request.network.seed,
                                     halo);
    });
    if (!own) return std::nullopt;
    setup.loads = std::move(*own);
    return setup;
}

/// The rows of a stream; nothing if its file holds what only the full reader can judge. Collective:
/// an error of one piece is thrown on all ranks.
std::unique_ptr<const engine::Piece> piece_of(Fabric& fabric, const network::LinkStream& stream) {
    try {
        return std::make_unique<const engine::Piece>(fabric, stream);
    } catch (const InputError&) {
        return nullptr;
    }
}

/// The grid of a spec, without its links; null for others.
std::unique_ptr<const network::AnyNetwork> grid_of(const NetworkRequest& request) {
    if (!network::names_generator(request.spec)) return nullptr;
    const std::string name(Spec::parse(request.spec).name());
    if (name != "mesh" && name != "torus") return nullptr;
    return std::make_unique<const network::AnyNetwork>(make_network(request));
}

/// The largest number of nodes of other ranks that can be neighbours of consecutive nodes of a
/// grid: the numbers of neighbours differ most along the first axis, if the last node of a closed
/// line is followed by its first.
NodeId halo_of(const network::AnyNetwork& grid) {
    return 2 * grid.grid()->stride(0);
}

/// A setup for rules that work on any network and are played over all links, if each rank can find
/// its own links.
std::optional<Setup> setup_by_rows(const Algorithm& algorithm, const PiecesRequest& request,
                                   const Parameters& parameters, Fabric& fabric) {
    std::optional<AnyRule> rule = algorithm.rounds->make_for_any(parameters);
    if (!rule) return std::nullopt;
    if (auto grid = try_all(fabric, [&] { return grid_of(request.network); });
        grid && *grid != nullptr) {
        std::optional<Setup> setup =
            streamed_setup(algorithm, request, fabric, (*grid)->node_count(), 1, halo_of(**grid));
        if (!setup) return std::nullopt;
        setup->grid = std::move(*grid);
        setup->rule = std::move(rule);
        return setup;
    }
    const auto stream = try_all(
        fabric, [&] { return network::stream_links(request.network.spec, request.network.seed); });
    if (!stream) return std::nullopt;
    engine::expect_same_stream(fabric, *stream);
    std::optional<Setup> setup =
        streamed_setup(algorithm, request, fabric, stream->node_count, 1, 0);
    if (!setup) return std::nullopt;
    setup->piece = piece_of(fabric, *stream);
    if (setup->piece == nullptr) return std::nullopt;
    setup->rule = std::move(rule);
    return setup;
}

/// Dimension exchange on grids, whose colours follow from numbers.
std::optional<Setup> setup_by_numbers(const Algorithm& algorithm, const PiecesRequest& request,
                                      const Parameters& parameters, Fabric& fabric) {
    auto grid = try_all(fabric, [&] { return grid_of(request.network); });
    if (!grid || *grid == nullptr) return std::nullopt;
    const NetworkFacts facts(**grid);
    const load::Loads unknown;
    const Task task = {facts, unknown, parameters};
    const Rounds& rounds = *algorithm.rounds;
    auto schedule = std::make_unique<HeldSchedule>(
        rounds.links(parameters).schedule(task, request.network.seed));
    if (!schedule->follows_from_numbers()) return std::nullopt;
    std::optional<Setup> setup = streamed_setup(algorithm, request, fabric, (*grid)->node_count(),
                                                schedule->any().period, halo_of(**grid));
    if (!setup) return std::nullopt;
    model::Notes unread;
    setup->rule = rounds.make(task, round_options(request, fabric, setup->stop.rule), unread);
    setup->numbers = std::move(schedule);
    setup->grid = std::move(*grid);
    return setup;
}

/// A setup in which no rank makes the whole network, if the request allows it.
std::optional<Setup> streamed(const Algorithm& algorithm, const PiecesRequest& request,
                              const Parameters& parameters, Fabric& fabric) {
    const NetworkRequest& network = request.network;
    if (algorithm.stop_by_rows == nullptr || request.partition != PartitionMethod::contiguous ||
        network.simplify || network.largest_component || network.header ||
        network.format != network::Format::automatic)
        return std::nullopt;
    return algorithm.rounds->links(parameters).kind == Links::Kind::periodic
               ? setup_by_numbers(algorithm, request, parameters, fabric)
               : setup_by_rows(algorithm, request, parameters, fabric);
}

/// Broadcasts rank 0's stop rule to every rank.
void broadcast_stop(Fabric& fabric, DefaultStop& stop) {
    broadcast_value(fabric, stop.rule);
    broadcast_value(fabric, stop.window_is_proof);
    std::vector<char> text(stop.cap_means.begin(), stop.cap_means.end());
    broadcast_values(fabric, text);
    stop.cap_means.assign(text.begin(), text.end());
}

/// Sends every rank its part of rank 0's schedule.
std::unique_ptr<const engine::PeriodicPart> scatter_links(const Links& links, const Task* task,
                                                          const PiecesRequest& request,
                                                          Fabric& fabric,
                                                          const Partition& partition) {
    std::optional<HeldSchedule> held;
    engine::AnySchedule schedule;
    on_first(fabric, [&] {
        held.emplace(links.schedule(*task, request.network.seed));
        schedule = held->any();
    });
    return std::make_unique<const engine::PeriodicPart>(
        scatter_schedule(fabric, &schedule, partition));
}

/// Rank 0 makes the whole, finds the rule, the links and the stop rule, and sends every rank its
/// part.
Setup scattered(const Algorithm& algorithm, const PiecesRequest& request,
                const Parameters& parameters, Fabric& fabric) {
    std::unique_ptr<Whole> whole;
    std::optional<Task> task;
    DefaultStop stop;
    std::uint64_t load_scale = 1;
    on_first(fabric, [&] {
        whole = std::make_unique<Whole>(algorithm, request);
        task.emplace(whole->prepared->task());
        load_scale = task->load_scale;
        stop = planned_stop(algorithm, *task, whole->options);
    });
    broadcast_stop(fabric, stop);
    broadcast_value(fabric, load_scale);
    const network::AnyNetwork* const network =
        whole == nullptr ? nullptr : &whole->instance.network;
    Setup setup = {make_partition(fabric, network, request.partition)};
    setup.stop = std::move(stop);
    setup.load_scale = load_scale;
    setup.loads = engine::scatter_values<Tokens>(fabric, [&](int rank) {
        load::Loads loads;
        for (const NodeId node : setup.partition.nodes_of(rank))
            loads.push_back(task->loads[node]);
        return loads;
    });
    if (whole != nullptr) setup.dropped = whole->dropped;
    const Task* const first = task ? &*task : nullptr;
    engine::RoundOptions alone = round_options(request, fabric, setup.stop.rule);
    alone.fabric = nullptr;
    setup.rule = algorithm.rounds->make_on_first(fabric, first, alone);
    if (const Links links = algorithm.rounds->links(parameters);
        links.kind == Links::Kind::periodic)
        setup.links = scatter_links(links, first, request, fabric, setup.partition);
    setup.piece = std::make_unique<const engine::Piece>(fabric, network, setup.partition);
    return setup;
}

/// Plays, and measures the loads before and after.
PiecesOutcome measure(const Algorithm& algorithm, const PiecesRequest& request, Fabric& fabric,
                      Setup setup) {
    const Levels before = levels_of(fabric, setup.loads);
    const engine::Graph graph = setup.graph();
    const auto part = [&] { return engine::Part(graph, setup.partition, fabric.rank()); };
    engine::RoundOptions options = round_options(request, fabric, setup.stop.rule);
    options.keeper = request.keeper;
    options.final_loads = model::FinalLoads::apart;
    const auto begin = std::chrono::steady_clock::now();
    engine::RoundOutcome played =
        setup.rule->begin(setup.schedule(), {part(), std::move(setup.loads)}, options)->run();
    PiecesOutcome outcome;
    outcome.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    outcome.load_scale = setup.load_scale;
    outcome.tokens = before.sum / static_cast<Tokens>(setup.load_scale);
    outcome.initial_discrepancy = before.highest - before.lowest;
    outcome.discrepancy = *played.discrepancy;
    outcome.level_since = played.level_since;
    outcome.costs = played.costs;
    outcome.stopped_because = reason_of(played.stopped_because, setup.stop);
    outcome.stop = to_text(setup.stop.rule);
    const engine::LinkFigures links = engine::link_figures(fabric, part(), played.loads);
    outcome.local_imbalance = links.local_imbalance;
    outcome.cut = links.between_ranks;
    outcome.reached =
        reached_end(algorithm, request.stop, setup.stop,
                    {played.stopped_because, outcome.discrepancy, outcome.local_imbalance});
    outcome.own_loads = std::move(played.loads);
    outcome.streamed = setup.streamed;
    outcome.dropped = setup.dropped;
    outcome.nodes = setup.partition.node_count();
    outcome.links = graph.link_count();
    return outcome;
}

bool fits_pieces(const Algorithm& algorithm) {
    return algorithm.rounds != nullptr && algorithm.rounds->fits_pieces();
}

}  // namespace

PartitionMethod partition_method_from_word(std::string_view word) {
    if (word == "contiguous") return PartitionMethod::contiguous;
    if (word == "metis") return PartitionMethod::metis;
    throw InputError("--partition: " + expected_word(word, {"contiguous", "metis"}));
}

Partition make_partition(Fabric& fabric, const network::AnyNetwork* whole, PartitionMethod method) {
    if (method == PartitionMethod::metis) return engine::partition_by_metis(fabric, whole);
    NodeId node_count = fabric.rank() == 0 ? whole->node_count() : 0;
    broadcast_value(fabric, node_count);
    return Partition::contiguous(node_count, fabric.ranks());
}

std::vector<std::string> algorithms_in_pieces() {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms())
        if (fits_pieces(algorithm)) names.push_back(algorithm.name);
    return names;
}

PiecesOutcome run_in_pieces(const PiecesRequest& request, engine::Fabric& fabric) {
    const Algorithm& algorithm = find_algorithm(request.algorithm);
    if (!fits_pieces(algorithm))
        throw UnsuitableError(algorithm.name + " cannot run in pieces; these can: " +
                              listed(algorithms_in_pieces(), " and "));
    const Parameters parameters(algorithm.name, algorithm.parameters, request.parameters);
    std::optional<Setup> setup = streamed(algorithm, request, parameters, fabric);
    if (!setup) setup = scattered(algorithm, request, parameters, fabric);
    PiecesOutcome outcome = measure(algorithm, request, fabric, std::move(*setup));
    outcome.algorithm = request.algorithm;
    outcome.parameters = parameters.texts();
    outcome.network = request.network.spec;
    outcome.seed = request.network.seed;
    outcome.ranks = fabric.ranks();
    return outcome;
}

}  // namespace equipoise::catalogue
