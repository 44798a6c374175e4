#pragma once
// What searches read of a problem at every step, laid out for them. It does not change, and all
// threads share it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/reassign/search/pair_counts.hpp"

namespace equipoise::reassign {

/// Items by their value of a label: groups, numbered from 0. Where all are small, the items of a
/// group have slots side by side, so that whoever looks for them finds them together.
struct ItemGroups {
    static constexpr std::uint32_t none = no_value;
    explicit ItemGroups(const Label& label);
    /// The size of the largest group; 0 without groups.
    [[nodiscard]] std::uint32_t largest() const;

    std::vector<std::uint32_t> of;     ///< by item; `none`: it has no value
    std::vector<std::uint32_t> sizes;  ///< by group
    bool small = false;
    std::vector<std::uint32_t> first;  ///< by group: its first slot; only where all are small
    std::vector<std::uint32_t> slot;   ///< by item; only where all are small
};

struct ApartTable {
    std::size_t groups = 0;  ///< which of `SearchTables::groups`
    /// Where items of one group are together at the start: groups and machines, sorted.
    std::vector<std::pair<std::uint32_t, MachineId>> together;
};

/// How a group of items is spread.
struct SpreadState {
    Tokens reached = 0;  ///< values with items
    Tokens surplus = 0;  ///< items above the most on a value

    /// An item comes to a value on which `before` of the group are.
    void add(Tokens before, Tokens most) {
        if (before == 0) ++reached;
        if (before >= most) ++surplus;
    }
    /// An item leaves such a value, itself among them.
    void subtract(Tokens before, Tokens most) {
        if (before == 1) --reached;
        if (before > most) --surplus;
    }
};

struct SpreadTable {
    std::size_t groups = 0;            ///< which of `SearchTables::groups`
    std::vector<std::uint32_t> value;  ///< by machine; `no_value`: none
    std::size_t values = 0;
    std::vector<Tokens> least;   ///< by group: on how many values it must be
    std::vector<Tokens> most;    ///< by group: how many items of it may be on one value
    std::vector<Tokens> before;  ///< by group: how far the rule is broken at the start

    /// How far the rule is broken for a group in this state.
    [[nodiscard]] Tokens broken_by(std::uint32_t group, SpreadState state) const {
        return std::max<Tokens>(least[group] - state.reached, 0) + state.surplus;
    }
};

struct NearTable {
    struct Partner {
        std::size_t pair = 0;
        std::uint32_t service = 0;
    };
    std::size_t groups = 0;            ///< which of `SearchTables::groups`: services
    std::vector<std::uint32_t> value;  ///< by machine; `values`: none, where nothing is near
    std::size_t values = 0;
    std::vector<std::vector<Partner>> needs;      ///< by service
    std::vector<std::vector<Partner>> needed_by;  ///< by service
    std::vector<Tokens> before;  ///< by pair: on how many values the rule is broken at the start

    /// An item goes from one value to another one.
    struct Way {
        std::uint32_t service = 0;
        std::uint32_t leaves = 0;
        std::uint32_t arrives = 0;
        bool last = false;  ///< whether no other item of the service is on the value that it leaves
        bool first = false;  ///< whether none is on the value at which it arrives
    };
    /// Calls `add` with each pair that the way brings near or takes apart, and on how many more
    /// values it is then broken. `count` tells how many items of a service are on a value.
    template <class Count, class Add>
    void for_far_pairs(const Way& way, const Count& count, const Add& add) const {
        if (!way.last && !way.first) return;
        const auto alone = [&](std::uint32_t other, std::uint32_t at) {
            return at == values || (other != way.service && count(other, at) == 0);
        };
        for (const Partner& partner : needs[way.service])
            add(partner.pair, (way.first && alone(partner.service, way.arrives) ? 1 : 0) -
                                  (way.last && alone(partner.service, way.leaves) ? 1 : 0));
        const auto wanted = [&](std::uint32_t by, std::uint32_t at) {
            return at != values && count(by, at) > 0;
        };
        for (const Partner& partner : needed_by[way.service])
            add(partner.pair, (way.last && wanted(partner.service, way.leaves) ? 1 : 0) -
                                  (way.first && wanted(partner.service, way.arrives) ? 1 : 0));
    }
};

struct AimTable {
    std::size_t resource = 0;
    Tokens weight = 1;
    std::vector<Tokens> limits;  ///< by machine
};

struct SearchTables {
    explicit SearchTables(const Problem& of_problem);

    const Problem& problem;
    std::size_t kinds;  ///< of resources
    std::vector<Tokens> weights;
    Int128 unit = 1;              ///< what one item too many or too few counts in a score
    std::vector<bool> movable;    ///< by item
    std::vector<bool> misplaced;  ///< by item: where it is at the start it must not be
    std::vector<bool> takes;      ///< by machine
    std::vector<bool> transient;  ///< by resource: released after the last wave
    std::vector<Tokens> held;     ///< at the start, by machine, then resource
    std::vector<Tokens> limits;   ///< the least of capacity, threshold and level, the same
    std::vector<AimTable> aims;
    std::vector<ItemGroups> groups;  ///< of the labels that rules are about
    std::vector<ApartTable> apart;
    std::vector<SpreadTable> spread;
    std::vector<NearTable> near;
    std::optional<std::size_t> most_moved;  ///< which of `groups`

    [[nodiscard]] bool may_be_on(ItemId item, MachineId machine) const {
        if (machine == problem.places[item]) return true;
        if (!movable[item] || !takes[machine]) return false;
        return problem.allowed_set.empty() || problem.allowed_set[item] == any_machine ||
               problem.sets[problem.allowed_set[item]][machine];
    }
    /// The bytes of a `Placement` on these tables.
    [[nodiscard]] std::uint64_t placement_bytes() const;

  private:
    [[nodiscard]] std::size_t groups_of(std::size_t label);
    void lay_out_limits();
    void lay_out_apart();
    void lay_out_spread();
    void lay_out_near();

    std::vector<std::size_t> labels_;  ///< which `groups` are by
};

}  // namespace equipoise::reassign
