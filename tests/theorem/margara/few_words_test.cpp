// Perfect token distribution on trees in a constant number of words a node and of bits a port,
// with the exchanges of Margara, Pistocchi and Vassura 2004: as docs/results/margara-2004.md argues
// under "The open questions", played here from the moment when a root is known and every node has
// the totals of its own subtree.
//
// Over the link above v Phase 2 moves exactly |T_v - Avg N_v| tokens, Phase 3 moves tokens down
// only, at most H (T mod N) in all, and every node ends with floor(T/N) or ceil(T/N), knowing it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::test::few_words {
namespace {

enum class Word : std::uint8_t { request, token, done, extra, taken, full, finished };

/// Ports are children, in order; the parent is not among them.
struct Node {
    Tokens tokens;
    Tokens average;
    Tokens upwards;     ///< still to send up if positive, to get from the parent if negative
    Tokens unfinished;  ///< children that are not done
    bool is_root;
    bool said_done = false;
    bool took_extra = false;
    bool finished = false;
    // One bit a port each:
    std::vector<bool> requested;
    std::vector<bool> filled;
};

class Tree {
  public:
    Tree(const network::Network& tree, NodeId root, const load::Loads& loads, RandomStream& random)
        : random_(random),
          nodes_(tree.node_count()),
          children_(tree.node_count()),
          parent_(tree.node_count(), root),
          place_(tree.node_count(), 0),
          depth_(tree.node_count(), 0),
          down_(tree.node_count()),
          up_(tree.node_count()),
          moved_(tree.node_count(), 0) {
        order(tree, root, root);
        std::vector<Tokens> total(loads.begin(), loads.end());
        std::vector<Tokens> size(loads.size(), 1);
        for (std::size_t i = order_.size(); i-- > 1;) {
            total[parent_[order_[i]]] += total[order_[i]];
            size[parent_[order_[i]]] += size[order_[i]];
        }
        const Tokens average = total[root] / size[root];
        for (NodeId v = 0; v < nodes_.size(); ++v) {
            const std::size_t ports = children_[v].size();
            const Tokens surplus = total[v] - average * size[v];
            surplus_.push_back(surplus);
            nodes_[v] = {.tokens = loads[v],
                         .average = average,
                         .upwards = v == root ? 0 : surplus,
                         .unfinished = static_cast<Tokens>(ports),
                         .is_root = v == root,
                         .requested = std::vector<bool>(ports, false),
                         .filled = std::vector<bool>(ports, false)};
        }
    }

    /// Delivers messages in random order, those over a link one way as they were sent.
    void play() {
        for (const NodeId v : order_) {
            if (nodes_[v].upwards < 0) say(v, Word::request);
            go_on(v);
        }
        while (true) {
            std::vector<std::pair<NodeId, bool>> waiting;
            for (NodeId v = 0; v < nodes_.size(); ++v) {
                if (!down_[v].empty()) waiting.emplace_back(v, true);
                if (!up_[v].empty()) waiting.emplace_back(v, false);
            }
            if (waiting.empty()) return;
            const auto [child, is_down] = waiting[random_.below(waiting.size())];
            auto& channel = is_down ? down_[child] : up_[child];
            const Word word = channel.front();
            channel.pop_front();
            if (is_down)
                from_parent(child, word);
            else
                from_child(parent_[child], place_[child], word);
        }
    }

    void expect_perfect() const {
        Tokens height = 0;
        Tokens down = 0;
        const Tokens rest = surplus_[order_[0]];
        for (NodeId v = 0; v < nodes_.size(); ++v) {
            const Node& node = nodes_[v];
            EXPECT_TRUE(node.finished);
            EXPECT_TRUE(node.tokens == node.average || node.tokens == node.average + 1);
            EXPECT_EQ(node.upwards, 0);
            if (!node.is_root) {
                EXPECT_EQ(moved_[v], std::abs(surplus_[v]));
            }
            height = std::max(height, depth_[v]);
            down += extras_down_[v];
        }
        EXPECT_LE(down, height * rest);
    }

  private:
    void order(const network::Network& tree, NodeId v, NodeId from) {
        order_.push_back(v);
        extras_down_.push_back(0);
        for (LinkId link = 0; link < tree.link_count(); ++link) {
            const equipoise::Ends ends = tree.ends(link);
            if (ends.tail != v && ends.head != v) continue;
            const NodeId other = ends.tail == v ? ends.head : ends.tail;
            if (other == from) continue;
            parent_[other] = v;
            place_[other] = children_[v].size();
            depth_[other] = depth_[v] + 1;
            children_[v].push_back(other);
            order(tree, other, v);
        }
    }
    void say(NodeId v, Word word) {
        if (word == Word::token) {
            --nodes_[v].tokens;
            ++moved_[v];
        }
        up_[v].push_back(word);
    }
    void tell(NodeId v, std::size_t port, Word word) {
        const NodeId child = children_[v][port];
        if (word == Word::token || word == Word::extra) --nodes_[v].tokens;
        if (word == Word::token) ++moved_[child];
        if (word == Word::extra) ++extras_down_[child];
        down_[child].push_back(word);
    }

