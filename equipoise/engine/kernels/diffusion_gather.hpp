#pragma once
// First-order diffusion on stored rows: the hot loop alone, on spans.
//
// Every node gathers its neighbours' loads: next(v) = x(v) + sum over neighbours u of trunc((x(u) -
// x(v)) / q(u, v)). Both ends of a link compute the same flow, so tokens are conserved. The gather
// is limited by the latency of random reads; loads are therefore fetched ahead, from a narrow copy
// that fits nearer caches.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::engine {

/// The rows of the nodes that gather, with the divisor of every link.
struct DividedRows {
    /// A node's arcs are offsets[node] .. offsets[node + 1] - 1; not read if `degree` is not
    /// 0.
    std::span<const std::uint64_t> offsets;
    std::span<const NodeId> neighbours;  ///< by arc
    Port degree = 0;                     ///< of all these nodes; 0: it varies
    /// By arc, the place of its divisor in `divisors`; empty: every link has the first.
    std::span<const std::uint16_t> classes;
    std::span<const Tokens> divisors;  ///< of at least 1

    [[nodiscard]] std::uint64_t first_arc(std::uint64_t node) const {
        return degree != 0 ? node * degree : offsets[node];
    }
};

/// What a range of nodes did in one step; every link is counted at both its ends.
struct GatherTotals {
    std::uint64_t flows = 0;  ///< sum of |flow|
    bool steep = false;       ///< the ends of a link differ by two or more
    Tokens least = std::numeric_limits<Tokens>::max();  ///< of the new loads
    Tokens most = std::numeric_limits<Tokens>::min();   ///< likewise

    void operator+=(const GatherTotals& other) {
        flows += other.flows;
        steep = steep || other.steep;
        least = std::min(least, other.least);
        most = std::max(most, other.most);
    }
};

/// The plain definition, for nodes [begin, end): reads `loads`, writes `next`.
GatherTotals gather_plain(const DividedRows& rows, std::span<const Tokens> loads,
                          std::span<Tokens> next, std::uint64_t begin, std::uint64_t end);

/// Loads as words above `base`, before a step and after it.
template <class Word>
struct GatherWords {
    Tokens base = 0;
    std::span<const Word> now;  ///< of all nodes that occur in rows
    std::span<Word> next;       ///< of the nodes that gather
};

/// The largest words of each width. A gather in words requires that no word before the step exceeds
/// it, and that every divisor exceeds the degree of its node: no load then leaves the range of the
/// loads of its node and the node's neighbours.
template <class Word>
inline constexpr Tokens word_most = std::numeric_limits<Tokens>::max();
template <>
inline constexpr Tokens word_most<std::uint16_t> = 0xffff;
template <>
inline constexpr Tokens word_most<std::uint32_t> = 0x7fffffff;

/// The factors by which differences of words are multiplied or, in the widest words, the divisors;
/// made once for a run.
class Quotients {
  public:
    explicit Quotients(std::span<const Tokens> divisors);
    [[nodiscard]] std::span<const float> of(std::uint16_t /*word*/) const { return floats_; }
    [[nodiscard]] std::span<const double> of(std::uint32_t /*word*/) const { return doubles_; }
    [[nodiscard]] std::span<const Tokens> of(Tokens /*word*/) const { return divisors_; }

  private:
    std::vector<float> floats_;
    std::vector<double> doubles_;
    std::vector<Tokens> divisors_;
};

/// The same as `gather_plain`, in words of 16, 32 or 64 bits: reads `words.now`, writes
/// `words.next` and `loads`.
template <class Word>
GatherTotals gather_words(const DividedRows& rows, const Quotients& quotients,
                          const GatherWords<Word>& words, std::span<Tokens> loads,
                          std::uint64_t begin, std::uint64_t end);

extern template GatherTotals gather_words(const DividedRows&, const Quotients&,
                                          const GatherWords<std::uint16_t>&, std::span<Tokens>,
                                          std::uint64_t, std::uint64_t);
extern template GatherTotals gather_words(const DividedRows&, const Quotients&,
                                          const GatherWords<std::uint32_t>&, std::span<Tokens>,
                                          std::uint64_t, std::uint64_t);
extern template GatherTotals gather_words(const DividedRows&, const Quotients&,
                                          const GatherWords<Tokens>&, std::span<Tokens>,
                                          std::uint64_t, std::uint64_t);

}  // namespace equipoise::engine
