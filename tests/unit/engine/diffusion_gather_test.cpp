#include "equipoise/engine/kernels/diffusion_gather.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/protocols/diffusion.hpp"

namespace equipoise::engine {
namespace {

/// Both ends of a random pairing of the numbers of `nodes` * `degree` places: a regular network
/// with loops and repeated links, which the kernels allow.
std::vector<NodeId> random_rows(NodeId nodes, Port degree, RandomStream& random) {
    std::vector<NodeId> places;
    for (NodeId node = 0; node < nodes; ++node)
        places.insert(places.end(), degree, node);
    for (std::size_t i = places.size(); i > 1; --i)
        std::swap(places[i - 1], places[random.below(i)]);
    std::vector<std::vector<NodeId>> rows(nodes);
    for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
        rows[places[i]].push_back(places[i + 1]);
        rows[places[i + 1]].push_back(places[i]);
    }
    std::vector<NodeId> neighbours;
    for (const auto& row : rows)
        neighbours.insert(neighbours.end(), row.begin(), row.end());
    return neighbours;
}

template <class Word, class Kernel>
void expect_equal_to_plain(const Kernel& kernel, Tokens load_max, const std::vector<NodeId>& rows,
                           NodeId nodes, Port degree, Tokens divisor, RandomStream& random) {
    std::vector<Tokens> loads(nodes);
    for (Tokens& load : loads) {
        // Extremes and neighbours of multiples of the divisor are where rounding goes wrong.
        const auto wild = static_cast<Tokens>(random.below(static_cast<std::uint64_t>(load_max)));
        const Tokens near = wild / divisor * divisor + static_cast<Tokens>(random.below(3)) - 1;
        const std::uint64_t kind = random.below(4);
        load = kind == 0 ? 0 : kind == 1 ? load_max : kind == 2 ? wild : std::max<Tokens>(near, 0);
    }
    const std::vector<Word> narrow(loads.begin(), loads.end());
    std::vector<Word> narrow_next(nodes);
    std::vector<Tokens> expected(nodes);
    std::vector<Tokens> found(nodes);
    const NodeId middle = nodes / 3;
    GatherTotals plain = gather_plain(rows, degree, divisor, loads, expected, 0, nodes);
    GatherTotals fast = kernel(rows, degree, divisor, std::span<const Word>(narrow),
                               std::span<Word>(narrow_next), std::span<Tokens>(found), 0, middle);
    fast += kernel(rows, degree, divisor, std::span<const Word>(narrow),
                   std::span<Word>(narrow_next), std::span<Tokens>(found), middle, nodes);
    ASSERT_EQ(found, expected);
    ASSERT_EQ(std::vector<Tokens>(narrow_next.begin(), narrow_next.end()), expected);
    ASSERT_EQ(fast.flows, plain.flows);
    ASSERT_EQ(fast.steep, plain.steep);
}

TEST(DiffusionGather, NarrowBodiesEqualThePlainOneBitForBit) {
    RandomStream random(5, Purpose::sampling);
    for (const Port degree : {1U, 2U, 3U, 4U, 7U, 8U, 30U})
        for (int repetition = 0; repetition < 40; ++repetition) {
            const auto nodes = static_cast<NodeId>(2 * (1 + random.below(200)));
            const std::vector<NodeId> rows = random_rows(nodes, degree, random);
            const Tokens divisor = Tokens{degree} + 1 + static_cast<Tokens>(random.below(9));
            expect_equal_to_plain<std::uint16_t>(gather_narrow, narrow_load_max, rows, nodes,
                                                 degree, divisor, random);
            expect_equal_to_plain<std::uint32_t>(gather_medium, medium_load_max, rows, nodes,
                                                 degree, divisor, random);
        }
}

/// Every difference by every divisor up to 300: the reciprocals are exact.
TEST(DiffusionGather, NarrowQuotientsAreExact) {
    const std::vector<NodeId> rows = {1, 0};
    std::vector<Tokens> found(2);
    std::vector<std::uint16_t> next(2);
    for (Tokens divisor = 2; divisor <= 300; ++divisor)
        for (Tokens load = 0; load <= narrow_load_max; ++load) {
            const std::vector<std::uint16_t> narrow = {static_cast<std::uint16_t>(load), 0};
            static_cast<void>(gather_narrow(rows, 1, divisor, narrow, next, found, 0, 2));
            ASSERT_EQ(found[1], load / divisor) << load << " / " << divisor;
            ASSERT_EQ(found[0], load - load / divisor) << load << " / " << divisor;
        }
}

TEST(DiffusionGather, TheEngineEqualsItsReferenceOnRegularNetworks) {
    for (const char* spec : {"random-regular:n=300,d=8", "random-regular:n=51,d=4", "cycle:n=9",
                             "hypercube:d=5", "complete:n=12"})
        for (const Tokens most : {Tokens{50}, narrow_load_max, narrow_load_max + 1, medium_load_max,
                                  medium_load_max + 1}) {
            const network::AnyNetwork any = network::generate(spec, 3);
            if (any.stored() == nullptr) continue;
            const network::Network& network = *any.stored();
            RandomStream random(static_cast<std::uint64_t>(most), Purpose::loads);
            load::Loads loads(network.node_count());
            for (Tokens& load : loads)
                load = static_cast<Tokens>(random.below(static_cast<std::uint64_t>(most)));
            loads[0] = most;
            model::AllLinks schedule(network);
            RoundOptions options;
            options.body = Body::reference;
            EdgeRounds reference(protocols::Diffusion{}, schedule, loads, network, options);
            options.body = Body::fast;
            options.threads = 2;
            options.items_per_thread_min = 1;
            EdgeRounds fast(protocols::Diffusion{}, schedule, loads, network, options);
            for (int step = 0; step < 12; ++step) {
                reference.step();
                fast.step();
                ASSERT_TRUE(std::equal(reference.loads().begin(), reference.loads().end(),
                                       fast.loads().begin()))
                    << spec << ", " << most;
                ASSERT_EQ(reference.costs(), fast.costs());
            }
        }
}

}  // namespace
}  // namespace equipoise::engine
