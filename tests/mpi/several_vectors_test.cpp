// Several vectors in one call: they travel together by every policy, or none of them does.

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/lend.hpp"
#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "tests/mpi/items.hpp"
#include "tests/support/shortage.hpp"

namespace equipoise::balancer {
namespace {

// The fields of grains and sacks of the same numbers, as a structure of arrays.
struct Fields {
    std::vector<Sack> sacks;
    std::vector<Grain> grains;
    std::vector<char> letters;
    std::vector<double> weights;
    friend bool operator==(const Fields&, const Fields&) = default;

    explicit Fields(const std::vector<Tokens>& counts)
        : sacks(make_items(counts, make_sack)), grains(make_items(counts, make_grain)) {
        for (const Grain& grain : grains) {
            letters.push_back(letter_of(grain));
            weights.push_back(weight_of(grain));
        }
    }

    static char letter_of(const Grain& grain) { return static_cast<char>('a' + grain.number % 26); }
    static double weight_of(const Grain& grain) {
        return static_cast<double>(1 + grain.number % 7);
    }
    // Whether item i of every vector belongs to the same grain.
    [[nodiscard]] bool fit() const {
        bool fit = sacks.size() == grains.size() && letters.size() == grains.size() &&
                   weights.size() == grains.size();
        for (std::size_t i = 0; fit && i < grains.size(); ++i)
            fit = sacks[i] == make_sack(grains[i].number, grains[i].maker) &&
                  letters[i] == letter_of(grains[i]) && weights[i] == weight_of(grains[i]);
        return fit && undamaged(grains);
    }
    [[nodiscard]] bool all_arrived() const { return fit() && all_there(all_numbers(grains)); }
};

// What is thrown, and everything must be as it was; "" if nothing is.
std::string refusal(Fields& fields, const std::function<void()>& act) {
    const Fields before = fields;
    try {
        act();
    } catch (const mpi::CollectiveError& error) {
        EXPECT_TRUE(before == fields);
        return error.what();
    }
    return "";
}

bool says(const std::string& text, const std::string& words) {
    return text.find(words) != std::string::npos;
}

TEST(SeveralVectors, ArriveTogetherByEveryPolicy) {
    for (const Policy policy :
         {Policy::minimum_moves, Policy::keep_order, Policy::hierarchical, Policy::random_pairs})
        for (const auto& counts : distributions(world_size())) {
            Fields fields(counts);
            const Report report =
                rebalance(MPI_COMM_WORLD,
                          std::tie(fields.sacks, fields.grains, fields.letters, fields.weights),
                          {.policy = policy}, SackSerialiser());
            EXPECT_LE(report.after.most - report.after.least, 1);
            EXPECT_TRUE(fields.all_arrived());
        }
}

TEST(SeveralVectors, ArriveTogetherByALineOfNeighbours) {
    const int size = world_size();
    const int open = 0;
    MPI_Comm line = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &open, 0, &line);
    for (const auto& counts : distributions(size)) {
        Fields fields(counts);
        rebalance(line, std::tie(fields.grains, fields.letters, fields.weights), neighbours_only());
        fields.sacks.clear();
        for (const Grain& grain : fields.grains)
            fields.sacks.push_back(make_sack(grain.number, grain.maker));
        EXPECT_TRUE(fields.all_arrived());
    }
    MPI_Comm_free(&line);
}

TEST(SeveralVectors, BringTheirWeightsAndEndAsOneVectorDoes) {
    for (const Policy policy : {Policy::weighted, Policy::keep_order})
        for (const auto& counts : distributions(world_size())) {
            Fields fields(counts);
            const Report report =
                rebalance(MPI_COMM_WORLD, std::tie(fields.sacks, fields.grains, fields.letters),
                          fields.weights, {.policy = policy}, SackSerialiser());
            EXPECT_TRUE(fields.all_arrived());
            Fields one(counts);
            EXPECT_EQ(
                report.largest,
                rebalance(MPI_COMM_WORLD, one.grains, one.weights, {.policy = policy}).largest);
            EXPECT_EQ(one.grains, fields.grains);
            EXPECT_EQ(one.weights, fields.weights);
        }
}

TEST(SeveralVectors, TravelByOnePlanThereAndBack) {
    for (const auto& counts : distributions(world_size())) {
        Fields fields(counts);
        const Fields before = fields;
        const Plan plan = make_plan(MPI_COMM_WORLD, static_cast<Tokens>(fields.grains.size()),
                                    {.policy = Policy::keep_order});
        const auto all = std::tie(fields.sacks, fields.grains, fields.letters, fields.weights);
        plan.execute(all, SackSerialiser());
        EXPECT_TRUE(fields.all_arrived());
        const SackSerialiser serialiser;
        auto moving = plan.inverse().begin(all, serialiser);
        moving.end();
        EXPECT_TRUE(before == fields);
        auto others = plan.begin(std::tie(fields.letters, fields.weights));
        others.end();
        plan.execute(std::tie(fields.sacks), SackSerialiser());
        plan.execute(std::tie(fields.grains));
        EXPECT_TRUE(fields.all_arrived());
    }
}

TEST(SeveralVectors, AreLentTogetherWithASerialiserForTheFirst) {
    Fields fields(distributions(world_size())[6]);
    const Fields before = fields;
    Loan loan =
        lend(MPI_COMM_WORLD, std::tie(fields.sacks, fields.grains, fields.letters, fields.weights),
             Options(), SackSerialiser());
    EXPECT_TRUE(fields.all_arrived());
    loan.give_back();
    EXPECT_TRUE(before == fields);
}

TEST(SeveralVectors, OfDifferentLengthsAreRefusedOnAllRanks) {
    for (int failing = 0; failing < world_size(); ++failing) {
        Fields fields(std::vector<Tokens>(static_cast<std::size_t>(world_size()), 5));
        if (world_rank() == failing) fields.letters.push_back('z');
        const auto all = std::tie(fields.grains, fields.letters);
        const std::string expected =
            "rank " + std::to_string(failing) +
            ": bad input: expected vectors of one length, found 5 and 6 items";
        EXPECT_EQ(expected, refusal(fields, [&] { rebalance(MPI_COMM_WORLD, all); }));
        const Plan plan = make_plan(MPI_COMM_WORLD, 5);
        EXPECT_EQ("rank " + std::to_string(failing) +
                      ": bad input: expected a vector of the planned size 5, found 6",
                  refusal(fields, [&] { plan.execute(all); }));
    }
}

TEST(SeveralVectors, OfWhichOneIsGivenTwiceAreRefusedEvenIfNothingMoves) {
    for (const auto& counts : distributions(world_size())) {
        Fields fields(counts);
        const auto twice = std::tie(fields.weights, fields.letters, fields.weights);
        EXPECT_TRUE(says(refusal(fields, [&] { rebalance(MPI_COMM_WORLD, twice); }),
                         "found one of them twice"));
        const auto two = std::tie(fields.grains, fields.weights);
        EXPECT_TRUE(says(refusal(fields, [&] { rebalance(MPI_COMM_WORLD, two, fields.weights); }),
                         "expected the weights in a vector of their own"));
        EXPECT_TRUE(fields.all_arrived());
    }
}

TEST(SeveralVectors, ThatDifferBetweenRanksAreNamedEvenIfNothingMoves) {
    if (world_size() == 1) return;
    for (const auto& counts : distributions(world_size())) {
        Fields fields(counts);
        const std::string text = refusal(fields, [&] {
            if (world_rank() == 0)
                rebalance(MPI_COMM_WORLD, std::tie(fields.grains, fields.letters));
            else
                rebalance(MPI_COMM_WORLD, std::tie(fields.letters, fields.grains));
        });
        EXPECT_TRUE(says(text, "items of 24 bytes and items of 1 byte, policy")) << text;
        EXPECT_TRUE(says(text, "items of 1 byte and items of 24 bytes, policy")) << text;
    }
}

// Throws while it saves, or while it loads.
struct BreakingSerialiser : SackSerialiser {
    bool saving = false;
    bool loading = false;

