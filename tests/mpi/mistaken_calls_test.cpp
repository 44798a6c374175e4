// Ranks that make different calls learn what the others call, in one line, as far as the calls meet
// in a vote; and threads that use one communicator are told so.

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/advisor.hpp"
#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/columns.hpp"
#include "equipoise/balancer/lend.hpp"
#include "equipoise/balancer/relabel.hpp"
#include "equipoise/balancer/room.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

using mpi::CollectiveError;
using mpi::Failure;

/// A call, and a word that its description has.
struct NamedCall {
    std::string word;
    std::function<void()> call;
};

TEST(DifferentCalls, AreNamedInOneLineOnAllRanks) {
    if (world_size() == 1) return;
    std::vector<int> items(8, 1);
    std::vector<int> others(8, 1);
    std::vector<Sack> sacks(8);
    const std::vector<int> here(8, world_rank());
    std::vector<Rows> rows = {rows_of(items, 8)};
    std::vector<double> weights(8, 1);
    const DeviceMemory device = {.pack = [](void*, const std::byte*, std::size_t, std::size_t,
                                            std::span<const Tokens>, std::byte*) {},
                                 .unpack = [](void*, const std::byte*, std::span<const Tokens>,
                                              std::byte*, std::size_t, std::size_t) {}};
    std::vector<Rows> device_rows = {rows_of(others, 8)};
    device_rows[0].device = &device;
    const Plan plan = make_plan(MPI_COMM_WORLD, 8);
    Advisor advisor(MPI_COMM_WORLD);
    const std::vector<NamedCall> calls = {
        {"a plan, policy", [&] { static_cast<void>(make_plan(MPI_COMM_WORLD, 8)); }},
        {"items of 4 bytes, policy", [&] { rebalance(MPI_COMM_WORLD, items); }},
        {"bytes, policy", [&] { rebalance(MPI_COMM_WORLD, sacks, {}, SackSerialiser()); }},
        {"a loan, policy", [&] { static_cast<void>(plan_loan(MPI_COMM_WORLD, 8)); }},
        {"worth_it()", [&] { static_cast<void>(plan.worth_it({})); }},
        {"items of 4 bytes", [&] { plan.execute(items); }},
        {"serialised items", [&] { plan.execute(sacks, SackSerialiser()); }},
        {"items of 4 bytes and items of 4 bytes, policy",
         [&] { rebalance(MPI_COMM_WORLD, std::tie(items, others)); }},
        {"items of 4 bytes and items of 4 bytes", [&] { plan.execute(std::tie(items, others)); }},
        {"no arrays", [&] { static_cast<void>(move_columns(plan, {}, {})); }},
        {"in place, arrays of 4 bytes a row, policy",
         [&] { rebalance_rows(MPI_COMM_WORLD, rows); }},
        {"in place, arrays of 4 bytes a row", [&] { static_cast<void>(move_rows(plan, rows)); }},
        {"a plan to given ranks", [&] { static_cast<void>(plan_to(MPI_COMM_WORLD, here)); }},
        {"relabelling", [&] { static_cast<void>(relabel(MPI_COMM_WORLD, here)); }},
        {"a step of an advisor", [&] { advisor.step(1); }},
        {"items of 4 bytes and their weights (double), policy weighted",
         [&] { rebalance(MPI_COMM_WORLD, items, weights); }},
        {"lending items of 4 bytes", [&] { static_cast<void>(lend(MPI_COMM_WORLD, items)); }},
        {"lending copies of items of 4 bytes",
         [&] { static_cast<void>(lend_copies(MPI_COMM_WORLD, items)); }},
        {"on a device", [&] { static_cast<void>(move_rows(plan, device_rows)); }},
    };
    const int last = world_size() - 1;
    for (std::size_t one = 0; one < calls.size(); ++one)
        for (std::size_t other = 0; other < calls.size(); ++other) {
            if (one == other) continue;
            try {
                calls[world_rank() == last ? one : other].call();
                ADD_FAILURE() << calls[one].word << ", " << calls[other].word;
            } catch (const CollectiveError& error) {
                const std::string text = error.what();
                EXPECT_EQ(Failure::differing, error.failure()) << text;
                EXPECT_EQ(last, error.rank()) << text;
                EXPECT_EQ(std::string::npos, text.find('\n')) << text;
                const std::size_t but = text.find(", but rank 0: ");
                ASSERT_NE(std::string::npos, but) << text;
                EXPECT_NE(std::string::npos, text.substr(0, but).find(calls[one].word)) << text;
                EXPECT_NE(std::string::npos, text.substr(but).find(calls[other].word)) << text;
            }
        }
}

