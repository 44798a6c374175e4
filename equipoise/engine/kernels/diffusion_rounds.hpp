#pragma once
// Rounds of first-order diffusion on stored rows, in the narrowest words that hold the loads.

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/large_pages.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/engine/kernels/diffusion_gather.hpp"
#include "equipoise/engine/kernels/load_range.hpp"
#include "equipoise/engine/kernels/parallel.hpp"

namespace equipoise::engine {

/// Keeps copies of the loads in words of 16, 32 or 64 bits from round to round, counted from a base
/// among the loads, so that only the distance between loads decides the width. As diffusion brings
/// loads closer, words become narrower; loads from other ranks may make them wider again. Memory:
/// 4, 8 or 16 bytes per node. The rows must outlive it.
class DiffusionRounds {
  public:
    /// `local_count`: the number of nodes that may occur in rows. `own_loads`: the loads of the
    /// first nodes. `range`: that of all loads of the network. Requires that every divisor exceeds
    /// the degree of both ends of its link.
    DiffusionRounds(const DividedRows& rows, LoadRange range, std::span<const Tokens> own_loads,
                    NodeId local_count);

    /// Plays nodes [begin, end) and stores their new loads in `loads`, which must be what the last
    /// round left.
    [[nodiscard]] GatherTotals play(const Workers& workers, std::span<Tokens> loads,
                                    std::uint64_t begin, std::uint64_t end);
    /// Copies in the loads of the nodes from `first` on.
    void hear(std::span<const Tokens> loads, NodeId first);
    /// Ends the round.
    void turn();

    /// The range of own loads after the round that ended last; nothing if there are none.
    [[nodiscard]] std::optional<LoadRange> own_range() const { return ended_; }
    /// The number of bits of a word.
    [[nodiscard]] int word_bits() const;

  private:
    template <class Word>
    struct Words {
        std::vector<Word, LargePages<Word>> now;
        std::vector<Word, LargePages<Word>> next;
    };
    using AnyWords = std::variant<Words<std::uint16_t>, Words<std::uint32_t>, Words<Tokens>>;

    [[nodiscard]] bool holds(LoadRange range) const;
    void rewrite(LoadRange range);
    template <class To>
    void rewrite_as(LoadRange range);

    DividedRows rows_;
    Quotients quotients_;
    AnyWords words_;
    Tokens base_ = 0;
    LoadRange own_;  ///< before the round
    std::optional<LoadRange> ended_;
    GatherTotals after_;  ///< what was played of the round
    LoadRange heard_;     ///< of the nodes that were heard last
    bool heard_any_ = false;
};

}  // namespace equipoise::engine
