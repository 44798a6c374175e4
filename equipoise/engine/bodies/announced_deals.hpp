#pragma once
// Rounds of deal rules that announce, on a stored network, on the narrowest words that fit.
//
// Nothing is kept by link: a node's announcement is heard by gathering, and what it then gives is
// told by a list, once for every deal. Gathers are limited by the latency of random reads, so words
// are narrow and fetched ahead.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/bodies/deal_body.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/model/local/lanes.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Words of a size: loads and sets of ports as stored, and what is computed with.
template <class LoadWord, class PortSetWord, model::Count Counts, Tokens most>
struct DealWords {
    using Load = LoadWord;
    using PortSet = PortSetWord;
    using Count = Counts;
    static constexpr Tokens load_max = most;
    static constexpr Port degree_max = std::numeric_limits<PortSet>::digits;
};
using NarrowDeals = DealWords<std::uint16_t, std::uint8_t, model::Lanes, 0xffff>;
using MediumDeals = DealWords<std::uint32_t, std::uint8_t, model::Lanes, (Tokens{1} << 23U) - 1>;
using WideDeals = DealWords<Tokens, std::uint64_t, Tokens, Tokens{1} << 46U>;

/// Counts a port and node, as many nodes as a count is of: set one by one, handed to rules as a
/// row.
template <model::Count Count>
class PortRow {
  public:
    explicit PortRow(Port degree_max) : numbers_(degree_max) {}
    void set(std::size_t port, std::size_t /*lane*/, Tokens number) { numbers_[port] = number; }
    [[nodiscard]] std::span<Tokens>& row(std::size_t ports) {
        row_ = std::span<Tokens>(numbers_).first(ports);
        return row_;
    }
    /// -1 where the number is not 0.
    [[nodiscard]] std::span<Tokens>& mask(std::size_t ports) {
        for (Tokens& number : row(ports))
            number = number != 0 ? -1 : 0;
        return row_;
    }

  private:
    std::vector<Tokens> numbers_;
    std::span<Tokens> row_;
};
template <>
class PortRow<model::Lanes> {
  public:
    explicit PortRow(Port /*degree_max*/) {}
    void set(std::size_t port, std::size_t lane, model::Lanes::Number number) {
        numbers_[port][lane] = number;
    }
    [[nodiscard]] auto& row(std::size_t /*ports*/) {
        model::for_each_port(row_,
                             [&](std::size_t port) { row_[port] = model::Lanes(numbers_[port]); });
        return row_;
    }
    [[nodiscard]] auto& mask(std::size_t /*ports*/) {
        model::for_each_port(row_, [&](std::size_t port) {
            row_[port] = ~(model::Lanes(numbers_[port]) == model::Lanes(0));
        });
        return row_;
    }

  private:
    std::array<model::Lanes::Numbers, model::announced_ports_max_in_lanes> numbers_ = {};
    std::array<model::Lanes, model::announced_ports_max_in_lanes> row_;
};

/// Announced deals in words of one size. A round: every node announces; every node hears its
/// neighbours and takes what it wants of their offers; every giver gives. Memory: a set of ports
/// for each end of a link, and a node: its load, its announcement, and 8 or 16 bytes for each of
/// its deals.
template <model::AnnouncesDeals R, class Words>
class AnnouncedDeals {
  public:
    using Load = typename Words::Load;
    using PortSet = typename Words::PortSet;
    using Count = typename Words::Count;
    using Number = decltype(model::number_in(Count{}, 0));

    AnnouncedDeals(const R& rule, const network::Network& network, std::span<const Tokens> loads)
        : rule_(rule),
          offsets_(network.row_offsets()),
          neighbours_(network.row_neighbours()),
          degree_max_(network.degree_max()),
          is_regular_(network.degree_min() == network.degree_max()),
          loads_(loads.begin(), loads.end()),
          announced_(loads.size()),
          ports_there_(neighbours_.size()) {
        // Rows are in ascending order, so nodes meet the rows that they stand in from the front.
        std::vector<Port> ports_met(loads.size(), 0);
        for (std::uint64_t arc = 0; arc < neighbours_.size(); ++arc)
            ports_there_[arc] = static_cast<PortSet>(PortSet{1} << ports_met[neighbours_[arc]]++);
    }

