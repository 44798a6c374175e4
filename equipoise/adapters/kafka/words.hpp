#pragma once
// What Kafka's tools print, taken apart: lines, lists of brokers, names of partitions.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise::kafka {

inline constexpr std::uint64_t broker_id_max = 0x7fff'ffff;

/// Takes the next line off the front of a text, and its end with it.
[[nodiscard]] std::string_view take_line(std::string_view& text);

/// Whether a text is the id of a broker as Kafka prints it: a whole number without leading zeros.
[[nodiscard]] bool is_broker_id(std::string_view text);

/// The brokers of a list such as "1,2", by their ids in decimal, each once; nothing for any other
/// text.
[[nodiscard]] std::optional<std::vector<std::string>> broker_list(std::string_view text);

/// A partition by its name: "t-1-0" is number 0 of topic "t-1".
struct PartitionName {
    std::string topic;
    std::uint32_t number = 0;
};

/// Nothing unless the text ends in a hyphen and a number.
[[nodiscard]] std::optional<PartitionName> partition_name(std::string_view text);

}  // namespace equipoise::kafka
