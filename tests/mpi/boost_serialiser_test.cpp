#include "equipoise/balancer/boost_serialiser.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <boost/archive/text_iarchive.hpp>
#include <boost/archive/text_oarchive.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/mpi/error.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::balancer {
namespace {

/// An item that Boost archives and that has memory of its own.
struct Crate {
    std::int64_t number = 0;
    std::string name;
    std::vector<double> values;
    bool broken = false;  ///< cannot be loaded
    friend bool operator==(const Crate&, const Crate&) = default;

    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& number& name& values& broken;
        if (Archive::is_loading::value && broken) throw InputError("a broken crate");
    }
};
Crate make_crate(std::int64_t number, int maker) {
    const Sack sack = make_sack(number, maker);
    return {sack.number, sack.name, sack.values};
}

template <class Serialiser>
void expect_crates_to_survive(const Serialiser& serialiser, const Options& options) {
    for (const auto& counts : distributions(world_size())) {
        std::vector<Crate> items = make_items(counts, make_crate);
        const Report report = rebalance(MPI_COMM_WORLD, items, options, serialiser);
        EXPECT_LE(report.after.most - report.after.least, 1);
        EXPECT_TRUE(all_there(all_numbers(items)));
        for (const Crate& crate : items)
            EXPECT_EQ(make_crate(crate.number, std::stoi(crate.name.substr(8))), crate);
    }
}

TEST(SerialisedItems, MayBeWhateverBoostArchives) {
    expect_crates_to_survive(BoostSerialiser<Crate>(), {});
    expect_crates_to_survive(BoostSerialiser<Crate>(),
                             {.policy = Policy::keep_order, .message_bytes_max = 13});
}

TEST(SerialisedItems, MayUseOtherArchivesOfBoost) {
    expect_crates_to_survive(
        BoostSerialiser<Crate, boost::archive::text_oarchive, boost::archive::text_iarchive>(), {});
}

TEST(SerialisedItems, ThatBoostCannotLoadStayWhereTheyWereOnAllRanks) {
    if (world_size() == 1) return;
    std::vector<Crate> items;
    if (world_rank() == 0)
        for (std::int64_t number = 0; number < 100; ++number)
            items.push_back({number, "crate", {1, 2}, true});
    const std::vector<Crate> before = items;
    EXPECT_THROW(rebalance(MPI_COMM_WORLD, items, {}, BoostSerialiser<Crate>()),
                 mpi::CollectiveError);
    EXPECT_EQ(before, items);
}

TEST(BoostSerialiser, RefusesBytesThatEndTooSoon) {
    std::vector<std::byte> bytes;
    ByteWriter out(bytes);
    BoostSerialiser<Crate>::save(make_crate(4, 7), out);
    ByteReader whole(bytes);
    EXPECT_EQ(make_crate(4, 7), BoostSerialiser<Crate>::load(whole));
    bytes.resize(bytes.size() / 2);
    ByteReader half(bytes);
    EXPECT_THROW((void)BoostSerialiser<Crate>::load(half), boost::archive::archive_exception);
}

}  // namespace
}  // namespace equipoise::balancer
