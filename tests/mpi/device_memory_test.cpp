// Rows that the host cannot touch.

#include "equipoise/balancer/device_memory.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/room.hpp"
#include "tests/mpi/items.hpp"
#include "tests/mpi/plan_cases.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/shortage.hpp"

namespace {

std::int64_t bytes_sent = 0;  // NOLINT(*-avoid-non-const-global-variables): by this rank

}  // namespace

// Counts, in all of this program, the bytes that are handed to MPI.
extern "C" int MPI_Isend(const void* bytes, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm communicator, MPI_Request* request) {
    int size = 0;
    MPI_Type_size(type, &size);
    bytes_sent += std::int64_t{count} * size;
    return PMPI_Isend(bytes, count, type, to, tag, communicator, request);
}

namespace equipoise::balancer {
namespace {

using test::FakeDevice;
using test::FakeDeviceArray;
using Fault = FakeDevice::Fault;

/// Items on a device, `stride` bytes apart.
class DeviceGrains {
  public:
    DeviceGrains(FakeDevice& device, const std::vector<Grain>& items, std::size_t room,
                 std::size_t gap)
        : memory_(&device.memory()),
          array_(&device.add(room * (sizeof(Grain) + gap))),
          stride_(sizeof(Grain) + gap),
          room_(room) {
        for (std::size_t i = 0; i < items.size(); ++i)
            std::memcpy(array_->alias() + i * stride_, &items[i], sizeof(Grain));
    }

    [[nodiscard]] Rows rows(std::size_t held) const {
        return {.data = array_->device(),
                .held = static_cast<Tokens>(held),
                .room = static_cast<Tokens>(room_),
                .row_bytes = sizeof(Grain),
                .stride = stride_,
                .device = memory_};
    }
    [[nodiscard]] std::vector<Grain> first(std::size_t count) const {
        std::vector<Grain> items(count);
        for (std::size_t i = 0; i < count; ++i)
            std::memcpy(&items[i], array_->alias() + i * stride_, sizeof(Grain));
        return items;
    }

