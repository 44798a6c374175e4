#pragma once
// What the world does to a run between rounds: tokens arrive and are consumed, nodes and links come
// and go. The engine owns the loads and the ledger; an environment only says what happens.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::model {

/// Changes before one round.
struct Changes {
    struct Delta {
        NodeId node = 0;
        Tokens tokens = 0;  ///< positive: arrive; negative: consumed, never below zero
    };
    struct Switch {
        std::uint64_t subject = 0;  ///< a node or a link
        bool live = true;
    };
    std::vector<Delta> arrivals;
    std::vector<Switch> nodes;
    std::vector<Switch> links;

    void clear() {
        arrivals.clear();
        nodes.clear();
        links.clear();
    }
    [[nodiscard]] bool empty() const { return arrivals.empty() && nodes.empty() && links.empty(); }
};

class Environment {
  public:
    virtual ~Environment() = default;
    Environment() = default;
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

    /// Whether nodes or links ever come and go; if so, the engine keeps track of those that are up
    /// in every step.
    [[nodiscard]] virtual bool changes_network() const { return false; }
    /// Called at the start of a run, whose rounds take `round_length` steps.
    virtual void begin(Step /*round_length*/) {}
    /// Fills in what happens before round `round`, given the current loads. Links and nodes are
    /// switched first; tokens that arrive at a node which is then down are turned away.
    virtual void before_round(Step round, std::span<const Tokens> loads, Changes& changes) = 0;
};

}  // namespace equipoise::model
