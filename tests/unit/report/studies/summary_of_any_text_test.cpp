#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/report/studies/summary.hpp"

namespace equipoise::report {
namespace {

constexpr const char* plain_study =
    "network,loads,seed,algorithm,parameters,tree,steps,discrepancy,stopped_because,"
    "left_out_because\n"
    "path:n=4,staircase,1,threshold-2,,a,10,2,quiet,\n"
    "path:n=4,staircase,1,diffusion,,a,4,3,quiet,\n"
    "path:n=4,\"uniform:tokens=9,seed=3\",2,threshold-2,p=1,b,12,2,max-steps,\n"
    "path:n=4,staircase,2,diffusion,,a,5,1,quiet,\n"
    "cycle:n=4,staircase,2,diffusion,,b,1e300,-7.25,quiet,\n"
    "cycle:n=4,staircase,3,threshold-2,,b,,,,refused\n";

/// The study with a few characters changed, taken out or put in.
std::string mutated(RandomStream& random) {
    constexpr std::string_view characters = ",,,\"\n\n0123456789.-eE;\t x=_|&\\";
    std::string text = plain_study;
    for (std::uint64_t changes = 1 + random.below(6); changes > 0; --changes) {
        const std::size_t at = random.below(text.size());
        const char c = characters[random.below(characters.size())];
        switch (random.below(4)) {
            case 0:
                text[at] = c;
                break;
            case 1:
                text.erase(at, 1 + random.below(3));
                break;
            case 2:
                text.insert(at, 1, c);
                break;
            default: {  // a line again, perhaps elsewhere
                const std::size_t begin = text.rfind('\n', at);
                if (begin == std::string::npos) break;
                text.insert(begin, text.substr(begin, text.find('\n', begin + 1) - begin));
            }
        }
    }
    return text;
}

void expect_consistent(const Study& study, const Summary& summary) {
    std::size_t rows = 0;
    for (const Cell& cell : summary.cells) {
        ASSERT_EQ(cell.names.size(), summary.by.size());
        rows += cell.rows.size() + cell.cut_short + cell.left_out;
        for (const CellQuantity& quantity : cell.quantities) {
            if (!quantity.sample) continue;
            const statistics::Sample& sample = *quantity.sample;
            EXPECT_LE(sample.n, cell.rows.size());
            EXPECT_LE(sample.least, sample.mean);
            EXPECT_LE(sample.mean, sample.largest);
            EXPECT_LE(sample.least, sample.median);
            EXPECT_EQ(sample.interval.has_value(), sample.n > 1);
            if (quantity.difference) {
                EXPECT_LE(quantity.difference->n, sample.n);
            }
        }
    }
    EXPECT_EQ(rows, study.rows.size());
    const Study again = parse_study(summary_csv(summary), "again");
    EXPECT_EQ(again.rows.size(), summary.cells.size() * summary.of.size());
    for (const auto& text : {summary_text(summary), summary_json(summary),
                             summary_markdown(summary), summary_latex(summary)})
        EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST(SummaryOfAnyText, IsConsistentOrSaysWhatIsWrong) {
    std::size_t summaries = 0;
    for (std::uint64_t k = 0; k < 3000; ++k) {
        RandomStream random(1, Purpose::sampling, k);
        SummaryOptions options;
        if (random.coin()) options.against = "diffusion";
        if (random.coin()) options.interval.kind = statistics::IntervalKind::bootstrap;
        options.interval.resamples = 20;
        if (random.below(4) == 0) options.by = {"network", "algorithm"};
        try {
            const Study study = parse_study(mutated(random), "study");
            const Summary summary = summarise(study, options);
            ASSERT_NO_FATAL_FAILURE(expect_consistent(study, summary));
            ++summaries;
        } catch (const InputError& error) {
            const std::string_view message = error.what();
            EXPECT_TRUE(message.starts_with("study:") || message.starts_with("against:"))
                << message;
        }
    }
    EXPECT_GT(summaries, 300U);
}

}  // namespace
}  // namespace equipoise::report
