#include "equipoise/engine/kernels/diffusion_gather.hpp"

#include <cmath>
#include <type_traits>

namespace equipoise::engine {

namespace {

/// How many arcs ahead the loads of neighbours are fetched.
constexpr std::uint64_t fetch_ahead = 192;

/// The least real number above 1 / divisor. With it, trunc(difference * reciprocal) is the exact
/// quotient, rounded towards zero, while |difference| is below 2^22 in float and 2^51 in double:
/// the product exceeds the true quotient by a relative 2^-22 (2^-51) at most, and for a multiple of
/// the divisor it never falls below the whole quotient.
template <class Real>
[[nodiscard]] Real reciprocal_above(Tokens divisor) {
    return std::nextafter(Real{1} / static_cast<Real>(divisor), Real{2});
}

/// Differences and flows of a step. Those of narrow words fit 32 bits, and so do the sums of a
/// node's flows, since every divisor exceeds its degree.
template <class Word>
using Signed = std::conditional_t<sizeof(Word) == 8, Tokens, std::int32_t>;

template <class Word, class Quotient>
[[nodiscard]] Signed<Word> flow_of(Signed<Word> difference, Quotient quotient) {
    if constexpr (std::is_integral_v<Quotient>)
        return difference / quotient;
    else
        return static_cast<Signed<Word>>(static_cast<Quotient>(difference) * quotient);
}

/// What a step did at one node.
template <class Word>
struct NodeStep {
    using Size = std::make_unsigned_t<Signed<Word>>;

    Signed<Word> inflow = 0;
    Size sizes = 0;
    Size steep = 0;

    template <class Quotient>
    void hear(Word other, Signed<Word> own, Quotient quotient) {
        const Signed<Word> difference = static_cast<Signed<Word>>(other) - own;
        const Signed<Word> flow = flow_of<Word>(difference, quotient);
        inflow += flow;
        sizes += static_cast<Size>(flow < 0 ? -flow : flow);
        // |difference| >= 2 exactly when difference + 1, unsigned, is above 2.
        steep |= static_cast<Size>(static_cast<Size>(difference) + Size{1} > Size{2});
    }
};

/// Sums up the nodes of a range and stores their new loads.
template <class Word>
class Range {
  public:
    Range(const GatherWords<Word>& words, std::span<Tokens> loads)
        : base_(words.base), next_(words.next.data()), loads_(loads.data()) {}

    void store(std::uint64_t node, Signed<Word> own, const NodeStep<Word>& step) {
        const Signed<Word> load = own + step.inflow;
        next_[node] = static_cast<Word>(load);
        loads_[node] = base_ + load;
        flows_ += step.sizes;
        steep_ |= step.steep;
        least_ = std::min(least_, load);
        most_ = std::max(most_, load);
    }
    [[nodiscard]] GatherTotals totals() const {
        if (most_ < least_) return {};
        return {flows_, steep_ != 0, base_ + least_, base_ + most_};
    }