struct TalkativeSerialiser : SackSerialiser {
    static void save(const Sack& /*sack*/, ByteWriter& /*out*/) {
        throw std::runtime_error("first line\n  second line\r\n\x1b[31mthird line\n");
    }
};

TEST(Errors, AreOneLineWhateverWasThrown) {
    if (world_size() == 1) return;
    std::vector<Sack> sacks(world_rank() == 0 ? 9 : 0);
    try {
        rebalance(MPI_COMM_WORLD, sacks, {}, TalkativeSerialiser());
        ADD_FAILURE() << "nothing was thrown";
    } catch (const CollectiveError& error) {
        EXPECT_STREQ(
            "rank 0: the caller's code threw: first line second line \\u001b[31mthird line",
            error.what());
    }
    EXPECT_EQ(std::string(mpi::MpiError("MPI_Bcast", MPI_ERR_COMM).what()).find('\n'),
              std::string::npos);
    try {
        static_cast<void>(policy_from_word("most\nlevel\x07"));
        ADD_FAILURE() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_TRUE(std::string(error.what()).ends_with("found \"most\\nlevel\\u0007\""))
            << error.what();
    }
}

/// Whether MPI takes calls of several threads.
bool threads_may_call() {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
}

TEST(Threads, BalanceAtTheSameTimeOnACommunicatorEach) {
    if (!threads_may_call()) GTEST_SKIP() << "MPI is for one thread";
    constexpr int thread_count = 3;
    std::vector<MPI_Comm> comms(thread_count, MPI_COMM_NULL);
    for (MPI_Comm& comm : comms)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    std::vector<std::future<bool>> done;
    done.reserve(thread_count);
    for (int thread = 0; thread < thread_count; ++thread)
        done.push_back(std::async(std::launch::async, [&, thread] {
            bool level = true;
            for (int step = 0; step < 10; ++step) {
                const int full = (thread + step) % world_size();
                std::vector<int> items(world_rank() == full ? 40 : 0, thread);
                const Report report = rebalance(comms[static_cast<std::size_t>(thread)], items);
                level = level && report.after.most - report.after.least <= 1 &&
                        items == std::vector<int>(items.size(), thread);
            }
            return level;
        }));
    for (std::future<bool>& each : done)
        EXPECT_TRUE(each.get());
    for (MPI_Comm& comm : comms)
        MPI_Comm_free(&comm);
}

TEST(Threads, OfWhichOneWaitsOnACommunicatorKeepItToThemselves) {
    if (!threads_may_call()) GTEST_SKIP() << "MPI is for one thread";
    if (world_size() == 1) return;
    constexpr int tag = 1;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    static_cast<void>(mpi::Communicator(comm));  // collective
    if (world_rank() == 0) {
        // Rank 1 does not come before rank 0 has said so.
        std::promise<void> begun;
        std::future<Plan> waiting = std::async(std::launch::async, [&] {
            begun.set_value();
            return make_plan(comm, 3);
        });
        begun.get_future().wait();  // a thread may begin late
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        try {
            static_cast<void>(make_plan(comm, 4));
            ADD_FAILURE() << "nothing was thrown";
        } catch (const InputError& error) {
            EXPECT_NE(std::string::npos, std::string(error.what()).find("one thread at a time"))
                << error.what();
        }
        MPI_Send(nullptr, 0, MPI_INT, 1, tag, MPI_COMM_WORLD);
        EXPECT_EQ(0, waiting.get().moved());
    } else {
        if (world_rank() == 1)
            MPI_Recv(nullptr, 0, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        EXPECT_EQ(0, make_plan(comm, 3).moved());
    }
    // What was refused has left nothing behind.
    EXPECT_EQ(3 * world_size(), make_plan(comm, 3).report().before.most * world_size());
    MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace equipoise::balancer
