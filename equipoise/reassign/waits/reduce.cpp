#include "equipoise/reassign/waits/reduce.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace equipoise::reassign {

namespace {

constexpr std::size_t reduced_most = 200'000;
constexpr std::size_t row_words = 64;
constexpr std::size_t row_bits = 64 * row_words;
using Row = std::array<std::uint64_t, row_words>;

/// Leaves out moves from `begin` on, as many as a row has bits.
void reduce_block(WaitsFor& waits_for, std::size_t begin, std::vector<Row>& rows) {
    const std::size_t end = std::min(begin + row_bits, waits_for.size());
    const auto is_in = [&](std::size_t move) { return move >= begin && move < end; };
    for (std::size_t move = begin; move < waits_for.size(); ++move) {
        Row& row = rows[move];
        row = {};
        std::vector<std::uint32_t>& list = waits_for[move];
        for (const std::uint32_t first : list)
            if (first >= begin)
                for (std::size_t word = 0; word < row_words; ++word)
                    row[word] |= rows[first][word];
        std::erase_if(list, [&](std::uint32_t first) {
            return is_in(first) && (row[(first - begin) / 64] >> ((first - begin) % 64) & 1U) != 0;
        });
        for (const std::uint32_t first : list)
            if (is_in(first))
                row[(first - begin) / 64] |= std::uint64_t{1} << ((first - begin) % 64);
    }
}

}  // namespace

void reduce(WaitsFor& waits_for) {
    if (waits_for.size() > reduced_most) return;
    std::vector<Row> rows(waits_for.size());
    for (std::size_t begin = 0; begin < waits_for.size(); begin += row_bits)
        reduce_block(waits_for, begin, rows);
}

}  // namespace equipoise::reassign