    /// Plays a round: `loads` become the new ones. They must be what the last round left. Returns
    /// the tokens that moved.
    [[nodiscard]] std::uint64_t play(const Workers& workers, std::span<Tokens> loads) {
        if constexpr (lanes > 1)
            if (is_regular_ && degree_max_ == full_degree)
                return play_degree<full_degree>(workers, loads);
        return play_degree<0>(workers, loads);
    }

  private:
    /// Nodes that are computed side by side, and the degree that fills their rows.
    static constexpr std::size_t lanes = model::nodes_of<Count>;
    static constexpr Port full_degree = model::announced_ports_max_in_lanes;
    /// Nodes between the one that is played and the one whose neighbours' words are fetched.
    static constexpr std::uint64_t fetch_ahead = 16;
    /// Deals between the one that is booked and the one whose giver's load is fetched.
    static constexpr std::uint64_t deals_ahead = 16;

    /// An announcement without the bytes that would align it.
    class Said {
      public:
        Said() = default;
        Said(Load tokens, PortSet ports) {
            std::memcpy(bytes_.data(), &tokens, sizeof(Load));
            std::memcpy(bytes_.data() + sizeof(Load), &ports, sizeof(PortSet));
        }
        [[nodiscard]] Load tokens() const {
            Load tokens = 0;
            std::memcpy(&tokens, bytes_.data(), sizeof(Load));
            return tokens;
        }
        [[nodiscard]] PortSet ports() const {
            PortSet ports = 0;
            std::memcpy(&ports, bytes_.data() + sizeof(Load), sizeof(PortSet));
            return ports;
        }

      private:
        std::array<unsigned char, sizeof(Load) + sizeof(PortSet)> bytes_ = {};
    };
    struct Deal {
        NodeId giver;
        Load tokens;
    };
    struct Moved {
        std::uint64_t tokens = 0;
        void operator+=(const Moved& other) { tokens += other.tokens; }
    };
    /// Consecutive nodes, and the deals that they made, by the giver's block.
    struct Block {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::vector<std::vector<Deal>> deals;
    };

    template <Port degree>
    [[nodiscard]] std::uint64_t row_begin(std::uint64_t node) const {
        if constexpr (degree == 0)
            return offsets_[node];
        else
            return node * degree;
    }

    /// `degree`: of all nodes, known beforehand so that ports are computed side by side; 0: any.
    template <Port degree>
    [[nodiscard]] std::uint64_t play_degree(const Workers& workers, std::span<Tokens> loads) {
        share_out(workers);
        each_block([&](const Block& block) {
            announce<degree>(block);
            return Moved{};
        });
        const Moved moved = each_block([&](Block& block) { return take<degree>(block); });
        each_block([&](const Block& block) {
            give(block, loads);
            return Moved{};
        });
        return moved.tokens;
    }

    void share_out(const Workers& workers) {
        const std::uint64_t nodes = loads_.size();
        const auto count = static_cast<std::uint64_t>(workers.for_items(nodes));
        blocks_.resize(count);
        blocks_a_node_ = (count << 32U) / nodes;
        for (std::uint64_t i = 0; i < count; ++i) {
            blocks_[i].begin = first_node(i);
            blocks_[i].end = i + 1 == count ? nodes : first_node(i + 1);
            blocks_[i].deals.resize(count);
        }
    }
    [[nodiscard]] std::size_t block_of(NodeId node) const { return (node * blocks_a_node_) >> 32U; }
    [[nodiscard]] std::uint64_t first_node(std::uint64_t block) const {
        return ((block << 32U) + blocks_a_node_ - 1) / blocks_a_node_;
    }

