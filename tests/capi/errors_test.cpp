// Failures are injected on one rank after another through the functions of C: every rank must
// return the same code with the same text, and all items must be where they were.

#include <array>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/capi/structs.hpp"
#include "tests/capi/calls.hpp"

namespace equipoise::capi {
namespace {

using balancer::make_grain;
using balancer::make_items;

// `call` with everything on rank 0 must fail alike, and leave all items where they were.
void expect_nothing_moves(int code, int first,
                          const std::function<int(CArray<Grain>& items, bool here)>& call) {
    const std::vector<Grain> before = make_items(pile(), make_grain);
    CArray<Grain> items(before);
    expect_alike(code, first, [&](bool here) { return call(items, here); });
    EXPECT_EQ(before, items.as_vector());
}

int level(CArray<Grain>& items, const equipoise_options& options) {
    return equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&items.items), &items.count,
                               sizeof(Grain), &options, nullptr);
}

void expect_refusal(int code, int first, const equipoise_options& options) {
    expect_nothing_moves(code, first, [&](CArray<Grain>& items, bool here) {
        return level(items, here ? options : equipoise_options EQUIPOISE_OPTIONS_INIT);
    });
}

TEST(BadOptions, AreTheSameErrorOnEveryRank) {
    for (const double speed : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
        equipoise_options bad = EQUIPOISE_OPTIONS_INIT;
        bad.speed = speed;
        expect_refusal(EQUIPOISE_BAD_INPUT, 0, bad);
    }
    equipoise_options bad = EQUIPOISE_OPTIONS_INIT;
    bad.pinned = 1000;
    expect_refusal(EQUIPOISE_BAD_INPUT, 0, bad);
    bad = EQUIPOISE_OPTIONS_INIT;
    bad.policy = "minimal-moves";
    expect_refusal(EQUIPOISE_BAD_INPUT, 0, bad);
    bad = EQUIPOISE_OPTIONS_INIT;
    bad.struct_bytes = 3;
    expect_refusal(EQUIPOISE_BAD_INPUT, 0, bad);
    bad = EQUIPOISE_OPTIONS_INIT;
    bad.message_bytes_max = std::size_t{1} << 40U;
    expect_refusal(EQUIPOISE_BAD_INPUT, 0, bad);
}

TEST(BadOptions, AreNamedWithWhatWasFound) {
    equipoise_options bad = EQUIPOISE_OPTIONS_INIT;
    bad.speed = world_rank() == 0 ? -2.5 : 1;
    CArray<Grain> items;
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, level(items, bad));
    EXPECT_STREQ("rank 0: bad input: expected a speed that is finite and at least 0, found -2.5",
                 equipoise_error_text());
    EXPECT_EQ(0, equipoise_error_rank());
}

TEST(DifferingOptions, AreTheSameErrorOnEveryRank) {
    equipoise_options other = EQUIPOISE_OPTIONS_INIT;
    other.policy = EQUIPOISE_KEEP_ORDER;
    expect_refusal(EQUIPOISE_DIFFERENT_CALLS, 1, other);
    other = EQUIPOISE_OPTIONS_INIT;
    other.machine = 1;
    expect_refusal(EQUIPOISE_DIFFERENT_CALLS, 1, other);
}

TEST(BadWeights, AreTheSameErrorOnEveryRankAndMoveNothing) {
    const auto refuse = [](const std::function<void(equipoise_options&)>& spoil) {
        expect_nothing_moves(EQUIPOISE_BAD_INPUT, 0, [&](CArray<Grain>& items, bool here) {
            CArray<double> weights(std::vector<double>(static_cast<std::size_t>(items.count), 1));
            equipoise_options options = EQUIPOISE_OPTIONS_INIT;
            if (here) spoil(options);
            return equipoise_rebalance_weighted(MPI_COMM_WORLD, static_cast<void*>(&items.items),
                                                &weights.items, &items.count, sizeof(Grain),
                                                &options, nullptr);
        });
    };
    refuse([](equipoise_options& options) { options.tolerance = -1; });
    refuse([](equipoise_options& options) { options.weights_per_item = 0; });
    refuse([](equipoise_options& options) { options.weights_per_item = 65; });
}

TEST(WeightsThatAreTheItems, AreRefusedOnEveryRank) {
    expect_nothing_moves(EQUIPOISE_BAD_INPUT, 0, [](CArray<Grain>& items, bool here) {
        CArray<double> weights(std::vector<double>(static_cast<std::size_t>(items.count), 1));
        void* const own = &items.items;
        return equipoise_rebalance_weighted(MPI_COMM_WORLD, own,
                                            here ? static_cast<double**>(own) : &weights.items,
                                            &items.count, sizeof(Grain), nullptr, nullptr);
    });
}

