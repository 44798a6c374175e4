#pragma once
// Phase 1 of the programs on trees: every node learns the totals of the whole tree, and one node
// becomes the root.

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::programs {

/// What a node remembers for Phase 1.
struct Totals {
    static constexpr Port no_port = ~Port{0};

    Tokens T = 0;           ///< tokens known so far; in the end those of the whole tree
    Tokens S = 0;           ///< speeds (1 for each node unless given), likewise
    Port parent = no_port;  ///< no_port: root
    Port waiting = 0;       ///< messages of the present phase that are still to come
};

// Problem: every node of a tree learns the tree's tokens and speeds; exactly one becomes the root,
//   and every other knows the way to it.
// Model: asynchronous messages on first-in-first-out channels; anonymous nodes; a bit per link.
// Source: Margara, Pistocchi, Vassura 2004, Section 3, Phase 1, without locks: every node sends its
//   subtree's totals to the last neighbour that it has not heard of. On exactly one link two such
//   messages cross; its tail becomes the root. The totals of the whole tree then travel the other
//   way.
// Cost: N messages up, at most N - 1 down, in at most 2D + 1 time units.
template <model::NodeMessage Message>
class TreeTotals {
  public:
    using Kind = decltype(Message::kind);

    TreeTotals(const model::NodeContext<Message>& context, Totals& totals)
        : context_(context), totals_(totals) {}

    void begin(Tokens tokens, Tokens speeds) {
        totals_.T = tokens;
        totals_.S = speeds;
        totals_.waiting = context_.degree();
    }
    /// Adds the totals of the subtree behind a port.
    void add_local(Tokens tokens, Tokens speeds) {
        totals_.T = checked_add(totals_.T, tokens);
        totals_.S = checked_add(totals_.S, speeds);
        --totals_.waiting;
    }
    /// Once all neighbours but one have been heard from, that one is the parent for now: sends it
    /// the totals.
    template <class Heard>
    [[nodiscard]] bool tell_the_last(Heard heard) {
        if (totals_.waiting > 1) return false;
        totals_.parent = 0;
        while (heard(totals_.parent))
            ++totals_.parent;
        context_.send(totals_.parent, {totals_.T, totals_.S, Kind::local});
        return true;
    }
    /// Adds the message of that neighbour: either the totals of the whole tree, or its own totals,
    /// which have crossed ours. False: the parent is the root, and the totals of the whole tree are
    /// still to come.
    [[nodiscard]] bool add_last(Kind kind, Tokens tokens, Tokens speeds) {
        if (kind == Kind::local) {
            if (context_.link_end(totals_.parent) != model::LinkEnd::tail) return false;
            add_local(tokens, speeds);
            totals_.parent = Totals::no_port;
        } else {
            totals_.T = tokens;
            totals_.S = speeds;
        }
        for (Port port = 0; port < context_.degree(); ++port)
            if (port != totals_.parent) context_.send(port, {totals_.T, totals_.S, Kind::global});
        return true;
    }

  private:
    model::NodeContext<Message> context_;
    Totals& totals_;
};

}  // namespace equipoise::programs
