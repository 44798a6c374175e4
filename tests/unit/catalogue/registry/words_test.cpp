// Parameters and descriptions of algorithms.
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/parameters.hpp"
#include "equipoise/catalogue/registry/sheets.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace {

using namespace equipoise;
using catalogue::Parameter;
using catalogue::Parameters;
using catalogue::ParameterType;
using test::message_of;

TEST(ParametersOfAlgorithms, AreCheckedAgainstTheirDescription) {
    Parameter mode;
    mode.name = "mode";
    mode.default_value = "a";
    mode.words = {"a", "b"};
    Parameter count;
    count.name = "count";
    count.type = ParameterType::whole;
    count.default_value = "3";
    count.least = 1;
    count.most = 9;
    Parameter beta;
    beta.name = "beta";
    beta.type = ParameterType::real;
    beta.default_value = "1.5";
    beta.least = 1;
    beta.most = 2;
    const std::vector<Parameter> known = {mode, count, beta};
    const Parameters values("x", known, {{"count", "7"}});
    EXPECT_EQ(values.word("mode"), "a");
    EXPECT_EQ(values.whole("count"), 7U);
    EXPECT_EQ(values.real("beta"), 1.5);
    const auto message = [&](const char* name, const char* value) {
        return message_of([&] { Parameters("x", known, {{name, value}}); });
    };
    EXPECT_EQ(message("mode", "c"), "x: parameter mode: expected a or b, found \"c\"");
    EXPECT_EQ(message("count", "10"),
              "x: parameter count: expected a whole number from 1 to 9, found \"10\"");
    EXPECT_EQ(message("count", "3.5"),
              "x: parameter count: expected a whole number from 1 to 9, found \"3.5\"");
    EXPECT_EQ(message("beta", "nan"),
              "x: parameter beta: expected a number from 1 to 2, found \"nan\"");
    EXPECT_EQ(message("cuont", "3"), "x has no parameter \"cuont\": did you mean \"count\"?");
}

TEST(Catalogue, DescribesEveryAlgorithmInFull) {
    std::set<std::string> names;
    for (const catalogue::Algorithm& algorithm : catalogue::algorithms()) {
        EXPECT_TRUE(names.insert(algorithm.name).second) << algorithm.name << " stands twice";
        for (const std::string* text : {&algorithm.title, &algorithm.source, &algorithm.needs,
                                        &algorithm.guarantee, &algorithm.stop})
            EXPECT_FALSE(text->empty()) << algorithm.name;
        EXPECT_TRUE(algorithm.expect_suitable != nullptr && algorithm.promise != nullptr &&
                    algorithm.default_stop != nullptr &&
                    (algorithm.rounds != nullptr) + algorithm.program.has_value() +
                            (algorithm.moves != nullptr) ==
                        1)
            << algorithm.name;
        EXPECT_NO_THROW(Parameters(algorithm.name, algorithm.parameters, {}))
            << "defaults must be allowed values";
        EXPECT_NE(report::algorithms_markdown(catalogue::algorithm_sheets())
                      .find('`' + algorithm.name + '`'),
                  std::string::npos);
        EXPECT_NE(
            report::algorithms_json(catalogue::algorithm_sheets()).find('"' + algorithm.name + '"'),
            std::string::npos);
    }
}

TEST(Instances, OfALargestComponentAreNotRecreatedFromTheSpecAlone) {
    catalogue::NetworkRequest request;
    request.spec = "gnp:n=40,p=0.03";
    request.largest_component = true;
    network::ReadReport report;
    const network::AnyNetwork component = catalogue::make_network(request, &report);
    EXPECT_EQ(component.node_count() + report.nodes_left_out, 40U);
    EXPECT_GT(report.nodes_left_out, 0U);
    EXPECT_TRUE(component.labels().origin.starts_with("largest component of "));
}

TEST(Instances, ThatAreNeitherFilesNorGeneratorsAreNamed) {
    const auto message = [](const char* spec) {
        return message_of([&] {
            catalogue::NetworkRequest request;
            request.spec = spec;
            static_cast<void>(catalogue::make_network(request));
        });
    };
    EXPECT_EQ(message("torsu:3x3"), "unknown network \"torsu:3x3\": did you mean \"torus\"?");
    EXPECT_EQ(message("nowhere/net.gml"),
              "nowhere/net.gml: cannot be read: No such file or directory");
}

}  // namespace
