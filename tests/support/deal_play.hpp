#pragma once
// A deal rule played round by round, with the deals of the last round.

#include <span>
#include <utility>
#include <vector>

#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::test {

template <model::DealRule R>
class DealPlay {
  public:
    DealPlay(R rule, const network::Network& network, load::Loads loads)
        : rounds_(std::move(rule), std::move(loads), network, options()) {}
    /// The network must outlive the play.
    DealPlay(R rule, network::Network&& network, load::Loads loads) = delete;
    DealPlay(const DealPlay&) = delete;
    DealPlay& operator=(const DealPlay&) = delete;

    /// Plays a round and returns what was handed over in it.
    const std::vector<model::Transfer>& round() {
        before_ = loads();
        deals_.transfers.clear();
        rounds_.step();
        return deals_.transfers;
    }
    /// Loads at the start of the last round.
    [[nodiscard]] const load::Loads& before() const { return before_; }
    [[nodiscard]] load::Loads loads() const {
        return {rounds_.loads().begin(), rounds_.loads().end()};
    }
    /// Plays rounds until one in which nothing is handed over, which is not counted; at most
    /// `rounds_max`.
    std::uint64_t rounds_until_quiet(std::uint64_t rounds_max) {
        std::uint64_t rounds = 0;
        while (rounds < rounds_max && !round().empty())
            ++rounds;
        return rounds;
    }

  private:
    struct Deals : model::Observer {
        [[nodiscard]] bool wants_transfers() const override { return true; }
        void on_step(const model::StepView& view) override {
            transfers.insert(transfers.end(), view.transfers.begin(), view.transfers.end());
        }
        std::vector<model::Transfer> transfers;
    };

    engine::RoundOptions options() {
        engine::RoundOptions options;
        options.observers = observers_;
        return options;
    }

    Deals deals_;
    std::vector<model::Observer*> observers_{&deals_};
    engine::DealRounds<R> rounds_;
    load::Loads before_;
};

}  // namespace equipoise::test
