#pragma once
// Items that know where they were made, so that none can be lost, duplicated or damaged unnoticed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace equipoise::test {

/// 24 bytes without pointers.
struct Grain {
    std::int64_t number = 0;  ///< in the order of all ranks, from 0
    int maker = 0;
    int check = 0;
    double weight = 0;
    friend bool operator==(const Grain&, const Grain&) = default;
};
inline Grain make_grain(std::int64_t number, int maker) {
    return {number, maker, static_cast<int>(number * 31 + maker),
            1.0 + static_cast<double>(number)};
}
/// Whether all are as they were made.
inline bool undamaged(const std::vector<Grain>& grains) {
    return std::all_of(grains.begin(), grains.end(), [](const Grain& grain) {
        return grain == make_grain(grain.number, grain.maker);
    });
}

/// Whether numbers are 0, 1, ... in this order.
inline bool counts_up(const std::vector<std::int64_t>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] != static_cast<std::int64_t>(i)) return false;
    }
    return true;
}
/// Whether every number of 0, 1, ... is there once.
inline bool all_there(std::vector<std::int64_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    return counts_up(numbers);
}

}  // namespace equipoise::test
