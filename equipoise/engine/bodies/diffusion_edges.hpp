#pragma once
// First-order diffusion: every node gathers its neighbours' loads, so each flow is computed at both
// ends of its link; on all threads.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "equipoise/engine/bodies/edge_body.hpp"
#include "equipoise/engine/bodies/nodes_by_reach.hpp"
#include "equipoise/engine/kernels/diffusion_rounds.hpp"

namespace equipoise::engine {

/// The degrees of own nodes and their neighbours, in ascending order, each once, without 0.
[[nodiscard]] std::vector<Port> degrees_of(Part& part);

/// Whether nodes of these degrees can gather with these divisors: each exceeds its degree, and
/// there are not too many.
[[nodiscard]] bool divisors_serve(std::span<const Port> degrees, std::span<const Tokens> divisors);

/// The rows of a part with the divisor of every link, which depends on the larger degree of its
/// ends. Memory: 2 bytes for each arc unless all links have one divisor; with several ranks also
/// the part's rows.
class PartDivisors {
  public:
    /// `divisors`: by place in `degrees`, which are those of `degrees_of`.
    PartDivisors(Part& part, std::span<const Port> degrees, std::vector<Tokens> divisors);
    PartDivisors(const PartDivisors&) = delete;
    PartDivisors& operator=(const PartDivisors&) = delete;

    /// Valid as long as this and the part stay where they are.
    [[nodiscard]] const DividedRows& rows() const { return rows_; }

  private:
    std::vector<Tokens> divisors_;
    std::vector<std::uint16_t> classes_;
    DividedRows rows_;
};

/// Serves rules that only divide differences, played over all links of a network, with loads of
/// at least 0 and speeds of 1. Memory: see PartDivisors and DiffusionRounds.
template <model::EdgeRule R>
class DiffusionEdges final : public EdgeBody<R> {
  public:
    static constexpr Body name{"diffusion"};
    static constexpr bool possible = model::DividesUniformly<R>;
    [[nodiscard]] static bool serves(const R& rule, const EdgeSetting& setting) {
        if (!setting.schedule.slots_are_links || setting.lists_transfers || setting.changes ||
            setting.has_speeds || setting.load_least < 0)
            return false;
        const std::vector<Port> degrees = degrees_of(setting.part);
        return divisors_serve(degrees, divisors_of(rule, degrees));
    }

    DiffusionEdges(const R& rule, const EdgeSetting& setting)
        : DiffusionEdges(rule, setting, degrees_of(setting.part)) {}

    void exchange(const LinkStep<R>& at, const ActiveLinks& /*links*/, Reach reach,
                  StepTotals& totals) override {
        if (reach == Reach::cut) rounds_.hear(at.loads, at.own_count);
        const DividedRows& rows = divisors_.rows();
        for (const auto& [begin, end] : reach == Reach::inner ? nodes_.inner : nodes_.boundary) {
            const GatherTotals own = rounds_.play(at.workers, at.loads, begin, end);
            totals.exchanges += own.flows;
            totals.messages += rows.first_arc(end) - rows.first_arc(begin);
            totals.steep = totals.steep || own.steep;
        }
    }

    void settle(const LinkStep<R>& /*at*/, StepTotals& /*totals*/) override { rounds_.turn(); }

    [[nodiscard]] std::optional<LoadRange> own_range() const override {
        return rounds_.own_range();
    }
    [[nodiscard]] bool needs_links() const override { return false; }
    [[nodiscard]] std::uint64_t ends_counted() const override { return 2; }

  private:
    DiffusionEdges(const R& rule, const EdgeSetting& setting, const std::vector<Port>& degrees)
        : nodes_(setting.part),
          divisors_(setting.part, degrees, divisors_of(rule, degrees)),
          rounds_(divisors_.rows(), {setting.load_least, setting.load_most}, setting.own_loads,
                  setting.part.local_count()) {}

    [[nodiscard]] static std::vector<Tokens> divisors_of(const R& rule,
                                                         std::span<const Port> degrees) {
        std::vector<Tokens> divisors;
        divisors.reserve(degrees.size());
        for (const Port degree : degrees)
            divisors.push_back(rule.uniform_divisor(degree));
        return divisors;
    }

    NodesByReach nodes_;
    PartDivisors divisors_;
    DiffusionRounds rounds_;
};

}  // namespace equipoise::engine
