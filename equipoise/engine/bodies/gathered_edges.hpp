#pragma once
// Links that share nodes: first all flows are computed, then summed at every node; on all threads.

#include <cstdint>
#include <vector>

#include "equipoise/engine/bodies/edge_body.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Serves every list of links. Memory: 8 bytes per link for flows; a copy of the node states if the
/// rule merges; and 24 bytes per link for the nodes' lists, unless the part is the whole network
/// and the slots are its links.
template <model::EdgeRule R>
class GatheredEdges final : public EdgeBody<R> {
  public:
    static constexpr Body name{"gathered"};
    static constexpr bool possible = true;
    [[nodiscard]] static bool serves(const R& /*rule*/, const EdgeSetting& setting) {
        return !setting.schedule.in_rows && !setting.lists_transfers && !setting.network_changes;
    }

    GatheredEdges(const R& /*rule*/, const EdgeSetting& setting)
        : rows_(setting.part.whole() && setting.schedule.slots_are_links
                    ? setting.part.graph().stored()
                    : nullptr),
          keeps_lists_(setting.schedule.period == 1) {}

    void exchange(const LinkStep<R>& at, const ActiveLinks& links, Reach reach,
                  StepTotals& totals) override {
        Side& side = reach == Reach::inner ? inner_ : cut_;
        side.links = links;
        side.flows.resize(links.ends.size());
        totals += sum_over_blocks<StepTotals>(
            at.workers, links.ends.size(), links.ends.size(),
            [&](std::uint64_t begin, std::uint64_t end) {
                StepTotals own;
                const LinkStep<R> here = at;
                Tokens* const flows = side.flows.data();
                links.for_each_listed(begin, end,
                                      [&](std::uint64_t i, const Ends& ends, std::uint64_t slot,
                                          std::uint64_t state) {
                                          const Tokens tail = here.loads[ends.tail];
                                          const Tokens head = here.loads[ends.head];
                                          flows[i] = here.evaluate(ends, tail, head, slot, state);
                                          if (ends.tail < here.own_count)
                                              here.count(flows[i], tail - head, own);
                                      });
                return own;
            });
    }

    void settle(const LinkStep<R>& at, StepTotals& totals) override {
        if constexpr (model::MergesStates<R>) old_states_ = at.node_states;
        if (rows_ == nullptr) list_links_of_nodes(at.own_count);
        totals += sum_over_blocks<StepTotals>(
            at.workers, at.own_count, at.own_count, [&](std::uint64_t begin, std::uint64_t end) {
                StepTotals own;
                for (std::uint64_t node = begin; node < end; ++node)
                    settle(at, static_cast<NodeId>(node), own);
                return own;
            });
    }

  private:
    struct Side {
        ActiveLinks links;
        std::vector<Tokens> flows;
    };

    void settle(const LinkStep<R>& at, NodeId node, StepTotals& totals) const {
        Tokens net = 0;
        Tokens outflow = 0;
        bool touched = false;
        const auto arrive = [&](const Side& side, std::uint64_t i) {
            const auto [tail, head] = side.links.ends[i];
            const bool is_tail = tail == node;
            const Tokens inflow = is_tail ? -side.flows[i] : side.flows[i];
            if constexpr (model::MergesStates<R>)
                at.rule.merge(at.node_states[node], old_states_[is_tail ? head : tail],
                              at.link_states[side.links.state(i)],
                              is_tail ? model::LinkEnd::tail : model::LinkEnd::head, inflow);
            net += inflow;
            outflow += inflow < 0 ? -inflow : 0;
            touched = true;
        };
        if (rows_ != nullptr) {
            for (Port port = 0; port < rows_->degree(node); ++port)
                arrive(inner_, rows_->link(node, port));
        } else {
            const std::uint64_t inner_count = inner_.links.ends.size();
            for (std::uint64_t k = offsets_[node]; k < offsets_[node + 1]; ++k) {
                const std::uint64_t i = lists_[k];
                if (i < inner_count)
                    arrive(inner_, i);
                else
                    arrive(cut_, i - inner_count);
            }
        }
        if (touched) at.finish(node, at.loads[node], net, outflow, totals);
    }

    /// Sorts the active links by their own ends, those within the part first; only once if every
    /// step has the same links.
    void list_links_of_nodes(NodeId own_count) {
        if (keeps_lists_ && !offsets_.empty()) return;
        offsets_.assign(std::size_t{own_count} + 2, 0);
        const auto each_end = [&](const auto& visit) {
            std::uint64_t i = 0;
            for (const Side* side : {&inner_, &cut_})
                for (const Ends& ends : side->links.ends) {
                    if (ends.tail < own_count) visit(ends.tail, i);
                    if (ends.head < own_count) visit(ends.head, i);
                    ++i;
                }
        };
        each_end([&](NodeId node, std::uint64_t /*i*/) { ++offsets_[node + 2]; });
        for (std::size_t node = 2; node < offsets_.size(); ++node)
            offsets_[node] += offsets_[node - 1];
        lists_.resize(offsets_.back());
        each_end([&](NodeId node, std::uint64_t i) { lists_[offsets_[node + 1]++] = i; });
    }

    const network::Network* rows_;  ///< null: nodes' links are listed
    bool keeps_lists_;
    Side inner_;
    Side cut_;
    States<typename R::NodeState> old_states_;
    std::vector<std::uint64_t> offsets_;
    std::vector<std::uint64_t> lists_;  ///< numbers of links: inner ones, then the others
};

}  // namespace equipoise::engine
