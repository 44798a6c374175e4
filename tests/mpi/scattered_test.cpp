// Plans whose items leave from and arrive at any places: every kind of move follows them, and their
// inverses restore everything.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/columns.hpp"
#include "equipoise/balancer/plan_data.hpp"
#include "equipoise/base/random.hpp"
#include "tests/mpi/items.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer {
namespace {

using Numbers = std::vector<std::int64_t>;

std::size_t own() {
    return static_cast<std::size_t>(world_rank());
}

// Items of all ranks and where each goes; the same on every rank.
struct Migration {
    std::vector<Numbers> before;
    std::vector<std::vector<int>> to;
    std::vector<Numbers> after;

    // `leaving`: the part of the items that change their rank.
    Migration(std::uint64_t seed, double leaving) {
        RandomStream random(seed, Purpose::loads);
        const auto ranks = static_cast<std::size_t>(world_size());
        before.resize(ranks);
        to.resize(ranks);
        after.resize(ranks);
        std::int64_t number = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            before[rank].resize(random.below(4) == 0 ? 0 : random.below(200));
            std::iota(before[rank].begin(), before[rank].end(), number);
            number += static_cast<std::int64_t>(before[rank].size());
            for (std::size_t i = 0; i < before[rank].size(); ++i)
                to[rank].push_back(static_cast<int>(random.unit() < leaving ? random.below(ranks)
                                                                            : std::uint64_t{rank}));
        }
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            append(rank, rank);
            for (std::size_t from = 0; from < ranks; ++from)
                if (from != rank) append(from, rank);
        }
    }

  private:
    void append(std::size_t from, std::size_t rank) {
        for (std::size_t i = 0; i < before[from].size(); ++i)
            if (to[from][i] == static_cast<int>(rank)) after[rank].push_back(before[from][i]);
    }
};

std::vector<Migration> migrations() {
    std::vector<Migration> all;
    for (const double leaving : {0.0, 0.1, 0.5, 1.0})
        for (std::uint64_t seed = 0; seed < 4; ++seed)
            all.emplace_back(seed, leaving);
    return all;
}

template <class Item>
std::vector<Item> items_of(const Numbers& numbers, Item (*make)(std::int64_t, int)) {
    std::vector<Item> items;
    for (const std::int64_t number : numbers)
        items.push_back(make(number, static_cast<int>(number % 3)));
    items.shrink_to_fit();
    return items;
}

// A plan whose arrivals have random places too.
Plan scattered_both_ways(const Migration& migration, std::uint64_t seed, Numbers& expected) {
    auto data = std::make_shared<Plan::Data>(mpi::Communicator(MPI_COMM_WORLD));
    const std::vector<int>& to = migration.to[own()];
    data->message_bytes_max = 1000;
    data->size_before = static_cast<Tokens>(to.size());
    for (std::size_t from = 0; from < migration.to.size(); ++from)
        for (int rank = 0; rank < world_size(); ++rank) {
            const auto items =
                std::count(migration.to[from].begin(), migration.to[from].end(), rank);
            if (rank != static_cast<int>(from) && items > 0)
                data->transfers.push_back({static_cast<int>(from), rank, items});
        }
    std::vector<placement::Departure> departures;
    for (std::size_t place = 0; place < to.size(); ++place)
        if (to[place] != world_rank())
            departures.push_back({static_cast<Tokens>(place), to[place]});
    RankMoves moves =
        placement::moves_of(departures, data->transfers, world_rank(), data->size_before);
    std::vector<Tokens> places(static_cast<std::size_t>(moves.size_after));
    std::iota(places.begin(), places.end(), 0);
    RandomStream random(seed, Purpose::layout, own());
    std::shuffle(places.begin(), places.end(), random);
    places.resize(static_cast<std::size_t>(moves.received()));
    moves.arriving = places;
    for (Parcel& parcel : moves.receives)
        parcel.first -= moves.kept;
    expected.assign(static_cast<std::size_t>(moves.size_after), -1);
    const Numbers& appended = migration.after[own()];
    for (std::size_t i = 0; i < places.size(); ++i)
        expected[static_cast<std::size_t>(places[i])] =
            appended[static_cast<std::size_t>(moves.kept) + i];
    auto kept = appended.begin();
    for (std::int64_t& number : expected)
        if (number < 0) number = *kept++;
    data->rounds = {moves};
    return Plan::of(std::move(data));
}

