#include "equipoise/engine/kernels/diffusion_gather.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/engine/kernels/diffusion_rounds.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/protocols/diffusion.hpp"

namespace equipoise::engine {
namespace {

constexpr Tokens narrow_most = word_most<std::uint16_t>;
constexpr Tokens medium_most = word_most<std::uint32_t>;

/// Rows with loops and repeated links, which the kernels allow, and the divisors of their links.
struct DrawnRows {
    std::vector<std::uint64_t> offsets = {0};
    std::vector<NodeId> neighbours;
    std::vector<std::uint16_t> classes;
    std::vector<Tokens> divisors;
    Port degree = 0;

    [[nodiscard]] DividedRows rows() const {
        return {offsets, neighbours, degree, classes, divisors};
    }
    [[nodiscard]] NodeId nodes() const { return static_cast<NodeId>(offsets.size() - 1); }
};

/// Both ends of a random pairing of the places of nodes of these degrees.
DrawnRows random_rows(const std::vector<Port>& degrees, RandomStream& random) {
    std::vector<NodeId> places;
    for (NodeId node = 0; node < degrees.size(); ++node)
        places.insert(places.end(), degrees[node], node);
    for (std::size_t i = places.size(); i > 1; --i)
        std::swap(places[i - 1], places[random.below(i)]);
    std::vector<std::vector<NodeId>> rows(degrees.size());
    for (std::size_t i = 0; i + 1 < places.size(); i += 2) {
        rows[places[i]].push_back(places[i + 1]);
        rows[places[i + 1]].push_back(places[i]);
    }
    DrawnRows drawn;
    for (const auto& row : rows) {
        drawn.neighbours.insert(drawn.neighbours.end(), row.begin(), row.end());
        drawn.offsets.push_back(drawn.neighbours.size());
    }
    return drawn;
}

DrawnRows regular_rows(NodeId nodes, Port degree, Tokens divisor, RandomStream& random) {
    DrawnRows drawn = random_rows(std::vector<Port>(nodes, degree), random);
    drawn.degree = degree;
    drawn.divisors = {divisor};
    return drawn;
}

/// Few nodes of high degree among many of low degree; the divisor of a link follows the larger one.
DrawnRows irregular_rows(NodeId nodes, bool one_divisor, RandomStream& random) {
    std::vector<Port> degrees(nodes);
    for (Port& degree : degrees)
        degree = static_cast<Port>(random.below(random.below(20) == 0 ? 90 : 5));
    DrawnRows drawn = random_rows(degrees, random);
    const auto extra = static_cast<Tokens>(random.below(9));
    if (one_divisor) {
        drawn.divisors = {91 + extra};
        return drawn;
    }
    for (Tokens degree = 0; degree <= 90; ++degree)
        drawn.divisors.push_back(degree + 1 + extra);
    for (NodeId node = 0; node < nodes; ++node)
        for (std::uint64_t arc = drawn.offsets[node]; arc < drawn.offsets[node + 1]; ++arc)
            drawn.classes.push_back(static_cast<std::uint16_t>(
                std::max(degrees[node], degrees[drawn.neighbours[arc]])));
    return drawn;
}

/// Words up to `most`; the extremes and the neighbours of multiples of divisors are where rounding
/// goes wrong.
template <class Word>
std::vector<Word> random_words(const DrawnRows& drawn, Tokens most, RandomStream& random) {
    std::vector<Word> words(drawn.nodes());
    for (Word& word : words) {
        const Tokens divisor = drawn.divisors[random.below(drawn.divisors.size())];
        const auto wild = static_cast<Tokens>(random.below(static_cast<std::uint64_t>(most)));
        const Tokens near = wild / divisor * divisor + static_cast<Tokens>(random.below(3)) - 1;
        const std::uint64_t kind = random.below(4);
        word = static_cast<Word>(kind == 0   ? 0
                                 : kind == 1 ? most
                                 : kind == 2 ? wild
                                             : std::max<Tokens>(near, 0));
    }
    return words;
}

template <class Word>
void expect_equal_to_plain(const DrawnRows& drawn, Tokens most, Tokens base, RandomStream& random) {
    const NodeId nodes = drawn.nodes();
    const std::vector<Word> now = random_words<Word>(drawn, most, random);
    std::vector<Tokens> loads(nodes);
    std::transform(now.begin(), now.end(), loads.begin(),
                   [&](Word word) { return base + static_cast<Tokens>(word); });
    std::vector<Word> next(nodes);
    std::vector<Tokens> expected(nodes);
    std::vector<Tokens> found(nodes);
    const NodeId middle = nodes / 3;
    const DividedRows rows = drawn.rows();
    const Quotients quotients(drawn.divisors);
    const GatherWords<Word> words{base, now, next};
    const GatherTotals plain = gather_plain(rows, loads, expected, 0, nodes);
    GatherTotals fast = gather_words(rows, quotients, words, std::span(found), 0, middle);
    fast += gather_words(rows, quotients, words, std::span(found), middle, nodes);
    ASSERT_EQ(found, expected);
    for (NodeId node = 0; node < nodes; ++node)
        ASSERT_EQ(base + static_cast<Tokens>(next[node]), expected[node]);
    ASSERT_EQ(fast.flows, plain.flows);
    ASSERT_EQ(fast.steep, plain.steep);
    ASSERT_EQ(fast.least, plain.least);
    ASSERT_EQ(fast.most, plain.most);
}

void expect_all_words_equal_to_plain(const DrawnRows& drawn, RandomStream& random) {
    const Tokens base = static_cast<Tokens>(random.below(1'000'000)) - 500'000;
    expect_equal_to_plain<std::uint16_t>(drawn, narrow_most, base, random);
    expect_equal_to_plain<std::uint32_t>(drawn, medium_most, base, random);
    expect_equal_to_plain<Tokens>(drawn, Tokens{1} << 52U, 0, random);
}

TEST(DiffusionGather, EqualsThePlainOneBitForBitOnNodesOfEqualDegree) {
    RandomStream random(5, Purpose::sampling);
    for (const Port degree : {1U, 2U, 3U, 4U, 7U, 8U, 30U})
        for (int repetition = 0; repetition < 40; ++repetition) {
            const auto nodes = static_cast<NodeId>(2 * (1 + random.below(200)));
            const Tokens divisor = Tokens{degree} + 1 + static_cast<Tokens>(random.below(9));
            expect_all_words_equal_to_plain(regular_rows(nodes, degree, divisor, random), random);
        }
}

TEST(DiffusionGather, EqualsThePlainOneBitForBitOnNodesOfAnyDegree) {
    RandomStream random(6, Purpose::sampling);
    for (int repetition = 0; repetition < 300; ++repetition) {
        const auto nodes = static_cast<NodeId>(1 + random.below(400));
        expect_all_words_equal_to_plain(irregular_rows(nodes, random.coin(), random), random);
    }
}

/// Every difference by every divisor up to 300: the reciprocals are exact.
TEST(DiffusionGather, NarrowQuotientsAreExact) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    std::vector<Tokens> found(2);
    std::vector<std::uint16_t> next(2);
    for (Tokens divisor = 2; divisor <= 300; ++divisor) {
        DrawnRows drawn;
        drawn.neighbours = {1, 0};
        drawn.offsets = {0, 1, 2};
        drawn.degree = 1;
        drawn.divisors = {divisor};
        const Quotients quotients(drawn.divisors);
        for (Tokens load = 0; load <= narrow_most; ++load) {
            const std::vector<std::uint16_t> now = {static_cast<std::uint16_t>(load), 0};
            const GatherWords<std::uint16_t> words{0, now, next};
            static_cast<void>(gather_words(drawn.rows(), quotients, words, std::span(found), 0, 2));
            ASSERT_EQ(found[1], load / divisor) << load << " / " << divisor;
            ASSERT_EQ(found[0], load - load / divisor) << load << " / " << divisor;
        }
    }
}

/// Plays rounds of rows whose last nodes belong to other ranks, which send any loads.
void expect_rounds_equal_to_plain(const DrawnRows& drawn, NodeId own, std::vector<Tokens> loads,
                                  const std::vector<Tokens>& most_heard, RandomStream& random) {
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    DividedRows rows = drawn.rows();
    DiffusionRounds rounds(rows, {*least, *most}, std::span(loads).first(own),
                           static_cast<NodeId>(loads.size()));
    const Workers workers{2, 1};
    std::vector<Tokens> expected(own);
    for (const Tokens heard : most_heard) {
        for (NodeId node = own; node < loads.size(); ++node)
            loads[node] = static_cast<Tokens>(random.below(static_cast<std::uint64_t>(heard) + 1));
        std::vector<Tokens> found = loads;
        const GatherTotals plain = gather_plain(rows, loads, expected, 0, own);
        rounds.hear(found, own);
        GatherTotals fast = rounds.play(workers, found, 0, own / 2);
        fast += rounds.play(workers, found, own / 2, own);
        rounds.turn();
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(), found.begin()));
        ASSERT_EQ(fast.flows, plain.flows);
        loads = found;
    }
}

