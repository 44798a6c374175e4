#include "equipoise/network/node_names.hpp"

#include "equipoise/base/line_source.hpp"

namespace equipoise::network {

NodeNames::NodeNames(const AnyNetwork& network) : network_(network) {
    const std::vector<std::string>& names = network.labels().names;
    by_name_.reserve(names.size());
    for (NodeId node = 0; node < names.size(); ++node)
        by_name_.emplace(names[node], node);
}

std::optional<NodeId> NodeNames::find(std::string_view name) const {
    if (!network_.labels().names.empty()) {
        const auto found = by_name_.find(name);
        if (found == by_name_.end()) return std::nullopt;
        return found->second;
    }
    const std::uint64_t first = network_.labels().first_number;
    const auto number = whole_number(name);
    if (!number || *number < first || *number - first >= network_.node_count()) return std::nullopt;
    return static_cast<NodeId>(*number - first);
}

std::string NodeNames::expected() const {
    if (network_.node_count() == 0) return "no node, as the network has none";
    return R"(the name of a node (")" + network_.name(0) + R"(" to ")" +
           network_.name(network_.node_count() - 1) + R"("))";
}

}  // namespace equipoise::network
