#pragma once
// Writing edge lists line by line, also for processes that never hold a whole network.

#include <string>
#include <string_view>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/ids.hpp"

namespace equipoise::network {

/// A comment that begins like this declares a node, which need not have links.
inline constexpr std::string_view node_mark = "# node: ";

/// Appends the id of a node as edge lists spell it: in quotes unless it is a single word that
/// cannot be mistaken for anything else. Throws InputError for a name that edge lists cannot hold:
/// an empty one, one with a line break or a byte of value 0, or one that is not UTF-8.
void append_id(std::string& line, std::string_view name);

/// Writes an edge list to a file that outlives the writer: first the number of nodes and links,
/// then nodes that must be declared, then links. Throws InputError if the file cannot be written,
/// and as `append_id`.
class EdgeListWriter {
  public:
    EdgeListWriter(AtomicFile& file, NodeId nodes, LinkId links) : file_(file) {
        file_.write("# Nodes: " + std::to_string(nodes) + " Edges: " + std::to_string(links) +
                    "\n");
    }
    void declare(std::string_view name) {
        append_id(line_.assign(node_mark), name);
        line_ += '\n';
        file_.write(line_);
    }
    void link(std::string_view tail, std::string_view head) {
        line_.clear();
        append_id(line_, tail);
        append_id(line_ += ' ', head);
        line_ += '\n';
        file_.write(line_);
    }

  private:
    AtomicFile& file_;
    std::string line_;
};

}  // namespace equipoise::network