    /// A block a thread.
    template <class Work>
    Moved each_block(const Work& work) {
        const Workers one_each{static_cast<int>(blocks_.size()), 1};
        return sum_over_blocks<Moved>(one_each, blocks_.size(), blocks_.size(),
                                      [&](std::uint64_t begin, std::uint64_t end) {
                                          Moved moved;
                                          for (std::uint64_t i = begin; i < end; ++i)
                                              moved += work(blocks_[i]);
                                          return moved;
                                      });
    }

    /// Fetches the words of the neighbours of nodes that are computed later side by side: a half of
    /// them at a time, since more reads on their way than the processor can hold make it wait.
    template <Port degree, class Word>
    [[gnu::always_inline]] void fetch(const std::vector<Word>& words, std::uint64_t node,
                                      std::uint64_t end, std::size_t half) const {
        const std::size_t last_lane = half == 0 ? lanes / 2 : lanes;
        for (std::size_t lane = half == 0 ? 0 : lanes / 2; lane < last_lane; ++lane) {
            const std::uint64_t later = std::min(node + fetch_ahead + lane, end - 1);
            const std::uint64_t last = row_begin<degree>(later + 1);
            for (std::uint64_t arc = row_begin<degree>(later); arc < last; ++arc)
                __builtin_prefetch(words.data() + neighbours_[arc]);
        }
    }

    /// Calls `visit(lane, node)` for the nodes that are computed side by side from `first` on; the
    /// last node fills lanes that are left over.
    template <class Visit>
    static void for_each_lane(std::uint64_t first, std::uint64_t end, const Visit& visit) {
        for (std::size_t lane = 0; lane < lanes; ++lane)
            visit(lane, std::min(first + lane, end - 1));
    }

    /// Calls `visit(port, arc)` for the ports of a node and `no_port(port)` for those that it has
    /// not but its row has.
    template <Port degree, class Visit, class NoPort>
    void for_each_arc(std::uint64_t node, const Visit& visit, const NoPort& no_port) const {
        const std::uint64_t first = row_begin<degree>(node);
        if constexpr (degree == 0) {
            std::size_t port = 0;
            for (; port < row_begin<0>(node + 1) - first; ++port)
                visit(port, first + port);
            if constexpr (lanes > 1)
                for (; port < full_degree; ++port)
                    no_port(port);
        } else {
            for (std::size_t port = 0; port < degree; ++port)
                visit(port, first + port);
        }
    }

    template <Port degree>
    void announce(const Block& block) {
        PortRow<Count> neighbour_loads(degree_max_);
        for (std::uint64_t node = block.begin; node < block.end; node += lanes) {
            Count own = 0;
            for_each_lane(node, block.end, [&](std::size_t lane, std::uint64_t here) {
                const auto load = static_cast<Number>(loads_[here]);
                own = model::with_number(own, lane, load);
                for_each_arc<degree>(
                    here,
                    [&](std::size_t port, std::uint64_t arc) {
                        neighbour_loads.set(port, lane,
                                            static_cast<Number>(loads_[neighbours_[arc]]));
                    },
                    [&](std::size_t port) { neighbour_loads.set(port, lane, load); });
            });
            fetch<degree>(loads_, node, block.end, 0);
            const auto said = rule_.announce(
                own, neighbour_loads.row(row_begin<degree>(node + 1) - row_begin<degree>(node)));
            fetch<degree>(loads_, node, block.end, 1);
            for (std::size_t lane = 0; lane < std::min<std::uint64_t>(lanes, block.end - node);
                 ++lane)
                announced_[node + lane] = {
                    static_cast<Load>(model::number_in(said.tokens, lane)),
                    static_cast<PortSet>(model::number_in(said.ports, lane))};
        }
    }

