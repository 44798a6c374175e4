#include "equipoise/adapters/kafka/words.hpp"

#include <algorithm>
#include <cstddef>

#include "equipoise/adapters/kafka/partition_list.hpp"
#include "equipoise/base/line_source.hpp"

namespace equipoise::kafka {

std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

bool is_broker_id(std::string_view text) {
    return whole_number(text, broker_id_max).has_value() && is_canonical_number(text);
}

std::optional<std::vector<std::string>> broker_list(std::string_view text) {
    std::vector<std::string> brokers;
    std::vector<std::uint64_t> ids;
    for (bool more = true; more;) {
        const std::size_t comma = text.find(',');
        const auto id = whole_number(text.substr(0, comma), broker_id_max);
        if (!id) return std::nullopt;
        ids.push_back(*id);
        brokers.push_back(std::to_string(*id));
        more = comma != std::string_view::npos;
        if (more) text.remove_prefix(comma + 1);
    }
    std::sort(ids.begin(), ids.end());
    if (std::adjacent_find(ids.begin(), ids.end()) != ids.end()) return std::nullopt;
    return brokers;
}

std::optional<PartitionName> partition_name(std::string_view text) {
    const std::size_t hyphen = text.rfind('-');
    if (hyphen == std::string_view::npos) return std::nullopt;
    const std::string_view digits = text.substr(hyphen + 1);
    const auto number = whole_number(digits, partition_number_max);
    if (!number || !is_canonical_number(digits)) return std::nullopt;
    return PartitionName{std::string(text.substr(0, hyphen)), static_cast<std::uint32_t>(*number)};
}

}  // namespace equipoise::kafka