TEST(NullPointers, AreTheSameErrorOnEveryRank) {
    const auto refuse = [](const std::function<int(CArray<Grain>&, bool)>& call) {
        expect_nothing_moves(EQUIPOISE_BAD_INPUT, 0, call);
    };
    refuse([](CArray<Grain>& items, bool here) {
        return equipoise_rebalance(MPI_COMM_WORLD,
                                   here ? nullptr : static_cast<void*>(&items.items), &items.count,
                                   sizeof(Grain), nullptr, nullptr);
    });
    refuse([](CArray<Grain>& items, bool here) {
        return equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&items.items),
                                   here ? nullptr : &items.count, sizeof(Grain), nullptr, nullptr);
    });
    refuse([](CArray<Grain>& items, bool here) {
        return equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&items.items), &items.count,
                                   here ? 0 : sizeof(Grain), nullptr, nullptr);
    });
    refuse([](CArray<Grain>& items, bool here) {
        std::int64_t count = here ? -1 : items.count;
        return equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&items.items), &count,
                                   sizeof(Grain), nullptr, nullptr);
    });
    refuse([](CArray<Grain>& items, bool here) {
        Grain* none = nullptr;
        std::int64_t count = here ? 5 : items.count;
        return equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(here ? &none : &items.items),
                                   &count, sizeof(Grain), nullptr, nullptr);
    });
    refuse([](CArray<Grain>& items, bool here) {
        equipoise_report report = EQUIPOISE_REPORT_INIT;
        if (here) report.struct_bytes = 100000;
        return equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&items.items), &items.count,
                                   sizeof(Grain), nullptr, &report);
    });
    refuse([](CArray<Grain>& items, bool here) {
        CArray<double> weights(std::vector<double>(static_cast<std::size_t>(items.count), 1));
        return equipoise_rebalance_weighted(MPI_COMM_WORLD, static_cast<void*>(&items.items),
                                            here ? nullptr : &weights.items, &items.count,
                                            sizeof(Grain), nullptr, nullptr);
    });
    refuse([](CArray<Grain>& items, bool here) {
        equipoise_plan* plan = nullptr;
        return equipoise_plan_make(MPI_COMM_WORLD, items.count, nullptr, here ? nullptr : &plan);
    });
}

TEST(NeighboursOnly, NamesTheCallThatItNeedsAndTheAlgorithmThatWasMeant) {
    equipoise_options options = EQUIPOISE_OPTIONS_INIT;
    options.policy = EQUIPOISE_NEIGHBOURS_ONLY;
    options.algorithm = "deal-agrement-2";
    use_neighbours(nullptr);
    expect_refusal(EQUIPOISE_BAD_INPUT, 0, options);
    EXPECT_NE(std::string::npos, std::string(equipoise_error_text()).find("use_neighbours()"));
    equipoise_use_neighbours();
    expect_nothing_moves(EQUIPOISE_BAD_INPUT, 0, [&](CArray<Grain>& items, bool here) {
        return level(items, here ? options : equipoise_options EQUIPOISE_OPTIONS_INIT);
    });
    EXPECT_NE(std::string::npos, std::string(equipoise_error_text()).find("deal-agreement-2"));
}

