// Items with memory of their own, packed and unpacked by functions of C.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "tests/capi/calls.hpp"

namespace equipoise::capi {
namespace {

using balancer::make_items;
using balancer::make_sack;
using balancer::Sack;

/// A sack as C knows it.
struct CSack {
    std::int64_t number;
    char* name;
    std::int64_t size;
    double* values;
};

/// How the functions fail, and how many sacks there are.
struct Ways {
    int pack_code = 0;
    int unpack_code = 0;
    bool reads_too_much = false;
    bool leaves_bytes = false;
    std::int64_t alive = 0;
};

CSack csack_of(const Sack& sack, Ways& ways) {
    CSack made = {sack.number, strdup(sack.name.c_str()), std::ssize(sack.values), nullptr};
    made.values = static_cast<double*>(std::malloc(sack.values.size() * sizeof(double) + 1));
    std::copy(sack.values.begin(), sack.values.end(), made.values);
    ++ways.alive;
    return made;
}

Sack sack_of(const CSack& sack) {
    return {sack.number, sack.name, std::vector<double>(sack.values, sack.values + sack.size)};
}

void release(void* item, void* context) {
    auto* const sack = static_cast<CSack*>(item);
    std::free(sack->name);
    std::free(sack->values);
    --static_cast<Ways*>(context)->alive;
}

int pack(const void* item, equipoise_writer* out, void* context) {
    const auto& sack = *static_cast<const CSack*>(item);
    const auto& ways = *static_cast<const Ways*>(context);
    if (ways.pack_code != 0 && sack.number == 59) return ways.pack_code;
    const std::size_t length = std::strlen(sack.name);
    equipoise_write(out, &sack.number, sizeof sack.number);
    equipoise_write(out, &length, sizeof length);
    equipoise_write(out, sack.name, length);
    equipoise_write(out, &sack.size, sizeof sack.size);
    return equipoise_write(out, sack.values, static_cast<std::size_t>(sack.size) * sizeof(double));
}

int unpack(void* item, equipoise_reader* in, void* context) {
    auto& ways = *static_cast<Ways*>(context);
    auto& sack = *static_cast<CSack*>(item);
    if (ways.unpack_code != 0) return ways.unpack_code;
    std::size_t length = 0;
    equipoise_read(in, &sack.number, sizeof sack.number);
    equipoise_read(in, &length, sizeof length);
    sack.name = static_cast<char*>(std::calloc(length + 1, 1));
    equipoise_read(in, sack.name, length);
    equipoise_read(in, &sack.size, sizeof sack.size);
    const auto bytes = static_cast<std::size_t>(sack.size) * sizeof(double);
    sack.values = static_cast<double*>(std::malloc(bytes + 1));
    ++ways.alive;
    if (!ways.leaves_bytes) equipoise_read(in, sack.values, bytes);
    if (ways.reads_too_much) {
        EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_read(in, &length, 8));
    }
    return 0;
}

/// Sacks in an array of C, with the functions that move them.
struct Sacks {
    Ways ways;
    CArray<CSack> array;
    equipoise_packing packing{pack, unpack, release, &ways};
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;

    explicit Sacks(const std::vector<Sack>& from) {
        array.items = static_cast<CSack*>(std::malloc(from.size() * sizeof(CSack) + 1));
        array.count = std::ssize(from);
        for (std::size_t i = 0; i < from.size(); ++i)
            array.items[i] = csack_of(from[i], ways);
        options.packing = &packing;
    }
    Sacks(const Sacks&) = delete;
    Sacks& operator=(const Sacks&) = delete;
    ~Sacks() {
        for (std::int64_t i = 0; i < array.count; ++i)
            release(&array.items[i], &ways);
        EXPECT_EQ(0, ways.alive) << "a sack is lost, or was released twice";
    }

    [[nodiscard]] std::vector<Sack> all() const {
        std::vector<Sack> sacks;
        for (std::int64_t i = 0; i < array.count; ++i)
            sacks.push_back(sack_of(array.items[i]));
        return sacks;
    }
    int rebalance(MPI_Comm comm) {
        return equipoise_rebalance(comm, static_cast<void*>(&array.items), &array.count,
                                   sizeof(CSack), &options, nullptr);
    }
};

TEST(PackedItems, ArriveWithAllThatBelongsToThem) {
    const std::array ranks = {world_size()};
    const std::array open = {0};
    MPI_Comm line = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, ranks.data(), open.data(), 0, &line);
    equipoise_use_neighbours();
    for (const char* policy :
         {EQUIPOISE_MINIMUM_MOVES, EQUIPOISE_KEEP_ORDER, EQUIPOISE_NEIGHBOURS_ONLY}) {
        for (const auto& counts : balancer::distributions(world_size())) {
            std::vector<Sack> expected = make_items(counts, make_sack);
            Sacks sacks(expected);
            sacks.options.policy = policy;
            ASSERT_EQ(EQUIPOISE_OK, sacks.rebalance(line)) << equipoise_error_text();
            EXPECT_EQ(sacks.array.count, sacks.ways.alive);
            if (policy == std::string(EQUIPOISE_NEIGHBOURS_ONLY)) {
                std::vector<std::int64_t> numbers = balancer::all_numbers(sacks.all());
                EXPECT_TRUE(balancer::all_there(numbers));
                continue;
            }
            balancer::rebalance(MPI_COMM_WORLD, expected,
                                {.policy = balancer::policy_from_word(policy)},
                                balancer::SackSerialiser());
            EXPECT_EQ(expected, sacks.all());
        }
    }
    MPI_Comm_free(&line);
}

