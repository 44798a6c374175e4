#pragma once
// Ranges of whole numbers as people write them: "7", "2..32", "1..5,9".

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace equipoise {

/// Whole numbers `first` to `last`, both included.
struct Range {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    friend bool operator==(const Range&, const Range&) = default;
};

/// "7" or "2..32"; nothing for any other text, and for a range that descends.
[[nodiscard]] std::optional<Range> range_from(std::string_view text);

/// Numbers and ranges separated by commas, which blanks may surround; nothing for any other text.
[[nodiscard]] std::optional<std::vector<Range>> ranges_from(std::string_view text);

/// The numbers of all ranges in their order; nothing, before memory is taken, if there are more
/// than `most`.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> numbers_of(const std::vector<Range>& ranges,
                                                                   std::size_t most);

}  // namespace equipoise
