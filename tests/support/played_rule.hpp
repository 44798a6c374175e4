#pragma once
// A deal rule in which the sender alone decides, played without an engine: for tests that try many
// starts on small networks.

#include <algorithm>
#include <utility>
#include <vector>

#include "equipoise/load/loads.hpp"
#include "equipoise/model/local/push_rule.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::test {

template <model::PushesTokens R>
class PlayedRule {
  public:
    using State = typename R::NodeState;
    /// Loads and what the nodes remember: all that the next round depends on.
    struct Moment {
        load::Loads loads;
        std::vector<State> states;
        friend bool operator==(const Moment&, const Moment&) = default;
    };

    /// The network must outlive the play.
    PlayedRule(const R& rule, const network::Network& network) : rule_(rule), network_(&network) {}
    PlayedRule(const R& rule, network::Network&& network) = delete;

    [[nodiscard]] Moment start(load::Loads loads) const {
        std::vector<State> states(loads.size());
        return {std::move(loads), std::move(states)};
    }
    void round(Moment& at) {
        after_ = at.loads;
        for (NodeId node = 0; node < network_->node_count(); ++node) {
            const std::size_t degree = network_->degree(node);
            unseen_.resize(degree);
            degrees_.resize(degree);
            out_.resize(degree);
            rule_.propose({at.loads[node], 1, at.states[node], unseen_, {}, degrees_, node, 0, 0},
                          out_);
            for (std::size_t port = 0; port < degree; ++port) {
                after_[node] -= rule_.sent(out_[port]);
                after_[network_->neighbours(node)[port]] += rule_.sent(out_[port]);
            }
        }
        at.loads.swap(after_);
    }

    /// The cycle of moments that the process comes to repeat: its first moment and its length
    /// (Brent's algorithm). Calls `visit` with every moment on the way and at least once with every
    /// one of the cycle.
    template <class Visit>
    std::pair<Moment, std::uint64_t> cycle_from(Moment at, const Visit& visit) {
        Moment kept = at;
        std::uint64_t length = 0;
        for (std::uint64_t power = 1;;) {
            visit(std::as_const(at));
            round(at);
            ++length;
            if (at == kept) return {std::move(at), length};
            if (length == power) {
                kept = at;
                power *= 2;
                length = 0;
            }
        }
    }
    std::pair<Moment, std::uint64_t> cycle_from(Moment at) {
        return cycle_from(std::move(at), [](const Moment&) {});
    }
    /// The largest discrepancy on that cycle.
    [[nodiscard]] Tokens recurrent_discrepancy(Moment start) {
        auto [at, length] = cycle_from(std::move(start));
        Tokens worst = 0;
        for (std::uint64_t i = 0; i < length; ++i) {
            worst = std::max(worst, load::discrepancy(at.loads));
            round(at);
        }
        return worst;
    }

  private:
    R rule_;
    const network::Network* network_;
    load::Loads after_;
    load::Loads unseen_;  ///< a sender does not look at its neighbours
    std::vector<Port> degrees_;
    std::vector<typename R::Proposal> out_;
};

}  // namespace equipoise::test
