#pragma once
// How engines check the values that bulk rules return.

#include <bit>
#include <cstddef>
#include <functional>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/parts/part.hpp"

namespace equipoise::engine {

/// Whether a few links (or nodes) of this step are evaluated a second time, in batches with
/// different ones than before: in the first steps, then less and less often.
[[nodiscard]] constexpr bool repeats_some(Step step) {
    return step < 4 || std::has_single_bit(step);
}
/// The errors of a rule: one line that names the rule, the step and the link or node.
class BulkErrors {
  public:
    BulkErrors(std::string rule, std::function<std::string(NodeId)> node_name)
        : rule_(std::move(rule)), node_name_(std::move(node_name)) {}

    [[nodiscard]] InputError at_link(const Part& part, Step step, const Ends& local,
                                     const std::string& what) const {
        return InputError(rule_ + ": step " + std::to_string(step) + ", link " +
                          name(part.global(local.tail)) + " -- " + name(part.global(local.head)) +
                          ": " + what);
    }
    [[nodiscard]] InputError at_node(const Part& part, Step step, NodeId local,
                                     const std::string& what) const {
        return InputError(rule_ + ": step " + std::to_string(step) + ", node " +
                          name(part.global(local)) + ": " + what);
    }
    /// Throws unless a node is left with a load that it may have.
    void expect_load(const Part& part, Step step, NodeId local, Tokens before, Tokens load,
                     bool may_owe) const {
        if (load < 0 && !may_owe)
            throw at_node(part, step, local,
                          "expected to be left with 0 tokens or more, found " +
                              std::to_string(load) + " (it held " + std::to_string(before) + ")");
        if (load > tokens_max || load < -tokens_max) throw OverflowError("load of a node");
    }
    [[nodiscard]] static std::string impure_state() {
        return "expected the same new state whatever else the function is called with, found two";
    }
    [[nodiscard]] static std::string impure(Tokens first, Tokens second) {
        return "expected the same number whatever else the function is called with, found " +
               std::to_string(first) + " and then " + std::to_string(second);
    }

  private:
    [[nodiscard]] std::string name(NodeId node) const {
        return node_name_ ? node_name_(node) : std::to_string(node);
    }
    std::string rule_;
    std::function<std::string(NodeId)> node_name_;
};

}  // namespace equipoise::engine
