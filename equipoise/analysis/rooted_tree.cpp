#include "equipoise/analysis/rooted_tree.hpp"

#include <string>

#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

RootedTree root_tree(const network::Network& tree, NodeId root) {
    const NodeId n = tree.node_count();
    RootedTree rooted;
    if (tree.link_count() + 1 == n && root < n) {
        rooted.order.reserve(n);
        rooted.parent.assign(n, no_node);
        std::vector<bool> seen(n, false);
        std::vector<NodeId> waiting{root};
        seen[root] = true;
        while (!waiting.empty()) {
            const NodeId node = waiting.back();
            waiting.pop_back();
            rooted.order.push_back(node);
            for (const NodeId child : tree.neighbours(node)) {
                if (seen[child]) continue;
                seen[child] = true;
                rooted.parent[child] = node;
                waiting.push_back(child);
            }
        }
    }
    if (rooted.order.size() != n || n == 0)
        throw UnsuitableError("expected a tree, found a network of " + std::to_string(n) +
                              " nodes and " + std::to_string(tree.link_count()) + " links" +
                              (tree.link_count() + 1 == n ? " that is not connected" : ""));
    rooted.size.assign(n, 1);
    for (std::size_t place = n - 1; place > 0; --place) {
        const NodeId node = rooted.order[place];
        rooted.size[rooted.parent[node]] += rooted.size[node];
    }
    return rooted;
}

}  // namespace equipoise::analysis
