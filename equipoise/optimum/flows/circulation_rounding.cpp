#include "equipoise/optimum/flows/circulation_rounding.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "equipoise/base/assert.hpp"

namespace equipoise::optimum {

namespace {

class Rounder {
  public:
    Rounder(std::uint32_t nodes, std::span<const FractionalArc> arcs, std::uint64_t denominator)
        : arcs_(arcs), denominator_(denominator), first_(std::size_t{nodes} + 1, 0) {
        left_.reserve(arcs.size());
        for (const FractionalArc& arc : arcs) {
            left_.push_back(arc.numerator);
            if (arc.numerator == 0) continue;
            ++first_[arc.tail + std::size_t{1}];
            ++first_[arc.head + std::size_t{1}];
        }
        for (std::size_t node = 0; node < nodes; ++node)
            first_[node + 1] += first_[node];
        ends_.resize(first_.back());
        next_.assign(first_.begin(), first_.end() - 1);
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            if (arcs[i].numerator == 0) continue;
            ends_[next_[arcs[i].tail]++] = i;
            ends_[next_[arcs[i].head]++] = i;
        }
        next_.assign(first_.begin(), first_.end() - 1);
        place_.assign(nodes, off);
    }

    std::vector<std::uint8_t> run() {
        for (std::uint32_t node = 0; node < place_.size(); ++node)
            walk(node);
        std::vector<std::uint8_t> up(arcs_.size());
        for (std::size_t i = 0; i < arcs_.size(); ++i)
            up[i] = left_[i] == denominator_ ? 1 : 0;
        return up;
    }

  private:
    static constexpr std::size_t off = std::numeric_limits<std::size_t>::max();

    [[nodiscard]] bool is_whole(std::size_t arc) const {
        return left_[arc] == 0 || left_[arc] == denominator_;
    }
    /// An arc at a node that is not whole and not `but`; `off` if there is none.
    std::size_t open_arc(std::uint32_t node, std::size_t but) {
        std::size_t& at = next_[node];
        while (at < first_[node + std::size_t{1}] && is_whole(ends_[at]))
            ++at;
        const std::size_t end = first_[node + std::size_t{1}];
        if (at == end || ends_[at] != but) return at == end ? off : ends_[at];
        // Entries that are whole are dropped for good.
        std::size_t next = at + 1;
        while (next < end && is_whole(ends_[next]))
            ++next;
        at = next - 1;
        ends_[at] = but;
        return next == end ? off : ends_[next];
    }
    [[nodiscard]] std::uint32_t other_end(std::size_t arc, std::uint32_t node) const {
        return arcs_[arc].tail == node ? arcs_[arc].head : arcs_[arc].tail;
    }

    /// Walks from a node and makes all arcs whole that it meets.
    void walk(std::uint32_t node) {
        place_[node] = 0;
        nodes_.assign(1, node);
        path_.clear();
        while (true) {
            const std::size_t arc = open_arc(nodes_.back(), path_.empty() ? off : path_.back());
            if (arc == off) {
                EQUIPOISE_ASSERT(path_.empty());
                place_[node] = off;
                return;
            }
            const std::uint32_t next = other_end(arc, nodes_.back());
            path_.push_back(arc);
            if (place_[next] == off) {
                place_[next] = nodes_.size();
                nodes_.push_back(next);
            } else {
                turn(place_[next]);
            }
        }
    }
    /// Sends enough round the cycle, from a place of the path to its end, to make an arc whole, and
    /// shortens the path to before the first such arc.
    void turn(std::size_t from) {
        std::uint64_t most = denominator_;
        for (std::size_t i = from; i < path_.size(); ++i)
            most = std::min(most, forward(i) ? denominator_ - left_[path_[i]] : left_[path_[i]]);
        std::size_t keep = path_.size();
        for (std::size_t i = path_.size(); i-- > from;) {
            left_[path_[i]] += forward(i) ? most : ~most + 1;
            if (is_whole(path_[i])) keep = i;
        }
        path_.resize(keep);
        while (nodes_.size() > keep + 1) {
            place_[nodes_.back()] = off;
            nodes_.pop_back();
        }
    }
    /// Whether the path follows its arc number `i` from tail to head.
    [[nodiscard]] bool forward(std::size_t i) const { return arcs_[path_[i]].tail == nodes_[i]; }

    std::span<const FractionalArc> arcs_;
    std::uint64_t denominator_;
    std::vector<std::uint64_t> left_;   ///< numerators, from 0 to the denominator
    std::vector<std::size_t> first_;    ///< by node: its entries in `ends_`
    std::vector<std::size_t> ends_;     ///< arcs by node
    std::vector<std::size_t> next_;     ///< by node: entries before it are whole
    std::vector<std::size_t> place_;    ///< by node: its place in `nodes_`
    std::vector<std::uint32_t> nodes_;  ///< of the walk: one more than arcs
    std::vector<std::size_t> path_;
};

}  // namespace

std::vector<std::uint8_t> round_circulation(std::uint32_t nodes,
                                            std::span<const FractionalArc> arcs,
                                            std::uint64_t denominator) {
    return Rounder(nodes, arcs, denominator).run();
}

}  // namespace equipoise::optimum
