#pragma once
// What bulk rules see: columns, each gathered when the rule first asks for it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/live_network.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/model/local/bulk_rule.hpp"

namespace equipoise::engine {

/// The number of links, nodes or ports that a function sees at once: their columns stay in the
/// cache.
inline constexpr std::size_t bulk_size = 1U << 16U;

/// Values of one kind, by link, node or port. Its memory never moves, so that callers may keep
/// spans.
template <class T>
class BulkColumn {
  public:
    void forget() { known_ = false; }
    [[nodiscard]] bool known() const { return known_; }
    /// The values. Unless they are known already, `value(i)` is called for each.
    template <class Value>
    [[nodiscard]] std::span<T> fill(std::size_t count, std::size_t capacity, const Value& value) {
        if (values_.empty()) values_.resize(capacity);
        if (!std::exchange(known_, true))
            for (std::size_t i = 0; i < count; ++i)
                values_[i] = value(i);
        return std::span(values_).first(count);
    }
    [[nodiscard]] std::span<const T> first(std::size_t count) const {
        return std::span(values_).first(count);
    }

  private:
    std::vector<T> values_;
    bool known_ = false;
};

/// What views read: the part's data, by local number.
struct BulkGround {
    const Part* part = nullptr;
    const LiveNetwork* live = nullptr;  ///< null: the network stays as it is
    std::span<const Tokens> loads;
    std::span<const Tokens> speeds;      ///< empty: all 1
    std::span<model::StateWord> states;  ///< node by node
    std::size_t fields = 0;              ///< of a node's state
    model::StepInfo at;

    [[nodiscard]] Tokens degree(NodeId node) const {
        return live != nullptr ? live->degree(node) : part->degree(node);
    }
    [[nodiscard]] Tokens speed(NodeId node) const { return speeds.empty() ? 1 : speeds[node]; }
    [[nodiscard]] model::StateWord& state(NodeId node, std::size_t field) const {
        return states[node * fields + field];
    }
};

/// A sample of a batch: about sixty entries, and never all of several, so that a function that
/// looks at other entries is detected even on small networks. The sample changes from step to step.
class BulkSample {
  public:
    BulkSample(std::size_t count, Step step)
        : stride_(count < 2 ? 1 : count / 61 + 2),
          first_(static_cast<std::size_t>(step % stride_) % count),
          size_((count - first_ - 1) / stride_ + 1) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    /// The place in the batch of the k-th entry, where the last one counts as the first.
    [[nodiscard]] std::size_t at(std::size_t k) const { return first_ + (size_ - 1 - k) * stride_; }

  private:
    std::size_t stride_;
    std::size_t first_;
    std::size_t size_;
};

/// What all views share: whether the function may still read them.
class BulkPass {
  public:
    explicit BulkPass(std::string rule) : rule_(std::move(rule)) {}
    void open(const BulkGround& ground) {
        ground_ = ground;
        is_open_ = true;
    }
    void close() { is_open_ = false; }
    [[nodiscard]] const std::string& rule() const { return rule_; }
    /// Throws InputError unless the function is running.
    [[nodiscard]] const BulkGround& ground() const;

  private:
    std::string rule_;
    BulkGround ground_;
    bool is_open_ = false;
};

/// A batch of links of a step.
class LinkBatch final : public model::BulkLinks {
  public:
    LinkBatch(const std::string& rule, std::size_t capacity, std::size_t node_fields,
              std::size_t link_fields);

    // ---- for the engine
    void clear();
    [[nodiscard]] bool full() const { return ends_.size() == capacity_; }
    [[nodiscard]] bool empty() const { return ends_.empty(); }
    void add(const Ends& ends, std::uint64_t slot, std::uint64_t state) {
        ends_.push_back(ends);
        slots_.push_back(slot);
        states_.push_back(state);
    }
    /// Some links of another batch, in reverse order.
    void sample(const LinkBatch& of, const BulkSample& some);
    /// `link_states`: the states of all slots, link by link.
    void open(const BulkGround& ground, std::span<model::StateWord> link_states);
    void close() { pass_.close(); }
    /// Writes back the states that the function may have changed.
    void store_states() const;
    [[nodiscard]] const Ends& ends(std::size_t i) const { return ends_[i]; }
    [[nodiscard]] std::uint64_t slot(std::size_t i) const { return slots_[i]; }
    /// A field of a link's state as the function left it.
    [[nodiscard]] model::StateWord left(std::size_t i, std::size_t field) const;

    // ---- for the rule
    [[nodiscard]] std::size_t count() const override { return ends_.size(); }
    [[nodiscard]] model::StepInfo info() const override { return pass_.ground().at; }
    [[nodiscard]] std::span<const Tokens> loads(model::LinkEnd end) override;
    [[nodiscard]] std::span<const Tokens> degrees(model::LinkEnd end) override;
    [[nodiscard]] std::span<const Tokens> speeds(model::LinkEnd end) override;
    [[nodiscard]] std::span<const model::StateWord> node_state(model::LinkEnd end,
                                                               std::size_t field) override;
    [[nodiscard]] std::span<model::StateWord> link_state(std::size_t field) override;
    [[nodiscard]] std::span<const std::uint64_t> slots() override;
    [[nodiscard]] std::span<const std::uint64_t> random(std::uint64_t index) override;

