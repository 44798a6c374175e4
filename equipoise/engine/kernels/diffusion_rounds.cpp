#include "equipoise/engine/kernels/diffusion_rounds.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::engine {

namespace {

/// Bytes of the narrowest words that hold loads of this range.
[[nodiscard]] std::size_t bytes_for(LoadRange range) {
    const Int128 extent = Int128{range.most} - range.least;
    if (extent <= word_most<std::uint16_t>) return sizeof(std::uint16_t);
    if (extent <= word_most<std::uint32_t>) return sizeof(std::uint32_t);
    return sizeof(Tokens);
}

/// The base of words that hold the range, with equal room below and above it. The widest words are
/// the loads themselves.
template <class Word>
[[nodiscard]] Tokens base_for(LoadRange range) {
    if constexpr (sizeof(Word) == sizeof(Tokens)) return 0;
    return range.least - (word_most<Word> - (range.most - range.least)) / 2;
}

}  // namespace

DiffusionRounds::DiffusionRounds(const DividedRows& rows, LoadRange range,
                                 std::span<const Tokens> own_loads, NodeId local_count)
    : rows_(rows), quotients_(rows.divisors), own_(range) {
    rewrite(range);
    std::visit(
        [&]<class Word>(Words<Word>& words) {
            words.now.resize(local_count);
            words.next.resize(local_count);
            std::transform(own_loads.begin(), own_loads.end(), words.now.begin(),
                           [&](Tokens load) { return static_cast<Word>(load - base_); });
        },
        words_);
}

int DiffusionRounds::word_bits() const {
    return std::visit([](const auto& words) { return 8 * int{sizeof(words.now[0])}; }, words_);
}

template <class To>
void DiffusionRounds::rewrite_as(LoadRange range) {
    const Tokens base = base_for<To>(range);
    Words<To> made;
    std::visit(
        [&](const auto& words) {
            const auto copy = [&](const auto& from, auto& to) {
                to.resize(from.size());
                std::transform(from.begin(), from.end(), to.begin(), [&](auto word) {
                    return static_cast<To>(base_ + static_cast<Tokens>(word) - base);
                });
            };
            copy(words.now, made.now);
            copy(words.next, made.next);
        },
        words_);
    words_ = std::move(made);
    base_ = base;
}

// Words that hold every load of the range.
void DiffusionRounds::rewrite(LoadRange range) {
    const std::size_t bytes = bytes_for(range);
    if (bytes == sizeof(std::uint16_t))
        rewrite_as<std::uint16_t>(range);
    else if (bytes == sizeof(std::uint32_t))
        rewrite_as<std::uint32_t>(range);
    else
        rewrite_as<Tokens>(range);
}

bool DiffusionRounds::holds(LoadRange range) const {
    return std::visit(
        [&]<class Word>(const Words<Word>& /*words*/) {
            return sizeof(Word) == sizeof(Tokens) ||
                   (range.least >= base_ && range.most - base_ <= word_most<Word>);
        },
        words_);
}

GatherTotals DiffusionRounds::play(const Workers& workers, std::span<Tokens> loads,
                                   std::uint64_t begin, std::uint64_t end) {
    // Blocks of equal work: a node costs about as much as an arc.
    const auto work = [&](std::uint64_t node) { return rows_.first_arc(node) + node; };
    const auto node_at = [&](std::uint64_t done) {
        std::uint64_t low = begin;
        std::uint64_t high = end;
        while (low < high) {
            const std::uint64_t middle = low + (high - low) / 2;
            if (work(middle) - work(begin) < done)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    const GatherTotals totals = std::visit(
        [&]<class Word>(Words<Word>& words) {
            const GatherWords<Word> both{base_, words.now, words.next};
            return sum_over_blocks<GatherTotals>(
                workers, work(end) - work(begin), end - begin,
                [&](std::uint64_t from, std::uint64_t to) {
                    return gather_words(rows_, quotients_, both, loads, node_at(from), node_at(to));
                });
        },
        words_);
    after_ += totals;
    return totals;
}

void DiffusionRounds::hear(std::span<const Tokens> loads, NodeId first) {
    const std::span<const Tokens> heard = loads.subspan(first);
    if (heard.empty()) return;
    const auto [least, most] = std::minmax_element(heard.begin(), heard.end());
    heard_ = {*least, *most};
    heard_any_ = true;
    if (!holds(heard_)) {
        // Loads that were played already lie within the range before the round.
        LoadRange all = own_;
        all.cover(heard_);
        rewrite(all);
    }
    std::visit(
        [&]<class Word>(Words<Word>& words) {
            std::transform(heard.begin(), heard.end(), words.now.begin() + first,
                           [&](Tokens load) { return static_cast<Word>(load - base_); });
        },
        words_);
}

void DiffusionRounds::turn() {
    std::visit([](auto& words) { std::swap(words.now, words.next); }, words_);
    if (after_.most < after_.least) return;
    own_ = {after_.least, after_.most};
    ended_ = own_;
    after_ = {};
    LoadRange all = own_;
    if (heard_any_) all.cover(heard_);
    // Loads from other ranks may lie outside: half as much room again keeps words from changing
    // back and forth.
    const Tokens slack = heard_any_ ? (all.most - all.least) / 2 : 0;
    const LoadRange wanted{all.least - slack, all.most + slack};
    if (bytes_for(wanted) * 8 < static_cast<std::size_t>(word_bits())) rewrite(all);
}

}  // namespace equipoise::engine
