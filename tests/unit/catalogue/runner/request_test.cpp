#include "equipoise/catalogue/runner/request.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::catalogue {
namespace {

template <class Act>
std::string complaint_about(const Act& act) {
    try {
        static_cast<void>(act());
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing";
}

TEST(Request, ParametersArePairsOfDifferentNames) {
    EXPECT_EQ(parameter_texts({"a=1", "b=c=d"}), (ParameterTexts{{"a", "1"}, {"b", "c=d"}}));
    EXPECT_EQ(complaint_about([] { return parameter_texts({"a"}); }),
              "--param: expected name=value, found \"a\"");
    EXPECT_EQ(complaint_about([] {
                  return parameter_texts({"a=1", "a=2"});
              }),
              "--param: \"a\" is given twice");
}

TEST(Request, ValuesAreCheckedLikeFiles) {
    const network::AnyNetwork path = network::generate("path:n=4", 0);
    RunRequest request;
    request.tree.value = std::vector<Ends>{{0, 1}, {1, 2}};
    EXPECT_THROW(static_cast<void>(structures_of(request, path)), InputError);
    request.tree.value = std::vector<Ends>{{0, 1}, {1, 2}, {2, 3}};
    EXPECT_EQ(structures_of(request, path).tree, network::SpanningTree::given);
    request.matchings.value = network::MatchingSequence{{{0, 2}}};
    EXPECT_THROW(static_cast<void>(run_options(request, path)), InputError);
    request.matchings.value = network::MatchingSequence{{{1, 0}}};
    EXPECT_EQ(run_options(request, path).matchings, *request.matchings.value);
    request.matrix.value = network::RoundWeights{{1, 2}, {1, 2}, {2, 3}};
    EXPECT_THROW(static_cast<void>(run_options(request, path)), InputError);
    EXPECT_EQ(complaint_about([&] {
                  return loads_of({"", load::Loads{1, 2}}, path, 0);
              }),
              "expected one load for each of 4 nodes, found 2");
    EXPECT_EQ(complaint_about([&] { return loads_of({}, path, 0); }),
              "expected --loads with a spec or a CSV file, found none");
    EXPECT_EQ(loads_of({"spike:tokens=5"}, path, 0), (load::Loads{5, 0, 0, 0}));
}

TEST(Request, ThePageAsksForAllTransfersOfSmallNetworksAndForFewSamplesOfLargeOnes) {
    RunOptions options;
    keep_for_page(options, 400, 1);
    EXPECT_EQ(options.record_level, model::RecordLevel::full);
    EXPECT_EQ(options.samples, 200U);
    keep_for_page(options, 4'000'000, 2);
    EXPECT_EQ(options.record_level, model::RecordLevel::sampled);
    EXPECT_EQ(options.samples, 8U);
    keep_for_page(options, 400'000'000, 1);
    EXPECT_EQ(options.samples, 2U);
}

}  // namespace
}  // namespace equipoise::catalogue
