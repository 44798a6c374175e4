#pragma once
// Rounds of deal rules that announce, in the narrowest words that fit.
//
// Nothing is stored for each link: nodes gather their neighbours' announcements, and the deals by
// which a node then gives tokens are listed. Between ranks, announcements travel by node, and
// numbers of tokens taken travel by link. Gathers are limited by the latency of random reads; words
// are therefore narrow and fetched ahead.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/bodies/deal_body.hpp"
#include "equipoise/engine/bodies/nodes_by_reach.hpp"
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/engine/parts/part.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/model/local/lanes.hpp"

namespace equipoise::engine {

/// The types of one word size: how loads and sets of ports are stored, and what is computed with.
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

/// For each port, the counts of a group of nodes, whose size is that of a `Count`: set one by one,
/// passed to rules as a row.
template <model::Count Count>
class PortRow {
  public:
    explicit PortRow(Port degree_max) : numbers_(degree_max) {}
    void set(std::size_t port, std::size_t /*lane*/, Tokens number) { numbers_[port] = number; }
    [[nodiscard]] std::span<Tokens>& row(std::size_t ports) {
        row_ = std::span<Tokens>(numbers_).first(ports);
        return row_;
    }
    /// -1 at ports whose number is not 0, else 0.
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

/// Announced deals of a part, with words of any size.
class AnnouncedPlay {
  public:
    AnnouncedPlay() = default;
    AnnouncedPlay(const AnnouncedPlay&) = delete;
    AnnouncedPlay& operator=(const AnnouncedPlay&) = delete;
    virtual ~AnnouncedPlay() = default;

    // A round: `begin`; nodes without neighbours elsewhere announce, and after `hear` the others;
    // when announcements have travelled, nodes take; when answers have travelled, nodes give.
    virtual void begin(const Workers& workers) = 0;
    /// Copies the loads of the halo in.
    virtual void hear(std::span<const Tokens> loads) = 0;
    virtual void announce(std::span<const NodeRange> nodes) = 0;
    virtual void take(std::span<const NodeRange> nodes) = 0;
    /// Stores the new loads of own nodes in `loads`, which must be what the last round left.
    /// Returns the tokens that own nodes took.
    [[nodiscard]] virtual std::uint64_t give(std::span<Tokens> loads, const Arcs& arcs) = 0;

    /// The values that travel; see DealBody.
    [[nodiscard]] virtual Values ports(const Arcs& arcs) = 0;
    virtual void hear_ports(const Arcs& arcs) = 0;
    [[nodiscard]] virtual Values announcements() = 0;
    [[nodiscard]] virtual Values answers() = 0;
};

/// Announced deals in words of one size. A round: every node announces; every node hears its
/// neighbours and takes what it wants of their offers; the offering nodes give. Memory: a set of
/// ports for each end of a link; a load, an announcement and 8 or 16 bytes for each deal of a node;
/// with several ranks also a load for each end of a link.
template <model::AnnouncesDeals R, class Words>
class AnnouncedDeals final : public AnnouncedPlay {
  public:
    using Load = typename Words::Load;
    using PortSet = typename Words::PortSet;
    using Count = typename Words::Count;
    using Number = decltype(model::number_in(Count{}, 0));

    AnnouncedDeals(const R& rule, Part& part, std::span<const Tokens> own_loads)
        : rule_(rule),
          rows_(part.rows()),
          own_count_(part.own_count()),
          loads_(own_loads.begin(), own_loads.end()),
          announced_(part.local_count()),
          ports_there_(rows_.neighbours.size()) {
        loads_.resize(part.local_count());
        for (NodeId node = 0; node < own_count_; ++node)
            degree_max_ = std::max(degree_max_, rows_.degree(node));
        for (NodeId node = 0; node < own_count_; ++node)
            is_regular_ = is_regular_ && rows_.degree(node) == degree_max_;
        find_ports(part);
    }

