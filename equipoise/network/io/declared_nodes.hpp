#pragma once
// Nodes that a file declares, and links that may name nodes before they are declared: GML, GraphML
// and GEXF.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/line_source.hpp"
#include "equipoise/base/name_table.hpp"
#include "equipoise/network/io/raw_network.hpp"

namespace equipoise::network {

/// What a value that a file gives for a node means.
enum class Meaning : std::uint8_t { nothing, label, name, longitude, latitude, x, y };

/// The meaning of an attribute with this name, whatever its capitals: `label`, `Latitude`, `lat`,
/// `x`.
[[nodiscard]] Meaning meaning_of(std::string_view attribute_name);

/// A label as the name of a node: in one line, without blanks around it.
[[nodiscard]] std::string label_of(std::string_view text);

/// One node as its file describes it.
struct DeclaredNode {
    /// Two coordinates, which are optional in all formats.
    struct Place {
        std::optional<double> x;
        std::optional<double> y;
    };

    std::string id;
    std::string label;
    std::string name;  ///< used if the label is missing
    Place on_earth;    ///< longitude and latitude
    Place in_drawing;  ///< used where longitude or latitude is missing
    bool odd = false;  ///< whether some coordinate is not a number
    std::uint64_t line = 0;
    std::vector<Attribute> attributes;  ///< all other values

    /// Takes a value. A coordinate that is blank or not a finite number is ignored.
    void take(Meaning meaning, std::string_view value);
    [[nodiscard]] std::optional<Position> position() const;
};

/// Gathers nodes, in the order in which they are declared, and links by the ids of their ends.
/// Names become the labels if every node has one of its own; otherwise the ids do.
class DeclaredNodes {
  public:
    DeclaredNodes(const LineSource& source, const ParseOptions& options)
        : source_(source), options_(options) {}

    /// Throws InputError when the id was declared before.
    void add_node(const DeclaredNode& node);
    /// Throws InputError for a loop unless simplifying.
    void add_link(std::string_view tail_id, std::string_view head_id, std::uint64_t line,
                  std::vector<Attribute> attributes = {});
    /// What the graph is called.
    void set_label(std::string_view label) const;
    /// Throws InputError for `directed` unless simplifying.
    void set_directed(std::uint64_t line, std::string_view found);
    /// Throws InputError when a link named a node that was never declared.
    [[nodiscard]] RawNetwork finish();

  private:
    void finish_attributes();
    NodeId mention(std::string_view id, std::uint64_t line);

    const LineSource& source_;
    const ParseOptions& options_;
    RawNetwork raw_;
    NameTable ids_;
    std::vector<NodeId> place_;            ///< by id: its node, `no_node` until declared
    std::vector<std::uint64_t> mentions_;  ///< by id: the line that named it first
    std::vector<std::string> labels_;      ///< by node
    std::vector<NodeId> id_of_node_;
    bool located_ = false;
};

}  // namespace equipoise::network
