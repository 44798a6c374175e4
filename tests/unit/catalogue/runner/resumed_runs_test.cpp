// A run that stops and goes on from its checkpoint says of itself what a run says that never
// stopped: every rule of rounds, with every word of its parameters.

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/checkpoints.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/report/runs/run_json.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

struct Job {
    std::string algorithm;
    ParameterTexts parameters;
    std::string network;
    std::string loads;
};

/// All that --json prints of a run, except for the time that it took.
nlohmann::json figures_of(const Job& job, Step steps, const std::string& path,
                          const std::string& resume) {
    NetworkRequest network;
    network.spec = job.network;
    network.seed = 4;
    const Instance instance = make_instance(network, job.loads);
    RunRequest asked;
    asked.options.parameters = job.parameters;
    CheckpointRequest kept;
    kept.path = path;
    kept.resume = resume;
    kept.run = identity_of(job.algorithm, network, job.loads, asked);
    Checkpoints keeper(kept);
    Supervision supervision;
    supervision.keeper = &keeper;
    RunOptions options;
    options.seed = 4;
    options.parameters = job.parameters;
    options.steps_max = steps;
    options.supervision = &supervision;
    const Outcome outcome = run(job.algorithm, instance.network, instance.loads, options);
    auto figures = nlohmann::json::parse(report::run_json(outcome.record, true));
    figures.erase("seconds");
    return figures;
}

/// The default parameters, then every other word of each that takes words.
std::vector<ParameterTexts> settings_of(const Algorithm& algorithm) {
    std::vector<ParameterTexts> settings = {{}};
    for (const Parameter& parameter : algorithm.parameters)
        for (const std::string& word : parameter.words)
            if (word != parameter.default_value) settings.push_back({{parameter.name, word}});
    return settings;
}

TEST(ResumedRuns, SayWhatRunsSayThatNeverStopped) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    const auto folder = std::filesystem::temp_directory_path() / "equipoise-resumed-runs";
    std::filesystem::create_directories(folder);
    const std::string middle = (folder / "middle").string();
    const std::string end = (folder / "end").string();
    std::set<std::string> played;
    std::set<std::string> with_debts;
    for (const std::string& name :
         test::names_of([](const Algorithm& algorithm) { return algorithm.plays_rounds(); }))
        for (const ParameterTexts& parameters : settings_of(find_algorithm(name)))
            for (const char* network :
                 {"torus:6x6", "random-tree:n=30", "cycle:n=24", "complete:n=12"})
                for (const char* loads :
                     {"spike:tokens=9000,node=3", "zipf:tokens=700", "bimodal:high=1,share=0.3"}) {
                    const Job job{name, parameters, network, loads};
                    SCOPED_TRACE(name + " on " + network + " from " + loads +
                                 (parameters.empty() ? ""
                                                     : ", " + parameters.begin()->first + '=' +
                                                           parameters.begin()->second));
                    try {
                        const nlohmann::json whole = figures_of(job, 40, end, "");
                        // Early, where debts are deepest, and late, when they are forgotten.
                        for (const Step step : {Step{3}, Step{30}}) {
                            static_cast<void>(figures_of(job, step, middle, ""));
                            EXPECT_EQ(figures_of(job, 40, end, middle), whole) << step;
                        }
                        played.insert(name);
                        const auto constants = whole.find("constants");
                        if (constants != whole.end() && constants->contains("least_load") &&
                            constants->at("least_load").get<std::string>().starts_with('-'))
                            with_debts.insert(name);
                    } catch (const InputError&) {
                        continue;  // not on this network, or with a file only
                    }
                }
    std::filesystem::remove_all(folder);
    EXPECT_EQ(played.size(),
              test::names_of([](const Algorithm& one) { return one.plays_rounds(); }).size());
    EXPECT_TRUE(with_debts.contains("diffusion-2"));
    EXPECT_TRUE(with_debts.contains("chebyshev"));
    EXPECT_TRUE(with_debts.contains("randomised-rounding"));
}

}  // namespace
}  // namespace equipoise::catalogue