// What is wrong is refused also where nothing has to move.
TEST(LevelLoads, DoNotHideWhatIsWrong) {
    equipoise_use_neighbours();
    const auto refuse = [](int code, int first, const char* words, const auto& call) {
        for (const std::size_t more : {0, 1})
            expect_alike(code, first, [&](bool here) {
                CArray<Grain> items(std::vector<Grain>(world_rank() == 0 ? 4 + more : 4));
                const int error = call(items, here);
                const std::string text = equipoise_error_text();
                EXPECT_NE(std::string::npos, text.find(words)) << text;
                return error;
            });
    };
    const auto rebalance = [](CArray<Grain>& items, std::size_t item_size,
                              const equipoise_options& options) {
        return equipoise_rebalance(MPI_COMM_WORLD, static_cast<void*>(&items.items), &items.count,
                                   item_size, &options, nullptr);
    };
    const equipoise_options usual = EQUIPOISE_OPTIONS_INIT;
    refuse(EQUIPOISE_DIFFERENT_CALLS, 1,
           "arrays of 8 bytes a row, policy minimum-moves, but rank 0: ",
           [&](CArray<Grain>& items, bool here) {
               return rebalance(items, here ? 8 : sizeof(Grain), usual);
           });
    const equipoise_packing packing = {[](const void*, equipoise_writer*, void*) { return 0; },
                                       [](void*, equipoise_reader*, void*) { return 0; }, nullptr,
                                       nullptr};
    equipoise_options packed = EQUIPOISE_OPTIONS_INIT;
    packed.packing = &packing;
    refuse(EQUIPOISE_DIFFERENT_CALLS, 1, "packed items, policy minimum-moves, but rank 0: ",
           [&](CArray<Grain>& items, bool here) {
               return rebalance(items, sizeof(Grain), here ? packed : usual);
           });
    const equipoise_packing half = {packing.pack, nullptr, nullptr, nullptr};
    equipoise_options half_packed = EQUIPOISE_OPTIONS_INIT;
    half_packed.packing = &half;
    refuse(EQUIPOISE_BAD_INPUT, 0, "expected functions pack and unpack, found NULL",
           [&](CArray<Grain>& items, bool here) {
               return rebalance(items, sizeof(Grain), here ? half_packed : packed);
           });
    equipoise_options neighbours = EQUIPOISE_OPTIONS_INIT;
    neighbours.policy = EQUIPOISE_NEIGHBOURS_ONLY;
    for (const std::size_t more : {0, 1}) {
        CArray<Grain> items(std::vector<Grain>(world_rank() == 0 ? 4 + more : 4));
        EXPECT_EQ(EQUIPOISE_BAD_INPUT, rebalance(items, sizeof(Grain), neighbours));
        EXPECT_NE(std::string::npos, std::string(equipoise_error_text()).find("a topology"));
    }
}

// An allocator that refuses when its context says so.
void* refusing(void* memory, std::size_t bytes, void* context) {
    if (bytes > 0 && *static_cast<bool*>(context)) return nullptr;
    if (bytes > 0) return std::realloc(memory, bytes);
    std::free(memory);
    return nullptr;
}

TEST(MemoryShortage, LeavesAllItemsWhereTheyWere) {
    for (const char* policy : {EQUIPOISE_MINIMUM_MOVES, EQUIPOISE_KEEP_ORDER}) {
        expect_nothing_moves(EQUIPOISE_NO_MEMORY, 1, [&](CArray<Grain>& items, bool here) {
            equipoise_options options = EQUIPOISE_OPTIONS_INIT;
            options.policy = policy;
            options.reallocate = refusing;
            options.reallocate_context = &here;
            return level(items, options);
        });
    }
}

TEST(MemoryShortage, LeavesWeightsWithTheirItems) {
    const std::vector<Grain> before = make_items(pile(), make_grain);
    const std::vector<double> costs(before.size(), 1.5);
    CArray<Grain> items(before);
    CArray<double> weights(costs);
    struct Budget {
        int allocations = 0;
        bool here = false;
    };
    expect_alike(EQUIPOISE_NO_MEMORY, 1, [&](bool here) {
        Budget budget{0, here};
        equipoise_options options = EQUIPOISE_OPTIONS_INIT;
        options.reallocate_context = &budget;
        options.reallocate = [](void* memory, std::size_t bytes, void* context) -> void* {
            auto* const left = static_cast<Budget*>(context);
            // The items get memory, their weights do not.
            if (bytes > 0 && left->here && ++left->allocations == 2) return nullptr;
            if (bytes > 0) return std::realloc(memory, bytes);
            std::free(memory);
            return nullptr;
        };
        return equipoise_rebalance_weighted(MPI_COMM_WORLD, static_cast<void*>(&items.items),
                                            &weights.items, &items.count, sizeof(Grain), &options,
                                            nullptr);
    });
    EXPECT_EQ(before, items.as_vector());
    weights.count = items.count;
    EXPECT_EQ(costs, weights.as_vector());
}