TEST(DiffusionRounds, ChangeTheWidthOfWordsBothWaysAndStayExact) {
    RandomStream random(7, Purpose::sampling);
    constexpr Tokens huge = Tokens{1} << 40U;
    for (int repetition = 0; repetition < 100; ++repetition) {
        const DrawnRows drawn = irregular_rows(80, random.coin(), random);
        std::vector<Tokens> loads(80);
        for (Tokens& load : loads)
            load = static_cast<Tokens>(random.below(100'000));
        std::vector<Tokens> heard;
        heard.reserve(30);
        for (int round = 0; round < 30; ++round)
            heard.push_back(std::vector<Tokens>{40, narrow_most + 7, medium_most + 7,
                                                huge}[random.below(round < 15 ? 4 : 2)]);
        expect_rounds_equal_to_plain(drawn, 50, loads, heard, random);
    }
}

TEST(DiffusionRounds, TakeNarrowerWordsAsLoadsComeCloser) {
    RandomStream random(8, Purpose::sampling);
    const DrawnRows drawn = regular_rows(200, 8, 9, random);
    std::vector<Tokens> loads(200, Tokens{1} << 40U);
    loads[3] = 0;
    loads[4] = Tokens{1} << 41U;
    DiffusionRounds rounds(drawn.rows(), {0, Tokens{1} << 41U}, loads, 200);
    EXPECT_EQ(rounds.word_bits(), 64);
    std::vector<int> met;
    for (int round = 0; round < 400; ++round) {
        std::vector<Tokens> expected(200);
        gather_plain(drawn.rows(), loads, expected, 0, 200);
        static_cast<void>(rounds.play({1, 1}, loads, 0, 200));
        rounds.turn();
        ASSERT_EQ(loads, expected);
        if (met.empty() || met.back() != rounds.word_bits()) met.push_back(rounds.word_bits());
    }
    EXPECT_EQ(met, (std::vector<int>{64, 32, 16}));
}

TEST(DiffusionGather, TheEngineEqualsItsReferenceOnEveryKindOfNetwork) {
    for (const char* spec :
         {"random-regular:n=300,d=8", "random-regular:n=51,d=4", "cycle:n=9", "hypercube:d=5",
          "complete:n=12", "preferential-attachment:n=300,k=4", "star:leaves=40", "mesh:9x7"})
        for (const Tokens most : {Tokens{50}, narrow_most, narrow_most + 1, medium_most,
                                  medium_most + 1, Tokens{1} << 45U}) {
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
            ASSERT_EQ(fast.body().name(), "diffusion");
            for (int step = 0; step < 40; ++step) {
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
