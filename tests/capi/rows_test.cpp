// Rows in memory of a caller in C, on the host and on a device.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/capi/equipoise_rows.h"
#include "tests/capi/calls.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::capi {
namespace {

using balancer::make_grain;
using balancer::make_items;
using test::FakeDevice;

constexpr std::size_t rows_room = 100;

std::vector<Grain> piled() {
    return make_items(pile(), make_grain);
}

// What equipoise_rebalance makes of the items.
std::vector<Grain> levelled(const std::vector<Grain>& items) {
    CArray<Grain> array(items);
    EXPECT_EQ(EQUIPOISE_OK, equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&array.items),
                                                &array.count, sizeof(Grain), nullptr, nullptr));
    return array.as_vector();
}

/// Items, and their numbers in every second word.
struct RowsHeld {
    std::vector<Grain> grains;
    std::vector<std::int64_t> numbers;
    std::array<equipoise_rows, 2> rows = {};

    explicit RowsHeld(const std::vector<Grain>& items) : grains(items), numbers(2 * rows_room, -7) {
        grains.resize(rows_room);
        for (std::size_t i = 0; i < items.size(); ++i)
            numbers[2 * i] = items[i].number;
        const auto held = static_cast<std::int64_t>(items.size());
        rows[0] = {grains.data(), held, rows_room, sizeof(Grain), 0, nullptr};
        rows[1] = {numbers.data(),           held,   rows_room, sizeof(std::int64_t),
                   2 * sizeof(std::int64_t), nullptr};
    }
    void expect(const std::vector<Grain>& items) const {
        EXPECT_TRUE(std::equal(items.begin(), items.end(), grains.begin()));
        for (std::size_t i = 0; i < items.size(); ++i)
            EXPECT_EQ(items[i].number, numbers[2 * i]);
        for (std::size_t i = 0; i < rows_room; ++i)
            EXPECT_EQ(-7, numbers[2 * i + 1]);
    }
};

// Runs a function of the fake device as one of C.
template <class Call>
int code_of_call(const Call& call) {
    try {
        call();
    } catch (...) {
        return 5;
    }
    return 0;
}
const balancer::DeviceMemory& memory_at(void* stream) {
    return static_cast<FakeDevice*>(stream)->memory();
}

equipoise_device device_of(FakeDevice& fake) {
    equipoise_device device = EQUIPOISE_DEVICE_INIT;
    device.stream = &fake;
    device.pack = [](void* stream, const void* rows, std::size_t stride, std::size_t row_bytes,
                     const std::int64_t* places, std::size_t count, void* packed) {
        return code_of_call([&] {
            memory_at(stream).pack(stream, static_cast<const std::byte*>(rows), stride, row_bytes,
                                   {places, count}, static_cast<std::byte*>(packed));
        });
    };
    device.unpack = [](void* stream, const void* packed, const std::int64_t* places,
                       std::size_t count, void* rows, std::size_t stride, std::size_t row_bytes) {
        return code_of_call([&] {
            memory_at(stream).unpack(stream, static_cast<const std::byte*>(packed), {places, count},
                                     static_cast<std::byte*>(rows), stride, row_bytes);
        });
    };
    device.allocate = [](void* stream, std::size_t bytes) -> void* {
        try {
            return memory_at(stream).allocate(bytes);
        } catch (...) {
            return nullptr;
        }
    };
    device.release = [](void* stream, void* buffer) { memory_at(stream).release(buffer); };
    device.synchronise = [](void* stream) {
        return code_of_call([&] { memory_at(stream).synchronise(stream); });
    };
    return device;
}

TEST(RowsInC, AreLevelledInPlace) {
    const std::vector<Grain> before = piled();
    const std::vector<Grain> after = levelled(before);
    RowsHeld held(before);
    equipoise_report report = EQUIPOISE_REPORT_INIT;
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_rebalance_rows(MPI_COMM_WORLD, held.rows.data(), 2, nullptr, &report))
        << equipoise_error_text();
    for (const equipoise_rows& rows : held.rows)
        EXPECT_EQ(static_cast<std::int64_t>(after.size()), rows.held);
    held.expect(after);
    EXPECT_EQ(60 - (59 + world_size()) / world_size(), report.moved);
}

TEST(RowsInC, MoveByAPlanWhileTheProgramGoesOn) {
    const std::vector<Grain> before = piled();
    equipoise_plan* plan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_plan_make(MPI_COMM_WORLD, std::ssize(before), nullptr, &plan));
    RowsHeld executed(before);
    EXPECT_EQ(EQUIPOISE_OK, equipoise_plan_execute_rows(plan, executed.rows.data(), 2, nullptr))
        << equipoise_error_text();
    executed.expect(levelled(before));
    RowsHeld begun(before);
    equipoise_moving* moving = nullptr;
    std::array<equipoise_rows, 2> rows = begun.rows;
    EXPECT_EQ(EQUIPOISE_OK, equipoise_plan_begin_rows(plan, rows.data(), 2, &moving))
        << equipoise_error_text();
    rows = {};  // they were copied
    EXPECT_EQ(EQUIPOISE_OK, equipoise_end(&moving, nullptr)) << equipoise_error_text();
    begun.expect(levelled(before));
    equipoise_plan_free(&plan);
}

