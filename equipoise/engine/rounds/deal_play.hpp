#pragma once
// The course of a round of a deal rule on a part, whatever the rule and the body.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/bodies/deal_body.hpp"
#include "equipoise/engine/rounds/round_play.hpp"

namespace equipoise::engine {

/// A round: the environment adds and takes tokens; then the body plays its phases (ExchangedDeals
/// says what they are). Every round takes `phases` steps and as many messages over every link each
/// way; one for which the cap on steps has no room is not begun. On ranks loads, proposals and
/// answers travel, each under way while nodes without neighbours elsewhere are worked on. A node
/// that comes (back) starts as at the run's start.
/// Memory: what rows and body take, 16 bytes for each link to other ranks, and, where the body
/// looks at both ends of links, 20 bytes for each end of an own node's link.
class DealPlay : public RoundPlay {
  public:
    ~DealPlay() override;
    DealPlay(const DealPlay&) = delete;
    DealPlay& operator=(const DealPlay&) = delete;

  protected:
    DealPlay(Part part, load::Loads own_loads, const RoundOptions& options, Step phases,
             bool may_owe);

    /// Sets states and the body up. Collective.
    void start();
    [[nodiscard]] StepTotals play(Step now) final;
    [[nodiscard]] Step step_length() const final { return phases_; }
    [[nodiscard]] std::uint64_t ends_counted() const final { return 2; }
    // Neighbours see no states.
    [[nodiscard]] Values states() final { return {}; }

    virtual void start_nodes() = 0;
    /// The number of the first body that serves here, from the one that was asked for on.
    [[nodiscard]] virtual std::size_t first_body(const DealSetting& setting) const = 0;
    virtual void take_body(std::size_t number, const DealSetting& setting) = 0;
    /// Of the body: see DealBody.
    [[nodiscard]] virtual bool needs_arcs() const = 0;
    virtual void make_arcs() = 0;
    [[nodiscard]] virtual Values told_once() = 0;
    virtual void hear_once() = 0;
    [[nodiscard]] virtual Values told_by_nodes() = 0;
    [[nodiscard]] virtual Values told_by_arcs() = 0;
    [[nodiscard]] virtual Values answers() = 0;
    virtual void propose(const NodeSet& nodes, Step now) = 0;
    virtual void accept(const NodeSet& nodes, Step now) = 0;
    virtual void settle(Step now, StepTotals& totals) = 0;

    Rows rows_;
    Arcs arcs_;

  private:
    /// The arcs between this rank and another, in one order at both.
    struct Crossing {
        int rank = 0;
        std::vector<std::uint64_t> own;
        std::uint64_t first_far = 0;
    };

    void number_far_arcs();
    void pair_arcs();
    [[nodiscard]] Port degree_most();
    // Tell the other ends of links to other ranks the values of own arcs.
    void begin_arcs(const Values& values);
    void finish_arcs(const Values& values) {
        if (!alone() && values.size > 0) fabric_->finish_exchange();
    }
    [[nodiscard]] bool any_steep_link() const;
    void note_transfers(Step now);
    [[nodiscard]] NodeSet inner() const;
    [[nodiscard]] NodeSet boundary() const;

    Step phases_;
    HaloPlan halo_;
    std::vector<NodeId> inner_;     ///< of a share: own nodes without neighbours elsewhere
    std::vector<NodeId> boundary_;  ///< the others
    std::vector<Crossing> crossings_;
    std::vector<std::vector<std::byte>> sent_arcs_;
};

}  // namespace equipoise::engine
