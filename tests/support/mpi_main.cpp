// The main program of tests that run on several ranks: every rank runs every test, and a test that
// fails on one rank fails on all. Rank 0 reports; other ranks only report their failures.

#include <cstdio>

#include <gtest/gtest.h>
#include <mpi.h>

namespace {

// Ends every test with a vote.
class FailTogether : public testing::EmptyTestEventListener {
    void OnTestEnd(const testing::TestInfo& info) override {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        const int here = info.result()->Failed() ? 1 : 0;
        int failed = 0;
        MPI_Allreduce(&here, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (failed > 0 && here == 0) ADD_FAILURE() << "failed on " << failed << " other ranks";
    }
};

// Prints failures, each with its rank.
class SpeakOfFailures : public testing::EmptyTestEventListener {
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) return;
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        std::fprintf(stderr, "rank %d: %s:%d: %s\n", rank,
                     result.file_name() == nullptr ? "?" : result.file_name(), result.line_number(),
                     result.message());
    }
};

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    int level = MPI_THREAD_SINGLE;  // tests of threads ask MPI what it provides
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    if (rank != 0) {
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new SpeakOfFailures);
    }
    // Listeners hear about ends in reverse order, and the vote must come before the printer's
    // verdict.
    listeners.Append(new FailTogether);
    const int failed = RUN_ALL_TESTS();
    MPI_Finalize();
    return failed;
}
