// Networks and loads in pieces: every rank's rows, numbers of links and loads are those of the
// whole, and so are the runs on them.

#include "equipoise/catalogue/runner/pieces.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/engine/parts/metis.hpp"
#include "equipoise/engine/parts/piece.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/io/write.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "tests/support/ranks.hpp"

namespace equipoise::catalogue {
namespace {

Instance whole_of(const std::string& network, const std::string& loads) {
    NetworkRequest request;
    request.spec = network;
    request.seed = 9;
    return make_instance(request, loads);
}

/// A file, written by rank 0, that all ranks read.
std::string file_of(engine::Fabric& fabric, const std::string& network,
                    const char* name = "pieces.edges") {
    std::string path = test::shared_file(name);
    if (fabric.rank() == 0) network::write(whole_of(network, "spike:tokens=1").network, path);
    fabric.agree({});
    return path;
}

void expect_rows_of_the_whole(engine::Fabric& fabric, const std::string& spec,
                              const engine::Piece& piece) {
    const network::AnyNetwork whole = whole_of(spec, "spike:tokens=1").network;
    ASSERT_EQ(piece.node_count(), whole.node_count()) << spec;
    EXPECT_EQ(piece.link_count(), whole.link_count()) << spec;
    for (const NodeId node : piece.partition().nodes_of(fabric.rank())) {
        ASSERT_EQ(piece.degree(node), whole.degree(node)) << spec << ", node " << node;
        for (Port port = 0; port < whole.degree(node); ++port) {
            EXPECT_EQ(piece.neighbour(node, port), whole.neighbour(node, port)) << spec;
            EXPECT_EQ(piece.link(node, port), whole.link(node, port)) << spec;
            EXPECT_EQ(piece.degree(piece.neighbour(node, port)),
                      whole.degree(whole.neighbour(node, port)))
                << spec;
        }
    }
}

TEST(Pieces, HoldTheRowsOfTheWholeNetwork) {
    test::on_ranks([](engine::Fabric& fabric) {
        for (const char* spec :
             {"path:n=1", "path:n=5", "cycle:n=9", "mesh:3x4", "torus:4x5x3", "hypercube:d=0",
              "hypercube:d=5", "de-bruijn:d=5", "de-bruijn:d=3,k=3", "gnp:n=60,p=0.1",
              "gnp:n=9,p=1", "gnp:n=9,p=0", "gnp:n=30,p=0.2,seed=4"})
            expect_rows_of_the_whole(fabric, spec, {fabric, network::stream_links(spec, 9)});
        const std::string file = file_of(fabric, "random-tree:n=40");
        expect_rows_of_the_whole(fabric, file, {fabric, network::stream_links(file, 9)});
    });
}

TEST(Pieces, HoldTheRowsThatRankZeroSends) {
    test::on_ranks([](engine::Fabric& fabric) {
        for (const char* spec : {"path:n=1", "complete:n=6", "torus:4x5x3", "star:leaves=9",
                                 "random-regular:n=40,d=3", "gnp:n=50,p=0.1"}) {
            const network::AnyNetwork whole = whole_of(spec, "spike:tokens=1").network;
            const network::AnyNetwork* here = fabric.rank() == 0 ? &whole : nullptr;
            std::vector<std::uint32_t> owners(whole.node_count());
            for (NodeId node = 0; node < owners.size(); ++node)
                owners[node] = (7 * node + node / 3) % static_cast<std::uint32_t>(fabric.ranks());
            for (const engine::Partition& partition :
                 {engine::Partition::contiguous(whole.node_count(), fabric.ranks()),
                  engine::Partition::of(owners, fabric.ranks())})
                expect_rows_of_the_whole(fabric, spec, {fabric, here, partition});
        }
    });
}

LinkId links_between_ranks(const network::AnyNetwork& network, const engine::Partition& partition) {
    LinkId cut = 0;
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const Ends ends = network.ends(link);
        cut += partition.owner(ends.tail) == partition.owner(ends.head) ? 0 : 1;
    }
    return cut;
}

TEST(Metis, DividesNodesEvenlyWithFewLinksBetween) {
    test::on_ranks([](engine::Fabric& fabric) {
        if (!engine::has_metis()) GTEST_SKIP() << "built without METIS";
        // Blocks of a torus whose nodes are numbered at random.
        const network::AnyNetwork torus = whole_of("torus:24x24", "spike:tokens=1").network;
        std::vector<NodeId> names(torus.node_count());
        std::iota(names.begin(), names.end(), NodeId{0});
        RandomStream random(4, Purpose::network);
        for (std::size_t left = names.size(); left > 1; --left)
            std::swap(names[left - 1], names[random.below(left)]);
        std::vector<Ends> links;
        for (LinkId link = 0; link < torus.link_count(); ++link)
            links.push_back({names[torus.ends(link).tail], names[torus.ends(link).head]});
        const network::AnyNetwork whole(network::Network(torus.node_count(), links));

        const engine::Partition found =
            engine::partition_by_metis(fabric, fabric.rank() == 0 ? &whole : nullptr);
        const auto even = static_cast<double>(whole.node_count()) / fabric.ranks();
        for (int rank = 0; rank < fabric.ranks(); ++rank)
            EXPECT_LE(static_cast<double>(found.nodes_of(rank).size()), 1.05 * even + 1);
        const LinkId cut = links_between_ranks(whole, found);
        const LinkId cut_of_numbers = links_between_ranks(
            whole, engine::Partition::contiguous(whole.node_count(), fabric.ranks()));
        EXPECT_LE(4 * cut, cut_of_numbers);
    });
}

TEST(Metis, LeavesNetworksOfFewNodesToTheirNumbers) {
    test::on_ranks([](engine::Fabric& fabric) {
        if (!engine::has_metis()) GTEST_SKIP() << "built without METIS";
        const network::AnyNetwork whole = whole_of("path:n=1", "spike:tokens=1").network;
        EXPECT_TRUE(engine::partition_by_metis(fabric, &whole).consecutive());
    });
}

PiecesRequest request_for(const std::string& algorithm, const std::string& network,
                          const std::string& loads) {
    PiecesRequest request;
    request.algorithm = algorithm;
    request.network.spec = network;
    request.network.seed = 9;
    request.loads = loads;
    request.stop = parse_stop("quiet:9");
    request.steps_max = 600;
    return request;
}

/// Compares the run in pieces with the run on the whole network.
void expect_same(engine::Fabric& fabric, const PiecesRequest& request, bool streamed) {
    SCOPED_TRACE(request.algorithm + " on " + request.network.spec);
    const Instance whole = whole_of(request.network.spec, request.loads);
    RunOptions options;
    options.seed = 9;
    options.stop = request.stop;
    options.steps_max = request.steps_max;
    Outcome one;
    try {
        one = run(request.algorithm, whole.network, whole.loads, options);
    } catch (const UnsuitableError&) {
        EXPECT_THROW(static_cast<void>(run_in_pieces(request, fabric)), UnsuitableError);
        return;
    }
    const PiecesOutcome many = run_in_pieces(request, fabric);
    EXPECT_EQ(many.costs, one.record.costs);
    EXPECT_EQ(many.discrepancy, one.discrepancy());
    EXPECT_EQ(many.initial_discrepancy, one.initial_discrepancy());
    EXPECT_EQ(many.tokens, load::total(whole.loads));
    EXPECT_EQ(many.stopped_because, one.record.stopped_because);
    EXPECT_EQ(many.reached, one.record.reached);
    EXPECT_EQ(many.local_imbalance, one.record.local_imbalance);
    EXPECT_EQ(many.links, whole.network.link_count());
    EXPECT_EQ(many.streamed, streamed);
    const engine::Partition partition =
        make_partition(fabric, fabric.rank() == 0 ? &whole.network : nullptr, request.partition);
    EXPECT_EQ(many.cut, links_between_ranks(whole.network, partition));
    load::Loads own;
    for (const NodeId node : partition.nodes_of(fabric.rank()))
        own.push_back(one.loads()[node]);
    EXPECT_EQ(many.own_loads, own);
}

TEST(Pieces, RunAsTheWholeDoes) {
    test::on_ranks([](engine::Fabric& fabric) {
        const std::string file = file_of(fabric, "random-tree:n=40");
        std::size_t place = 0;
        for (const std::string& algorithm : algorithms_in_pieces()) {
            const Algorithm& entry = find_algorithm(algorithm);
            if (entry.stop_by_rows == nullptr) continue;
            ++place;
            for (const std::string& network :
                 entry.rounds->links().kind == Links::Kind::periodic
                     ? std::vector<std::string>{"torus:6x6", "mesh:5x7"}
                     : std::vector<std::string>{"torus:6x6", "de-bruijn:d=6", "hypercube:d=5",
                                                "gnp:n=60,p=0.2", file})
                for (const char* loads : {"spike:tokens=500,node=3", "uniform:tokens=400"})
                    if (test::plays_case(fabric.ranks(), place++))
                        expect_same(fabric, request_for(algorithm, network, loads), true);
        }
    });
}

TEST(Pieces, RunAsTheWholeDoesOnLoadsOfEveryWidth) {
    test::on_ranks([](engine::Fabric& fabric) {
        const std::array<const char*, 3> stops = {"quiet:9", "one-balanced", "discrepancy:20"};
        // Each run has one of these ends, not all of them: many ranks on few cores take long. Every
        // load and every network meets all three.
        std::size_t run = 0;
        for (const char* algorithm :
             {"threshold-1", "threshold-2", "dimension-exchange", "diffusion"})
            for (const char* network : {"torus:9", "torus:3x3", "torus:12x5", "torus:5x12",
                                        "torus:4x3x5", "torus:3x4x3x3", "mesh:9x4", "torus:8x2"})
                for (const char* loads :
                     {"spike:tokens=999,node=1", "spike:tokens=65535", "spike:tokens=65536",
                      "spike:tokens=2147483647,node=2", "spike:tokens=2147483648",
                      "spike:tokens=3000000000000"}) {
                    PiecesRequest request = request_for(algorithm, network, loads);
                    request.stop = parse_stop(stops[(run + run / 6) % stops.size()]);
                    ++run;
                    request.steps_max = 40;
                    expect_same(fabric, request, true);
                }
    });
}

TEST(Pieces, AreForEveryRuleOfFixedStepsThatHoldsAFewValues) {
    for (const Algorithm& algorithm : algorithms()) {
        if (!algorithm.plays_rounds()) continue;
        const bool holds_eigenvalues =
            algorithm.name == "optimal-polynomial" || algorithm.name == "chebyshev";
        const std::vector<std::string> fit = algorithms_in_pieces();
        EXPECT_EQ(std::find(fit.begin(), fit.end(), algorithm.name) != fit.end(),
                  algorithm.rounds->links().kind != Links::Kind::drawn && !holds_eigenvalues)
            << algorithm.name;
    }
}

TEST(Pieces, ThatRankZeroSendsRunAsTheWholeDoesToItsOwnEnd) {
    test::on_ranks([](engine::Fabric& fabric) {
        const std::string file = file_of(fabric, "random-tree:n=20", "pieces.gml");
        const std::string named = test::shared_file("named.edges");
        if (fabric.rank() == 0)
            std::ofstream(named) << "one two\ntwo three\nthree four\nfour one\n";
        fabric.agree({});
        std::vector<PartitionMethod> methods = {PartitionMethod::contiguous};
        if (engine::has_metis()) methods.push_back(PartitionMethod::metis);
        std::size_t place = 0;
        for (const std::string& algorithm : algorithms_in_pieces())
            for (const std::string& network :
                 {std::string("path:n=1"), std::string("star:leaves=5"),
                  std::string("random-regular:n=16,d=3"), std::string("torus:3x4"), file, named})
                for (const PartitionMethod method : methods) {
                    if (!test::plays_case(fabric.ranks(), place++)) continue;
                    PiecesRequest request = request_for(algorithm, network, "zipf:tokens=300");
                    request.partition = method;
                    request.stop.reset();
                    request.steps_max.reset();
                    expect_same(fabric, request, false);
                }
    });
}

TEST(Pieces, LeaveToRankZeroWhatOnlyAReaderCanJudge) {
    test::on_ranks([](engine::Fabric& fabric) {
        const auto write = [&](const char* name, const char* text) {
            std::string path = test::shared_file(name);
            if (fabric.rank() == 0) std::ofstream(path) << text;
            fabric.agree({});
            return path;
        };
        for (const std::string& file :
             {file_of(fabric, "torus:5x5", "pieces.mtx"),
              file_of(fabric, "torus:5x5", "pieces.graph"), write("gaps.edges", "10 20\n20 30\n"),
              write("zeros.edges", "01 1\n1 2\n"), write("weights.edges", "0 1 2.5\n1 2 1\n"),
              write("large.edges", "0 4000000000\n")})
            expect_same(fabric, request_for("diffusion", file, "spike:tokens=500"), false);
        for (const char* text : {"", "# nothing\n", "0 1\n1 0\n", "0 1\n1 1\n", "0 1\n1\n"}) {
            const std::string file = write("refused.edges", text);
            EXPECT_THROW(static_cast<void>(run_in_pieces(
                             request_for("diffusion", file, "uniform:tokens=9"), fabric)),
                         InputError)
                << text;
        }
    });
}

TEST(Pieces, OfFilesThatDifferBetweenRanksAreRefused) {
    test::on_ranks([](engine::Fabric& fabric) {
        const std::string file =
            test::shared_file("own" + std::to_string(fabric.rank()) + ".edges");
        if (fabric.ranks() == 1) {  // its file is that of all
            std::ofstream(file) << "0 1\n1 2\n2 0\n";
            EXPECT_TRUE(
                run_in_pieces(request_for("diffusion", file, "spike:tokens=9"), fabric).streamed);
            return;
        }
        for (const char* last : {"0 1\n0 2\n2 1\n", "0 1\n1 2\n2 3\n"}) {
            const bool odd = fabric.rank() == fabric.ranks() - 1;
            std::ofstream(file) << (odd ? last : "0 1\n1 2\n2 0\n");
            EXPECT_THROW(static_cast<void>(run_in_pieces(
                             request_for("diffusion", file, "spike:tokens=9"), fabric)),
                         InputError);
        }
    });
}

TEST(Pieces, EndIfTheirGoalCannotBeReached) {
    test::on_ranks([](engine::Fabric& fabric) {
        const auto end_of = [&](const char* algorithm, const char* network, const char* stop) {
            PiecesRequest request = request_for(algorithm, network, "spike:tokens=100");
            request.stop.reset();
            request.steps_max.reset();
            if (*stop != 0) request.stop = parse_stop(stop);
            return run_in_pieces(request, fabric);
        };
        EXPECT_NE(end_of("threshold-1", "torus:3x3", "").stopped_because, "steps-max");
        for (const char* stop : {"discrepancy:0", "one-balanced"}) {
            const PiecesOutcome outcome = end_of("diffusion", "path:n=9", stop);
            EXPECT_EQ(outcome.stopped_because, "quiet");
            EXPECT_FALSE(outcome.reached);
        }
    });
}

TEST(Pieces, PlayRulesOfACallersOwn) {
    test::on_ranks([](engine::Fabric& fabric) {
        const engine::Piece piece(fabric, network::stream_links("de-bruijn:d=6", 9));
        const Instance whole = whole_of("de-bruijn:d=6", "spike:tokens=500,node=3");
        load::Loads own;
        for (const NodeId node : piece.partition().nodes_of(fabric.rank()))
            own.push_back(whole.loads[node]);
        engine::RoundOptions options;
        options.stop.steps_max = 30;
        const network::Network& network = *whole.network.stored();
        model::AllLinks links(network);
        const auto edges =
            engine::run_rounds(protocols::Diffusion(0), links, whole.loads, network, options);
        const auto deals =
            engine::run_rounds(protocols::DealAgreement2{}, whole.loads, network, options);
        options.fabric = &fabric;
        const auto own_edges =
            engine::run_in_pieces(protocols::Diffusion(0), engine::all_links_of(piece), own, piece,
                                  piece.partition(), options);
        const auto own_deals = engine::run_in_pieces(protocols::DealAgreement2{}, own, piece,
                                                     piece.partition(), options);
        EXPECT_EQ(own_edges.costs, edges.costs);
        EXPECT_EQ(own_deals.costs, deals.costs);
        std::size_t i = 0;
        for (const NodeId node : piece.partition().nodes_of(fabric.rank())) {
            EXPECT_EQ(own_edges.loads[i], edges.loads[node]);
            EXPECT_EQ(own_deals.loads[i++], deals.loads[node]);
        }
    });
}

TEST(Pieces, TakeParameters) {
    test::on_ranks([](engine::Fabric& fabric) {
        PiecesRequest request = request_for("diffusion", "mesh:4x5", "spike:tokens=999");
        request.parameters = {{"weights", "uniform"}};
        const Instance whole = whole_of(request.network.spec, request.loads);
        RunOptions options;
        options.parameters = request.parameters;
        options.stop = request.stop;
        options.steps_max = request.steps_max;
        const Outcome one = run(request.algorithm, whole.network, whole.loads, options);
        const PiecesOutcome many = run_in_pieces(request, fabric);
        EXPECT_EQ(many.costs, one.record.costs);
        EXPECT_EQ(many.discrepancy, one.discrepancy());
        EXPECT_FALSE(many.streamed) << "uniform weights follow from the whole";
        EXPECT_EQ(many.parameters, one.record.parameters);
        request.parameters = {{"weights", "metropolis"}};
        EXPECT_TRUE(run_in_pieces(request, fabric).streamed);
        request.parameters = {{"wights", "uniform"}};
        EXPECT_THROW(static_cast<void>(run_in_pieces(request, fabric)), InputError);
    });
}

TEST(Pieces, RefuseWhatNeedsTheWholeNetwork) {
    test::on_ranks([](engine::Fabric& fabric) {
        const auto refused = [&](const char* algorithm, const char* network, const char* loads) {
            EXPECT_THROW(
                static_cast<void>(run_in_pieces(request_for(algorithm, network, loads), fabric)),
                UnsuitableError);
        };
        refused("coin-averaging", "torus:4x4", "spike:tokens=9");
        refused("mesh-weak", "torus:4x4", "spike:tokens=9");
        refused("perfect-tree", "path:n=4", "spike:tokens=9");
        refused("diffusion", "gnp:n=9,p=0", "zipf:tokens=9");
        refused("threshold-1", "gnp:n=9,p=0", "spike:tokens=9");
        const std::string path = test::shared_file("bad.edges");
        if (fabric.rank() == 0) std::ofstream(path) << "0 1\n1\n";
        fabric.agree({});
        EXPECT_THROW(static_cast<void>(
                         run_in_pieces(request_for("diffusion", path, "spike:tokens=9"), fabric)),
                     InputError);
    });
}

}  // namespace
}  // namespace equipoise::catalogue
