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
#include "equipoise/base/tokens.hpp"
#include "equipoise/base/view.hpp"
#include "equipoise/placement/transfer.hpp"

namespace equipoise::balancer {

using placement::Transfer;

/// Which items go where. docs/how-to/balancer.md helps to choose.
enum class Policy : std::uint8_t {
    minimum_moves,    ///< no item moves without need
    keep_order,       ///< the items of all ranks, one after the other, keep their order
    weighted,         ///< levels real weights of items instead of their number
    hierarchical,     ///< fewest items between machines, then between sockets, then between ranks
    neighbours_only,  ///< items move only between neighbours of the communicator's topology
    given,            ///< the caller says which rank gets which item: the policy of plan_to()
    random_pairs,     ///< random pairs of ranks share evenly: for comparison with the others
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

/// What a rank asks for. Ranks may differ in `speed`, `pinned`, `weights`, `sizes` and the values
/// of the colours; everything else must be the same on all ranks, which is checked even if nothing
/// has to move. `weights` and `sizes` are not copied: they must stay valid until planning has
/// ended.
struct Options {
    Policy policy = Policy::minimum_moves;
    /// This rank's share is proportional to it; finite, 0 or more; at 0 only pinned items stay (not
    /// with random_pairs).
    double speed = 1;
    /// This many items of this rank, the first ones, never move (not with keep_order,
    /// neighbours_only and random_pairs).
    Tokens pinned = 0;
    /// The weights of this rank's items, one for each, finite, 0 or more; for Policy::weighted
    /// only.
    View<double> weights = {};
    /// How many weights each item has (phases, resources), 1 to 64: `weights` then has those of
    /// one item after those of the other, weights[i * weights_per_item + k].
    std::size_t weights_per_item = 1;
    /// The largest load may be (1 + tolerance) times the share, or as near to that as the items
    /// allow; among such placements, one that moves few items is chosen. Finite, 0 or more; for
    /// Policy::weighted only.
    double tolerance = 0;
    /// Bytes of this rank's items, one for each, finite, 0 or more, on all ranks that have items or
    /// on none; few bytes move instead of few items. For Policy::weighted only.
    View<double> sizes = {};
    /// Among equally level placements, one with few items (bytes, if there are sizes) moved between
    /// machines is chosen. For Policy::weighted and Policy::keep_order only.
    bool machines_first = false;
    /// Colours: ranks with equal numbers share a machine and, within it, a socket; by default MPI
    /// is asked. For Policy::hierarchical, and the machine for machines_first; both or only the
    /// machine, on all ranks or none.
    std::optional<int> machine = {};
    std::optional<int> socket = {};
    /// The algorithm of the catalogue with which Policy::neighbours_only plans, and the functions
    /// that run it: both are set by `neighbours_only()` (balancer/neighbours/neighbours_only.hpp).
    std::string algorithm = {};
    const NeighbourPlanner* neighbour_planner = nullptr;
    /// The longest message; longer ones are split. At most 2^31 - 1.
    std::size_t message_bytes_max = std::size_t{1} << 30U;
};

/// The options with these weights, and with the policy that uses them unless another is named.
[[nodiscard]] Options by_weight(Options options, View<double> weights);

/// Least, most and average over ranks.
template <class Number>
struct Spread {
    Number least = 0;
    Number most = 0;
    double average = 0;
};

/// The results of a call. The same on all ranks except for the seconds, which are this rank's.
struct Report {
    Policy policy = Policy::minimum_moves;
    int ranks = 0;
    Tokens moved = 0;  ///< items that changed their rank; each hop counts
    /// The fewest that any plan with the same final sizes must move (other final sizes may need
    /// fewer); unknown for weighted.
    std::optional<Tokens> minimum = 0;
    std::size_t messages = 0;     ///< pairs of ranks (and rounds) between which items moved
    std::size_t rounds = 0;       ///< rounds of messages; above 1 for neighbours_only, random_pairs
    Tokens between_machines = 0;  ///< of `moved`; only for hierarchical and machines_first
    Spread<Tokens> before;        ///< items a rank
    Spread<Tokens> after;         ///< items a rank
    Spread<double> weight_before;  ///< weight a rank; only for weighted. With several weights an
    Spread<double> weight_after;   ///< item, the largest of a rank's weights, each in its average
    bool machines_first = false;   ///< as asked for
    /// The following are only for weighted: the largest weight per unit of speed (with several
    /// weights an item, each in its average), and a certified lower bound on it for every plan.
    double largest_before = 0;
    double largest = 0;
    double largest_at_least = 0;
    /// Certified lower bounds on the items and the bytes moved by any plan whose largest weight is
    /// within the tolerance, or no larger than this plan's.
    Tokens moved_at_least = 0;
    double bytes_moved = 0;  ///< if sizes were given
    double bytes_at_least = 0;
    bool by_bytes = false;             ///< whether sizes were given
    std::size_t weights_per_item = 1;  ///< as asked for
    double seconds_planning = 0;
    double seconds_moving = 0;

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
