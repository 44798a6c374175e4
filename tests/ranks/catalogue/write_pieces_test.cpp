// Networks and loads written in pieces: the files are those of the whole, byte by byte.

#include "equipoise/catalogue/runner/write_pieces.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stop_token>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/io/write.hpp"
#include "tests/support/ranks.hpp"

namespace equipoise::catalogue {
namespace {

constexpr std::uint64_t seed = 9;

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The path of a file of this test alone, at this number of ranks.
std::string path_of(engine::Fabric& fabric, const std::string& name) {
    return test::shared_file("written-" + std::to_string(fabric.ranks()) + "-" + name);
}

WritePiecesRequest request_for(engine::Fabric& fabric, const std::string& network) {
    WritePiecesRequest request;
    request.network = network;
    request.network_path = path_of(fabric, "pieces.edges");
    request.seed = seed;
    return request;
}

network::AnyNetwork whole_of(const std::string& network) {
    NetworkRequest request;
    request.spec = network;
    request.seed = seed;
    return make_network(request);
}

void expect_file_of_the_whole(engine::Fabric& fabric, const std::string& network,
                              const std::string& loads, std::size_t sent_max) {
    SCOPED_TRACE(network + ", " + std::to_string(sent_max) + " at a time");
    WritePiecesRequest request = request_for(fabric, network);
    request.loads = loads;
    request.loads_path = path_of(fabric, "pieces.csv");
    request.sent_max = sent_max;
    const WrittenPieces written = write_in_pieces(request, fabric);
    EXPECT_FALSE(written.interrupted);
    if (fabric.rank() != 0) return;
    const network::AnyNetwork whole = whole_of(network);
    EXPECT_EQ(written.nodes, whole.node_count());
    EXPECT_EQ(written.links, whole.link_count());
    const std::string path = path_of(fabric, "whole.edges");
    network::write(whole, path);
    EXPECT_EQ(text_of(request.network_path), text_of(path));
    if (loads.empty()) return;
    const load::Loads tokens = make_loads(loads, whole, seed);
    EXPECT_EQ(written.tokens, load::total(tokens));
    const std::string loads_path = path_of(fabric, "whole.csv");
    load::write_csv(loads_path, whole, tokens);
    EXPECT_EQ(text_of(request.loads_path), text_of(loads_path));
}

TEST(WrittenPieces, AreTheFilesOfTheWhole) {
    test::on_ranks([](engine::Fabric& fabric) {
        for (const char* network :
             {"path:n=1", "path:n=5", "torus:5x4x3", "mesh:7", "hypercube:d=5", "de-bruijn:d=5",
              "de-bruijn:d=3,k=3", "gnp:n=60,p=0.03", "gnp:n=40,p=0", "gnp:n=9,p=1,seed=4"}) {
            expect_file_of_the_whole(fabric, network, "", std::size_t{1} << 20U);
            expect_file_of_the_whole(fabric, network, "uniform:tokens=300", 7);
            expect_file_of_the_whole(fabric, network, "spike:tokens=5000000000,node=0", 1);
        }
    });
}

TEST(WrittenPieces, OfAFileAreItsLinksAndItsNodesWithoutLinks) {
    test::on_ranks([](engine::Fabric& fabric) {
        const std::string sparse = path_of(fabric, "sparse.edges");
        // At this density the last nodes have no links, and only comments declare them.
        if (fabric.rank() == 0) network::write(whole_of("gnp:n=60,p=0.005"), sparse);
        fabric.agree({});
        expect_file_of_the_whole(fabric, sparse, "uniform:tokens=300", 7);

        const std::string doubled = path_of(fabric, "doubled.edges");
        for (const char* text :
             {"3 1\n0 1\n2 2\n", "0 1\n1 2\n1 0\n", "0 1\n3 1\n", "0 1 2\n", ""}) {
            if (fabric.rank() == 0) std::ofstream(doubled) << text;
            fabric.agree({});
            WritePiecesRequest request = request_for(fabric, doubled);
            request.network_path = path_of(fabric, "refused.edges");
            EXPECT_THROW(static_cast<void>(write_in_pieces(request, fabric)), InputError) << text;
            EXPECT_FALSE(std::filesystem::exists(request.network_path)) << text;
        }
    });
}

TEST(WrittenPieces, FailTogetherAndLeaveNoFile) {
    test::on_ranks([](engine::Fabric& fabric) {
        const std::string folder = path_of(fabric, "folder/");
        if (fabric.rank() == 0) std::filesystem::create_directory(folder);
        fabric.agree({});
        const auto write = [&](const std::string& network, const std::string& network_path,
                               const std::string& loads, const std::string& loads_path) {
            WritePiecesRequest request = request_for(fabric, network);
            request.network_path = network_path;
            request.loads = loads;
            request.loads_path = loads_path;
            static_cast<void>(write_in_pieces(request, fabric));
        };
        const std::string good = folder + "net.edges";
        EXPECT_THROW(write("torus:4x4", folder + "missing/net.edges", "", ""), InputError);
        EXPECT_THROW(write("torus:4x4", good, "spike:tokens=3", folder + "missing/loads.csv"),
                     InputError);
        EXPECT_THROW(write("torus:4x4", folder + "net.gml", "", ""), InputError);
        EXPECT_THROW(write(folder + "missing.edges", good, "", ""), InputError);
        EXPECT_THROW(write("star:leaves=4", good, "", ""), UnsuitableError);
        EXPECT_THROW(write("torus:4x4", good, "zipf:tokens=4", folder + "loads.csv"),
                     UnsuitableError);
        if (fabric.rank() == 0) {
            EXPECT_TRUE(std::filesystem::is_empty(folder));
        }
    });
}

TEST(WrittenPieces, EndWithoutAFileIfOneRankIsInterrupted) {
    test::on_ranks([](engine::Fabric& fabric) {
        const std::string folder = path_of(fabric, "interrupted/");
        if (fabric.rank() == 0) std::filesystem::create_directory(folder);
        fabric.agree({});
        std::stop_source source;
        if (fabric.rank() == fabric.ranks() - 1) source.request_stop();
        WritePiecesRequest request = request_for(fabric, "torus:4x4");
        request.network_path = folder + "net.edges";
        request.interrupt = source.get_token();
        EXPECT_TRUE(write_in_pieces(request, fabric).interrupted);
        if (fabric.rank() == 0) {
            EXPECT_TRUE(std::filesystem::is_empty(folder));
        }
    });
}

}  // namespace
}  // namespace equipoise::catalogue
