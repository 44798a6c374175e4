#pragma once
// Named items on machines that all reach each other: what they need of several resources, the rules
// that hold, and what is asked for. All numbers are whole; files and options are read in input/.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/name_table.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::reassign {

using ItemId = std::uint32_t;
using MachineId = std::uint32_t;
using ValueId = std::uint32_t;

inline constexpr MachineId no_machine = std::numeric_limits<MachineId>::max();
inline constexpr ItemId no_item = std::numeric_limits<ItemId>::max();
inline constexpr ValueId no_value = std::numeric_limits<ValueId>::max();
inline constexpr std::uint32_t any_machine = std::numeric_limits<std::uint32_t>::max();

/// The number of items is the first resource of every problem: each item needs 1 of it.
inline constexpr std::size_t items_resource = 0;

/// When the room that an item leaves is free for others.
enum class Release : std::uint8_t {
    at_once,     ///< when the item begins to move
    after_wave,  ///< when its wave is over
    after_last,  ///< when the last wave is over ("transient" in the machine reassignment problem)
};

struct Resource {
    std::string name;
    int decimals = 0;  ///< amounts count units of 10^-decimals
    Release release = Release::after_wave;
    bool in_bytes = false;
};

/// 10 to the power of an exponent from 0 to 38.
[[nodiscard]] Int128 ten_to_the(int exponent);
/// The amount as a plain number with its decimals, in full: "1.25".
[[nodiscard]] std::string exact_text(const Resource& resource, Int128 amount);
/// The amount as people read it: bytes with a unit and three digits ("1.50 GB", "12 B"), others in
/// full with thousands separated.
[[nodiscard]] std::string amount_text(const Resource& resource, Int128 amount);

/// A property of items or machines: which value each has.
struct Label {
    std::string name;
    NameTable values;
    std::vector<ValueId> of;  ///< by item or machine; `no_value` where the field is empty
};

/// Items with one value of a label are never on one machine. Items that are together in the
/// beginning may stay so, but none may join them.
struct Apart {
    std::size_t label = 0;  ///< of items
    /// Whether an item that leaves counts until its wave is over; if not, the rule is judged when
    /// the wave is over, and items may take each other's places in one wave.
    bool on_the_way = true;
};

/// Items with one value of a label are on machines with at least `least` values of another one, or
/// on as many as they are, if they are fewer. With `least` 0: on as many as possible, and as evenly
/// as can be: c items over the k values that machines which may take items have are at most
/// ceil(c / k) on each.
struct Spread {
    std::size_t label = 0;          ///< of items
    std::size_t machine_label = 0;  ///< of machines
    std::uint32_t least = 0;
};

/// For each pair (service, other): where an item of the service is, an item of the other one is on
/// some machine with the same value of `machine_label`.
struct Near {
    std::size_t label = 0;          ///< of items: the service
    std::size_t machine_label = 0;  ///< of machines: the zone
    std::vector<std::pair<ValueId, ValueId>> depends;
};

/// A resource that is to be level: each machine that takes part ends with at most (1 + tolerance)
/// times its share, or its share rounded up, or with a single item that needs some of the resource.
struct LevelAim {
    std::size_t resource = items_resource;
    std::uint64_t tolerance = 100'000;  ///< in millionths
};

/// The most that a plan may move; the last two have no limit where they are `tokens_max`.
struct Budget {
    std::vector<Tokens> amounts;  ///< by resource; empty: no limit; the first one is moves
    Tokens waves = tokens_max;
};

/// Weighted costs in place of the aims after the rules (docs/how-to/reassign.md); all in whole
/// numbers, in units of 10^-decimals. Resources that cost have these decimals, except for items.
struct Objective {
    struct Balance {
        std::size_t resource = 0;
        std::size_t other = 0;
        Tokens target = 0;  ///< cost: max(0, target * free(resource) - free(other)) by machine
        Tokens weight = 0;
    };
    bool given = false;
    int decimals = 0;
    std::vector<Tokens> over_threshold;  ///< by resource: weight of what is above thresholds
    std::vector<Balance> balances;
    std::vector<Tokens> move_costs;  ///< by item, already weighted; empty: none
    Tokens most_moved = 0;  ///< weight of the largest number of moved items of one value...
    std::size_t most_moved_label = 0;       ///< ... of this label of items
    std::vector<std::uint32_t> pair_costs;  ///< by old and new machine; empty: none
    Tokens pair_weight = 0;
};