    /// Takers keep what they take at once, since only they read their loads from here on.
    template <Port degree>
    [[nodiscard]] Moved take(Block& block) {
        for (std::vector<Deal>& deals : block.deals)
            deals.clear();
        PortRow<Count> heard(degree_max_);
        PortRow<Count> meant(degree_max_);
        PortRow<Count> taken_room(degree_max_);
        Moved moved;
        for (std::uint64_t node = block.begin; node < block.end; node += lanes) {
            Count own = 0;
            for_each_lane(node, block.end, [&](std::size_t lane, std::uint64_t here) {
                own = model::with_number(own, lane, static_cast<Number>(loads_[here]));
                for_each_arc<degree>(
                    here,
                    [&](std::size_t port, std::uint64_t arc) {
                        const Said said = announced_[neighbours_[arc]];
                        heard.set(port, lane, static_cast<Number>(said.tokens()));
                        meant.set(port, lane,
                                  static_cast<Number>(said.ports() & ports_there_[arc]));
                    },
                    [&](std::size_t port) {
                        heard.set(port, lane, 0);
                        meant.set(port, lane, 0);
                    });
            });
            const std::uint64_t ports = row_begin<degree>(node + 1) - row_begin<degree>(node);
            fetch<degree>(announced_, node, block.end, 0);
            auto& taken = taken_room.row(ports);
            rule_.take(own, heard.row(ports), meant.mask(ports), taken);
            fetch<degree>(announced_, node, block.end, 1);
            Count inflow = 0;
            Count givers = 0;
            model::for_each_port(taken, [&](std::size_t port) {
                inflow += taken[port];
                givers |=
                    model::only_if(taken[port] > Count{0}, Count{1} << static_cast<int>(port));
            });
            if (!model::any(inflow > Count{0})) continue;
            for (std::size_t lane = 0; lane < std::min<std::uint64_t>(lanes, block.end - node);
                 ++lane) {
                const Number received = model::number_in(inflow, lane);
                loads_[node + lane] =
                    static_cast<Load>(loads_[node + lane] + static_cast<Load>(received));
                moved.tokens += static_cast<std::uint64_t>(received);
                auto left = static_cast<std::uint64_t>(model::number_in(givers, lane));
                for (; left != 0; left &= left - 1) {
                    const auto port = static_cast<std::size_t>(std::countr_zero(left));
                    const NodeId giver = neighbours_[row_begin<degree>(node + lane) + port];
                    block.deals[block_of(giver)].push_back(
                        {giver, static_cast<Load>(model::number_in(taken[port], lane))});
                }
            }
        }
        return moved;
    }

    void give(const Block& block, std::span<Tokens> loads) {
        const auto own = static_cast<std::size_t>(&block - blocks_.data());
        for (const Block& takers : blocks_) {
            const std::vector<Deal>& deals = takers.deals[own];
            for (std::size_t i = 0; i < deals.size(); ++i) {
                const std::size_t later = std::min(i + deals_ahead, deals.size() - 1);
                __builtin_prefetch(loads_.data() + deals[later].giver, 1);
                loads_[deals[i].giver] =
                    static_cast<Load>(loads_[deals[i].giver] - deals[i].tokens);
            }
        }
        for (std::uint64_t node = block.begin; node < block.end; ++node)
            loads[node] = static_cast<Tokens>(loads_[node]);
    }

    R rule_;
    std::span<const std::uint64_t> offsets_;
    std::span<const NodeId> neighbours_;
    Port degree_max_;
    bool is_regular_;
    std::vector<Load> loads_;
    std::vector<Said> announced_;
    std::vector<PortSet>
        ports_there_;  ///< by arc: the port behind which the neighbour has the node
    std::vector<Block> blocks_;
    std::uint64_t blocks_a_node_ = 0;  ///< times 2^32, rounded down
};

