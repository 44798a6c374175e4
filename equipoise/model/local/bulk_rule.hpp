#pragma once
// Rules that the caller gives as functions at run time. A call evaluates them for many links or
// nodes at once, so that calls may be costly.
//
// They see what edge rules and deal rules see, column by column, and never the network.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/model/local/link_end.hpp"

namespace equipoise::model {

/// A field of a state: 8 bytes, all 0 when a run begins. Only the rule knows what they mean.
using StateWord = std::int64_t;

/// What functions of many links or nodes see. A span stays readable for as long as a shared pointer
/// to this is kept, but its values are valid only until the function returns; from then on all
/// members throw InputError.
class BulkView : public std::enable_shared_from_this<BulkView> {
  public:
    virtual ~BulkView() = default;
    BulkView() = default;
    BulkView(const BulkView&) = delete;
    BulkView& operator=(const BulkView&) = delete;

    [[nodiscard]] virtual std::size_t count() const = 0;
    [[nodiscard]] virtual StepInfo info() const = 0;
};

/// Some of the active links of a step; all spans are by link.
class BulkLinks : public BulkView {
  public:
    /// Loads before the step.
    [[nodiscard]] virtual std::span<const Tokens> loads(LinkEnd end) = 0;
    [[nodiscard]] virtual std::span<const Tokens> degrees(LinkEnd end) = 0;
    [[nodiscard]] virtual std::span<const Tokens> speeds(LinkEnd end) = 0;
    /// A field of the states of the nodes at this end, from before the step.
    [[nodiscard]] virtual std::span<const StateWord> node_state(LinkEnd end, std::size_t field) = 0;
    /// A field of the states of the links, to be changed.
    [[nodiscard]] virtual std::span<StateWord> link_state(std::size_t field) = 0;
    /// Numbers of the links' slots in the schedule.
    [[nodiscard]] virtual std::span<const std::uint64_t> slots() = 0;
    /// The `index`-th random word of each link in this step, on which both its ends agree: that of
    /// `EdgeStep::random`.
    [[nodiscard]] virtual std::span<const std::uint64_t> random(std::uint64_t index) = 0;
};

/// Some nodes; all spans are by node.
class BulkNodes : public BulkView {
  public:
    [[nodiscard]] virtual std::span<const Tokens> loads() = 0;
    /// Loads before the step.
    [[nodiscard]] virtual std::span<const Tokens> old_loads() = 0;
    [[nodiscard]] virtual std::span<const Tokens> degrees() = 0;
    [[nodiscard]] virtual std::span<const Tokens> speeds() = 0;
    /// A field of the states of the nodes, to be changed.
    [[nodiscard]] virtual std::span<StateWord> state(std::size_t field) = 0;
    /// The `index`-th random word of each node in this round: that of `Surroundings::random(set)`.
    [[nodiscard]] virtual std::span<const std::uint64_t> random(std::uint32_t set,
                                                                std::uint64_t index) = 0;
};

/// Some nodes and, node by node, all their ports. `loads` and `old_loads` are the same.
class BulkSurroundings : public BulkNodes {
  public:
    /// The ports of node i are first[i] .. first[i + 1] - 1; there is one entry more than nodes.
    [[nodiscard]] virtual std::span<const std::int64_t> first_ports() const = 0;
    // By port:
    /// For each port, which of the nodes it belongs to, counted from 0.
    [[nodiscard]] virtual std::span<const std::int64_t> owners() = 0;
    [[nodiscard]] virtual std::span<const Tokens> neighbour_loads() = 0;
    [[nodiscard]] virtual std::span<const Tokens> neighbour_degrees() = 0;
    [[nodiscard]] virtual std::span<const Tokens> neighbour_speeds() = 0;
};

/// What rules of both kinds may do with the states of nodes.
struct BulkStates {
    std::size_t node_fields = 0;
    /// Sets the states of nodes that begin or come back; empty: all 0.
    std::function<void(BulkNodes&)> start_nodes = {};
    /// Called for the nodes that may have moved tokens, once for each, after the tokens have moved;
    /// empty: nothing is done.
    std::function<void(BulkNodes&)> after_step = {};
};

/// An edge rule for many links at once. Its functions must be pure: the flow of a link depends only
/// on what can be seen of that link. To detect rules that break this, engines evaluate some links
/// twice.
struct BulkEdgeRule {
    std::string name;  ///< for errors
    BulkStates nodes = {};
    std::size_t link_fields = 0;
    bool may_owe = false;  ///< loads below 0 are part of the process, not an error
    /// Fills `flows`: tokens from tail to head of each link (negative: from head to tail).
    std::function<void(BulkLinks&, std::span<Tokens> flows)> evaluate;
    /// What people call a node; empty: its number.
    std::function<std::string(NodeId)> node_name = {};
};

/// A deal rule for many nodes at once. Its functions must be pure in the same way.
struct BulkDealRule {
    std::string name;
    BulkStates nodes = {};
    bool may_owe = false;
    /// Fills `proposals`: how many tokens, 0 or more, are offered over each port.
    std::function<void(BulkSurroundings&, std::span<Tokens> proposals)> propose;
    /// Fills `taken`: how many of the tokens offered to it over each port a node takes. Empty: all.
    std::function<void(BulkSurroundings&, std::span<const Tokens> offered, std::span<Tokens> taken)>
        accept = {};
    std::function<std::string(NodeId)> node_name = {};
};

}  // namespace equipoise::model