template <class Item, class Execute>
void expect_there_and_back(const Plan& plan, const std::vector<Item>& before,
                           const std::vector<Item>& after, const Execute& execute) {
    for (const bool spare : {false, true}) {
        std::vector<Item> items = before;
        if (spare) items.reserve(1000 * static_cast<std::size_t>(world_size()));
        execute(plan, items);
        EXPECT_EQ(after, items);
        execute(plan.inverse(), items);
        EXPECT_EQ(before, items);
    }
}

void expect_vectors_there_and_back(const Plan& plan, const Numbers& before, const Numbers& after) {
    expect_there_and_back(plan, items_of(before, make_grain), items_of(after, make_grain),
                          [](const Plan& some, auto& items) { some.execute(items); });
    expect_there_and_back(
        plan, items_of(before, make_sack), items_of(after, make_sack),
        [](const Plan& some, auto& items) { some.execute(items, SackSerialiser()); });
}

template <class T>
std::vector<T> column_moved(const Plan& plan, const std::vector<T>& rows) {
    std::vector<std::byte> fresh;
    bool asked = false;
    const std::array columns = {Column{std::as_bytes(std::span(rows)), sizeof(T)}};
    static_cast<void>(move_columns(plan, columns, [&](std::size_t, std::uint64_t bytes) {
        asked = true;
        fresh.resize(bytes);
        return fresh.data();
    }));
    if (!asked) return rows;
    std::vector<T> moved(fresh.size() / sizeof(T));
    if (!moved.empty()) std::memcpy(moved.data(), fresh.data(), fresh.size());
    return moved;
}

TEST(PlanTo, BringsEveryItemToTheRankThatIsNamed) {
    for (const Migration& migration : migrations()) {
        const Plan plan = plan_to(MPI_COMM_WORLD, migration.to[own()], 777);
        expect_vectors_there_and_back(plan, migration.before[own()], migration.after[own()]);
        const Numbers there = column_moved(plan, migration.before[own()]);
        EXPECT_EQ(migration.after[own()], there);
        EXPECT_EQ(migration.before[own()], column_moved(plan.inverse(), there));
        EXPECT_EQ(plan.size_after(), static_cast<Tokens>(migration.after[own()].size()));
        EXPECT_EQ(plan.report().before.most, plan.inverse().report().after.most);
    }
}

TEST(ScatteredPlaces, AreLeftAndFilledByEveryKindOfMove) {
    std::uint64_t seed = 100;
    for (const Migration& migration : migrations()) {
        Numbers expected;
        const Plan plan = scattered_both_ways(migration, ++seed, expected);
        const Numbers& before = migration.before[own()];
        expect_vectors_there_and_back(plan, before, expected);
        const Numbers there = column_moved(plan, before);
        EXPECT_EQ(expected, there);
        EXPECT_EQ(before, column_moved(plan.inverse(), there));
    }
}

TEST(EveryPolicy, IsUndoneByTheInverseOfItsPlan) {
    for (const auto& counts : distributions(world_size()))
        for (const Policy policy : {Policy::minimum_moves, Policy::keep_order, Policy::hierarchical,
                                    Policy::random_pairs, Policy::weighted}) {
            const std::vector<Grain> before = make_items(counts, make_grain);
            std::vector<double> weights(before.size());
            for (std::size_t i = 0; i < weights.size(); ++i)
                weights[i] = static_cast<double>(before[i].number % 7);
            Options options;
            options.policy = policy;
            if (policy == Policy::weighted) options.weights = weights;
            const Plan plan =
                make_plan(MPI_COMM_WORLD, static_cast<Tokens>(before.size()), options);
            std::vector<Grain> items = before;
            plan.execute(items);
            plan.inverse().execute(items);
            EXPECT_EQ(before, items);
            const std::vector<Sack> sacks = make_items(counts, make_sack);
            std::vector<Sack> travelled = sacks;
            plan.execute(travelled, SackSerialiser());
            plan.inverse().execute(travelled, SackSerialiser());
            EXPECT_EQ(sacks, travelled);
        }
}

TEST(TheInverseOfAPlan, ClaimsNoMovesThatAPlanAsLevelNeeds) {
    const std::vector<double> weights(world_rank() == 0 ? 12 : 0, 1.0);
    Options options = by_weight({}, weights);
    options.sizes = weights;
    const Plan plan = make_plan(MPI_COMM_WORLD, static_cast<Tokens>(weights.size()), options);
    const Report back = plan.inverse().report();
    EXPECT_EQ(plan.report().largest_before, back.largest);
    // To move nothing would be more level than what it does.
    EXPECT_EQ(0, back.moved_at_least);
    EXPECT_EQ(0, back.bytes_at_least);
}