    void begin(const Workers& workers) override {
        divide_nodes(workers);
        for (Block& block : blocks_)
            for (std::vector<Deal>& deals : block.deals)
                deals.clear();
        moved_ = 0;
    }
    void hear(std::span<const Tokens> loads) override {
        for (std::size_t node = own_count_; node < loads_.size(); ++node)
            loads_[node] = static_cast<Load>(loads[node]);
    }
    void announce(std::span<const NodeRange> nodes) override {
        by_degree([&]<Port degree>(std::integral_constant<Port, degree> /*known*/) {
            each_block([&](const Block& block) {
                announce<degree>(block, nodes);
                return Moved{};
            });
        });
    }
    void take(std::span<const NodeRange> nodes) override {
        by_degree([&]<Port degree>(std::integral_constant<Port, degree> /*known*/) {
            moved_ += each_block([&](Block& block) { return take<degree>(block, nodes); }).tokens;
        });
    }
    [[nodiscard]] std::uint64_t give(std::span<Tokens> loads, const Arcs& arcs) override {
        // What nodes of other ranks took.
        for (std::size_t i = 0; i < arcs.far.size(); ++i) {
            Load& giver = loads_[arcs.far[i].node];
            giver = static_cast<Load>(giver - taken_[arcs.first_far() + i]);
            taken_[arcs.far[i].arc] = 0;
        }
        each_block([&](const Block& block) {
            give(block, loads);
            return Moved{};
        });
        return moved_;
    }

    /// The ports of own nodes, by arc; those of far ends are filled in when they have travelled.
    [[nodiscard]] Values ports(const Arcs& arcs) override {
        if (arcs.far.empty()) return {{}, sizeof(PortSet)};
        ports_there_.resize(arcs.count);
        taken_.resize(arcs.count);
        for (const Arcs::Far& far : arcs.far)
            ports_there_[far.arc] =
                static_cast<PortSet>(PortSet{1} << (far.arc - rows_.first_arc(far.node)));
        return {std::as_writable_bytes(std::span(ports_there_)), sizeof(PortSet)};
    }
    void hear_ports(const Arcs& arcs) override {
        for (std::size_t i = 0; i < arcs.far.size(); ++i)
            ports_there_[arcs.far[i].arc] = ports_there_[arcs.first_far() + i];
    }
    [[nodiscard]] Values announcements() override {
        return {std::as_writable_bytes(std::span(announced_)), sizeof(Said)};
    }
    [[nodiscard]] Values answers() override {
        return {std::as_writable_bytes(std::span(taken_)), sizeof(Load)};
    }

  private:
    /// The number of nodes computed side by side, and the degree that fills their rows.
    static constexpr std::size_t lanes = model::nodes_of<Count>;
    static constexpr Port full_degree = model::announced_ports_max_in_lanes;
    /// How many nodes ahead the words of neighbours are fetched into the cache.
    static constexpr std::uint64_t fetch_ahead = 16;
    /// How many deals ahead the load of a giver is fetched into the cache.
    static constexpr std::uint64_t deals_ahead = 16;

    /// An announcement without padding.
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
    /// Working memory of one thread.
    struct Heard {
        explicit Heard(Port degree_max)
            : tokens(degree_max), meant(degree_max), taken(degree_max) {}
        PortRow<Count> tokens;
        PortRow<Count> meant;
        PortRow<Count> taken;
    };
    struct Moved {
        std::uint64_t tokens = 0;
        void operator+=(const Moved& other) { tokens += other.tokens; }
    };
    /// Consecutive nodes, and the deals that they made, sorted by the giver's block.
    struct Block {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::vector<std::vector<Deal>> deals;
    };

    template <Port degree>
    [[nodiscard]] std::uint64_t row_begin(std::uint64_t node) const {
        if constexpr (degree == 0)
            return rows_.offsets[node];
        else
            return node * degree;
    }

    /// Calls `play` with the degree of all nodes if it is known at compile time, so that ports are
    /// computed side by side; otherwise with 0.
    template <class Play>
    void by_degree(const Play& play) {
        if constexpr (lanes > 1)
            if (is_regular_ && degree_max_ == full_degree)
                return play(std::integral_constant<Port, full_degree>{});
        play(std::integral_constant<Port, 0>{});
    }

    /// Finds the port by which each neighbour within the part leads to a node. Nodes come in
    /// ascending order of their numbers, and so do the neighbours of each.
    void find_ports(const Part& part) {
        std::vector<std::uint64_t> next(rows_.offsets.begin(), rows_.offsets.end());
        for (const NodeId node : part.own_by_number())
            for (std::uint64_t arc = rows_.first_arc(node); arc < rows_.first_arc(node + 1);
                 ++arc) {
                const NodeId other = rows_.neighbours[arc];
                if (other >= own_count_) continue;
                while (rows_.neighbours[next[other]] != node)
                    ++next[other];
                ports_there_[arc] =
                    static_cast<PortSet>(PortSet{1} << (next[other] - rows_.first_arc(other)));
            }
    }

