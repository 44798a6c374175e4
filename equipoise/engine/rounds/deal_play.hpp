#pragma once
// How a round of a deal rule is played on a part, whatever the rule and the body.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/bodies/deal_body.hpp"
#include "equipoise/engine/rounds/loaded_part.hpp"
#include "equipoise/engine/rounds/round_play.hpp"

namespace equipoise::engine {

/// A round: the environment adds and removes tokens; then the body plays its phases (ExchangedDeals
/// says what they are). Every round takes `phases` steps and sends `phases` messages each way over
/// every link; a round that does not fit below the cap on steps is not begun. Between ranks, loads,
/// proposals and answers travel while nodes without neighbours on other ranks are worked on. A node
/// that comes or comes back starts as at the start of the run. Memory: that of the rows and the
/// body; 16 bytes for each link to other ranks; and, if the body looks at both ends of links, 20
/// bytes for each end of a link at an own node.
class DealPlay : public RoundPlay {
  public:
    ~DealPlay() override;
    DealPlay(const DealPlay&) = delete;
    DealPlay& operator=(const DealPlay&) = delete;

  protected:
    DealPlay(LoadedPart&& loaded, const RoundOptions& options, Step phases, bool may_owe);

    /// Sets up the states and the body. Collective.
    void start();
    [[nodiscard]] StepTotals play(Step now) final;
    [[nodiscard]] Step step_length() const final { return phases_; }
    [[nodiscard]] std::uint64_t ends_counted() const final { return 2; }
    // Neighbours do not see states.
    [[nodiscard]] Values states() final { return {}; }

    /// What a node remembers of its ports, by own arc; nothing unless the rule remembers them.
    [[nodiscard]] virtual Values port_memory() { return {}; }
    [[nodiscard]] std::optional<KeptValues> kept_links() final;
    virtual void start_nodes() = 0;
    /// The index of the first body that serves here, starting at the requested one.
    [[nodiscard]] virtual std::size_t first_body(const DealSetting& setting) const = 0;
    virtual void take_body(std::size_t number, const DealSetting& setting) = 0;
    /// Whether the body looks at both ends of links (see DealBody).
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
    /// The arcs between this rank and another, in the same order on both.
    struct Crossing {
        int rank = 0;
        std::vector<std::uint64_t> own;
        std::uint64_t first_far = 0;
    };

    void number_far_arcs();
    void pair_arcs();
    [[nodiscard]] Port degree_most();
    // Sends the values of own arcs to their far ends.
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
    std::vector<NodeId> inner_;     ///< with several ranks: own nodes without neighbours on others
    std::vector<NodeId> boundary_;  ///< the others
    std::vector<Crossing> crossings_;
    std::vector<std::vector<std::byte>> sent_arcs_;
};

}  // namespace equipoise::engine