TEST(PlanTo, RefusesRanksThatAreNotThereOnAllRanks) {
    for (const int wrong : {-1, world_size()}) {
        const std::vector<int> to(3, world_rank() == world_size() - 1 ? wrong : 0);
        EXPECT_THROW(static_cast<void>(plan_to(MPI_COMM_WORLD, to)), mpi::CollectiveError);
    }
    EXPECT_THROW(static_cast<void>(plan_to(MPI_COMM_WORLD, {}, world_rank() == 0 ? 0 : 100)),
                 mpi::CollectiveError);
    if (world_size() == 1) return;
    EXPECT_THROW(static_cast<void>(plan_to(MPI_COMM_WORLD, {}, world_rank() == 0 ? 50 : 100)),
                 mpi::CollectiveError);
}

TEST(ScatteredPlaces, AreAsTheyWereIfOneRankHasNoMemory) {
    using Refusing = RefusingAllocator<Grain>;
    const Migration migration(5, 0.6);
    const Plan plan = plan_to(MPI_COMM_WORLD, migration.to[own()]);
    for (int failing = 0; failing < world_size(); ++failing) {
        std::vector<std::int64_t> grows = {plan.size_after() > plan.size_before() ? 1 : 0};
        MPI_Bcast(grows.data(), 1, MPI_INT64_T, failing, MPI_COMM_WORLD);
        if (grows[0] == 0) continue;  // it needs no memory of the vector's
        const std::vector<Grain> before = items_of(migration.before[own()], make_grain);
        std::vector<Grain, Refusing> items(before.begin(), before.end());
        Refusing::refuses = world_rank() == failing;
        EXPECT_THROW(plan.execute(items), mpi::CollectiveError);
        Refusing::refuses = false;
        EXPECT_TRUE(std::equal(before.begin(), before.end(), items.begin(), items.end()));
    }
}

// Every allocation of planning, moving and moving back fails in turn, on the first and on the last
// rank.
template <class Item, class Execute>
void expect_to_survive_every_shortage_of(Item (*make)(std::int64_t, int), const Execute& execute) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    const Migration migration(5, 0.6);
    const std::vector<Item> before = items_of(migration.before[own()], make);
    for (const int failing : {0, world_size() - 1})
        for (std::int64_t which = 0;; ++which) {
            std::vector<Item> items = before;
            bool threw = false;
            const bool any = test::falls_short(failing, which, [&] {
                try {
                    const Plan plan = plan_to(MPI_COMM_WORLD, migration.to[own()]);
                    execute(plan, items);
                } catch (const mpi::CollectiveError&) {
                    threw = true;
                }
            });
            if (threw) {
                EXPECT_EQ(before, items);
            }
            if (any) continue;
            EXPECT_EQ(items_of(migration.after[own()], make), items);
            break;
        }
}

TEST(ScatteredPlaces, SurviveEveryShortageOfMemory) {
    expect_to_survive_every_shortage_of(
        make_grain, [](const Plan& plan, std::vector<Grain>& items) { plan.execute(items); });
    expect_to_survive_every_shortage_of(make_sack, [](const Plan& plan, std::vector<Sack>& items) {
        plan.execute(items, SackSerialiser());
    });
}

TEST(ScatteredPlaces, AreAsTheyWereIfASerialiserThrows) {
    struct Breaking : SackSerialiser {
        bool breaks = false;
        [[nodiscard]] Sack load(ByteReader& in) const {
            if (breaks) throw std::runtime_error("cannot load");
            return SackSerialiser::load(in);
        }
    };
    const Migration migration(5, 0.6);
    const Plan plan = plan_to(MPI_COMM_WORLD, migration.to[own()]);
    const std::vector<Sack> before = items_of(migration.before[own()], make_sack);
    for (int failing = 0; failing < world_size(); ++failing) {
        Breaking serialiser;
        serialiser.breaks = world_rank() == failing;
        std::int64_t arrivals = plan.rounds().front().received();
        MPI_Bcast(&arrivals, 1, MPI_INT64_T, failing, MPI_COMM_WORLD);
        if (arrivals == 0) continue;
        std::vector<Sack> items = before;
        EXPECT_THROW(plan.execute(items, serialiser), mpi::CollectiveError);
        EXPECT_EQ(before, items);
    }
}

}  // namespace
}  // namespace equipoise::balancer
