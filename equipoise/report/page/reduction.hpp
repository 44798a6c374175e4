#pragma once
// Which of the loads of all nodes a frame of the page keeps.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/report/pictures/clusters.hpp"
#include "equipoise/report/pictures/layout.hpp"

namespace equipoise::report {

/// How much room a page has for the runs on one network.
struct FrameRoom {
    std::size_t values = 0;  ///< loads, in all frames of a run
    std::size_t frames = 1;  ///< wanted for each run
    /// The largest network that is drawn node by node.
    [[nodiscard]] NodeId nodes_max() const;
};

/// The picture of a network, and how loads are averaged for it.
struct Reduction {
    enum class Kind : std::uint8_t {
        nodes,     ///< every node
        blocks,    ///< square blocks of a grid's nodes
        clusters,  ///< linked nodes together
        ranks,     ///< loads in descending order
    };
    Kind kind = Kind::nodes;
    Drawing drawing;  ///< of nodes, cells or clusters
    NodeId rows = 0;  ///< cells: of the image
    NodeId columns = 0;
    NodeId block = 1;  ///< cells: nodes along a side of one
    Clusters clusters;
    std::size_t values = 0;  ///< in a frame

    [[nodiscard]] bool whole() const { return kind == Kind::nodes; }
    /// Averages are kept in sixteenths of a token, unless loads are so large that this cannot
    /// matter.
    [[nodiscard]] Tokens unit(const model::Record& record) const;
    [[nodiscard]] std::vector<Tokens> apply(std::span<const Tokens> loads, Tokens unit) const;

  private:
    [[nodiscard]] std::vector<Tokens> in_order(std::span<const Tokens> loads) const;
    [[nodiscard]] std::vector<Tokens> averages(std::span<const Tokens> loads, Tokens unit) const;
    [[nodiscard]] std::size_t cell_of(std::size_t node) const;
};

/// How to show the network of a record with these links (left out where there are too many) such
/// that, if possible, `room.frames` frames fit into `room`: node by node, otherwise grids in
/// blocks, other networks in clusters, and networks without links as loads in order.
[[nodiscard]] Reduction reduction_of(const model::Record& record, const std::vector<Ends>& links,
                                     const FrameRoom& room);

}  // namespace equipoise::report
