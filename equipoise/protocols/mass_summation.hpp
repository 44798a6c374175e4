#pragma once
// Averaging over one-way arcs: masses walk round and merge.
//
// Problem: every node of a directed network comes to know the average of all numbers of tokens.
// Model:   synchronous, on a strongly connected directed network; a node knows its out-degree and
//          hears over its in-arcs only; deterministic. Tokens do not end where they are needed:
//          they are summed up.
// Source:  Rikos and Hadjicostis 2020, arXiv 2003.14183. Reconstructed: only the abstract was seen.
// Guarantee: after finitely many rounds every node knows the exact average for ever, as a fraction
//          (docs/results/directed-networks.md, Theorem 1). No node knows when.

#include <compare>
#include <optional>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::protocols {

/// Tokens and the number of nodes that they began on. Ordered by the nodes first.
struct Mass {
    Tokens nodes = 0;
    Tokens tokens = 0;

    Mass& operator+=(const Mass& other) {
        nodes += other.nodes;
        tokens += other.tokens;
        return *this;
    }
    friend auto operator<=>(const Mass&, const Mass&) = default;
};

/// One node.
class MassSummation {
  public:
    struct Sent {
        Port port = 0;
        Mass mass;
    };

    MassSummation(Tokens load, Port out_degree) : held_{1, load}, out_degree_(out_degree) {}

    /// Once a round: if what the node holds is no less than all it has held before, it remembers it
    /// and sends it away as a whole, through one out-port after the other in turn.
    std::optional<Sent> step() {
        if (held_.nodes == 0 || held_ < known_) return std::nullopt;
        known_ = held_;
        if (out_degree_ == 0) return std::nullopt;  // alone
        held_ = {};
        const Port port = next_port_;
        next_port_ = port + 1 == out_degree_ ? 0 : port + 1;
        return Sent{port, known_};
    }
    void receive(const Mass& mass) { held_ += mass; }

    [[nodiscard]] const Mass& held() const { return held_; }
    /// The node's answer: `tokens` / `nodes` is its average; no nodes before the first step.
    [[nodiscard]] const Mass& known() const { return known_; }

  private:
    Mass held_;
    Mass known_;
    Port out_degree_ = 0;
    Port next_port_ = 0;
};

}  // namespace equipoise::protocols