/// The same, of a rule that announces, in the narrowest words that fit. The network must outlive
/// it.
template <class R>
class AnnouncedRounds {
  public:
    /// Whether announcements serve: not where the rule declines, a node has more than 64 links, or
    /// a load is below 0 or above 2^46.
    [[nodiscard]] static bool fits(const R& rule, const network::Network& network,
                                   std::span<const Tokens> loads) {
        if (!rule.announces() || network.link_count() == 0) return false;
        const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
        return *least >= 0 && fit<WideDeals>(network, *most);
    }

    /// On a network and loads that fit.
    AnnouncedRounds(const R& rule, const network::Network& network, std::span<const Tokens> loads)
        : deals_(make(rule, network, loads)) {}

    /// Plays a round: `loads` become the new ones. They must be what the last round left. Returns
    /// the tokens that moved.
    [[nodiscard]] std::uint64_t play(const Workers& workers, std::span<Tokens> loads) {
        return std::visit([&](auto& deals) { return deals.play(workers, loads); }, deals_);
    }

  private:
    using Deals = std::variant<AnnouncedDeals<R, NarrowDeals>, AnnouncedDeals<R, MediumDeals>,
                               AnnouncedDeals<R, WideDeals>>;

    template <class Words>
    [[nodiscard]] static bool fit(const network::Network& network, Tokens most) {
        return most <= Words::load_max && network.degree_max() <= Words::degree_max;
    }
    [[nodiscard]] static Deals make(const R& rule, const network::Network& network,
                                    std::span<const Tokens> loads) {
        const Tokens most = *std::max_element(loads.begin(), loads.end());
        if (fit<NarrowDeals>(network, most))
            return AnnouncedDeals<R, NarrowDeals>(rule, network, loads);
        if (fit<MediumDeals>(network, most))
            return AnnouncedDeals<R, MediumDeals>(rule, network, loads);
        return AnnouncedDeals<R, WideDeals>(rule, network, loads);
    }

    Deals deals_;
};

/// Serves rules that announce, on stored networks that are whole, with equal speeds. Memory: see
/// AnnouncedDeals.
template <model::DealRule R>
class AnnouncedBody final : public DealBody<R> {
  public:
    static constexpr Body name = Body::announced;
    [[nodiscard]] static bool serves(const R& rule, const DealSetting& setting) {
        if constexpr (model::AnnouncesDeals<R>)
            return setting.part.whole() && setting.part.graph().stored() != nullptr &&
                   !setting.lists_transfers && !setting.changes && !setting.has_speeds &&
                   AnnouncedRounds<R>::fits(rule, *setting.part.graph().stored(),
                                            setting.own_loads);
        return false;
    }

    AnnouncedBody(const R& rule, const DealSetting& setting) : rounds_(make(rule, setting)) {}

    void propose(const DealStep<R>& /*at*/, const NodeSet& /*nodes*/) override {}
    void accept(const DealStep<R>& /*at*/, const NodeSet& /*nodes*/) override {}
    /// All phases at once: nobody else waits for what is said.
    void settle(const DealStep<R>& at, StepTotals& totals) override {
        if constexpr (model::AnnouncesDeals<R>)
            totals.exchanges += 2 * rounds_.play(at.workers, at.loads);
    }
    [[nodiscard]] bool answers() const override { return false; }
    [[nodiscard]] bool needs_arcs() const override { return false; }
    [[nodiscard]] std::span<std::byte> proposal_bytes() override { return {}; }
    [[nodiscard]] std::size_t proposal_size() const override { return 0; }
    void make_room(std::uint64_t /*arcs*/) override {}

  private:
    [[nodiscard]] static auto make([[maybe_unused]] const R& rule,
                                   [[maybe_unused]] const DealSetting& setting) {
        if constexpr (model::AnnouncesDeals<R>)
            return AnnouncedRounds<R>(rule, *setting.part.graph().stored(), setting.own_loads);
        else
            return model::Nothing{};
    }

    decltype(make(std::declval<const R&>(), std::declval<const DealSetting&>())) rounds_;
};

}  // namespace equipoise::engine
