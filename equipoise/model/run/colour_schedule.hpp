#pragma once
// Schedules made from a network itself: the classes of an edge colouring in turn, all links at
// once, or some of them in every step.

#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/network/structure/edge_colouring.hpp"

namespace equipoise::model {

/// Dimension exchange: the links of colour t mod chi are active in step t, oriented from smaller to
/// larger node; slots go colour by colour, in ascending order of links. Memory: 8 bytes a link.
/// Throws InputError when the colouring is not proper.
template <network::AnyGraph N>
[[nodiscard]] PeriodicSchedule colour_schedule(const N& network,
                                               const network::EdgeColouring& colouring) {
    EQUIPOISE_ASSERT(colouring.by_link.size() == network.link_count());
    return PeriodicSchedule(colouring.classes(network));
}

/// All links in every step, oriented from smaller to larger node; the slot of a link is its number.
/// Memory: none over a stored network, which must outlive the schedule; else 8 bytes a link.
class AllLinks {
  public:
    /// Slot i is link i of the network: an engine may find a node's links by its ports.
    static constexpr bool slots_are_links = true;

    explicit AllLinks(const network::Network& network) : borrowed_(network.links()) {}
    template <network::AnyGraph N>
    explicit AllLinks(const N& network) {
        stored_.reserve(network.link_count());
        for (LinkId link = 0; link < network.link_count(); ++link)
            stored_.push_back(network.ends(link));
    }

    [[nodiscard]] static Step period() { return 1; }
    [[nodiscard]] std::uint64_t slot_count() const { return links(0).size(); }
    [[nodiscard]] bool disjoint() const { return links(0).size() <= 1; }
    void prepare(Step /*step*/) {}
    [[nodiscard]] std::span<const Ends> links(Step /*step*/) const {
        return stored_.empty() ? borrowed_ : std::span<const Ends>(stored_);
    }
    [[nodiscard]] static std::uint64_t first_slot(Step /*step*/) { return 0; }

  private:
    std::vector<Ends> stored_;
    std::span<const Ends> borrowed_;
};

/// The same links in every step, with their orientation; a round has `period` steps. Memory: 8
/// bytes a link.
class SameLinks {
  public:
    SameLinks(std::vector<Ends> links, Step period) : links_(std::move(links)), period_(period) {
        EQUIPOISE_ASSERT(period_ > 0);
    }

    [[nodiscard]] Step period() const { return period_; }
    [[nodiscard]] std::uint64_t slot_count() const { return links_.size(); }
    [[nodiscard]] bool disjoint() const { return links_.size() <= 1; }
    void prepare(Step /*step*/) {}
    [[nodiscard]] std::span<const Ends> links(Step /*step*/) const { return links_; }
    [[nodiscard]] static std::uint64_t first_slot(Step /*step*/) { return 0; }

  private:
    std::vector<Ends> links_;
    Step period_;
};

static_assert(ListSchedule<AllLinks>);
static_assert(ListSchedule<SameLinks>);

/// Whether slot i of a schedule is link i of the network it runs on.
template <class S>
concept LinkSlots = ListSchedule<S> && requires { requires S::slots_are_links; };

}  // namespace equipoise::model