TEST(PackedItems, TakeTheirWeightsAlong) {
    std::vector<Sack> expected = make_items(pile(), make_sack);
    std::vector<double> costs;
    for (const Sack& sack : expected)
        costs.push_back(static_cast<double>(1 + sack.number % 3));
    Sacks sacks(expected);
    CArray<double> weights(costs);
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_rebalance_weighted(MPI_COMM_WORLD, static_cast<void*>(&sacks.array.items),
                                           &weights.items, &sacks.array.count, sizeof(CSack),
                                           &sacks.options, nullptr))
        << equipoise_error_text();
    balancer::rebalance(MPI_COMM_WORLD, expected, costs, {}, balancer::SackSerialiser());
    weights.count = sacks.array.count;
    EXPECT_EQ(expected, sacks.all());
    EXPECT_EQ(costs, weights.as_vector());
}

TEST(PackedItems, MoveByPlansToo) {
    const std::vector<Sack> given = make_items(pile(), make_sack);
    for (const bool split : {false, true}) {
        Sacks sacks(given);
        equipoise_plan* plan = nullptr;
        ASSERT_EQ(EQUIPOISE_OK,
                  equipoise_plan_make(MPI_COMM_WORLD, sacks.array.count, nullptr, &plan));
        const std::int64_t after = equipoise_plan_size_after(plan);
        auto* const to =
            static_cast<CSack*>(std::malloc(static_cast<std::size_t>(after) * sizeof(CSack) + 1));
        const equipoise_array array = {sacks.array.items, to, sizeof(CSack)};
        if (split) {
            equipoise_moving* moving = nullptr;
            ASSERT_EQ(EQUIPOISE_OK,
                      equipoise_plan_begin_packed(plan, &array, &sacks.packing, &moving));
            ASSERT_EQ(EQUIPOISE_OK, equipoise_end(&moving, nullptr));
        } else {
            ASSERT_EQ(EQUIPOISE_OK,
                      equipoise_plan_execute_packed(plan, &array, &sacks.packing, nullptr));
        }
        std::free(sacks.array.items);
        sacks.array.items = to;
        sacks.array.count = after;
        EXPECT_EQ(after, sacks.ways.alive);
        std::vector<Sack> expected = given;
        balancer::rebalance(MPI_COMM_WORLD, expected, {}, balancer::SackSerialiser());
        EXPECT_EQ(expected, sacks.all());
        equipoise_plan_free(&plan);
    }
}

TEST(PackedItems, StayWhereTheyWereIfAFunctionFails) {
    const std::vector<Sack> given = make_items(pile(), make_sack);
    if (world_size() == 1) return;
    for (const char* policy : {EQUIPOISE_MINIMUM_MOVES, EQUIPOISE_KEEP_ORDER}) {
        Sacks sacks(given);
        sacks.options.policy = policy;
        const auto fail = [&](int code, int first, const auto& set) {
            expect_alike(code, first, [&](bool here) {
                const std::int64_t alive = sacks.ways.alive;
                sacks.ways = {};
                sacks.ways.alive = alive;
                set(here);
                const int error = sacks.rebalance(MPI_COMM_WORLD);
                EXPECT_EQ(alive, sacks.ways.alive);
                return error;
            });
            EXPECT_EQ(given, sacks.all());
        };
        sacks.ways.pack_code = 7;
        EXPECT_EQ(EQUIPOISE_CALLBACK_FAILED, sacks.rebalance(MPI_COMM_WORLD));
        EXPECT_STREQ("rank 0: the caller's code threw: pack() returned 7", equipoise_error_text());
        EXPECT_EQ(given, sacks.all());
        fail(EQUIPOISE_CALLBACK_FAILED, 1,
             [&](bool here) { sacks.ways.unpack_code = here ? -3 : 0; });
        EXPECT_NE(nullptr, std::strstr(equipoise_error_text(), "unpack() returned -3"));
        fail(EQUIPOISE_BAD_INPUT, 1, [&](bool here) { sacks.ways.reads_too_much = here; });
        fail(EQUIPOISE_BAD_INPUT, 1, [&](bool here) { sacks.ways.leaves_bytes = here; });
        sacks.ways = {.alive = sacks.ways.alive};
        fail(EQUIPOISE_BAD_INPUT, 0,
             [&](bool here) { sacks.packing.unpack = here ? nullptr : unpack; });
        sacks.packing.unpack = unpack;
        fail(EQUIPOISE_DIFFERENT_CALLS, 1,
             [&](bool here) { sacks.options.packing = here ? nullptr : &sacks.packing; });
    }
}