/// A problem. In a wave a machine gives, and takes, at most `at_once` items, and at most `gives[v]`
/// and `takes[v]` of the resource `copied`; with `half_duplex` both together.
struct Problem {
    // Names. A thing that is on several machines has a copy, an item, on each.
    NameTable things;
    std::vector<std::uint32_t> thing;  ///< by item
    NameTable machines;
    std::vector<Resource> resources;  ///< the first is `items_resource`
    std::vector<Label> item_labels;   ///< the first is the thing itself, named "item"
    std::vector<Label> machine_labels;

    // Items.
    std::vector<MachineId> places;  ///< by item: where it is
    std::vector<bool> leads;        ///< by item: whether it leads the items of its thing, of which
                                    ///< one at most does; empty: no item leads
    std::vector<Tokens> amounts;    ///< by item, then resource: 0 or more
    std::vector<bool> stays;        ///< by item: whether it must not move; empty: none

    // Machines.
    std::vector<Tokens> capacities;     ///< by machine, then resource; `tokens_max`: no limit
    std::vector<Tokens> thresholds;     ///< the same; not to exceed if it can be helped
    std::vector<Tokens> least_items;    ///< by machine; empty: 0
    std::vector<bool> drained;          ///< by machine: ends without items
    std::vector<bool> pinned;           ///< by machine: neither gives nor takes
    std::vector<std::uint64_t> speeds;  ///< by machine: shares are in proportion to them

    /// The machine that stands for everywhere else, or `no_machine`: it holds copies that are to be
    /// made. It is the last one, drained, without limits and labels, and no machine to people;
    /// its name is empty.
    MachineId outside = no_machine;

    // Rules besides those. Copies of one thing are always apart, on the way, too (the first element
    // of `apart`).
    std::vector<Apart> apart;
    std::vector<Spread> spread;
    std::vector<Near> near;
    /// By item: the set of machines on which it may be, or `any_machine`; empty: any.
    std::vector<std::uint32_t> allowed_set;
    std::vector<std::vector<bool>> sets;  ///< by set, then machine

    // Aims, in this order: rules; least excess over thresholds; least excess over levels; fewest.
    std::vector<LevelAim> level;
    /// Leaders are to be level, too: each machine is to have at most (1 + tolerance) times its
    /// share of them, or its share rounded up; in millionths. Nothing: they change only if they
    /// must.
    std::optional<std::uint64_t> leaders_tolerance;
    /// By item: where it is to end, in place of all other aims; empty: that is to be found.
    std::vector<MachineId> given_ends;
    /// By thing: the item that is to lead in the end, or `no_item`; empty: nothing is said.
    std::vector<ItemId> given_leaders;
    /// The resource of which least is moved; then moves.
    std::size_t fewest = items_resource;
    Budget budget;
    /// In millionths: only machines above this many times their share of some levelled resource,
    /// above a threshold, or breaking a rule give items; 0: all may.
    std::uint64_t only_if_above = 0;
    Objective objective;

    // Waves.
    std::size_t copied = items_resource;
    /// Whether an item that moves is copied from the machine on which its thing's leader is at the
    /// beginning of the wave, which then gives, rather than from the one that it leaves. A copy
    /// from outside always is, or, where none leads, from the first of its thing that is not
    /// outside. checks/copy_sources.hpp says it item by item.
    bool copies_from_leader = false;
    std::vector<Tokens> gives;  ///< by machine, of `copied`, a wave; empty: no limit
    std::vector<Tokens> takes;
    Tokens at_once = 0;  ///< 0: no limit
    /// Whether what a machine gives and takes in a wave counts together against `at_once` and
    /// `gives` (half duplex); then `takes` and `takes_a_second` are empty.
    bool half_duplex = false;
    /// By machine, of `copied`, a second; empty: not known.
    std::vector<double> gives_a_second;
    std::vector<double> takes_a_second;

