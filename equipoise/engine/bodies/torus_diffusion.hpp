#pragma once
// First-order diffusion on tori without stored links, in place.

#include <cstdint>
#include <vector>

#include "equipoise/engine/bodies/edge_body.hpp"
#include "equipoise/engine/kernels/grid_diffusion.hpp"
#include "equipoise/engine/parts/active_links.hpp"
#include "equipoise/engine/parts/packed_loads.hpp"

namespace equipoise::engine {

/// Serves ranks whose loads nobody asks for before the end and that own consecutive nodes of an
/// implicit torus, at least as many as lie between two neighbours along its first axis; with rules
/// that only divide differences, with speeds of 1 and loads of 0 or more. Memory: see
/// GridDiffusion; 8 bytes for each of the nodes between two neighbours along the first axis.
template <model::EdgeRule R>
class TorusDiffusion final : public EdgeBody<R> {
  public:
    static constexpr Body name{"torus diffusion"};
    static constexpr bool possible = model::DividesUniformly<R>;
    [[nodiscard]] static bool serves(const R& rule, const EdgeSetting& setting) {
        const network::Grid* const grid = setting.part.graph().grid();
        if (grid == nullptr || !setting.unwatched || setting.lists_transfers || setting.changes ||
            setting.has_speeds || setting.load_least < 0 || !setting.schedule.slots_are_links ||
            !setting.part.partition().consecutive())
            return false;
        for (std::size_t axis = 0; axis < grid->dimension(); ++axis)
            if (!grid->closed(axis)) return false;
        return setting.part.own_count() >= grid->stride(0) &&
               rule.uniform_divisor(grid->degree_max()) > grid->degree_max();
    }

    TorusDiffusion(const R& rule, const EdgeSetting& setting)
        : degree_(setting.part.graph().grid()->degree_max()),
          rounds_(*setting.part.graph().grid(), setting.part.global(0), setting.part.own_count(),
                  rule.uniform_divisor(degree_)) {
        Part& part = setting.part;
        static_cast<void>(links_to_others(part));  // brings all neighbours into the halo
        const std::uint64_t nodes = part.node_count();
        const std::uint64_t first = part.global(0);
        for (std::uint64_t i = 0; i < rounds_.reach(); ++i) {
            before_.push_back(
                part.local(static_cast<NodeId>((first + nodes - rounds_.reach() + i) % nodes)));
            after_.push_back(
                part.local(static_cast<NodeId>((first + part.own_count() + i) % nodes)));
        }
    }

    [[nodiscard]] bool packs() const override { return true; }
    [[nodiscard]] bool needs_links() const override { return false; }
    [[nodiscard]] std::uint64_t ends_counted() const override { return 2; }

    /// All nodes are played once the halo has arrived.
    void exchange(const LinkStep<R>& at, const ActiveLinks& /*links*/, Reach reach,
                  StepTotals& totals) override {
        if (reach == Reach::inner) return;
        const GatherTotals own = rounds_.play(at.packed, before_, after_);
        totals.exchanges += own.flows;
        totals.messages += std::uint64_t{at.own_count} * degree_;
        totals.steep = totals.steep || own.steep;
    }

  private:
    Port degree_;
    GridDiffusion rounds_;
    std::vector<NodeId> before_;
    std::vector<NodeId> after_;
};

}  // namespace equipoise::engine
