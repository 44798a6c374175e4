#pragma once
// A rule that ends after a fixed number of steps.
//
// Problem: processes whose tokens may move for ever still need an end.
// Model:   the rule's own; every node knows the number of steps and the synchronous clock.
// Guarantee: every node ends after the same, given number of steps.

#include "equipoise/base/ids.hpp"
#include "equipoise/model/local/edge_rule.hpp"

namespace equipoise::protocols {

/// The rule, with every node finished once `steps` steps are over. For edge rules and deal rules.
template <class Rule>
class ForSteps : public Rule {
  public:
    ForSteps(const Rule& rule, Step steps) : Rule(rule), steps_(steps) {}

    [[nodiscard]] bool checks_finished(Step done) const { return done >= steps_; }
    [[nodiscard]] bool finished(const typename Rule::NodeState& /*state*/) const { return true; }

  private:
    Step steps_;
};

}  // namespace equipoise::protocols
