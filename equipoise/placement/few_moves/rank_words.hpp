#pragma once
// The words of 64 bits that ranks exchange while they plan weighted items: a struct takes one word
// for each of its members.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/placement/few_moves/capacity.hpp"

namespace equipoise::placement {

/// The items of a rank, and its capabilities; `KindSums` of each kind of weights follow.
struct RankSums {
    Tokens items = 0;
    Tokens pinned = 0;
    double speed = 0;
    std::int64_t machine = 0;
    Tokens most = 0;             ///< how many items it has room for
    std::int64_t has_sizes = 0;  ///< 1 if sizes were given, else 0
    double bytes = 0;
    double bytes_most = 0;  ///< how many bytes it has room for; infinite: any number
};
struct KindSums {
    double weight = 0;
    double pinned = 0;
};

/// The loads in units, by kind of weights, then by kind of what takes room; `WeightlessItems`
/// follow and, where bytes are limited, the place of the first largest item that is not pinned, and
/// if the rule of weighted.hpp is a candidate, a `LineCut`.
struct KindLoads {
    Units load = 0;
    Units pinned = 0;
    Units heaviest = 0;  ///< of those that are not pinned
    Units heaviest_pinned = 0;
};
/// Weightless items that leave.
struct WeightlessItems {
    Tokens items = 0;
    Units bytes = 0;
};
/// Where the rule of weighted.hpp cuts the items of a rank.
struct LineCut {
    double kept_weight = 0;
    double next_weight = 0;
};

/// The items that a rank gives another; their weight in each kind follows.
struct GiftWords {
    std::int64_t to = 0;
    Tokens items = 0;
    Units bytes = 0;
    Units room = 0;  ///< bytes as rooms measure them, where bytes are limited
};

template <class Part>
// NOLINTNEXTLINE(bugprone-sizeof-expression): a part may be one word long
constexpr std::size_t words_of = sizeof(Part) / sizeof(std::int64_t);

/// Appends a struct.
template <class Part>
void put_words(std::vector<std::int64_t>& words, const Part& part) {
    static_assert(std::is_trivially_copyable_v<Part> && sizeof(Part) % sizeof(std::int64_t) == 0);
    const auto made = std::bit_cast<std::array<std::int64_t, words_of<Part>>>(part);
    words.insert(words.end(), made.begin(), made.end());
}

/// Takes structs from the front of a rank's words.
class WordReader {
  public:
    explicit WordReader(std::span<const std::int64_t> words) : left_(words) {}

    [[nodiscard]] bool at_end() const { return left_.empty(); }
    template <class Part>
    [[nodiscard]] Part take() {
        EQUIPOISE_ASSERT(left_.size() >= words_of<Part>);
        std::array<std::int64_t, words_of<Part>> words = {};
        std::copy_n(left_.begin(), words.size(), words.begin());
        left_ = left_.subspan(words.size());
        return std::bit_cast<Part>(words);
    }

  private:
    std::span<const std::int64_t> left_;
};

}  // namespace equipoise::placement
