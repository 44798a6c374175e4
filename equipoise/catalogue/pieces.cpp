#include "equipoise/catalogue/pieces.hpp"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/catalogue/network_facts.hpp"
#include "equipoise/catalogue/run.hpp"
#include "equipoise/engine/parts/imbalance.hpp"
#include "equipoise/engine/parts/metis.hpp"
#include "equipoise/engine/parts/scatter.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/share.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/deal_agreement_3.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "equipoise/protocols/dimension_exchange.hpp"
#include "equipoise/protocols/threshold.hpp"
#include "equipoise/protocols/threshold_plus.hpp"
#include "equipoise/theory/dimension_exchange.hpp"

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

/// What rank 0 made of a request.
struct Whole {
    explicit Whole(const PiecesRequest& request)
        : instance(make_instance(request.network, request.loads, &dropped)),
          facts(instance.network) {}

    network::ReadReport dropped;
    Instance instance;
    NetworkFacts facts;
};

/// What a rank holds before it plays.
struct Share {
    Partition partition;
    load::Loads loads = {};  ///< of own nodes
    DefaultStop stop = {};
    std::unique_ptr<Whole> whole = {};  ///< null: streamed, or on another rank
    bool streamed = false;
    network::ReadReport dropped = {};

    [[nodiscard]] const network::AnyNetwork* network() const {
        return whole == nullptr ? nullptr : &whole->instance.network;
    }
};

engine::RoundOptions round_options(const PiecesRequest& request, Fabric& fabric,
                                   const Share& share) {
    engine::RoundOptions options;
    options.seed = request.network.seed;
    options.fabric = &fabric;
    options.interrupt = request.interrupt;
    options.stop = share.stop.rule;
    return options;
}

/// What ends a run where nobody knows more than their rows: `standard` unless the request names
/// something else.
DefaultStop stop_of(const PiecesRequest& request, const DefaultStop& standard) {
    DefaultStop stop = standard;
    if (request.stop) {
        stop = with_own_ends(*request.stop, standard);
        if (request.steps_max) stop.rule = *request.stop;
    }
    if (request.steps_max) stop.rule.steps_max = std::min(stop.rule.steps_max, *request.steps_max);
    return stop;
}

/// What every rank makes for itself; nothing where one of them cannot. What is wrong with the words
/// will be said by who makes the whole.
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

std::optional<Share> streamed_share(const PiecesRequest& request, Fabric& fabric, NodeId node_count,
                                    const DefaultStop& standard) {
    Share share = {Partition::contiguous(node_count, fabric.ranks())};
    share.streamed = true;
    share.stop = stop_of(request, standard);
    auto own = try_all(fabric, [&] {
        return load::make_share(request.loads, node_count, share.partition.first(fabric.rank()),
                                share.partition.first(fabric.rank() + 1), request.network.seed);
    });
    if (!own) return std::nullopt;
    share.loads = std::move(*own);
    return share;
}

/// Rank 0's plan for the end, on every rank.
void broadcast_stop(Fabric& fabric, DefaultStop& stop) {
    broadcast_value(fabric, stop.rule);
    broadcast_value(fabric, stop.window_is_proof);
    std::vector<char> text(stop.cap_means.begin(), stop.cap_means.end());
    broadcast_values(fabric, text);
    stop.cap_means.assign(text.begin(), text.end());
}

/// Rank 0 makes the instance, shares out its nodes and loads, and tells how the run ends.
Share scattered_share(const PiecesRequest& request, Fabric& fabric) {
    std::unique_ptr<Whole> whole;
    DefaultStop stop;
    on_first(fabric, [&] {
        whole = std::make_unique<Whole>(request);
        RunOptions options;
        options.seed = request.network.seed;
        options.stop = request.stop;
        options.steps_max = request.steps_max;
        const Algorithm& algorithm = find_algorithm(request.algorithm);
        expect_runnable(algorithm, whole->facts, whole->instance.loads, options);
        stop = planned_stop(algorithm, whole->facts, whole->instance.loads, options);
    });
    broadcast_stop(fabric, stop);
    Share share = {
        share_out(fabric, whole == nullptr ? nullptr : &whole->instance.network, request.sharing)};
    share.stop = std::move(stop);
    share.loads = engine::scatter_values<Tokens>(fabric, [&](int rank) {
        load::Loads loads;
        for (const NodeId node : share.partition.nodes_of(rank))
            loads.push_back(whole->instance.loads[node]);
        return loads;
    });
    if (whole != nullptr) share.dropped = whole->dropped;
    share.whole = std::move(whole);
    return share;
}

