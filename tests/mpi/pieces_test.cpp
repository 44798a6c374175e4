// Networks and loads in pieces: every rank's rows, numbers of links and loads are those of the
// whole, and so are the runs on them.

#include "equipoise/catalogue/pieces.hpp"

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/instance.hpp"
#include "equipoise/catalogue/run.hpp"
#include "equipoise/catalogue/stop.hpp"
#include "equipoise/engine/parts/piece.hpp"
#include "equipoise/mpi/round_fabric.hpp"
#include "equipoise/network/io/write.hpp"

namespace equipoise::catalogue {
namespace {

Instance whole_of(const std::string& network, const std::string& loads) {
    NetworkRequest request;
    request.spec = network;
    request.seed = 9;
    return make_instance(request, loads);
}

/// A file of links, written by rank 0, that all ranks read.
std::string file_of(engine::Fabric& fabric, const std::string& network) {
    std::string path = testing::TempDir() + "pieces.edges";
    if (fabric.rank() == 0) network::write(whole_of(network, "spike:tokens=1").network, path);
    fabric.agree({});
    return path;
}

void expect_rows_of_the_whole(engine::Fabric& fabric, const std::string& spec) {
    const network::AnyNetwork whole = whole_of(spec, "spike:tokens=1").network;
    const engine::Piece piece(fabric, network::stream_links(spec, 9));
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
    mpi::RoundFabric fabric(MPI_COMM_WORLD);
    for (const char* spec :
         {"path:n=1", "path:n=5", "cycle:n=9", "mesh:3x4", "torus:4x5x3", "hypercube:d=0",
          "hypercube:d=5", "de-bruijn:d=5", "de-bruijn:d=3,k=3", "gnp:n=60,p=0.1", "gnp:n=9,p=1",
          "gnp:n=9,p=0", "gnp:n=30,p=0.2,seed=4"})
        expect_rows_of_the_whole(fabric, spec);
    expect_rows_of_the_whole(fabric, file_of(fabric, "random-tree:n=40"));
}

PiecesRequest request_for(const std::string& algorithm, const std::string& network,
                          const std::string& loads) {
    PiecesRequest request;
    request.algorithm = algorithm;
    request.network = network;
    request.loads = loads;
    request.seed = 9;
    request.stop = parse_stop("quiet:9");
    request.steps_max = 600;
    return request;
}

/// The run in pieces against that on the whole.
void expect_same(engine::Fabric& fabric, const PiecesRequest& request) {
    SCOPED_TRACE(request.algorithm + " on " + request.network);
    const Instance whole = whole_of(request.network, request.loads);
    RunOptions options;
    options.seed = 9;
    options.stop = request.stop;
    options.steps_max = request.steps_max;
    const Outcome one = run(request.algorithm, whole.network, whole.loads, options);
    const PiecesOutcome many = run_in_pieces(request, fabric);
    EXPECT_EQ(many.costs, one.record.costs);
    EXPECT_EQ(many.discrepancy, one.discrepancy);
    EXPECT_EQ(many.initial_discrepancy, one.initial_discrepancy);
    EXPECT_EQ(many.tokens, load::total(whole.loads));
    EXPECT_EQ(many.stopped_because, one.stopped_because);
    const engine::Partition partition =
        engine::Partition::contiguous(whole.network.node_count(), fabric.ranks());
    const auto first = one.loads.begin() + partition.first(fabric.rank());
    EXPECT_EQ(many.own_loads,
              load::Loads(first, first + static_cast<std::ptrdiff_t>(many.own_loads.size())));
}

TEST(Pieces, RunAsTheWholeDoes) {
    mpi::RoundFabric fabric(MPI_COMM_WORLD);
    const std::string file = file_of(fabric, "random-tree:n=40");
    for (const std::string& algorithm : algorithms_in_pieces()) {
        const bool colours = algorithm != "diffusion" && algorithm != "deal-agreement-2";
        for (const std::string& network :
             colours ? std::vector<std::string>{"torus:6x6", "mesh:5x7"}
                     : std::vector<std::string>{"torus:6x6", "de-bruijn:d=6", "hypercube:d=5",
                                                "gnp:n=60,p=0.2", file})
            for (const char* loads : {"spike:tokens=500,node=3", "uniform:tokens=400"})
                expect_same(fabric, request_for(algorithm, network, loads));
    }
}

TEST(Pieces, RefuseWhatCannotBeHadInThem) {
    mpi::RoundFabric fabric(MPI_COMM_WORLD);
    const auto refused = [&](const char* algorithm, const char* network, const char* loads) {
        EXPECT_THROW(
            static_cast<void>(run_in_pieces(request_for(algorithm, network, loads), fabric)),
            UnsuitableError);
    };
    refused("discrepancy-1", "torus:4x4", "spike:tokens=9");
    refused("threshold-2", "hypercube:d=3", "spike:tokens=9");
    refused("diffusion", "star:leaves=4", "spike:tokens=9");
    refused("diffusion", "torus:4x4", "zipf:tokens=9");
    const std::string path = testing::TempDir() + "bad.edges";
    if (fabric.rank() == 0) std::ofstream(path) << "0 1\n1 two\n";
    fabric.agree({});
    EXPECT_THROW(
        static_cast<void>(run_in_pieces(request_for("diffusion", path, "spike:tokens=9"), fabric)),
        InputError);
}

}  // namespace
}  // namespace equipoise::catalogue
