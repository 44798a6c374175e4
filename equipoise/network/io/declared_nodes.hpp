#pragma once
// Nodes that a file declares, and links that may name them earlier: GML and GraphML.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/line_source.hpp"
#include "equipoise/network/io/name_table.hpp"
#include "equipoise/network/io/raw_network.hpp"

namespace equipoise::network {

/// One node as its file describes it.
struct DeclaredNode {
    std::string id;
    std::string label;
    std::optional<double> x;
    std::optional<double> y;
    std::uint64_t line = 0;
};

/// Gathers nodes, in the order of their declaration, and links by ids. Names become the labels if
/// every node has one of its own; otherwise the ids do.
class DeclaredNodes {
  public:
    DeclaredNodes(const LineSource& source, const ParseOptions& options)
        : source_(source), options_(options) {}

    /// Throws InputError when the id was declared before.
    void add_node(const DeclaredNode& node);
    /// Throws InputError for a loop unless simplifying.
    void add_link(std::string_view tail_id, std::string_view head_id, std::uint64_t line);
    /// Throws InputError for `directed` unless simplifying.
    void set_directed(std::uint64_t line, std::string_view found);
    /// Throws InputError when a link named a node that was never declared.
    [[nodiscard]] RawNetwork finish();

  private:
    NodeId mention(std::string_view id, std::uint64_t line);

    const LineSource& source_;
    const ParseOptions& options_;
    RawNetwork raw_;
    NameTable ids_;
    std::vector<NodeId> place_;            ///< of every id: its node, `no_node` until declared
    std::vector<std::uint64_t> mentions_;  ///< of every id: the line that named it first
    std::vector<std::string> labels_;      ///< of every node
    std::vector<NodeId> id_of_node_;
    bool located_ = false;
};

/// A text with the entities of XML (`&amp;`, `&#233;`, `&#xe9;`) replaced, in UTF-8. Anything else
/// stays as it is.
[[nodiscard]] std::string without_entities(std::string_view text);

}  // namespace equipoise::network