/// Plays on what a rank knows of a network, and looks at the loads before and after.
template <class N, class Play>
PiecesOutcome measure(const PiecesRequest& request, Fabric& fabric, const Share& share,
                      const N& network, const Play& play) {
    const Levels before = levels_of(fabric, share.loads);
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
    outcome.stopped_because = reason_of(played.stopped_because, share.stop);
    const engine::LinkFigures links = engine::link_figures(
        fabric, engine::Part(network, share.partition, fabric.rank()), played.loads);
    outcome.local_imbalance = links.local_imbalance;
    outcome.cut = links.between_ranks;
    outcome.reached = reached_end(
        find_algorithm(request.algorithm), request.stop ? &*request.stop : nullptr, share.stop,
        {played.stopped_because, outcome.discrepancy, outcome.local_imbalance});
    outcome.own_loads = std::move(played.loads);
    outcome.streamed = share.streamed;
    outcome.dropped = share.dropped;
    outcome.nodes = share.partition.node_count();
    outcome.links = network.link_count();
    return outcome;
}

using Run = PiecesOutcome (*)(const PiecesRequest&, Fabric&);

/// Whether the words leave it open that nothing is whole anywhere.
bool may_stream(const PiecesRequest& request) {
    const NetworkRequest& network = request.network;
    return request.sharing == Sharing::contiguous && !network.simplify &&
           !network.largest_component && network.format == network::Format::automatic;
}