TEST(RowsInC, OnADeviceAreMovedByFunctionsOfTheCaller) {
    const std::vector<Grain> before = piled();
    const std::vector<Grain> after = levelled(before);
    FakeDevice fake({.lazy = true, .buffers = true, .places_max = 7});
    equipoise_device device = device_of(fake);
    device.places_max = 7;
    const test::FakeDeviceArray& there = fake.add(rows_room * sizeof(Grain));
    if (!before.empty()) std::memcpy(there.alias(), before.data(), before.size() * sizeof(Grain));
    RowsHeld held(before);
    held.rows[0].data = there.device();
    held.rows[0].device = &device;
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_rebalance_rows(MPI_COMM_WORLD, held.rows.data(), 2, nullptr, nullptr))
        << equipoise_error_text();
    std::memcpy(held.grains.data(), there.alias(), rows_room * sizeof(Grain));
    held.expect(after);
    EXPECT_EQ(0, fake.buffers());
    EXPECT_LE(fake.most_places(), 7U);
}

TEST(RowsInC, StayIfAFunctionOfADeviceFailsBeforeAnyHasLeft) {
    if (world_size() == 1) return;
    const std::vector<Grain> before = piled();
    for (const FakeDevice::Fault fault :
         {FakeDevice::Fault::pack, FakeDevice::Fault::allocate, FakeDevice::Fault::synchronise,
          FakeDevice::Fault::unpack}) {
        FakeDevice fake({.buffers = true});
        const equipoise_device device = device_of(fake);
        const test::FakeDeviceArray& there = fake.add(rows_room * sizeof(Grain));
        if (!before.empty())
            std::memcpy(there.alias(), before.data(), before.size() * sizeof(Grain));
        RowsHeld held(before);
        held.rows[0].data = there.device();
        held.rows[0].device = &device;
        // Rank 0 packs, and the last one unpacks.
        const bool late = fault == FakeDevice::Fault::unpack;
        if (world_rank() == (late ? world_size() - 1 : 0)) fake.fails_in(fault);
        const int code =
            equipoise_rebalance_rows(MPI_COMM_WORLD, held.rows.data(), 2, nullptr, nullptr);
        EXPECT_EQ(
            fault == FakeDevice::Fault::allocate ? EQUIPOISE_NO_MEMORY : EQUIPOISE_CALLBACK_FAILED,
            code);
        EXPECT_TRUE(same_everywhere(equipoise_error_text())) << equipoise_error_text();
        EXPECT_EQ(late ? world_size() - 1 : 0, equipoise_error_rank());
        EXPECT_EQ(static_cast<std::int64_t>(before.size()), held.rows[0].held);
        EXPECT_EQ(0, fake.buffers());
        if (late) {
            EXPECT_NE(std::string::npos,
                      std::string(equipoise_error_text()).find("unpack() of a device returned 5"));
            continue;
        }
        std::memcpy(held.grains.data(), there.alias(), rows_room * sizeof(Grain));
        held.expect(before);
    }
}

TEST(RowsInC, AreRefusedOnAllRanksIfTheyAreWrongOnOne) {
    const std::vector<Grain> before = piled();
    const bool here = world_rank() == world_size() - 1;
    const std::string rank = "rank " + std::to_string(world_size() - 1) + ": bad input: ";
    const auto expect = [&](const std::string& text, const std::function<int(RowsHeld&)>& call) {
        RowsHeld held(before);
        EXPECT_EQ(EQUIPOISE_BAD_INPUT, call(held)) << text;
        EXPECT_EQ(rank + text, equipoise_error_text());
        held.expect(before);
    };
    const auto level = [](equipoise_rows* rows, std::size_t count) {
        return equipoise_rebalance_rows(MPI_COMM_WORLD, rows, count, nullptr, nullptr);
    };
    expect("expected arrays, found NULL",
           [&](RowsHeld& held) { return level(here ? nullptr : held.rows.data(), 2); });
    expect("expected at least one array, found none",
           [&](RowsHeld& held) { return level(held.rows.data(), here ? 0 : 2); });
    expect("expected rows of at least 1 byte, found rows of 0 bytes", [&](RowsHeld& held) {
        if (here) held.rows[0].row_bytes = 0;
        return level(held.rows.data(), 2);
    });
    const equipoise_device none = EQUIPOISE_DEVICE_INIT;
    expect("expected functions pack and unpack of a device, found none", [&](RowsHeld& held) {
        if (here) held.rows[0].device = &none;
        return level(held.rows.data(), 2);
    });
    if (world_size() == 1) return;
    expect("expected room for " + std::to_string(60 / world_size()) + " items, found room for 1",
           [&](RowsHeld& held) {
               if (here) held.rows[1].room = 1;
               return level(held.rows.data(), 2);
           });
}

TEST(RowsInC, SurviveEveryShortageOfMemory) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    if (world_size() > 3) GTEST_SKIP() << "three ranks show it";
    const std::vector<Grain> before = piled();
    const std::vector<Grain> after = levelled(before);
    for (const int failing : {0, world_size() - 1}) {
        bool any = true;
        for (std::int64_t which = 0; any; ++which) {
            RowsHeld held(before);
            int code = 0;
            any = test::falls_short(failing, which, [&] {
                code =
                    equipoise_rebalance_rows(MPI_COMM_WORLD, held.rows.data(), 2, nullptr, nullptr);
            });
            int sum = code;
            MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            ASSERT_EQ(code * world_size(), sum) << "allocation " << which;
            if (code != EQUIPOISE_OK) {
                EXPECT_EQ(EQUIPOISE_NO_MEMORY, code) << equipoise_error_text();
            }
            held.expect(code == EQUIPOISE_OK ? after : before);
        }
    }
}

}  // namespace
}  // namespace equipoise::capi
