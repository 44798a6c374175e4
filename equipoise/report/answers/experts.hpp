#pragma once
// Placements of experts of a language model in words, as CSV and as JSON.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/adapters/experts/forms.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/replication/plan.hpp"

namespace equipoise::report {

/// A layer with the plan for it.
struct ExpertsLayer {
    std::uint64_t number = 0;
    bool planned = false;    ///< it has loads
    Tokens total = 0;        ///< of its loads, in the units of the plan
    replication::Plan plan;  ///< of a layer that is planned
};

/// The machines that experts are placed on.
struct ExpertsMachines {
    std::uint32_t gpus = 0;
    std::uint32_t slots = 0;  ///< of each GPU
    std::uint32_t hosts = 1;
    std::uint32_t groups = 0;  ///< of experts, whole on a host; 0: experts go anywhere
};

/// What is planned, and the plans of all layers.
struct ExpertsAnswer {
    std::string loads;      ///< the file of loads
    std::string placement;  ///< that of the present placement, or `trivial`; empty: none is there
    std::uint32_t experts = 0;
    ExpertsMachines machines;
    double bound = 1.05;
    std::vector<ExpertsLayer> layers;
    /// Of all layers: those without loads keep what they hold. It is written in its form.
    experts::Placement planned;
    std::vector<std::string> notes;  ///< for people: what was read, what to look at

    /// Whether every layer is within the bound of the best possible for certain.
    [[nodiscard]] bool reached() const;
};

/// The largest GPU over the mean of all GPUs, of several layers.
struct ExpertsLevel {
    double mean = 0;          ///< over layers
    double worst = 0;         ///< of all layers
    std::uint64_t layer = 0;  ///< the first one that is the worst
};

/// The figures of several layers, such as those that a step copies.
struct ExpertsFigures {
    std::uint64_t layers = 0;  ///< that are planned
    std::uint64_t within = 0;  ///< of these, those within the bound
    ExpertsLevel before;       ///< all 0 without a present placement
    ExpertsLevel after;
    ExpertsLevel at_least;              ///< of any placement
    std::uint64_t slots = 0;            ///< of all planned layers
    std::uint64_t copied = 0;           ///< experts that GPUs get
    std::uint64_t copied_at_least = 0;  ///< of any placements as level
    Step waves = 0;                     ///< layer after layer
    Step waves_at_least = 0;
    std::uint64_t across_hosts = 0;  ///< transfers between hosts
    std::uint64_t twice = 0;         ///< copies beside another one on their GPU, before
    std::uint64_t missing = 0;       ///< experts without a copy, before
};
[[nodiscard]] ExpertsFigures experts_figures(std::span<const ExpertsLayer> layers,
                                             const ExpertsMachines& machines);

/// A load of a GPU over the mean of all.
[[nodiscard]] double over_mean(Tokens load, Tokens total, std::uint32_t gpus);

/// "24 experts for 160 slots (15.0 %)".
[[nodiscard]] std::string copied_words(const ExpertsFigures& figures);

/// What experts without a copy mean for a plan, in words.
[[nodiscard]] std::string missing_words(const ExpertsFigures& figures);

/// Where files of a plan were written; empty: nowhere.
struct ExpertsFiles {
    std::string placement;
    std::string transfers;
};

/// For people: levels before and after beside the bound, what is copied and what of all that is
/// certain. Ends with a newline.
[[nodiscard]] std::string experts_text(const ExpertsAnswer& answer, const ExpertsFiles& files,
                                       bool plain);

/// The same and every layer for scripts (schemas/equipoise-experts.json). Ends with a newline.
[[nodiscard]] std::string experts_json(const ExpertsAnswer& answer);

/// A line for each layer that is planned, with the columns layer, before, after, at_least (each
/// over the mean), within, copied, copied_at_least, waves, waves_at_least, across_hosts.
[[nodiscard]] std::string experts_csv(const ExpertsAnswer& answer);

/// A line for each transfer, with the columns layer, wave (from 0 in each layer), expert, from, to
/// (numbers of GPUs).
[[nodiscard]] std::string transfers_csv(const ExpertsAnswer& answer);

}  // namespace equipoise::report