/// The rows of a stream; nothing where its file holds what only its reader can judge. Collective,
/// and so is every error of a piece.
std::optional<engine::Piece> piece_of(Fabric& fabric, const network::LinkStream& stream) {
    try {
        return engine::Piece(fabric, stream);
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// Plays an edge rule over all links, or a deal rule.
template <class Rule>
engine::RoundOutcome run_rule(const Share& share, const engine::Piece& piece,
                              const engine::RoundOptions& options) {
    if constexpr (model::EdgeRule<Rule>)
        return engine::run_in_pieces(Rule(), engine::all_links_of(piece), share.loads, piece,
                                     share.partition, options);
    else
        return engine::run_in_pieces(Rule(), share.loads, piece, share.partition, options);
}

/// Rules over all links.
template <class Rule, Step quiet>
PiecesOutcome run_over_links(const PiecesRequest& request, Fabric& fabric) {
    const auto play = [&](const Share& share, const engine::Piece& piece) {
        return measure(request, fabric, share, piece, [&] {
            return run_rule<Rule>(share, piece, round_options(request, fabric, share));
        });
    };
    if (may_stream(request)) {
        const auto stream = try_all(fabric, [&] {
            return network::stream_links(request.network.spec, request.network.seed);
        });
        DefaultStop standard;
        standard.rule.own_termination = false;
        standard.rule.quiet_steps = quiet;
        if (stream) {
            engine::expect_same_stream(fabric, *stream);
            const std::optional<Share> share =
                streamed_share(request, fabric, stream->node_count, standard);
            const std::optional<engine::Piece> piece =
                share ? piece_of(fabric, *stream) : std::nullopt;
            if (piece) return play(*share, *piece);
        }
    }
    Share share = scattered_share(request, fabric);
    const engine::Piece piece(fabric, share.network(), share.partition);
    share.whole.reset();
    return play(share, piece);
}

/// The grid of a spec, without its links; nothing for others.
std::optional<network::Grid> grid_of(const NetworkRequest& request) {
    if (!network::names_generator(request.spec)) return std::nullopt;
    const std::string name(Spec::parse(request.spec).name());
    if (name != "mesh" && name != "torus") return std::nullopt;
    return *make_network(request).grid();
}

/// A rule; where it ends by itself, told when, for a network of nodes and colours.
template <class Rule>
Rule make_rule([[maybe_unused]] NodeId nodes, [[maybe_unused]] Step colours,
               [[maybe_unused]] bool tree) {
    if constexpr (std::same_as<Rule, protocols::Threshold1Plus>) {
        const Step round = std::max<Step>(1, colours);
        return {theory::threshold_1_plus_calm_steps(nodes, round, tree), round};
    } else {
        return {};
    }
}

/// Rules by dimension exchange, over the colours of the network.
template <class Rule, bool moves_for_ever>
PiecesOutcome run_over_colours(const PiecesRequest& request, Fabric& fabric) {
    const auto grid = may_stream(request)
                          ? try_all(fabric, [&] { return grid_of(request.network); })
                          : std::nullopt;
    if (grid && *grid) {
        model::GridSchedule schedule(**grid);
        DefaultStop standard;
        standard.rule.own_termination = false;
        if (moves_for_ever) {
            standard.rule.one_balanced = true;
            standard.rule.stable_steps =
                std::max<Step>(1, schedule.period() * (*grid)->node_count());
            standard.window_is_proof = false;
        } else {
            standard.rule.quiet_steps = std::max<Step>(1, schedule.period());
        }
        if (const std::optional<Share> share =
                streamed_share(request, fabric, (*grid)->node_count(), standard)) {
            return measure(request, fabric, *share, **grid, [&] {
                return engine::run_in_pieces(
                    make_rule<Rule>((*grid)->node_count(), schedule.period(), false),
                    engine::any_schedule(schedule), share->loads, **grid, share->partition,
                    round_options(request, fabric, *share));
            });
        }
    }
    Share share = scattered_share(request, fabric);
    const network::AnyNetwork* whole = share.network();
    const network::EdgeColouring* colouring = nullptr;
    bool tree = false;
    on_first(fabric, [&] {
        colouring = &share.whole->facts.colouring();
        tree = share.whole->facts.tree();
    });
    broadcast_value(fabric, tree);
    const engine::ColouredShare colours =
        engine::scatter_colours(fabric, whole, colouring, share.partition);
    const engine::Piece piece(fabric, whole, share.partition);
    share.whole.reset();
    const auto rule =
        make_rule<Rule>(piece.node_count(), Step{colours.class_begins.size()} - 1, tree);
    return measure(request, fabric, share, piece, [&] {
        return engine::run_in_pieces(rule, colours_of(colours), share.loads, piece, share.partition,
                                     round_options(request, fabric, share));
    });
}

struct Entry {
    const char* name;
    Run run;
};

const std::vector<Entry>& table() {
    static const std::vector<Entry> entries = {
        {"threshold-1", run_over_colours<protocols::Threshold1, true>},
        {"threshold-1-plus", run_over_colours<protocols::Threshold1Plus, true>},
        {"threshold-2", run_over_colours<protocols::Threshold2, false>},
        {"dimension-exchange", run_over_colours<protocols::DimensionExchange, false>},
        {"diffusion", run_over_links<protocols::Diffusion, 1>},
        {"deal-agreement-2",
         run_over_links<protocols::DealAgreement2, protocols::DealAgreement2::phases>},
        {"deal-agreement-3",
         run_over_links<protocols::DealAgreement3, protocols::DealAgreement3::phases>},
    };
    return entries;
}

}  // namespace

Sharing sharing_from_word(std::string_view word) {
    if (word == "contiguous") return Sharing::contiguous;
    if (word == "metis") return Sharing::metis;
    throw InputError("expected contiguous or metis as partition, found \"" + std::string(word) +
                     '"');
}

Partition share_out(Fabric& fabric, const network::AnyNetwork* whole, Sharing sharing) {
    if (sharing == Sharing::metis) return engine::partition_by_metis(fabric, whole);
    NodeId node_count = fabric.rank() == 0 ? whole->node_count() : 0;
    broadcast_value(fabric, node_count);
    return Partition::contiguous(node_count, fabric.ranks());
}

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
