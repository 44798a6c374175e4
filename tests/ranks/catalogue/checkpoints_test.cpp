// A run that stops and goes on from its file is the run that never stopped: at any number of ranks,
// in pieces or not, and the file is the same.

#include "equipoise/catalogue/runner/checkpoints.hpp"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/catalogue/runner/pieces.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/engine/parts/metis.hpp"
#include "tests/support/contents.hpp"
#include "tests/support/ranks.hpp"

namespace equipoise::catalogue {
namespace {

struct Job {
    std::string algorithm;
    std::string network;
    std::string loads;
    PartitionMethod partition = PartitionMethod::contiguous;
};

using test::contents;

/// Short where they differ, since the files are not text.
void expect_same_files(const std::string& a, const std::string& b) {
#if defined(__clang__)
    constexpr bool padding_is_clear = false;  // see States::clear_padding
#else
    constexpr bool padding_is_clear = true;
#endif
    EXPECT_FALSE(contents(a).empty());
    EXPECT_EQ(contents(a).size(), contents(b).size());
    EXPECT_TRUE(!padding_is_clear || contents(a) == contents(b)) << a << " and " << b;
}

CheckpointRequest kept(const Job& job, const std::string& path, const std::string& resume) {
    NetworkRequest network;
    network.spec = job.network;
    network.seed = 9;
    CheckpointRequest request;
    request.path = path;
    request.resume = resume;
    request.every.steps = 5;
    request.run = identity_of(job.algorithm, network, job.loads, {});
    return request;
}

model::StopRule patient() {
    return parse_stop("quiet:30");
}

/// In pieces, on all ranks of the fabric.
PiecesOutcome in_pieces(engine::Fabric& fabric, const Job& job, Step steps, const std::string& path,
                        const std::string& resume = "") {
    PiecesRequest request;
    request.algorithm = job.algorithm;
    request.network.spec = job.network;
    request.network.seed = 9;
    request.loads = job.loads;
    request.partition = job.partition;
    request.stop = patient();
    request.steps_max = steps;
    std::optional<Checkpoints> keeper;
    engine::together(fabric, [&] { keeper.emplace(kept(job, path, resume)); });
    request.keeper = &*keeper;
    return run_in_pieces(request, fabric);
}

/// On one process that knows the whole network, or on ranks that do.
Outcome whole(const Job& job, Step steps, const std::string& path, const std::string& resume = "",
              engine::Fabric* fabric = nullptr) {
    NetworkRequest network;
    network.spec = job.network;
    network.seed = 9;
    const Instance instance = make_instance(network, job.loads);
    std::optional<Checkpoints> keeper;
    engine::together(fabric, [&] { keeper.emplace(kept(job, path, resume)); });
    Supervision supervision;
    supervision.keeper = &*keeper;
    RunOptions options;
    options.seed = 9;
    options.stop = patient();
    options.steps_max = steps;
    options.supervision = &supervision;
    options.fabric = fabric;
    return run(job.algorithm, instance.network, instance.loads, options);
}

/// Files of these names differ between tests, and are the same on all ranks.
std::string file(const char* name) {
    return test::shared_file(std::string("checkpoint-") + name);
}

void expect_resumed(engine::Fabric& fabric, const Job& job) {
    SCOPED_TRACE(job.algorithm + " on " + job.network + " from " + job.loads);
    constexpr Step middle = 24;
    constexpr Step end = 60;
    // Without a stop, alone.
    Outcome expected;
    engine::on_first(fabric, [&] {
        expected = whole(job, end, file("end"));
        static_cast<void>(whole(job, middle, file("alone")));
    });
    static_cast<void>(in_pieces(fabric, job, middle, file("middle")));
    const PiecesOutcome resumed = in_pieces(fabric, job, end, file("resumed"), file("alone"));
    engine::on_first(fabric, [&] {
        expect_same_files(file("middle"), file("alone"));
        expect_same_files(file("resumed"), file("end"));
        EXPECT_EQ(resumed.costs, expected.record.costs);
        EXPECT_EQ(resumed.discrepancy, expected.discrepancy());
        EXPECT_EQ(resumed.initial_discrepancy, expected.initial_discrepancy());
        EXPECT_EQ(resumed.stopped_because, expected.record.stopped_because);
        const Outcome alone = whole(job, end, file("again"), file("middle"));
        EXPECT_EQ(alone.record.costs, expected.record.costs);
        EXPECT_EQ(alone.loads(), expected.loads());
        EXPECT_EQ(alone.record.stopped_because, expected.record.stopped_because);
        EXPECT_EQ(alone.record.constants, expected.record.constants);
        expect_same_files(file("again"), file("end"));
    });
    const Outcome together = whole(job, end, file("ranks"), file("middle"), &fabric);
    engine::on_first(fabric, [&] {
        EXPECT_EQ(together.loads(), expected.loads());
        EXPECT_EQ(together.record.constants, expected.record.constants);
        expect_same_files(file("ranks"), file("end"));
    });
}

TEST(CheckpointsOnRanks, LetEveryAlgorithmGoOnAtAnotherNumberOfRanks) {
    test::on_ranks([](engine::Fabric& fabric) {
        std::size_t place = 0;
        for (const std::string& algorithm : algorithms_in_pieces())
            for (const char* network : {"torus:5x6", "random-tree:n=30"}) {
                if (!test::plays_case(fabric.ranks(), place++)) continue;
                const Job job = {algorithm, network, "zipf:tokens=700"};
                try {
                    expect_resumed(fabric, job);
                } catch (const UnsuitableError&) {
                    continue;  // on all ranks
                }
            }
    });
}

TEST(CheckpointsOnRanks, HoldLoadsOfEveryWidth) {
    test::on_ranks([](engine::Fabric& fabric) {
        for (const char* algorithm : {"threshold-1", "dimension-exchange", "diffusion"})
            for (const char* loads : {"spike:tokens=70000,node=5", "spike:tokens=3000000000000",
                                      "uniform:tokens=9000000000000"})
                expect_resumed(fabric, {algorithm, "torus:9x5", loads});
    });
}

TEST(CheckpointsOnRanks, DoNotDependOnWhichRankHasWhichNode) {
    if (!engine::has_metis()) GTEST_SKIP() << "built without METIS";
    test::on_ranks([](engine::Fabric& fabric) {
        for (const char* algorithm : {"diffusion-2", "deal-agreement-2", "randomised-rounding"})
            expect_resumed(fabric,
                           {algorithm, "torus:6x7", "zipf:tokens=900", PartitionMethod::metis});
    });
}

TEST(CheckpointsOnRanks, OfAnotherRunOrDamagedAreRefusedOnAllRanks) {
    test::on_ranks([](engine::Fabric& fabric) {
        const Job job = {"diffusion", "torus:5x6", "spike:tokens=700"};
        static_cast<void>(in_pieces(fabric, job, 10, file("good")));
        const auto refused = [&](const Job& other, const std::string& from) {
            EXPECT_THROW(static_cast<void>(in_pieces(fabric, other, 20, file("no"), from)),
                         InputError);
        };
        refused({"threshold-1", "torus:5x6", "spike:tokens=700"}, file("good"));
        refused({"diffusion", "torus:6x5", "spike:tokens=700"}, file("good"));
        refused({"diffusion", "torus:5x6", "spike:tokens=701"}, file("good"));
        refused(job, file("there-is-none"));
        // Altered loads are noticed by the ranks that read them, and refused by all.
        engine::on_first(fabric, [&] {
            std::string bytes = contents(file("good"));
            bytes[bytes.size() - 12] ^= 1;
            std::ofstream(file("bad"), std::ios::binary) << bytes;
        });
        refused(job, file("bad"));
        EXPECT_TRUE(contents(file("no")).empty());
    });
}

}  // namespace
}  // namespace equipoise::catalogue
