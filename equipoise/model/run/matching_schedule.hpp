#pragma once
// Schedules of one matching or one link for each step, drawn at random or chosen by the loads.

#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::model {

/// A random matching every step: every link draws a key, and the links whose key is the least at
/// both of their ends are matched (Sauerwald, Sun 2012). A link is matched with probability at
/// least 1 / (2 d_max - 1). The links of a step depend on (seed, step) only. Cost O(links) for each
/// step.
class RandomMatching {
  public:
    RandomMatching(const network::AnyNetwork& network, std::uint64_t seed);

    /// Never repeats: a round is one step.
    [[nodiscard]] Step period() const { return 0; }
    [[nodiscard]] std::uint64_t slot_count() const { return slots_max_; }
    [[nodiscard]] bool disjoint() const { return true; }
    void prepare(Step step);
    [[nodiscard]] std::span<const Ends> links(Step /*step*/) const { return matching_; }
    [[nodiscard]] std::uint64_t first_slot(Step /*step*/) const { return 0; }

  private:
    std::vector<Ends> links_;
    std::uint64_t seed_;
    std::uint64_t slots_max_;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint64_t> least_;  ///< least key at every node
    std::vector<Ends> matching_;
};

/// One random link every step, all equally likely: on average, the order in which links act without
/// a common clock. Depends on (seed, step) only. The network must outlive it. Memory: O(1).
class RandomLink {
  public:
    RandomLink(const network::AnyNetwork& network, std::uint64_t seed);
    RandomLink(network::AnyNetwork&& network, std::uint64_t seed) = delete;

    [[nodiscard]] Step period() const { return 0; }
    [[nodiscard]] std::uint64_t slot_count() const { return 1; }
    [[nodiscard]] bool disjoint() const { return true; }
    void prepare(Step step);
    [[nodiscard]] std::span<const Ends> links(Step /*step*/) const {
        return {&link_, link_count_ > 0 ? 1U : 0U};
    }
    [[nodiscard]] std::uint64_t first_slot(Step /*step*/) const { return 0; }

  private:
    const network::AnyNetwork* network_;
    std::uint64_t link_count_;
    std::uint64_t seed_;
    Ends link_;
};

/// One random pair of different nodes every step, all ordered pairs (initiator, responder) equally
/// likely: a random link of the complete network, found without its links. The initiator is the
/// tail. Depends on (seed, step) only. Memory: O(1).
class RandomPair {
  public:
    RandomPair(NodeId nodes, std::uint64_t seed) : nodes_(nodes), seed_(seed) {}

    [[nodiscard]] Step period() const { return 0; }
    [[nodiscard]] std::uint64_t slot_count() const { return 1; }
    [[nodiscard]] bool disjoint() const { return true; }
    void prepare(Step step);
    [[nodiscard]] std::span<const Ends> links(Step /*step*/) const {
        return {&pair_, nodes_ > 1 ? 1U : 0U};
    }
    [[nodiscard]] std::uint64_t first_slot(Step /*step*/) const { return 0; }

  private:
    NodeId nodes_;
    std::uint64_t seed_;
    Ends pair_;
};

/// A greedy maximal matching of the links with a difference of two or more, in descending order of
/// difference (ties: lower link first), oriented from the fuller end. It looks at all loads, so it
/// is not a local algorithm; with several ranks every rank is given all loads. Cost O(links log
/// links) for each step.
class SteepestMatching {
  public:
    explicit SteepestMatching(const network::AnyNetwork& network);

    [[nodiscard]] Step period() const { return 0; }
    [[nodiscard]] std::uint64_t slot_count() const { return slots_max_; }
    [[nodiscard]] bool disjoint() const { return true; }
    void prepare(Step step, std::span<const Tokens> loads);
    [[nodiscard]] std::span<const Ends> links(Step /*step*/) const { return matching_; }
    [[nodiscard]] std::uint64_t first_slot(Step /*step*/) const { return 0; }

  private:
    struct Candidate {
        Tokens difference;
        LinkId link;
    };

    std::vector<Ends> links_;
    std::uint64_t slots_max_;
    std::vector<Candidate> candidates_;
    std::vector<Step> used_in_;  ///< 1 + the step in which a node was matched last
    std::vector<Ends> matching_;
};

static_assert(ListSchedule<RandomMatching> && !LoadSchedule<RandomMatching>);
static_assert(ListSchedule<RandomLink> && !LoadSchedule<RandomLink>);
static_assert(ListSchedule<RandomPair> && !LoadSchedule<RandomPair>);
static_assert(ListSchedule<SteepestMatching> && LoadSchedule<SteepestMatching>);

}  // namespace equipoise::model
