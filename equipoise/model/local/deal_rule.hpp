#pragma once
// The deal rule: transfers that a node chooses from its whole neighbourhood, in phases of one flat
// message per port.

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/model/local/lanes.hpp"

namespace equipoise::model {

/// What a node sees in one synchronous round: itself and, by port, its neighbours' loads and
/// constants. All arrays have `degree` entries.
template <class NodeState, class PortState = Nothing>
struct Surroundings {
    Tokens load = 0;                           ///< own tokens at the round's start
    Tokens speed = 1;                          ///< own speed
    NodeState& state;                          ///< own state, to be kept
    std::span<const Tokens> neighbour_loads;   ///< by port
    std::span<const Tokens> neighbour_speeds;  ///< by port; empty when all speeds are 1
    std::span<const Port> neighbour_degrees;   ///< by port
    NodeId node = 0;                           ///< names the node's random stream only
    Step step = 0;                             ///< the first of the round
    std::uint64_t seed = 0;
    /// By port, to be kept, for rules that remember something of each; empty for others.
    std::span<PortState> ports = {};

    [[nodiscard]] Port degree() const { return static_cast<Port>(neighbour_loads.size()); }
    [[nodiscard]] Tokens neighbour_speed(Port port) const {
        return neighbour_speeds.empty() ? 1 : neighbour_speeds[port];
    }
    /// The node's random words of this round. If `propose` and `accept` both draw in a round, they
    /// must name different sets, or they see the same words.
    [[nodiscard]] RandomStream random(std::uint32_t set = 0) const {
        return {seed, Purpose::rule, node, 2 * step + set};
    }
};

/// Whether a deal rule remembers something for each port.
template <class R>
concept RemembersPorts = requires { typename R::PortState; };

namespace detail {
template <class R>
struct PortStateOf {
    using type = Nothing;
};
template <RemembersPorts R>
struct PortStateOf<R> {
    using type = typename R::PortState;
};
}  // namespace detail

/// What a deal rule remembers for each port; `Nothing` unless the rule declares it.
template <class R>
using PortStateOf = typename detail::PortStateOf<R>::type;

/// What a deal rule sees.
template <class R>
using SurroundingsOf = Surroundings<typename R::NodeState, PortStateOf<R>>;

/// A synchronous rule for nodes.
///
/// Required: types `NodeState` and `Proposal` (trivially copyable), and
///   `void propose(const Surroundings&, std::span<Proposal> out) const`: one proposal per port;
///   `void accept(const Surroundings&, std::span<const Proposal> in, std::span<Tokens> taken)`:
///       how many tokens this node takes from the neighbour behind each port (negative: hands over
///       to it, for negative tokens that walk).
/// A rule in which the sender alone decides takes exactly what it was sent.
///
/// Both may change the node's own state: `accept` sees what `propose` of the same round stored
/// there.
///
/// Optional: a trivially copyable type `PortState`, of which a node keeps one for each of its
///   ports, `PortState{}` at the start, and which both may change; `may_owe`, `start_node`,
///   `finished` with `checks_finished`, as for edge rules;
///   `after_step(NodeState&, Tokens old_load, Tokens new_load, StepInfo)` at every node;
///   `static constexpr Step phases`: how many synchronous exchanges over every link a round takes;
///       each is one step of the run (1 unless declared).
template <class R>
concept DealRule =
    optional_members_fit<R>() && std::is_trivially_copyable_v<typename R::Proposal> &&
    std::is_trivially_copyable_v<PortStateOf<R>> &&
    requires(const R& rule, const SurroundingsOf<R>& here, std::span<typename R::Proposal> out,
             std::span<const typename R::Proposal> in, std::span<Tokens> taken) {
        rule.propose(here, out);
        rule.accept(here, in, taken);
    };

/// What a node announces to all its neighbours: a number of tokens, and for which of its ports.
template <Count C>
struct Announcement {
    C tokens = 0;
    C ports = 0;  ///< bit p: port p
};
/// The largest degree whose ports fit into the announcement of one node, and into those of four
/// nodes at once.
inline constexpr Port announced_ports_max = 64;
inline constexpr Port announced_ports_max_in_lanes = 8;

/// Calls `visit(port)` for all ports of a row in ascending order; if their number is known
/// beforehand the loop is unrolled, so that the row need not be in memory.
template <class Row, class Visit>
constexpr void for_each_port(const Row& row, const Visit& visit) {
    if constexpr (requires { std::tuple_size<Row>::value; }) {
        [&]<std::size_t... port>(std::index_sequence<port...> /*all*/) {
            (visit(port), ...);
        }(std::make_index_sequence<std::tuple_size_v<Row>>{});
    } else {
        for (std::size_t port = 0; port < row.size(); ++port)
            visit(port);
    }
}

/// A rule whose proposals all follow from one announcement per node. If speeds are equal and no
/// load is below 0, an engine may then keep one announcement per node instead of a proposal and an
/// answer for every end of every link; the outcome is the same.
///
/// Required, besides the members of a deal rule, whose nodes must remember nothing. They compute
/// with counts (lanes.hpp) of one node or of four at once. A `Row` holds one for each port: for one
/// node `std::span<Tokens>` as long as its degree, for four `std::array<Lanes, 8>`, in which a port
/// that a node does not have appears to lead to a node with the same load that announces nothing.
/// Counts have room for 256 times the largest load, and for 4 times the loads of a node and its
/// neighbours:
///   `bool announces() const`: whether the rule, with its parameters, may be played this way;
///   `Announcement<Count> announce(Count load, Row& neighbour_loads) const`: what a node announces;
///       the rule may use the row as working memory;
///   `void take(Count load, const Row& heard, const Row& meant, Row& taken) const`: how many tokens
///       a node takes from each neighbour, given how many that neighbour announced (`heard`) and
///       whether it announced them for this node (`meant`: -1 or 0);
/// A node announces at most its load, and its tokens go only to neighbours with less load, so that
/// a link carries them in one direction in a round. No load rises above the largest one of the
/// start, unless the rule says how far:
///   `Tokens rises_most() const`.
template <class R>
concept AnnouncesDeals =
    DealRule<R> && std::is_empty_v<typename R::NodeState> && !RemembersPorts<R> && !NotesLoads<R> &&
    requires(const R& rule, std::span<Tokens>& row,
             std::array<Lanes, announced_ports_max_in_lanes>& rows) {
        { rule.announces() } -> std::same_as<bool>;
        { rule.announce(Tokens{}, row) } -> std::same_as<Announcement<Tokens>>;
        { rule.announce(Lanes{}, rows) } -> std::same_as<Announcement<Lanes>>;
        rule.take(Tokens{}, row, row, row);
        rule.take(Lanes{}, rows, rows, rows);
    };

/// By how many tokens loads may rise above the largest load at the start.
template <AnnouncesDeals R>
[[nodiscard]] constexpr Tokens rises_most(const R& rule) {
    if constexpr (requires { rule.rises_most(); })
        return rule.rises_most();
    else
        return 0;
}

/// The steps that a round of the rule takes.
template <class R>
[[nodiscard]] constexpr Step phases_of() {
    if constexpr (requires { R::phases; })
        return R::phases;
    else
        return 1;
}

}  // namespace equipoise::model
