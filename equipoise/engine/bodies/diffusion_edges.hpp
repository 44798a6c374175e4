#pragma once
// First-order diffusion on nodes of equal degree: every node gathers its neighbours' loads, so each
// flow is computed at both ends of its link; on all threads.

#include <cstdint>
#include <optional>

#include "equipoise/engine/bodies/edge_body.hpp"
#include "equipoise/engine/bodies/nodes_by_reach.hpp"
#include "equipoise/engine/kernels/diffusion_rounds.hpp"

namespace equipoise::engine {

/// The degree of all own nodes and their neighbours, if they all have the same and there are any.
[[nodiscard]] std::optional<Port> common_degree(Part& part);

/// Serves rules that only divide differences, played over all links of a network whose nodes have
/// equal degree, with loads in 0 .. medium_load_max and speeds of 1. Memory: see DiffusionRounds;
/// with several ranks also the part's rows.
template <model::EdgeRule R>
class DiffusionEdges final : public EdgeBody<R> {
  public:
    static constexpr Body name{"diffusion"};
    static constexpr bool possible = model::DividesUniformly<R>;
    [[nodiscard]] static bool serves(const R& rule, const EdgeSetting& setting) {
        if (!setting.schedule.slots_are_links || setting.lists_transfers || setting.changes ||
            setting.has_speeds || setting.load_least < 0 || setting.load_most > medium_load_max)
            return false;
        const std::optional<Port> degree = common_degree(setting.part);
        return degree && rule.uniform_divisor(*degree) > *degree;
    }

    DiffusionEdges(const R& rule, const EdgeSetting& setting)
        : nodes_(setting.part),
          rows_(setting.part.rows()),
          degree_(*common_degree(setting.part)),
          rounds_(rows_.neighbours, degree_, rule.uniform_divisor(degree_), setting.load_most,
                  setting.own_loads, setting.part.local_count()) {}

    void exchange(const LinkStep<R>& at, const ActiveLinks& /*links*/, Reach reach,
                  StepTotals& totals) override {
        if (reach == Reach::cut) rounds_.hear(at.loads, at.own_count);
        for (const auto& [begin, end] : reach == Reach::inner ? nodes_.inner : nodes_.boundary) {
            const GatherTotals own = rounds_.play(at.workers, at.loads, begin, end);
            totals.exchanges += own.flows;
            totals.messages += std::uint64_t{end - begin} * degree_;
            totals.steep = totals.steep || own.steep;
        }
    }

    void settle(const LinkStep<R>& /*at*/, StepTotals& /*totals*/) override { rounds_.turn(); }

    [[nodiscard]] bool needs_links() const override { return false; }
    [[nodiscard]] std::uint64_t ends_counted() const override { return 2; }

  private:
    NodesByReach nodes_;
    Rows rows_;
    Port degree_;
    DiffusionRounds rounds_;
};

}  // namespace equipoise::engine
