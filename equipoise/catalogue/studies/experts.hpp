#pragma once
// Where copies of experts of a language model go, as the command line and Python ask for them.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "equipoise/adapters/experts/forms.hpp"
#include "equipoise/replication/problem.hpp"
#include "equipoise/report/answers/experts.hpp"

namespace equipoise::catalogue {

using report::ExpertsAnswer;

/// The options of `experts`, named as on the command line, where --help describes them.
struct ExpertsRequest {
    std::string loads;        ///< a file of measured loads
    std::string placement;    ///< a file, or `trivial`; empty: nothing is there yet
    std::uint64_t gpus = 0;   ///< required
    std::uint64_t slots = 0;  ///< of each GPU; 0: as many as the file of the placement has
    std::uint64_t hosts = 1;
    std::uint64_t groups = 0;  ///< 0: experts go anywhere
    double bound = 1.05;
    std::string at_most;  ///< `copies=N`: in each layer
    std::uint64_t at_once = 1;
    std::string format;        ///< a name of a form; empty: that of the placement, or sglang
    std::uint64_t effort = 0;  ///< steps of the search of a layer; 0: some 15 ms
    std::uint64_t seed = 1;
    unsigned threads = 2;
    bool each_step = false;  ///< see catalogue/studies/experts_steps.hpp

    /// Texts in place of files: "loads", "placement". The value of the option is then the name of
    /// the text in messages.
    std::map<std::string, std::string> texts = {};
    /// What is there, in place of a file; `placement` is then its name in messages.
    std::optional<experts::Placement> present = {};

    /// Throws InputError unless numbers are in range, words known and the files there.
    void check() const;
};

/// How a caller follows and ends the planning.
struct ExpertsControl {
    std::stop_token stop;
    /// Told, by one thread at a time, how many of how many layers are planned.
    std::function<void(std::uint64_t, std::uint64_t)> progress;
};

/// What a request is about, with loads and placement brought together.
struct ExpertsInput {
    experts::Loads loads;
    report::ExpertsMachines machines;
    /// By layer of `loads`: what is in its slots now; empty rows where nothing is there yet.
    std::vector<std::vector<replication::ItemId>> present;
    /// What will be planned: numbers of layers, form, updates; its slots are still empty.
    experts::Placement planned;
    /// Rows of the present placement for layers that the loads leave out: they stay as they are.
    experts::Placement others;
    std::vector<std::string> notes;
};

/// Reads the files. Throws InputError naming file and place, or the option.
[[nodiscard]] ExpertsInput read_experts(const ExpertsRequest& request);

/// The loads of all steps together: by layer, then expert.
[[nodiscard]] std::vector<std::vector<double>> loads_of_all_steps(const experts::Loads& loads);

/// The problem of a layer with these loads, as yet without a present placement.
[[nodiscard]] replication::Problem layer_problem(const ExpertsInput& input,
                                                 const std::vector<double>& loads);

/// Plans every layer for one set of loads (by layer of `input.loads`, then expert), from what is in
/// its slots (as `ExpertsInput::present`). The same for any number of threads. Throws as
/// replication::make_plan, naming the layer; InputError if it is asked to stop.
[[nodiscard]] std::vector<report::ExpertsLayer> plan_layers(
    const ExpertsRequest& request, const ExpertsInput& input,
    const std::vector<std::vector<double>>& loads,
    const std::vector<std::vector<replication::ItemId>>& present,
    const ExpertsControl& control = {});

/// What is in the slots when these plans, perhaps none, are carried out: layers that are not
/// planned keep what they hold, or get the trivial placement if nothing is there.
[[nodiscard]] std::vector<std::vector<replication::ItemId>> slots_after(
    const ExpertsInput& input, const std::vector<report::ExpertsLayer>& layers,
    const std::vector<std::vector<replication::ItemId>>& present);

/// The whole placement, layers that the loads leave out included, once these are the slots of the
/// layers of `input.loads`.
[[nodiscard]] experts::Placement placement_with(
    const ExpertsInput& input, std::vector<std::vector<replication::ItemId>> slots);

/// Reads, and plans all steps together. Throws as these do.
[[nodiscard]] ExpertsAnswer answer_experts(const ExpertsRequest& request,
                                           const ExpertsControl& control = {});

}  // namespace equipoise::catalogue
