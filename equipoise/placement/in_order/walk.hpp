#pragma once
// A walk through the items of all ranks, part by part, as the words that one rank hands the next.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"

namespace equipoise::placement {

/// How many words a walk has, and which.
struct WalkShape {
    std::size_t kinds = 1;  ///< columns of sums: kinds of weights, and perhaps bytes
    std::size_t cuts = 0;   ///< how many cuts it notes: those of all parts, and the end; or none

    [[nodiscard]] std::size_t words() const { return 5 + kinds + cuts; }
};

/// One walk, which lies in the words of a message: nothing is allocated on the way.
class Walk {
  public:
    Walk(std::span<std::int64_t> words, const WalkShape& shape) : words_(words), shape_(shape) {}

    /// At the first item, before any part has one (forwards), or behind the last item, with all
    /// parts still to come (backwards).
    void begin(std::size_t part, Tokens item) {
        for (std::int64_t& word : words_)
            word = 0;
        set_part(part);
        set_start(item);
        set_next(std::numeric_limits<double>::infinity());
    }

    /// The part that is being filled.
    [[nodiscard]] std::size_t part() const { return static_cast<std::size_t>(words_[0]); }
    void set_part(std::size_t part) { words_[0] = static_cast<std::int64_t>(part); }
    /// Whether items were left when all parts were full.
    [[nodiscard]] bool failed() const { return words_[1] != 0; }
    void fail() { words_[1] = 1; }
    /// The highest level of a part that is full.
    [[nodiscard]] double reached() const { return std::bit_cast<double>(words_[2]); }
    void reach(double level) {
        if (level > reached()) words_[2] = std::bit_cast<std::int64_t>(level);
    }
    /// The lowest level at which some part would have taken one more item.
    [[nodiscard]] double next() const { return std::bit_cast<double>(words_[3]); }
    void note_next(double level) {
        if (level < next()) set_next(level);
    }
    /// The number of the item at which the part that is being filled starts; backwards, ends. Of a
    /// walk that has failed: the first item that was left.
    [[nodiscard]] Tokens start() const { return words_[4]; }
    void set_start(Tokens item) { words_[4] = item; }
    /// What it holds, by kind.
    [[nodiscard]] std::span<Units> used() const { return words_.subspan(5, shape_.kinds); }
    /// The number of the first item of a part; all items for the part behind the last.
    [[nodiscard]] Tokens cut(std::size_t part) const { return words_[5 + shape_.kinds + part]; }
    void set_cut(std::size_t part, Tokens item) const {
        if (shape_.cuts > 0) words_[5 + shape_.kinds + part] = item;
    }

  private:
    void set_next(double level) { words_[3] = std::bit_cast<std::int64_t>(level); }

    std::span<std::int64_t> words_;
    WalkShape shape_;
};

}  // namespace equipoise::placement
