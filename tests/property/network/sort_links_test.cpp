#include "equipoise/network/sort_links.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/base/random.hpp"
#include "tests/support/property.hpp"

namespace equipoise::network {
namespace {

TEST(SortLinks, AgreesWithComparisonOnShortAndLongLists) {
    EXPECT_TRUE(test::holds([] {
        const auto seed = *rc::gen::arbitrary<std::uint64_t>();
        const auto nodes =
            *rc::gen::element<NodeId>(1, 2, 100, 2047, 2048, 2049, 1U << 20U, no_node);
        const auto count = *rc::gen::element<std::size_t>(0, 1, 100, 16383, 16384, 30000);
        RandomStream random(seed, Purpose::sampling);
        std::vector<Ends> links(count);
        for (Ends& link : links)
            link = {static_cast<NodeId>(random.below(nodes)),
                    static_cast<NodeId>(random.below(nodes))};
        std::vector<Ends> expected = links;
        std::sort(expected.begin(), expected.end());
        sort_links(links, nodes);
        RC_ASSERT(links == expected);
    }));
}

}  // namespace
}  // namespace equipoise::network