    void divide_nodes(const Workers& workers) {
        const std::uint64_t nodes = own_count_;
        if (nodes == 0) return;
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

    /// Gives each thread one block.
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

    /// Fetches the words of the neighbours of nodes that will be computed side by side: half of
    /// them at a time, since the processor stalls when too many reads are under way.
    template <Port degree, class Word>
    [[gnu::always_inline]] void fetch(const std::vector<Word>& words, std::uint64_t node,
                                      std::uint64_t end, std::size_t half) const {
        const std::size_t last_lane = half == 0 ? lanes / 2 : lanes;
        for (std::size_t lane = half == 0 ? 0 : lanes / 2; lane < last_lane; ++lane) {
            const std::uint64_t later = std::min(node + fetch_ahead + lane, end - 1);
            const std::uint64_t last = row_begin<degree>(later + 1);
            for (std::uint64_t arc = row_begin<degree>(later); arc < last; ++arc)
                __builtin_prefetch(words.data() + rows_.neighbours[arc]);
        }
    }

    /// Calls `visit(lane, node)` for the nodes that are computed side by side, from `first` on;
    /// lanes left over repeat the last node.
    template <class Visit>
    static void for_each_lane(std::uint64_t first, std::uint64_t end, const Visit& visit) {
        for (std::size_t lane = 0; lane < lanes; ++lane)
            visit(lane, std::min(first + lane, end - 1));
    }

    /// Calls `visit(port, arc)` for the ports of a node and `no_port(port)` for the ports that its
    /// row has beyond them.
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
    void announce(const Block& block, std::span<const NodeRange> nodes) {
        PortRow<Count> neighbour_loads(degree_max_);
        for (const NodeRange& range : nodes)
            announce<degree>(std::max<std::uint64_t>(range.first, block.begin),
                             std::min<std::uint64_t>(range.second, block.end), neighbour_loads);
    }
    template <Port degree>
    void announce(std::uint64_t begin, std::uint64_t end, PortRow<Count>& neighbour_loads) {
        for (std::uint64_t node = begin; node < end; node += lanes) {
            Count own = 0;
            for_each_lane(node, end, [&](std::size_t lane, std::uint64_t here) {
                const auto load = static_cast<Number>(loads_[here]);
                own = model::with_number(own, lane, load);
                for_each_arc<degree>(
                    here,
                    [&](std::size_t port, std::uint64_t arc) {
                        neighbour_loads.set(port, lane,
                                            static_cast<Number>(loads_[rows_.neighbours[arc]]));
                    },
                    [&](std::size_t port) { neighbour_loads.set(port, lane, load); });
            });
            fetch<degree>(loads_, node, end, 0);
            const auto said = rule_.announce(
                own, neighbour_loads.row(row_begin<degree>(node + 1) - row_begin<degree>(node)));
            fetch<degree>(loads_, node, end, 1);
            for (std::size_t lane = 0; lane < std::min<std::uint64_t>(lanes, end - node); ++lane)
                announced_[node + lane] = {
                    static_cast<Load>(model::number_in(said.tokens, lane)),
                    static_cast<PortSet>(model::number_in(said.ports, lane))};
        }
    }

    /// Takers book what they take at once, since no other node reads their loads from here on.
    template <Port degree>
    [[nodiscard]] Moved take(Block& block, std::span<const NodeRange> nodes) {
        Heard room(degree_max_);
        Moved moved;
        for (const NodeRange& range : nodes)
            moved += take<degree>(block, std::max<std::uint64_t>(range.first, block.begin),
                                  std::min<std::uint64_t>(range.second, block.end), room);
        return moved;
    }
    template <Port degree>
    [[nodiscard]] Moved take(Block& block, std::uint64_t begin, std::uint64_t end, Heard& room) {
        PortRow<Count>& heard = room.tokens;
        PortRow<Count>& meant = room.meant;
        Moved moved;
        for (std::uint64_t node = begin; node < end; node += lanes) {
            Count own = 0;
            for_each_lane(node, end, [&](std::size_t lane, std::uint64_t here) {
                own = model::with_number(own, lane, static_cast<Number>(loads_[here]));
                for_each_arc<degree>(
                    here,
                    [&](std::size_t port, std::uint64_t arc) {
                        const Said said = announced_[rows_.neighbours[arc]];
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
            fetch<degree>(announced_, node, end, 0);
            auto& taken = room.taken.row(ports);
            rule_.take(own, heard.row(ports), meant.mask(ports), taken);
            fetch<degree>(announced_, node, end, 1);
            Count inflow = 0;
            Count givers = 0;
            model::for_each_port(taken, [&](std::size_t port) {
                inflow += taken[port];
                givers |=
                    model::only_if(taken[port] > Count{0}, Count{1} << static_cast<int>(port));
            });
            if (!model::any(inflow > Count{0})) continue;
            for (std::size_t lane = 0; lane < std::min<std::uint64_t>(lanes, end - node); ++lane) {
                const Number received = model::number_in(inflow, lane);
                loads_[node + lane] =
                    static_cast<Load>(loads_[node + lane] + static_cast<Load>(received));
                moved.tokens += static_cast<std::uint64_t>(received);
                auto left = static_cast<std::uint64_t>(model::number_in(givers, lane));
                for (; left != 0; left &= left - 1) {
                    const auto port = static_cast<std::size_t>(std::countr_zero(left));
                    const std::uint64_t arc = row_begin<degree>(node + lane) + port;
                    const NodeId giver = rows_.neighbours[arc];
                    const auto tokens = static_cast<Load>(model::number_in(taken[port], lane));
                    if (giver < own_count_)
                        block.deals[block_of(giver)].push_back({giver, tokens});
                    else
                        taken_[arc] = tokens;
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
    Rows rows_;
    NodeId own_count_;
    Port degree_max_ = 0;
    bool is_regular_ = true;
    std::vector<Load> loads_;           ///< of own nodes, then of the halo
    std::vector<Said> announced_;       ///< likewise
    std::vector<PortSet> ports_there_;  ///< by arc: the port at which the neighbour has the node
    std::vector<Load> taken_;           ///< by arc, of links to other ranks: what the node takes
    std::uint64_t moved_ = 0;           ///< in this round
    std::vector<Block> blocks_;
    std::uint64_t blocks_a_node_ = 0;  ///< times 2^32, rounded down
};

/// Serves rules that announce, on all threads, if speeds are equal, no load is below 0 or can rise
/// above 2^46, and no node has more than 64 links. Memory: see AnnouncedDeals.
template <model::DealRule R>
class AnnouncedBody final : public DealBody<R> {
  public:
    static constexpr Body name{"announced"};
    static constexpr bool possible = model::AnnouncesDeals<R>;
    [[nodiscard]] static bool serves(const R& rule, const DealSetting& setting) {
        return rule.announces() && setting.part.link_count() > 0 && !setting.lists_transfers &&
               !setting.changes && !setting.has_speeds && setting.load_least >= 0 &&
               fit<WideDeals>(rule, setting);
    }

    AnnouncedBody(const R& rule, const DealSetting& setting) : nodes_(setting.part) {
        if (fit<NarrowDeals>(rule, setting))
            take_words<NarrowDeals>(rule, setting);
        else if (fit<MediumDeals>(rule, setting))
            take_words<MediumDeals>(rule, setting);
        else
            take_words<WideDeals>(rule, setting);
    }

    [[nodiscard]] bool needs_arcs() const override { return false; }
    [[nodiscard]] Values told_once(const Arcs& arcs) override { return deals_->ports(arcs); }
    void hear_once(const Arcs& arcs) override { deals_->hear_ports(arcs); }
    [[nodiscard]] Values told_by_nodes() override { return deals_->announcements(); }
    [[nodiscard]] Values answers(Arcs& /*arcs*/) override { return deals_->answers(); }

    void propose(const DealStep<R>& at, const NodeSet& nodes) override {
        if (nodes.boundary)
            deals_->hear(at.loads);
        else
            deals_->begin(at.workers);
        deals_->announce(ranges(nodes));
    }
    void accept(const DealStep<R>& /*at*/, const NodeSet& nodes) override {
        deals_->take(ranges(nodes));
    }
    void settle(const DealStep<R>& at, StepTotals& totals) override {
        totals.exchanges += 2 * deals_->give(at.loads, at.arcs);
    }

  private:
    /// The same on every rank, since words of this size travel.
    template <class Words>
    [[nodiscard]] static bool fit(const R& rule, const DealSetting& setting) {
        return setting.load_most <= Words::load_max - model::rises_most(rule) &&
               setting.degree_most <= Words::degree_max;
    }
    template <class Words>
    void take_words(const R& rule, const DealSetting& setting) {
        deals_ = std::make_unique<AnnouncedDeals<R, Words>>(rule, setting.part, setting.own_loads);
    }
    [[nodiscard]] std::span<const NodeRange> ranges(const NodeSet& nodes) const {
        return nodes.boundary ? nodes_.boundary : nodes_.inner;
    }

    NodesByReach nodes_;
    std::unique_ptr<AnnouncedPlay> deals_;
};

}  // namespace equipoise::engine