TEST(MemoryShortage, IsWhatAnArrayWithoutRoomMeans) {
    const std::vector<Grain> given = make_items(pile(), make_grain);
    equipoise_plan* plan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, std::ssize(given), nullptr, &plan));
    std::vector<Grain> room(static_cast<std::size_t>(equipoise_plan_size_after(plan)));
    expect_alike(EQUIPOISE_NO_MEMORY, 0, [&](bool here) {
        const equipoise_array array = {given.data(), here ? nullptr : room.data(), sizeof(Grain)};
        return equipoise_plan_execute(plan, &array, 1, nullptr);
    });
    expect_alike(EQUIPOISE_NO_MEMORY, 0, [&](bool here) {
        const equipoise_array array = {given.data(), here ? nullptr : room.data(), sizeof(Grain)};
        equipoise_moving* moving = nullptr;
        const int error = equipoise_plan_begin(plan, &array, 1, &moving);
        EXPECT_EQ(nullptr, moving);
        return error;
    });
    EXPECT_EQ(given, make_items(pile(), make_grain));
    equipoise_plan_free(&plan);
}

TEST(DifferingArrays, AreTheSameErrorOnEveryRank) {
    const std::vector<Grain> given = make_items(pile(), make_grain);
    equipoise_plan* plan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK, equipoise_plan_make(MPI_COMM_WORLD, std::ssize(given), nullptr, &plan));
    std::vector<Grain> room(static_cast<std::size_t>(equipoise_plan_size_after(plan)));
    expect_alike(EQUIPOISE_DIFFERENT_CALLS, 1, [&](bool here) {
        const equipoise_array array = {given.data(), room.data(), here ? 4 : sizeof(Grain)};
        return equipoise_plan_execute(plan, &array, 1, nullptr);
    });
    expect_alike(EQUIPOISE_DIFFERENT_CALLS, 1, [&](bool here) {
        std::vector<Grain> more(room.size());
        const std::array<equipoise_array, 2> arrays = {
            {{given.data(), room.data(), sizeof(Grain)},
             {given.data(), more.data(), sizeof(Grain)}}};
        return equipoise_plan_execute(plan, arrays.data(), here ? 2 : 1, nullptr);
    });
    equipoise_plan_free(&plan);
}

TEST(BadCostModels, AreTheSameErrorOnEveryRank) {
    equipoise_plan* plan = nullptr;
    ASSERT_EQ(EQUIPOISE_OK,
              equipoise_plan_make(MPI_COMM_WORLD, pile()[own_rank()], nullptr, &plan));
    const equipoise_costs good = {1, 1, 0, 0};
    const equipoise_costs bad = {-1, 1, 0, 0};
    for (const equipoise_costs* const given : {&bad, static_cast<const equipoise_costs*>(nullptr)})
        expect_alike(EQUIPOISE_BAD_INPUT, 0, [&](bool here) {
            return equipoise_plan_worth_it(plan, here ? given : &good, nullptr);
        });
    // Figures that nobody can have are not read.
    const equipoise_costs by_kind = {0, 1, 0, 0};
    const double seconds = 1;
    for (const std::size_t kinds : {std::size_t{65}, SIZE_MAX})
        expect_alike(EQUIPOISE_BAD_INPUT, world_size() - 1, [&](bool here) {
            return equipoise_plan_worth_it_by_kind(plan, &by_kind, &seconds, here ? kinds : 1,
                                                   nullptr);
        });
    equipoise_plan_free(&plan);
}

TEST(WithoutRanksToAgreeWith, AnErrorIsTheCallers) {
    std::int64_t count = 0;
    Grain* items = nullptr;
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_rebalance(MPI_COMM_NULL, static_cast<void*>(&items),
                                                       &count, sizeof(Grain), nullptr, nullptr));
    EXPECT_STREQ("expected a communicator, found MPI_COMM_NULL", equipoise_error_text());
    EXPECT_EQ(-1, equipoise_error_rank());
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_plan_execute(nullptr, nullptr, 0, nullptr));
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, equipoise_end(nullptr, nullptr));
    EXPECT_EQ(0, equipoise_plan_size_after(nullptr));
    EXPECT_EQ(0, equipoise_plan_transfers(nullptr, nullptr, 0));
    EXPECT_EQ(0U, equipoise_plan_describe(nullptr, nullptr, 0));
    equipoise_plan_free(nullptr);
}

TEST(AfterAnError, TheNextCallWorks) {
    CArray<Grain> items(make_items(pile(), make_grain));
    equipoise_options bad = EQUIPOISE_OPTIONS_INIT;
    bad.speed = -1;
    EXPECT_EQ(EQUIPOISE_BAD_INPUT, level(items, bad));
    EXPECT_EQ(EQUIPOISE_OK, level(items, EQUIPOISE_OPTIONS_INIT));
    EXPECT_TRUE(balancer::all_there(balancer::all_numbers(items.as_vector())));
}

}  // namespace
}  // namespace equipoise::capi