  private:
    const DeviceMemory* memory_;
    FakeDeviceArray* array_;
    std::size_t stride_;
    std::size_t room_;
};

std::vector<FakeDevice::Form> forms() {
    return {
        {}, {.lazy = true}, {.buffers = true}, {.lazy = true, .buffers = true, .places_max = 7}};
}

// All ranks have items that leave, and all get some: by turns to all ranks.
std::vector<int> around(std::size_t items) {
    std::vector<int> to;
    for (std::size_t i = 0; i < items; ++i)
        to.push_back(static_cast<int>(i) % world_size());
    return to;
}
std::vector<Grain> some_items() {
    return make_items(std::vector<Tokens>(static_cast<std::size_t>(world_size()), 50), make_grain);
}

// The error of the call, which all ranks must throw alike.
std::optional<std::string> error_of_all(const Plan& plan, std::span<const Rows> rows) {
    std::optional<std::string> text;
    try {
        static_cast<void>(move_rows(plan, rows));
    } catch (const mpi::CollectiveError& error) {
        text = error.what();
    }
    engine::Ballot mine;
    mine.must_be_equal = mpi::digest_of(text.value_or(""));
    EXPECT_NO_THROW(mpi::agree(mpi::Communicator(MPI_COMM_WORLD), {}, mine)) << *text;
    return text;
}

TEST(FakeDevice, NoticesThatTheHostTouchesItsRows) {
    FakeDevice device({});
    const FakeDeviceArray& array = device.add(100);
    EXPECT_TRUE(test::faults(array.device()));
    EXPECT_TRUE(test::faults(array.device() + 99));
    EXPECT_FALSE(test::faults(array.alias()));
}

TEST(DeviceMemory, MovesRowsAsVectorsDoWithoutTouchingThem) {
    for (const FakeDevice::Form& form : forms())
        for_plan_cases([&](const Plan& plan, const std::vector<Grain>& before,
                           const std::vector<Grain>& after) {
            FakeDevice device(form);
            const std::size_t room = std::max(before.size(), after.size());
            const DeviceGrains dense(device, before, room, 0);
            const DeviceGrains gapped(device, before, room + 3, 5);
            // Beside an array of the host.
            std::vector<Grain> host = before;
            host.resize(room);
            const std::array rows = {dense.rows(before.size()), rows_of(host, before.size()),
                                     gapped.rows(before.size())};
            EXPECT_EQ(plan.moved(), move_rows(plan, rows).moved);
            host.resize(after.size());
            EXPECT_EQ(after, host);
            EXPECT_EQ(after, dense.first(after.size()));
            EXPECT_EQ(after, gapped.first(after.size()));
            EXPECT_EQ(0, device.buffers());
            EXPECT_TRUE(device.idle());
            EXPECT_LE(device.most_places(), form.places_max);
        });
}

TEST(DeviceMemory, TravelsThroughMpiEvenWithinAMachine) {
    const std::vector<Grain> items =
        make_items(std::vector<Tokens>(static_cast<std::size_t>(world_size()), 60000), make_grain);
    const Plan plan = plan_to(MPI_COMM_WORLD, around(items.size()));
    FakeDevice device({.buffers = true});
    const DeviceGrains grains(device, items, items.size() + 60, 0);
    const std::array rows = {grains.rows(items.size())};
    const std::size_t leaving = plan.exchange().send_order.size() * sizeof(Grain);
    bytes_sent = 0;
    static_cast<void>(move_rows(plan, rows));
    EXPECT_GE(bytes_sent, static_cast<std::int64_t>(leaving));
}

TEST(DeviceMemory, OfOneRankMayBeThatOfTheHost) {
    // Ranks without a device take part by functions for their own memory.
    FakeDevice device({.buffers = true});
    std::vector<Grain> items = some_items();
    if (world_rank() == 0) items.resize(10);
    const std::size_t held = items.size();
    const DeviceGrains there(device, items, 100, 0);
    std::vector<Grain> here = items;
    here.resize(100);
    Rows own = rows_of(here, held);
    own.device = &host_memory();
    std::array rows = {world_rank() == 0 ? there.rows(held) : own};
    rebalance_rows(MPI_COMM_WORLD, rows);
    rebalance(MPI_COMM_WORLD, items);
    here.resize(items.size());
    EXPECT_EQ(items, world_rank() == 0 ? there.first(items.size()) : here);
}

TEST(DeviceMemory, ThatIsGivenOnSomeRanksOnlyIsRefused) {
    if (world_size() == 1) return;
    FakeDevice device({});
    const std::vector<Grain> items = some_items();
    const DeviceGrains there(device, items, 100, 0);
    std::vector<Grain> here = items;
    const Plan plan = plan_to(MPI_COMM_WORLD, around(items.size()));
    here.resize(100);
    const std::array rows = {world_rank() == 0 ? there.rows(items.size())
                                               : rows_of(here, items.size())};
    EXPECT_NE(std::nullopt, error_of_all(plan, rows));
    EXPECT_EQ(items, there.first(items.size()));
}

TEST(DeviceMemory, ThatLacksAFunctionIsRefused) {
    FakeDevice device({.buffers = true});
    const std::vector<Grain> items = some_items();
    const DeviceGrains there(device, items, 100, 0);
    const Plan plan = plan_to(MPI_COMM_WORLD, around(items.size()));
    std::array rows = {there.rows(items.size())};
    DeviceMemory lame = device.memory();
    rows[0].device = &lame;
    lame.pack = {};
    EXPECT_EQ("rank 0: bad input: expected functions pack and unpack of a device, found none",
              error_of_all(plan, rows));
    lame = device.memory();
    lame.release = {};
    EXPECT_EQ(
        "rank 0: bad input: expected functions allocate and release of a device, or neither, "
        "found one of them",
        error_of_all(plan, rows));
    lame = device.memory();
    lame.places_max = 0;
    EXPECT_EQ(
        "rank 0: bad input: expected a device that takes at least 1 place, found places_max "
        "of 0",
        error_of_all(plan, rows));
}

TEST(DeviceMemory, ThatFailsBeforeTheRanksAgreeLeavesAllRows) {
    if (world_size() == 1) return;  // nothing leaves
    const std::vector<Grain> items = some_items();
    const Plan plan = plan_to(MPI_COMM_WORLD, around(items.size()));
    std::vector<Grain> after = items;
    plan.execute(after);
    for (int failing = 0; failing < world_size(); ++failing)
        for (const Fault fault : {Fault::pack, Fault::allocate, Fault::null, Fault::synchronise}) {
            FakeDevice device({.lazy = true, .buffers = true});
            const DeviceGrains first(device, items, 100, 0);
            const DeviceGrains second(device, items, 100, 8);
            const std::array rows = {first.rows(items.size()), second.rows(items.size())};
            if (world_rank() == failing) device.fails_in(fault);
            const std::optional<std::string> error = error_of_all(plan, rows);
            ASSERT_NE(std::nullopt, error);
            EXPECT_NE(std::string::npos, error->find("rank " + std::to_string(failing))) << *error;
            if (fault != Fault::null) {
                EXPECT_NE(std::string::npos, error->find("the device has failed")) << *error;
            }
            EXPECT_EQ(items, first.first(items.size()));
            EXPECT_EQ(items, second.first(items.size()));
            EXPECT_EQ(0, device.buffers());
            // It can be tried again.
            device.fails_in(Fault::none);
            if (fault == Fault::synchronise) continue;  // its stream still has work
            EXPECT_EQ(std::nullopt, error_of_all(plan, rows));
            EXPECT_EQ(after, first.first(after.size()));
        }
}

TEST(DeviceMemory, ThatFailsAfterRowsHaveLeftIsAnErrorOnAllRanks) {
    if (world_size() == 1) return;
    const std::vector<Grain> items = some_items();
    // Arrivals are unpacked, and, in the inverse plan, rows that stay move to the end.
    const Plan there = plan_to(MPI_COMM_WORLD, around(items.size()));
    for (const Plan& plan : {there, there.inverse()})
        for (int failing = 0; failing < world_size(); ++failing) {
            const auto size = static_cast<std::size_t>(plan.size_before());
            FakeDevice device({.buffers = true});
            const DeviceGrains grains(device, std::vector<Grain>(size), 100, 0);
            const std::array rows = {grains.rows(size)};
            if (world_rank() == failing) device.fails_in(Fault::unpack);
            const std::optional<std::string> error = error_of_all(plan, rows);
            ASSERT_NE(std::nullopt, error);
            EXPECT_NE(std::string::npos, error->find("rank " + std::to_string(failing))) << *error;
            EXPECT_NE(std::string::npos, error->find("the device has failed")) << *error;
            EXPECT_EQ(0, device.buffers());
        }
}

TEST(EveryShortageOfMemory, LeavesRowsOnADevice) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    const std::vector<Grain> items = some_items();
    const Plan plan = plan_to(MPI_COMM_WORLD, around(items.size()));
    std::vector<Grain> after = items;
    plan.execute(after);
    for (const int failing : {0, world_size() - 1}) {
        bool any = true;
        for (std::int64_t which = 0; any; ++which) {
            FakeDevice device({.lazy = true});
            const DeviceGrains grains(device, items, 100, 4);
            const std::array rows = {grains.rows(items.size())};
            bool failed = false;
            any = test::falls_short(failing, which, [&] {
                try {
                    static_cast<void>(move_rows(plan, rows));
                } catch (const mpi::CollectiveError& error) {
                    failed = error.failure() == mpi::Failure::memory;
                }
            });
            int sum = failed ? 1 : 0;
            MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            ASSERT_EQ(failed ? world_size() : 0, sum) << "allocation " << which;
            EXPECT_EQ(failed ? items : after, grains.first(failed ? items.size() : after.size()));
        }
    }
}

}  // namespace
}  // namespace equipoise::balancer