  private:
    struct Side {
        BulkColumn<Tokens> loads, degrees, speeds;
        std::vector<BulkColumn<model::StateWord>> states;
    };
    [[nodiscard]] Side& side(model::LinkEnd end) {
        return end == model::LinkEnd::tail ? tail_ : head_;
    }
    [[nodiscard]] NodeId node(model::LinkEnd end, std::size_t i) const {
        return end == model::LinkEnd::tail ? ends_[i].tail : ends_[i].head;
    }

    BulkPass pass_;
    std::size_t capacity_;
    std::vector<Ends> ends_;  ///< by local number
    std::vector<std::uint64_t> slots_;
    std::vector<std::uint64_t> states_;  ///< where the links' states are
    std::span<model::StateWord> link_states_;
    Side tail_;
    Side head_;
    std::vector<BulkColumn<model::StateWord>> of_links_;
    std::vector<BulkColumn<std::uint64_t>> words_;
};

/// A batch of nodes and, for deals, their ports.
class NodeBatch final : public model::BulkSurroundings {
  public:
    NodeBatch(const std::string& rule, std::size_t nodes, std::size_t ports, std::size_t fields);

    // ---- for the engine
    void clear();
    [[nodiscard]] bool empty() const { return nodes_.empty(); }
    /// Whether there is room for one more node with this many ports.
    [[nodiscard]] bool has_room(std::size_t ports) const {
        return nodes_.size() < node_capacity_ && arcs_.size() + ports <= port_capacity_;
    }
    /// Adds a node; then, with `add_port`, its ports.
    void add(NodeId node, Tokens old_load) {
        nodes_.push_back(node);
        old_.push_back(old_load);
        first_.push_back(static_cast<std::int64_t>(arcs_.size()));
    }
    void add_port(NodeId neighbour, std::uint64_t arc) {
        neighbours_.push_back(neighbour);
        arcs_.push_back(arc);
        first_.back() = static_cast<std::int64_t>(arcs_.size());
    }
    /// Some nodes of another batch, in reverse order.
    void sample(const NodeBatch& of, const BulkSample& some);
    void open(const BulkGround& ground);
    void close() { pass_.close(); }
    using Function = std::function<void(model::BulkNodes&)>;
    /// Calls a function with the nodes, stores their states and forgets the nodes.
    void play(const BulkGround& ground, const Function& function);
    /// The same for any number of nodes without ports: `each(add)` calls `add(node, old_load)` for
    /// each of them.
    template <class Each>
    void play_each(const BulkGround& ground, const Function& function, const Each& each) {
        each([&](NodeId node, Tokens old_load) {
            if (!has_room(0)) play(ground, function);
            add(node, old_load);
        });
        if (!empty()) play(ground, function);
    }
    void store_states() const;
    [[nodiscard]] NodeId node(std::size_t i) const { return nodes_[i]; }
    /// A port's number among all arcs of the part.
    [[nodiscard]] std::uint64_t arc(std::size_t port) const { return arcs_[port]; }
    [[nodiscard]] NodeId neighbour(std::size_t port) const { return neighbours_[port]; }
    [[nodiscard]] std::size_t port_count() const { return arcs_.size(); }
    [[nodiscard]] model::StateWord left(std::size_t i, std::size_t field) const;

    // ---- for the rule
    [[nodiscard]] std::size_t count() const override { return nodes_.size(); }
    [[nodiscard]] model::StepInfo info() const override { return pass_.ground().at; }
    [[nodiscard]] std::span<const Tokens> loads() override;
    [[nodiscard]] std::span<const Tokens> old_loads() override;
    [[nodiscard]] std::span<const Tokens> degrees() override;
    [[nodiscard]] std::span<const Tokens> speeds() override;
    [[nodiscard]] std::span<model::StateWord> state(std::size_t field) override;
    [[nodiscard]] std::span<const std::uint64_t> random(std::uint32_t set,
                                                        std::uint64_t index) override;
    [[nodiscard]] std::span<const std::int64_t> first_ports() const override;
    [[nodiscard]] std::span<const std::int64_t> owners() override;
    [[nodiscard]] std::span<const Tokens> neighbour_loads() override;
    [[nodiscard]] std::span<const Tokens> neighbour_degrees() override;
    [[nodiscard]] std::span<const Tokens> neighbour_speeds() override;

  private:
    BulkPass pass_;
    std::size_t node_capacity_;
    std::size_t port_capacity_;
    std::vector<NodeId> nodes_;
    std::vector<Tokens> old_;
    std::vector<std::int64_t> first_;  ///< one more than nodes
    std::vector<NodeId> neighbours_;   ///< by port
    std::vector<std::uint64_t> arcs_;  ///< likewise
    BulkColumn<Tokens> loads_, degrees_, speeds_;
    BulkColumn<Tokens> port_loads_, port_degrees_, port_speeds_;
    BulkColumn<std::int64_t> owners_;
    std::vector<BulkColumn<model::StateWord>> states_;
    std::vector<BulkColumn<std::uint64_t>> words_;
};

}  // namespace equipoise::engine
