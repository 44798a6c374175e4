#pragma once
// From the name of a node to its number.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// The nodes of a network by name. Cost O(nodes) to build if nodes carry names of their own,
/// O(1) if they are numbered. The network must outlive it.
class NodeNames {
  public:
    explicit NodeNames(const AnyNetwork& network);

    /// The node of that name, or nothing.
    [[nodiscard]] std::optional<NodeId> find(std::string_view name) const;
    /// What messages say is expected: `the name of a node ("1" to "34")`.
    [[nodiscard]] std::string expected() const;

  private:
    const AnyNetwork& network_;
    std::unordered_map<std::string_view, NodeId> by_name_;
};

}  // namespace equipoise::network