    void from_parent(NodeId v, Word word) {
        Node& node = nodes_[v];
        if (word == Word::token) {
            ++node.tokens;
            if (++node.upwards < 0) say(v, Word::request);
            go_on(v);
        } else if (word == Word::extra) {
            ++node.tokens;
            if (!node.took_extra) {
                node.took_extra = true;
                say(v, children_[v].empty() ? Word::full : Word::taken);
            } else {
                hand_down(v);
            }
        } else {
            finish(v);
        }
    }
    void from_child(NodeId v, std::size_t port, Word word) {
        Node& node = nodes_[v];
        if (word == Word::token) ++node.tokens;
        if (word == Word::request) node.requested[port] = true;
        if (word == Word::done) --node.unfinished;
        if (word == Word::full) node.filled[port] = true;
        if (word != Word::taken && word != Word::full) return go_on(v);
        if (node.is_root) return deal(v);
        const bool is_last = port + 1 == children_[v].size();
        say(v, word == Word::full && is_last ? Word::full : Word::taken);
    }

    /// Phase 2: serves requests, or sends up, what is beyond the average.
    void go_on(NodeId v) {
        Node& node = nodes_[v];
        while (node.tokens > node.average) {
            std::size_t port = 0;
            while (port < node.requested.size() && !node.requested[port])
                ++port;
            if (port < node.requested.size()) {
                node.requested[port] = false;
                tell(v, port, Word::token);
            } else if (node.upwards > 0) {
                --node.upwards;
                say(v, Word::token);
            } else {
                break;
            }
        }
        if (node.said_done || node.unfinished > 0 || node.upwards != 0) return;
        if (!node.is_root && node.tokens != node.average) return;
        node.said_done = true;
        if (node.is_root)
            deal(v);
        else
            say(v, Word::done);
    }
    /// Phase 3, at the root: one extra token at a time.
    void deal(NodeId v) {
        if (nodes_[v].tokens > nodes_[v].average + 1)
            hand_down(v);
        else
            finish(v);
    }
    void hand_down(NodeId v) {
        std::size_t port = 0;
        while (nodes_[v].filled[port])
            ++port;
        tell(v, port, Word::extra);
    }
    void finish(NodeId v) {
        nodes_[v].finished = true;
        for (std::size_t port = 0; port < children_[v].size(); ++port)
            tell(v, port, Word::finished);
    }

    RandomStream& random_;
    std::vector<Node> nodes_;
    std::vector<std::vector<NodeId>> children_;
    std::vector<NodeId> parent_;
    std::vector<std::size_t> place_;  ///< the port of a node's parent that leads to it
    std::vector<Tokens> depth_;
    std::vector<std::deque<Word>> down_;  ///< by child
    std::vector<std::deque<Word>> up_;
    std::vector<NodeId> order_;  ///< parents first
    std::vector<Tokens> surplus_;
    std::vector<Tokens> moved_;  ///< by child: tokens of Phase 2 over the link above it
    std::vector<Tokens> extras_down_;
};

TEST(FewWords, AreEnoughForPerfectLoadsAndThePapersExchangesOnAllTreesOfUpToSixNodes) {
    RandomStream random(41, Purpose::sampling);
    for (NodeId nodes = 1; nodes <= 6; ++nodes)
        for (const network::Network& graph : connected_graphs(nodes)) {
            if (graph.link_count() + 1 != nodes) continue;
            for (NodeId root = 0; root < nodes; ++root)
                for_each_loads(nodes, nodes <= 4 ? 4 : 2, [&](const load::Loads& loads) {
                    for (int i = 0; i < 3; ++i) {
                        Tree tree(graph, root, loads, random);
                        tree.play();
                        tree.expect_perfect();
                    }
                });
        }
}

TEST(FewWords, AreEnoughOnLargerRandomTrees) {
    RandomStream random(42, Purpose::sampling);
    for (int i = 0; i < 300; ++i) {
        const auto nodes = static_cast<NodeId>(2 + random.below(40));
        const network::Network graph = random_connected_graph(nodes, 0, random);
        Tree tree(graph, static_cast<NodeId>(random.below(nodes)), random_loads(nodes, 9, random),
                  random);
        tree.play();
        tree.expect_perfect();
    }
}

}  // namespace
}  // namespace equipoise::test::few_words