  private:
    Tokens base_;
    Word* __restrict next_;
    Tokens* __restrict loads_;
    std::uint64_t flows_ = 0;
    typename NodeStep<Word>::Size steep_ = 0;
    Signed<Word> least_ = std::numeric_limits<Signed<Word>>::max();
    Signed<Word> most_ = std::numeric_limits<Signed<Word>>::min();
};

/// Nodes of equal degree whose links have one divisor. `Degree`: an integral constant if the degree
/// is known at compile time, so that the ports of a node are computed side by side.
template <class Word, class Quotient, class Degree>
GatherTotals gather_regular(const NodeId* arcs, Degree degree, Quotient quotient,
                            const GatherWords<Word>& words, std::span<Tokens> loads,
                            std::uint64_t begin, std::uint64_t end) {
    const Word* const __restrict now = words.now.data();
    const std::uint64_t nodes_ahead = std::max<std::uint64_t>(1, fetch_ahead / degree);
    Range<Word> range(words, loads);
    for (std::uint64_t node = begin; node < end; ++node) {
        const NodeId* const here = arcs + node * degree;
        const NodeId* const ahead = arcs + std::min(node + nodes_ahead, end - 1) * degree;
        for (std::uint64_t port = 0; port < degree; ++port)
            __builtin_prefetch(now + ahead[port]);
        const auto own = static_cast<Signed<Word>>(now[node]);
        Signed<Word> inflow = 0;
        typename NodeStep<Word>::Size sizes = 0;
        typename NodeStep<Word>::Size steep = 0;
#if defined(_OPENMP)
#pragma omp simd reduction(+ : inflow, sizes) reduction(| : steep)
#endif
        for (std::uint64_t port = 0; port < degree; ++port) {
            NodeStep<Word> link;
            link.hear(now[here[port]], own, quotient);
            inflow += link.inflow;
            sizes += link.sizes;
            steep |= link.steep;
        }
        range.store(node, own, {inflow, sizes, steep});
    }
    return range.totals();
}

/// Nodes of any degree. `fetches`: the arcs of the last node are followed by at least `fetch_ahead`
/// more.
template <bool fetches, class Word, class QuotientOf>
void gather_varied(const DividedRows& rows, const QuotientOf& quotient_of,
                   const GatherWords<Word>& words, Range<Word>& range, std::uint64_t begin,
                   std::uint64_t end) {
    const Word* const __restrict now = words.now.data();
    const NodeId* const arcs = rows.neighbours.data();
    std::uint64_t arc = begin == end ? 0 : rows.offsets[begin];
    for (std::uint64_t node = begin; node < end; ++node) {
        const auto own = static_cast<Signed<Word>>(now[node]);
        NodeStep<Word> step;
        for (const std::uint64_t last = rows.offsets[node + 1]; arc < last; ++arc) {
            if constexpr (fetches) __builtin_prefetch(now + arcs[arc + fetch_ahead]);
            step.hear(now[arcs[arc]], own, quotient_of(arc));
        }
        range.store(node, own, step);
    }
}

template <class Word, class QuotientOf>
GatherTotals gather_varied(const DividedRows& rows, const QuotientOf& quotient_of,
                           const GatherWords<Word>& words, std::span<Tokens> loads,
                           std::uint64_t begin, std::uint64_t end) {
    std::uint64_t fetching = end;
    while (fetching > begin && rows.offsets[fetching] + fetch_ahead > rows.neighbours.size())
        --fetching;
    Range<Word> range(words, loads);
    gather_varied<true>(rows, quotient_of, words, range, begin, fetching);
    gather_varied<false>(rows, quotient_of, words, range, fetching, end);
    return range.totals();
}

}  // namespace

Quotients::Quotients(std::span<const Tokens> divisors)
    : divisors_(divisors.begin(), divisors.end()) {
    for (const Tokens divisor : divisors) {
        floats_.push_back(reciprocal_above<float>(divisor));
        doubles_.push_back(reciprocal_above<double>(divisor));
    }
}

GatherTotals gather_plain(const DividedRows& rows, std::span<const Tokens> loads,
                          std::span<Tokens> next, std::uint64_t begin, std::uint64_t end) {
    GatherTotals totals;
    for (std::uint64_t node = begin; node < end; ++node) {
        Tokens inflow = 0;
        for (std::uint64_t arc = rows.first_arc(node); arc < rows.first_arc(node + 1); ++arc) {
            const Tokens difference = loads[rows.neighbours[arc]] - loads[node];
            const Tokens flow =
                difference / rows.divisors[rows.classes.empty() ? 0 : rows.classes[arc]];
            inflow += flow;
            totals.flows += static_cast<std::uint64_t>(flow < 0 ? -flow : flow);
            totals.steep = totals.steep || difference > 1 || difference < -1;
        }
        next[node] = loads[node] + inflow;
        totals.least = std::min(totals.least, next[node]);
        totals.most = std::max(totals.most, next[node]);
    }
    return totals;
}

template <class Word>
GatherTotals gather_words(const DividedRows& rows, const Quotients& quotients,
                          const GatherWords<Word>& words, std::span<Tokens> loads,
                          std::uint64_t begin, std::uint64_t end) {
    const auto* const all = quotients.of(Word{}).data();
    if (!rows.classes.empty()) {
        const auto quotient_of = [all, classes = rows.classes.data()](std::uint64_t arc) {
            return all[classes[arc]];
        };
        return gather_varied(rows, quotient_of, words, loads, begin, end);
    }
    if (rows.degree == 0) {
        const auto quotient_of = [one = all[0]](std::uint64_t /*arc*/) { return one; };
        return gather_varied(rows, quotient_of, words, loads, begin, end);
    }
    const auto play = [&](auto degree) {
        return gather_regular(rows.neighbours.data(), degree, all[0], words, loads, begin, end);
    };
    if (rows.degree == 4) return play(std::integral_constant<std::uint64_t, 4>{});
    if (rows.degree == 8) return play(std::integral_constant<std::uint64_t, 8>{});
    return play(std::uint64_t{rows.degree});
}

template GatherTotals gather_words(const DividedRows&, const Quotients&,
                                   const GatherWords<std::uint16_t>&, std::span<Tokens>,
                                   std::uint64_t, std::uint64_t);
template GatherTotals gather_words(const DividedRows&, const Quotients&,
                                   const GatherWords<std::uint32_t>&, std::span<Tokens>,
                                   std::uint64_t, std::uint64_t);
template GatherTotals gather_words(const DividedRows&, const Quotients&, const GatherWords<Tokens>&,
                                   std::span<Tokens>, std::uint64_t, std::uint64_t);

}  // namespace equipoise::engine
