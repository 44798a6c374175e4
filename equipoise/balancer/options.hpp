#pragma once
// The options of a call of the balancer, and its report.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/numbers_view.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/base/view.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::balancer {

using placement::Transfer;

/// Which items go where. docs/how-to/balancer.md helps to choose.
enum class Policy : std::uint8_t {
    // Made from equipoise/balancer/faces.toml by tools/make_faces.py: policies.
    /// No item moves without need.
    minimum_moves,
    /// The items of all ranks, one after the other, keep their order. With weights: of all ways to
    /// cut them into consecutive parts, one with the smallest largest load.
    keep_order,
    /// Levels real weights of items instead of their number.
    weighted,
    /// Fewest items between machines, then between sockets, then between ranks.
    hierarchical,
    /// Items move only between neighbours of the communicator's topology.
    neighbours_only,
    /// The caller says which rank gets which item: the policy of plan_to(), which no option can
    /// name.
    given,
    /// Random pairs of ranks share evenly: for comparison with the others.
    random_pairs,
    // End of what is made.
};
[[nodiscard]] std::string_view to_string(Policy policy);
/// The policy of this name. Throws InputError that lists all names.
[[nodiscard]] Policy policy_from_word(std::string_view word);

/// The functions that plan with algorithms over the links between ranks. None of them is
/// collective; all are the same on every rank.
struct NeighbourPlanner {
    /// Throws InputError if there is no such algorithm.
    void (*expect_known)(const std::string& algorithm);
    /// Throws InputError if the algorithm cannot plan over these links for ranks with these numbers
    /// of items.
    void (*expect_suitable)(const std::vector<Ends>& links, std::span<const Tokens> counts,
                            const std::string& algorithm);
    /// The transfers of the algorithm, given the ranks' numbers of items and their speeds. Throws
    /// as `expect_suitable`, and for errors that show only while it runs.
    std::vector<Transfer> (*transfers)(const std::vector<Ends>& links,
                                       std::span<const Tokens> counts,
                                       std::span<const double> speeds,
                                       const std::string& algorithm);
};

/// What a rank asks for. Ranks may differ in `speed`, `pinned`, `items_max`, `bytes_max`,
/// `weights`, `sizes` and the values of the colours; everything else must be the same on all ranks,
/// which is checked even if nothing has to move. `weights` and `sizes` are not copied: they must
/// stay valid until planning has ended.
struct Options {
    // Made from equipoise/balancer/faces.toml by tools/make_faces.py: options.
    /// Which items go where: minimum-moves, keep-order, weighted, hierarchical, neighbours-only or
    /// random-pairs; docs/how-to/balancer.md helps to choose.
    Policy policy = Policy::minimum_moves;
    /// This rank's share is proportional to it; finite, 0 or more; at 0 only pinned items stay (not
    /// with random-pairs).
    double speed = 1;
    /// This many items of this rank, the first ones, never move (not with keep-order,
    /// neighbours-only and random-pairs).
    Tokens pinned = 0;
    /// This rank has room for so many items, and gets no more. By default for any number. For
    /// minimum-moves, hierarchical, keep-order and weighted only (not with keep-order and
    /// machines_first, unless weights are given).
    std::optional<Tokens> items_max = {};
    /// This rank has room for so many bytes, 0 or more, of items with sizes, and gets no more. By
    /// default for any number. For weighted and, with weights, keep-order; needs sizes.
    std::optional<double> bytes_max = {};
    /// What each item of this rank costs, finite, 0 or more; for weighted and keep-order only,
    /// given on all ranks that have items or on none. Of any type of numbers, or arrays of them.
    NumbersView weights = {};
    /// How many weights each item has (phases, resources), 1 to 64: those of an item stand
    /// together, item after item. Only with weights.
    std::size_t weights_per_item = 1;
    /// The largest load may be (1 + tolerance) times the share, or as near to that as the items
    /// allow; among such plans, one that moves few items (with keep-order, the fewest, if cuts have
    /// at most 262,144 places) is chosen. Finite, 0 or more; only with weights.
    double tolerance = 0;
    /// Size of each item of this rank in bytes, finite, 0 or more; given on all ranks that have
    /// items or on none. With weighted, the plan then moves few bytes instead of few items; with
    /// keep-order, they are for bytes_max only. Of any type of numbers.
    NumbersView sizes = {};
    /// Among equally level plans, one that moves few items (bytes, if there are sizes) between
    /// machines, and only then few in all, is chosen. For weighted and keep-order only.
    bool machines_first = false;
    /// Colour of this rank: ranks with equal numbers share a machine; by default MPI is asked. For
    /// hierarchical and machines_first; on all ranks or on none.
    std::optional<int> machine = {};
    /// The same for the sockets of a machine, where machines are given; for hierarchical only.
    std::optional<int> socket = {};
    /// The algorithm of the catalogue that plans, for neighbours-only. Set by `neighbours_only()`
    /// (balancer/neighbours/neighbours_only.hpp).
    std::string algorithm = {};
    /// The functions that run the algorithm; set together with it.
    const NeighbourPlanner* neighbour_planner = nullptr;
    /// The longest message; longer ones are split. 1 to 2^31 - 1.
    std::size_t message_bytes_max = std::size_t{1} << 30U;
    // End of what is made.
};