TEST(PackedItems, StayWithTheirWeightsIfMemoryRunsOut) {
    const std::vector<Sack> given = make_items(pile(), make_sack);
    const std::vector<double> costs(given.size(), 1.5);
    Sacks sacks(given);
    CArray<double> weights(costs);
    for (const int refused : {1, 2}) {  // the items' new array, and their weights'
        expect_alike(EQUIPOISE_NO_MEMORY, 1, [&](bool here) {
            int allowed = here ? refused - 1 : 2;
            sacks.options.reallocate_context = &allowed;
            sacks.options.reallocate = [](void* memory, std::size_t bytes, void* context) -> void* {
                if (bytes > 0 && (*static_cast<int*>(context))-- == 0) return nullptr;
                if (bytes > 0) return std::realloc(memory, bytes);
                std::free(memory);
                return nullptr;
            };
            return equipoise_rebalance_weighted(
                MPI_COMM_WORLD, static_cast<void*>(&sacks.array.items), &weights.items,
                &sacks.array.count, sizeof(CSack), &sacks.options, nullptr);
        });
    }
    EXPECT_EQ(given, sacks.all());
    weights.count = sacks.array.count;
    EXPECT_EQ(costs, weights.as_vector());
}

/// Names in two lists, the new one beside the old one.
struct Names {
    std::vector<std::string> before;
    std::vector<std::string> after;
    std::int64_t left = 0;
    bool breaks = false;
};

equipoise_placed placed(Names& names) {
    equipoise_placed items = {};
    items.context = &names;
    items.pack = [](std::int64_t place, equipoise_writer* out, void* context) {
        const auto& name = static_cast<Names*>(context)->before[static_cast<std::size_t>(place)];
        return equipoise_write(out, name.data(), name.size());
    };
    items.unpack = [](std::int64_t place, equipoise_reader* in, void* context) {
        auto& lists = *static_cast<Names*>(context);
        if (lists.breaks) return 1;
        std::string& name = lists.after[static_cast<std::size_t>(place)];
        EXPECT_EQ("", name);
        name.resize(equipoise_left(in));
        return equipoise_read(in, name.data(), name.size());
    };
    items.discard = [](std::int64_t place, void* context) {
        static_cast<Names*>(context)->after[static_cast<std::size_t>(place)].clear();
    };
    items.keep = [](std::int64_t from, std::int64_t to, void* context) {
        auto& lists = *static_cast<Names*>(context);
        lists.after[static_cast<std::size_t>(to)] = lists.before[static_cast<std::size_t>(from)];
    };
    items.leave = [](std::int64_t /*place*/, void* context) {
        ++static_cast<Names*>(context)->left;
    };
    return items;
}

TEST(PlacedItems, MakeANewListBesideTheOldOne) {
    for (const char* policy : {EQUIPOISE_MINIMUM_MOVES, EQUIPOISE_KEEP_ORDER}) {
        auto distributions = balancer::distributions(world_size());
        distributions.push_back(pile());
        for (const auto& counts : distributions) {
            std::vector<Sack> expected = make_items(counts, make_sack);
            Names names;
            for (const Sack& sack : expected)
                names.before.push_back(sack.name + std::to_string(sack.number));
            equipoise_options options = EQUIPOISE_OPTIONS_INIT;
            options.policy = policy;
            equipoise_plan* plan = nullptr;
            ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, std::ssize(names.before),
                                                        &options, &plan));
            names.after.resize(static_cast<std::size_t>(equipoise_plan_size_after(plan)));
            const equipoise_placed items = placed(names);
            if (world_size() > 1 && counts == pile()) {
                names.breaks = world_rank() == 1;
                EXPECT_EQ(EQUIPOISE_CALLBACK_FAILED,
                          equipoise_plan_execute_placed(plan, &items, nullptr));
                EXPECT_EQ(std::vector<std::string>(names.after.size()), names.after);
                names.breaks = false;
            }
            equipoise_report report = EQUIPOISE_REPORT_INIT;
            ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_execute_placed(plan, &items, &report))
                << equipoise_error_text();
            balancer::rebalance(MPI_COMM_WORLD, expected,
                                {.policy = balancer::policy_from_word(policy)},
                                balancer::SackSerialiser());
            ASSERT_EQ(expected.size(), names.after.size());
            for (std::size_t i = 0; i < expected.size(); ++i)
                EXPECT_EQ(expected[i].name + std::to_string(expected[i].number), names.after[i]);
            std::int64_t left = 0;
            MPI_Allreduce(&names.left, &left, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
            if (policy == std::string(EQUIPOISE_MINIMUM_MOVES)) {
                EXPECT_EQ(report.moved, left);
            }
            equipoise_plan_free(&plan);
        }
    }
}

}  // namespace
}  // namespace equipoise::capi
