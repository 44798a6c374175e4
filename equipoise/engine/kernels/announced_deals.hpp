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
#include "equipoise/engine/kernels/parallel.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::engine {

/// Words of a size: loads and sets of ports as stored, and the arithmetic on them.
template <class LoadWord, class PortSetWord, class CountWord, Tokens most>
struct DealWords {
    using Load = LoadWord;
    using PortSet = PortSetWord;
    using Count = CountWord;
    static constexpr Tokens load_max = most;
    static constexpr Port degree_max = std::numeric_limits<PortSet>::digits;
};
using NarrowDeals = DealWords<std::uint16_t, std::uint8_t, std::int32_t, 0xffff>;
using MediumDeals = DealWords<std::uint32_t, std::uint8_t, std::int32_t, (Tokens{1} << 25U) - 1>;
using WideDeals = DealWords<Tokens, std::uint64_t, std::int64_t, Tokens{1} << 46U>;

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
        return is_regular_ && degree_max_ == 8 ? play<8>(workers, loads) : play<0>(workers, loads);
    }

  private:
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
    /// A consecutive part of the nodes, and the deals that its nodes made, by the giver's part.
    struct Part {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        std::vector<std::vector<Deal>> deals;
    };

    /// Room for a count a port; `degree` = 0: of any number of ports.
    template <Port degree>
    class Row {
      public:
        explicit Row(Port degree_max) {
            if constexpr (degree == 0) counts_.resize(degree_max);
        }
        [[nodiscard]] auto& of([[maybe_unused]] std::uint64_t ports) {
            if constexpr (degree == 0) {
                view_ = std::span<Count>(counts_).first(ports);
                return view_;
            } else {
                return counts_;
            }
        }

      private:
        std::conditional_t<degree == 0, std::vector<Count>, std::array<Count, degree>> counts_ = {};
        std::span<Count> view_;
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
    [[nodiscard]] std::uint64_t play(const Workers& workers, std::span<Tokens> loads) {
        share_out(workers);
        each_part([&](const Part& part) {
            announce<degree>(part);
            return Moved{};
        });
        const Moved moved = each_part([&](Part& part) { return take<degree>(part); });
        each_part([&](const Part& part) {
            give(part, loads);
            return Moved{};
        });
        return moved.tokens;
    }

    void share_out(const Workers& workers) {
        const std::uint64_t nodes = loads_.size();
        const auto count = static_cast<std::uint64_t>(workers.for_items(nodes));
        parts_.resize(count);
        parts_a_node_ = (count << 32U) / nodes;
        for (std::uint64_t i = 0; i < count; ++i) {
            parts_[i].begin = first_node(i);
            parts_[i].end = i + 1 == count ? nodes : first_node(i + 1);
            parts_[i].deals.resize(count);
        }
    }
    [[nodiscard]] std::size_t part_of(NodeId node) const { return (node * parts_a_node_) >> 32U; }
    [[nodiscard]] std::uint64_t first_node(std::uint64_t part) const {
        return ((part << 32U) + parts_a_node_ - 1) / parts_a_node_;
    }

    /// A part a thread.
    template <class Work>
    Moved each_part(const Work& work) {
        const Workers one_each{static_cast<int>(parts_.size()), 1};
        return sum_over_blocks<Moved>(one_each, parts_.size(), parts_.size(),
                                      [&](std::uint64_t begin, std::uint64_t end) {
                                          Moved moved;
                                          for (std::uint64_t i = begin; i < end; ++i)
                                              moved += work(parts_[i]);
                                          return moved;
                                      });
    }

    /// Fetches the words of the neighbours of a later node.
    template <Port degree, class Word>
    [[gnu::always_inline]] void fetch(const std::vector<Word>& words, std::uint64_t node,
                                      std::uint64_t end) const {
        const std::uint64_t later = std::min(node + fetch_ahead, end - 1);
        const std::uint64_t last = row_begin<degree>(later + 1);
        for (std::uint64_t arc = row_begin<degree>(later); arc < last; ++arc)
            __builtin_prefetch(words.data() + neighbours_[arc]);
    }

    template <Port degree>
    void announce(const Part& part) {
        Row<degree> neighbour_loads(degree_max_);
        for (std::uint64_t node = part.begin; node < part.end; ++node) {
            fetch<degree>(loads_, node, part.end);
            const std::uint64_t first = row_begin<degree>(node);
            auto& row = neighbour_loads.of(row_begin<degree>(node + 1) - first);
            model::for_each_port(row, [&](std::size_t port) {
                row[port] = static_cast<Count>(loads_[neighbours_[first + port]]);
            });
            const auto said = rule_.announce(static_cast<Count>(loads_[node]), row);
            announced_[node] = {static_cast<Load>(said.tokens), static_cast<PortSet>(said.ports)};
        }
    }

    /// Takers keep what they take at once, since only they read their loads from here on.
    template <Port degree>
    [[nodiscard]] Moved take(Part& part) {
        for (std::vector<Deal>& deals : part.deals)
            deals.clear();
        Row<degree> heard_row(degree_max_);
        Row<degree> meant_row(degree_max_);
        Row<degree> taken_row(degree_max_);
        Moved moved;
        for (std::uint64_t node = part.begin; node < part.end; ++node) {
            fetch<degree>(announced_, node, part.end);
            const std::uint64_t first = row_begin<degree>(node);
            const std::uint64_t ports = row_begin<degree>(node + 1) - first;
            const NodeId* const neighbours = neighbours_.data() + first;
            const PortSet* const ports_there = ports_there_.data() + first;
            auto& heard = heard_row.of(ports);
            auto& meant = meant_row.of(ports);
            auto& taken = taken_row.of(ports);
            model::for_each_port(heard, [&](std::size_t port) {
                const Said said = announced_[neighbours[port]];
                heard[port] = static_cast<Count>(said.tokens());
                meant[port] = (said.ports() & ports_there[port]) != 0 ? 1 : 0;
            });
            rule_.take(static_cast<Count>(loads_[node]), heard, meant, taken);
            Count inflow = 0;
            std::uint64_t givers = 0;
#if defined(_OPENMP)
#pragma omp simd reduction(+ : inflow)
#endif
            for (std::size_t port = 0; port < taken.size(); ++port)
                inflow += taken[port];
            if (inflow == 0) continue;
            model::for_each_port(taken, [&](std::size_t port) {
                givers |= std::uint64_t{taken[port] != 0} << port;
            });
            for (; givers != 0; givers &= givers - 1) {
                const auto port = static_cast<std::size_t>(std::countr_zero(givers));
                const NodeId giver = neighbours[port];
                part.deals[part_of(giver)].push_back({giver, static_cast<Load>(taken[port])});
            }
            loads_[node] = static_cast<Load>(loads_[node] + inflow);
            moved.tokens += static_cast<std::uint64_t>(inflow);
        }
        return moved;
    }

    void give(const Part& part, std::span<Tokens> loads) {
        const auto own = static_cast<std::size_t>(&part - parts_.data());
        for (const Part& takers : parts_) {
            const std::vector<Deal>& deals = takers.deals[own];
            for (std::size_t i = 0; i < deals.size(); ++i) {
                const std::size_t later = std::min(i + deals_ahead, deals.size() - 1);
                __builtin_prefetch(loads_.data() + deals[later].giver, 1);
                loads_[deals[i].giver] =
                    static_cast<Load>(loads_[deals[i].giver] - deals[i].tokens);
            }
        }
        for (std::uint64_t node = part.begin; node < part.end; ++node)
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
    std::vector<Part> parts_;
    std::uint64_t parts_a_node_ = 0;  ///< times 2^32, rounded down
};

/// The same, of a rule that announces, in the narrowest words that fit. The network must outlive
/// it.
template <class R>
class AnnouncedRounds {
  public:
    /// Nothing where announcements do not serve: the rule declines, a node has more than 64 links,
    /// or a load is below 0 or above 2^46.
    [[nodiscard]] static std::optional<AnnouncedRounds> make(const R& rule,
                                                             const network::Network& network,
                                                             std::span<const Tokens> loads) {
        if (!rule.announces() || network.link_count() == 0) return std::nullopt;
        const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
        if (*least < 0) return std::nullopt;
        const auto fits = [&]<class Words>(Words /*words*/) {
            return *most <= Words::load_max && network.degree_max() <= Words::degree_max;
        };
        if (fits(NarrowDeals{}))
            return AnnouncedRounds(AnnouncedDeals<R, NarrowDeals>(rule, network, loads));
        if (fits(MediumDeals{}))
            return AnnouncedRounds(AnnouncedDeals<R, MediumDeals>(rule, network, loads));
        if (fits(WideDeals{}))
            return AnnouncedRounds(AnnouncedDeals<R, WideDeals>(rule, network, loads));
        return std::nullopt;
    }

    /// Plays a round: `loads` become the new ones. They must be what the last round left. Returns
    /// the tokens that moved.
    [[nodiscard]] std::uint64_t play(const Workers& workers, std::span<Tokens> loads) {
        return std::visit([&](auto& deals) { return deals.play(workers, loads); }, deals_);
    }

  private:
    using Deals = std::variant<AnnouncedDeals<R, NarrowDeals>, AnnouncedDeals<R, MediumDeals>,
                               AnnouncedDeals<R, WideDeals>>;
    explicit AnnouncedRounds(Deals deals) : deals_(std::move(deals)) {}

    Deals deals_;
};

}  // namespace equipoise::engine
