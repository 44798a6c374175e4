// Every option of a run, changed on one rank, is refused by its name, unless ranks may differ in
// it.

#include "equipoise/catalogue/runner/same_run.hpp"

#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/runner/run_option.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "tests/support/ranks.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

/// Gives an option another value, which suits a cycle of four nodes.
struct Change {
    const OptionInfo& info;

    void operator()(bool* flag) const { *flag = !*flag; }
    void operator()(int* number) const { ++*number; }
    void operator()(std::uint64_t* number) const { ++*number; }
    void operator()(std::optional<Step>* number) const { *number = number->value_or(0) + 1; }
    void operator()(ParameterTexts* parameters) const { (*parameters)["name"] = "value"; }
    void operator()(std::string* text) const {
        std::vector<std::string> words;
        if (info.words != nullptr) words = info.words();
        if (info.specs != nullptr)
            for (const SpecInfo& row : info.specs())
                words.push_back(row.example);
        ASSERT_FALSE(words.empty()) << info.name;
        *text = words.front() == *text ? words.back() : words.front();
    }
    void operator()(TextOr<load::Loads>* loads) const { loads->value = {1, 2, 3, 4}; }
    void operator()(TextOr<network::MatchingSequence>* matchings) const {
        matchings->value = {{{0, 1}, {2, 3}}, {{1, 2}, {0, 3}}};
    }
    void operator()(TextOr<network::RoundWeights>* weights) const {
        weights->value = network::RoundWeights(4, {1, 5});
    }
    void operator()(TextOr<std::vector<Ends>>* tree) const {
        tree->value = {{0, 1}, {1, 2}, {2, 3}};
    }
};

class FourNodes {
  public:
    explicit FourNodes(engine::Fabric& fabric) : fabric_(fabric) {}

    [[nodiscard]] std::string refusal_of(const RunRequest& request) const {
        RunOptions options = run_options(request, network_);
        options.fabric = &fabric_;
        return refusal_of(options, structures_of(request, network_));
    }
    [[nodiscard]] std::string refusal_of(const RunOptions& options,
                                         const network::GivenStructures& given) const {
        const NetworkFacts facts(network_, given);
        return test::thrown_by([&] {
            expect_same_run(find_algorithm("diffusion"), facts, load::Loads{9, 0, 0, 0}, options);
        });
    }

  private:
    engine::Fabric& fabric_;
    network::AnyNetwork network_ = network::generate("cycle:n=4", 0);
};

std::string refusal_naming(const std::string& values, int rank) {
    return "input: the values of " + values + " differ from rank to rank: those of rank " +
           std::to_string(rank) +
           " are not those of rank 0; expected the same options, and the same files on all "
           "machines";
}

TEST(OptionsOfARun, ThatDifferOnOneRankAreRefusedByTheirNames) {
    const std::set<std::string_view> free = {"threads", "extremes", "recovery", "optimum"};
    test::on_ranks([&](engine::Fabric& fabric) {
        const FourNodes instance(fabric);
        const int odd = fabric.ranks() - 1;
        RunRequest common;
        common.options.churn = "random:nodes=0.1,back=0.5";  // recovery needs some
        EXPECT_EQ(instance.refusal_of(common), "nothing");
        for (const RunOption& option : options_of_runs()) {
            RunRequest request = common;
            if (fabric.rank() == odd) std::visit(Change{option.info}, option.value(request));
            const bool alike = odd == 0 || free.contains(option.info.name);
            EXPECT_EQ(
                instance.refusal_of(request),
                alike ? "nothing" : refusal_naming("--" + std::string(option.info.name), odd));
        }
    });
}

TEST(FieldsThatProgramsSet, AreRefusedToo) {
    test::on_ranks([&](engine::Fabric& fabric) {
        const FourNodes instance(fabric);
        const int odd = fabric.ranks() - 1;
        if (odd == 0) return;
        const std::vector<model::Delivery> order;
        const auto refusal_with = [&](const auto& change) {
            RunOptions options;
            options.fabric = &fabric;
            if (fabric.rank() == odd) change(options);
            return instance.refusal_of(options, {});
        };
        EXPECT_EQ(refusal_with([](RunOptions& options) { options.nodes_on_ranks = true; }),
                  refusal_naming("nodes_on_ranks", odd));
        EXPECT_EQ(refusal_with([](RunOptions& options) { options.may_play_alone = true; }),
                  refusal_naming("may_play_alone", odd));
        EXPECT_EQ(refusal_with(
                      [](RunOptions& options) { options.final_loads = model::FinalLoads::apart; }),
                  refusal_naming("final_loads", odd));
        EXPECT_EQ(refusal_with([](RunOptions& options) { options.stop_in_units = true; }),
                  refusal_naming("stop_in_units", odd));
        EXPECT_EQ(refusal_with([](RunOptions& options) { options.replayed_ranks = 2; }),
                  refusal_naming("replayed_ranks", odd));
        EXPECT_EQ(refusal_with([&](RunOptions& options) { options.deliveries = &order; }),
                  refusal_naming("deliveries", odd));
        EXPECT_EQ(refusal_with([](RunOptions& options) { options.samples = 7; }), "nothing");
    });
}

}  // namespace
}  // namespace equipoise::catalogue
