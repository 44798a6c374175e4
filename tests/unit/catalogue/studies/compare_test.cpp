#include "equipoise/catalogue/studies/compare.hpp"

#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::catalogue {
namespace {

Contest contest_of(const std::vector<std::string>& names, const RunRequest& request = {}) {
    return {names, request};
}

Comparison play(const Contest& contest, const RunRequest& request, const std::string& network,
                const BestPossible* best = nullptr) {
    const network::AnyNetwork made = network::generate(network, 0);
    const load::Loads loads = make_loads("spike:tokens=40", made, 0);
    return contest.play(made, structures_of(request, made), loads, run_options(request, made), best,
                        {});
}

TEST(Contest, LeavesOutWhoCannotRunAndSaysWhyUnlessItWasNamed) {
    const Contest all = contest_of({});
    const Comparison found = play(all, {}, "cycle:n=6");
    std::size_t out = 0;
    for (const auto& [reason, names] : found.left_out) {
        EXPECT_FALSE(reason.empty());
        out += names.size();
    }
    EXPECT_GT(out, 0U);
    EXPECT_EQ(found.records.size() + out, all.size());
    const std::string left = found.left_out.begin()->second.front();
    EXPECT_THROW(static_cast<void>(play(contest_of({left}), {}, "cycle:n=6")), UnsuitableError);
}

TEST(Contest, GivesOptionsToThoseThatTakeThem) {
    RunRequest request;
    request.options.with_deviation = true;
    const Contest contest = contest_of({"threshold-1", "diffusion"}, request);
    EXPECT_EQ(contest.notes(),
              std::vector<std::string>{"--deviation is for diffusion; the others run without it"});
    const Comparison found = play(contest, request, "cycle:n=6");
    EXPECT_FALSE(found.records.at(0).deviation.has_value());
    EXPECT_TRUE(found.records.at(1).deviation.has_value());
    EXPECT_THROW(contest_of({"threshold-1"}, request), InputError);
}

TEST(Contest, NotesTheBestPossibleAndTellsOfEveryRun) {
    const network::AnyNetwork cycle = network::generate("cycle:n=5", 0);
    const load::Loads loads = make_loads("spike:tokens=20", cycle, 0);
    const BestPossible best(cycle, loads, {});
    std::vector<std::string> told;
    CompareWatch watch;
    watch.ended = [&](const model::Record& record) {
        told.push_back(record.algorithm);
        EXPECT_TRUE(record.optimum.has_value() == (record.final_discrepancy == 0));
    };
    const Contest contest = contest_of({"discrepancy-1", "threshold-1"});
    const Comparison found = contest.play(cycle, {}, loads, {}, &best, watch);
    EXPECT_EQ(told, (std::vector<std::string>{"discrepancy-1", "threshold-1"}));
    EXPECT_EQ(found.all_reached, found.records[0].reached && found.records[1].reached);
}

TEST(Contest, AnInterruptedOneHasNotReachedItsEnd) {
    const network::AnyNetwork cycle = network::generate("cycle:n=5", 0);
    std::stop_source source;
    source.request_stop();
    const Contest contest = contest_of({"threshold-1"});
    const Comparison found =
        contest.play(cycle, {}, load::Loads{9, 0, 0, 0, 0}, {}, nullptr, {source.get_token()});
    EXPECT_TRUE(found.records.empty());
    EXPECT_FALSE(found.all_reached);
}

}  // namespace
}  // namespace equipoise::catalogue