/// The options with these weights, and with the policy that uses them unless another is named.
/// Where weights are arrays, weights_per_item is their length, unless it is given.
[[nodiscard]] Options by_weight(Options options, NumbersView weights);

/// Least, most and average over ranks.
template <class Number>
struct Spread {
    Number least = 0;
    Number most = 0;
    double average = 0;
};

/// The results of a call. The same on all ranks except for the seconds, which are this rank's.
struct Report {
    // Made from equipoise/balancer/faces.toml by tools/make_faces.py: report.
    /// What was asked for; `given` for plans to given ranks.
    Policy policy = Policy::minimum_moves;
    /// Ranks of the communicator.
    int ranks = 0;
    /// Items that changed their rank; each hop counts.
    Tokens moved = 0;
    /// The fewest items that any plan with the same final sizes must move (other final sizes may
    /// need fewer; a plan that keeps the order may need more); unknown for weighted.
    std::optional<Tokens> minimum = 0;
    /// Pairs of ranks (and rounds) between which items moved.
    std::size_t messages = 0;
    /// Rounds of messages; above 1 only for neighbours-only and random-pairs.
    std::size_t rounds = 0;
    /// Those of `moved` that changed their machine. Only for hierarchical and machines_first.
    Tokens between_machines = 0;
    /// Items per rank, before the move.
    Spread<Tokens> before;
    /// Items per rank, after the move.
    Spread<Tokens> after;
    /// Weight per rank, before the move; with several weights per item, the largest of a rank's
    /// weights, each divided by its average. Only with weights.
    Spread<double> weight_before;
    /// The same after the move. Only with weights.
    Spread<double> weight_after;
    /// Seconds that planning took.
    double seconds_planning = 0;
    /// Seconds that moving took; 0 before the move.
    double seconds_moving = 0;
    /// The largest weight per unit of speed (with several weights per item, the largest of all,
    /// each divided by its average), before the move. Only with weights.
    double largest_before = 0;
    /// The same after the move. Only with weights.
    double largest = 0;
    /// A certified lower bound on `largest`: no plan (with keep-order, none that keeps the order)
    /// has less. Only with weights.
    double largest_at_least = 0;
    /// A certified lower bound: no plan (with keep-order, none that keeps the order) whose largest
    /// weight is within the tolerance, or as low as this plan's, moves fewer items. Only with
    /// weights.
    Tokens moved_at_least = 0;
    /// Bytes of the items that changed their rank. Only if sizes were given.
    double bytes_moved = 0;
    /// The same as `moved_at_least`, for bytes. Only if sizes were given.
    double bytes_at_least = 0;
    /// What was asked for.
    std::size_t weights_per_item = 1;
    /// Whether sizes were given.
    bool by_bytes = false;
    /// What was asked for.
    bool machines_first = false;
    /// Whether weights were given.
    bool by_weight = false;
    // End of what is made.

    /// The same in words, one line per figure; seconds once something has moved.
    [[nodiscard]] std::string describe() const;
};

/// The costs of a step and of a move, as far as the caller knows them.
struct CostModel {
    double seconds_per_item = 0;  ///< one step's work on one item (or unit of weight), speed 1
    double steps = 0;             ///< until the balance is gone, or the next rebalancing
    double seconds_per_item_moved = 0;  ///< sent or received by a rank
    double seconds_per_message = 0;     ///< sent or received by a rank
    /// With several weights an item, instead of seconds_per_item: seconds of one step's work on a
    /// unit of each kind; 0 for kinds that take no time, such as bytes. Phases follow one another:
    /// in each, all wait for the slowest rank.
    std::vector<double> seconds_by_kind = {};
};

/// Whether moving pays. Converts to bool.
struct Verdict {
    bool worth = false;
    double seconds_saved = 0;  ///< steps * (time of the slowest rank now - time then)
    double seconds_spent = 0;  ///< of the rank that sends and receives most
    explicit operator bool() const { return worth; }
};

}  // namespace equipoise::balancer