    void save(const Sack& sack, ByteWriter& out) const {
        if (saving) throw std::runtime_error("cannot save");
        SackSerialiser::save(sack, out);
    }
    [[nodiscard]] Sack load(ByteReader& in) const {
        if (loading) throw std::runtime_error("cannot load");
        return SackSerialiser::load(in);
    }
};

TEST(SeveralVectors, StayWhereTheyAreIfTheSerialiserOfTheFirstThrows) {
    const std::vector<Tokens> counts = distributions(world_size())[6];
    for (int failing = 0; failing < world_size(); ++failing)
        for (const bool saving : {true, false}) {
            Fields fields(counts);
            BreakingSerialiser serialiser;
            serialiser.saving = saving && world_rank() == failing;
            serialiser.loading = !saving && world_rank() == failing;
            const auto move = [&] {
                rebalance(MPI_COMM_WORLD, std::tie(fields.sacks, fields.grains, fields.letters),
                          fields.weights, {}, serialiser);
            };
            const std::string text = refusal(fields, move);
            EXPECT_TRUE(text.empty() || says(text, "cannot ")) << text;
            EXPECT_TRUE(fields.all_arrived());
        }
}

TEST(SeveralVectors, SurviveEveryShortageOfMemory) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    const std::vector<Tokens> counts = distributions(world_size())[6];
    for (const int failing : {0, world_size() - 1}) {
        std::int64_t which = 0;
        bool any = true;
        while (any) {
            Fields fields(counts);
            std::string text;
            any = test::falls_short(failing, which++, [&] {
                try {
                    rebalance(MPI_COMM_WORLD, std::tie(fields.sacks, fields.grains, fields.letters),
                              fields.weights, {}, SackSerialiser());
                } catch (const mpi::CollectiveError& error) {
                    text = "thrown";
                }
            });
            EXPECT_TRUE(fields.all_arrived());
            EXPECT_TRUE(text.empty() || fields == Fields(counts));
        }
        EXPECT_GT(which, 10);
    }
}

}  // namespace
}  // namespace equipoise::balancer