    /// What limits a machine that takes: `takes`, or `gives` where that is for both.
    [[nodiscard]] const std::vector<Tokens>& take_rates() const {
        return half_duplex ? gives : takes;
    }
    [[nodiscard]] ItemId item_count() const { return static_cast<ItemId>(places.size()); }
    [[nodiscard]] MachineId machine_count() const { return machines.size(); }
    /// Whether `given_leaders` says of some thing who is to lead it.
    [[nodiscard]] bool has_given_leaders() const;
    /// The number of machines that people know: all but `outside`.
    [[nodiscard]] MachineId known_machines() const {
        return outside == no_machine ? machines.size() : outside;
    }
    [[nodiscard]] std::size_t resource_count() const { return resources.size(); }
    [[nodiscard]] Tokens amount(ItemId item, std::size_t resource) const {
        return amounts[item * resources.size() + resource];
    }
    [[nodiscard]] Tokens capacity(MachineId machine, std::size_t resource) const {
        return capacities[machine * resources.size() + resource];
    }
    [[nodiscard]] Tokens threshold(MachineId machine, std::size_t resource) const {
        return thresholds[machine * resources.size() + resource];
    }
    [[nodiscard]] Tokens least_items_of(MachineId machine) const {
        return least_items.empty() ? 0 : least_items[machine];
    }
    /// Whether the item stays where it is, by itself or since its machine is pinned.
    [[nodiscard]] bool must_stay(ItemId item) const {
        return pinned[places[item]] || (!stays.empty() && stays[item]);
    }
    /// Whether rules about this item alone allow it on the machine: `allowed_set`, drained and
    /// pinned machines, items that stay. Its own place is allowed unless it is drained or not in
    /// the set.
    [[nodiscard]] bool may_be_on(ItemId item, MachineId machine) const;
    /// Whether the machine may take items: neither drained nor pinned.
    [[nodiscard]] bool may_take(MachineId machine) const {
        return !drained[machine] && !pinned[machine];
    }
    [[nodiscard]] std::string item_name(ItemId item) const {
        return std::string(things.name(thing[item]));
    }
    [[nodiscard]] std::string machine_name(MachineId machine) const {
        return std::string(machines.name(machine));
    }

    /// The total amount of each resource.
    [[nodiscard]] std::vector<Tokens> totals() const;
    /// By machine: its share of the resource, in proportion to speeds, of what lies on machines
    /// that are not pinned; 0 for drained ones, what it holds for pinned ones. As numerator and
    /// common denominator.
    struct Shares {
        std::vector<Int128> numerators;
        Int128 denominator = 1;
        [[nodiscard]] double of(MachineId machine) const {
            return static_cast<double>(numerators[machine]) / static_cast<double>(denominator);
        }
    };
    [[nodiscard]] Shares shares(std::size_t resource) const;
    /// The same of leaders: of the things that are led in the beginning.
    [[nodiscard]] Shares leader_shares() const;
    /// By machine: the most of a levelled resource with which it counts as level, single large
    /// items aside: max(floor((1 + tolerance) share), ceil(share)).
    [[nodiscard]] std::vector<Tokens> level_limits(const LevelAim& aim) const;
    /// The same of leaders, where `leaders_tolerance` says so; otherwise empty.
    [[nodiscard]] std::vector<Tokens> leader_limits() const;
    /// By resource: the weight with which amounts above limits are added up over resources: the
    /// largest total of any resource divided by this one's, rounded, at least 1.
    [[nodiscard]] std::vector<Tokens> weights() const;

    /// Throws InputError when lists do not fit each other, numbers are out of range, or sums exceed
    /// `tokens_max`.
    void check() const;
};

/// An item goes from one machine to another in a wave (counted from 0).
struct Move {
    Step wave = 0;
    ItemId item = 0;
    MachineId from = no_machine;
    MachineId to = no_machine;
    friend bool operator==(const Move&, const Move&) = default;
};

/// After the last wave another item of a thing leads.
struct LeaderChange {
    std::uint32_t thing = 0;
    ItemId from = no_item;  ///< that led before; it may have moved; `no_item`: none led
    ItemId to = no_item;
    friend bool operator==(const LeaderChange&, const LeaderChange&) = default;
};

}  // namespace equipoise::reassign
