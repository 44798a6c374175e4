#pragma once
// Which groups of items can be on which hosts, so that no machine holds more than a level.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/replication/level_needs.hpp"
#include "equipoise/replication/problem.hpp"

namespace equipoise::replication {

// Problem: give every host as many groups, so that none has more load than its machines hold at
//   the level, or needs more copies than it has slots; at the least cost.
// Model: sums by host; what happens inside a host is left out, but for costs that are given.
// Source: depth-first search, the groups with most load first.
// Guarantee: exact within the effort (groups put on hosts); if that does not suffice, `fit` is true
//   and `least_cost` what the costs of single groups add up to.
// Apart on purpose from the search's own assignment (search/pools.cpp), which looks for one that is
//   good, not for a proof that there is none: a bound shares no code with what it judges.
class GroupsOnHosts {
  public:
    GroupsOnHosts(const Problem& problem, const LevelNeeds& needs, Tokens level);

    /// False: no assignment fits, for certain.
    [[nodiscard]] bool fit(std::uint64_t effort);

    struct Costs {
        std::vector<Tokens> of_group;  ///< by group, then host
        /// By group: the host that it shares with the same groups as now; `hosts`: none.
        std::vector<std::uint32_t> home;
        std::vector<Tokens> of_host;  ///< by host: of having the groups whose home it is; or more
    };
    /// The least sum: over hosts, of what their groups cost, where a host with the groups whose
    /// home it is costs as much as is given for it. `impossible` or more: no assignment fits.
    [[nodiscard]] Tokens least_cost(const Costs& costs, std::uint64_t effort);
    static constexpr Tokens impossible = Tokens{1} << 40;

    /// The fewest copies of its items that a group needs at the level.
    [[nodiscard]] Tokens copies_of(std::uint32_t group) const { return groups_[group].slots; }

  private:
    struct Sums {
        Tokens load = 0;
        Tokens slots = 0;
        std::uint32_t groups = 0;
        friend bool operator==(const Sums&, const Sums&) = default;
    };
    /// Whether the next group fits on the host, which then has it.
    [[nodiscard]] bool put(std::size_t next, std::uint32_t host);
    [[nodiscard]] bool place(std::size_t next);
    void place_cheaply(std::size_t next, Tokens cost);
    [[nodiscard]] Tokens cost_of_all() const;

    std::uint32_t on_each_;
    std::vector<Sums> groups_;
    std::vector<std::uint32_t> order_;  ///< groups, most load first
    std::vector<Tokens> smallest_;      ///< by number: the load of that many of the smallest groups
    Sums most_;
    std::vector<Sums> hosts_;
    std::uint64_t effort_ = 0;

    const Costs* costs_ = nullptr;
    std::vector<Tokens> rest_;  ///< by position in the order: least cost of all from there
    std::vector<std::uint32_t> host_of_;  ///< by group
    Tokens best_ = 0;
};

}  // namespace equipoise::replication
