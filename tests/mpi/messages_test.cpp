#include "equipoise/mpi/messages.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/joint_error.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/mpi/datatype.hpp"

namespace equipoise::mpi {
namespace {

TEST(Communicator, IsADuplicateThatIsMadeOnce) {
    const Communicator first(MPI_COMM_WORLD);
    const Communicator second(MPI_COMM_WORLD);
    EXPECT_EQ(first.raw(), second.raw());
    EXPECT_NE(first.raw(), MPI_COMM_WORLD);
    int same = 0;
    MPI_Comm_compare(first.raw(), MPI_COMM_WORLD, &same);
    EXPECT_EQ(MPI_CONGRUENT, same);
}

TEST(Communicator, IsFreedWithTheCallersCommunicator) {
    for (int i = 0; i < 50; ++i) {
        MPI_Comm mine = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &mine);
        EXPECT_EQ(Communicator(mine).raw(), Communicator(mine).raw());
        MPI_Comm_free(&mine);
    }
}

TEST(Communicator, RefusesWhatIsNotACommunicator) {
    EXPECT_THROW(Communicator{MPI_COMM_NULL}, InputError);
}

TEST(Communicator, SeesThatAllRanksOfThisTestShareAMachine) {
    const Groups& groups = Communicator(MPI_COMM_WORLD).groups();
    EXPECT_EQ(std::vector<int>(groups.machine.size(), 0), groups.machine);
}

TEST(Messages, SplitIntoPiecesArriveWhole) {
    const Communicator world(MPI_COMM_WORLD);
    const int to = (world.rank() + 1) % world.size();
    const int from = (world.rank() + world.size() - 1) % world.size();
    for (const std::size_t bytes : {0U, 1U, 6U, 7U, 8U, 1000U}) {
        std::vector<std::byte> sent(bytes, static_cast<std::byte>(world.rank() + 1));
        std::vector<std::byte> received(bytes);
        Messages messages(world, 7);
        messages.expect(2 * bytes + 7);
        messages.receive(from, received);
        messages.send(to, sent);
        messages.wait();
        EXPECT_EQ(std::vector<std::byte>(bytes, static_cast<std::byte>(from + 1)), received);
    }
}

TEST(AgreeOfACommunicator, ThrowsCollectiveErrorsOnEveryRank) {
    using Kind = engine::LocalFailure::Kind;
    const Communicator world(MPI_COMM_WORLD);
    const std::vector<std::pair<Kind, std::string>> kinds = {
        {Kind::input, "bad input: broken"},
        {Kind::unsuitable, "bad input: broken"},
        {Kind::overflow, "bad input: broken is too large for the integers that hold it"},
        {Kind::memory, "out of memory: broken"},
        {Kind::other, "the caller's code threw: broken"}};
    for (int failing = 0; failing < world.size(); ++failing)
        for (const auto& [kind, text] : kinds) {
            engine::LocalFailure failure;
            if (world.rank() >= failing) failure.note(kind, "broken");
            try {
                agree(world, failure, "a test");
                ADD_FAILURE() << "nothing was thrown";
            } catch (const CollectiveError& error) {
                EXPECT_EQ(failing, error.rank());
                EXPECT_EQ("rank " + std::to_string(failing) + ": " + text, error.what());
            }
        }
}

TEST(AgreeOfACommunicator, BlamesNoRankForWhatAllFindTogether) {
    const Communicator world(MPI_COMM_WORLD);
    engine::LocalFailure failure;
    failure.guard([] { throw JointError("too little room"); });
    failure.name_rank(world.rank());
    try {
        agree(world, failure, "a test");
        ADD_FAILURE() << "nothing was thrown";
    } catch (const CollectiveError& error) {
        EXPECT_EQ(CollectiveError::all_ranks, error.rank());
        EXPECT_EQ(Failure::input, error.failure());
        EXPECT_STREQ("all ranks: bad input: too little room", error.what());
    }
}

TEST(AgreeOfACommunicator, SaysWhichRankPassesSomethingElse) {
    const Communicator world(MPI_COMM_WORLD);
    if (world.size() == 1) return;
    const bool odd = world.rank() == world.size() - 1;
    engine::Ballot mine;
    mine.must_be_equal = odd ? 0x8000000000000000U : 1U;
    mine.describe = [&] { return odd ? "blue" : "green"; };
    try {
        agree(world, {}, mine);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const CollectiveError& error) {
        EXPECT_EQ(Failure::differing, error.failure());
        EXPECT_EQ("rank " + std::to_string(world.size() - 1) +
                      ": different calls: blue, but rank 0: green",
                  std::string(error.what()));
    }
}

TEST(DatatypeOf, HasTheSizeOfTheType) {
    const auto size_of = [](MPI_Datatype type) {
        int size = 0;
        MPI_Type_size(type, &size);
        return static_cast<std::size_t>(size);
    };
    EXPECT_EQ(sizeof(double), size_of(datatype_of<double>()));
    EXPECT_EQ(sizeof(float), size_of(datatype_of<float>()));
    EXPECT_EQ(sizeof(char), size_of(datatype_of<char>()));
    EXPECT_EQ(sizeof(short), size_of(datatype_of<short>()));
    EXPECT_EQ(sizeof(unsigned), size_of(datatype_of<unsigned>()));
    EXPECT_EQ(sizeof(long), size_of(datatype_of<long>()));
    EXPECT_EQ(sizeof(bool), size_of(datatype_of<bool>()));
}

}  // namespace
}  // namespace equipoise::mpi
