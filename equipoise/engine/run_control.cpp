#include "equipoise/engine/run_control.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::engine {

namespace {

/// Throws OverflowError if the sum of all |load| exceeds `tokens_max`; up to there every sum or
/// difference of loads fits 64 bits.
std::span<const Tokens> expect_moderate(std::span<const Tokens> loads) {
    UInt128 sum = 0;
    for (const Tokens load : loads)
        sum += static_cast<UInt128>(load < 0 ? -Int128{load} : Int128{load});
    if (sum > static_cast<UInt128>(tokens_max)) throw OverflowError("total number of tokens");
    return loads;
}

bool is_negative(Tokens load) {
    return load < 0;
}

}  // namespace

load::Loads expect_one_a_node(load::Loads loads, NodeId node_count) {
    if (loads.size() != node_count)
        throw InputError("expected the loads of " + std::to_string(node_count) + " nodes, found " +
                         std::to_string(loads.size()));
    return loads;
}

void expect_speeds(std::span<const Tokens> speeds, std::size_t node_count) {
    if (!speeds.empty() && speeds.size() != node_count)
        throw InputError("expected a speed for each of the " + std::to_string(node_count) +
                         " nodes, found " + std::to_string(speeds.size()) + " speeds");
}

RunControl::RunControl(const RoundOptions& options, Step round_length, bool may_owe,
                       std::span<const Tokens> loads)
    : stop_(options.stop),
      interrupt_(options.interrupt),
      observers_(options.observers),
      environment_(options.environment),
      ledger_(expect_moderate(loads)),
      round_length_(round_length),
      may_owe_(may_owe || std::any_of(loads.begin(), loads.end(), is_negative)),
      follows_least_load_(may_owe) {
    EQUIPOISE_ASSERT(round_length_ >= 1);
    expect_speeds(options.speeds, loads.size());
    if (environment_ != nullptr) environment_->begin(round_length_);
    for (model::Observer* observer : observers_) {
        wants_transfers_ = wants_transfers_ || observer->wants_transfers();
        next_wanted_.push_back(std::max<Step>(1, observer->next_wanted(0)));
    }
}

void RunControl::resume(const model::RunBooks& books) {
    ledger_.resume(books.created, books.destroyed);
    costs_ = books.costs;
    steps_quiet_ = books.steps_quiet;
    steps_stable_ = books.steps_stable;
    follows_least_load_ = follows_least_load_ && books.least_load;
    least_load_ = books.least_load;
    level_since_ = books.level_since;
    resumed_ = true;
}

model::RunBooks RunControl::books() const {
    return {costs_,        ledger_.created(), ledger_.destroyed(), steps_quiet_,
            steps_stable_, least_load_,       level_since_};
}

model::StepView RunControl::view(std::span<const Tokens> loads,
                                 std::span<const model::Transfer> transfers,
                                 std::span<const NodeId> components) const {
    return {costs_,    loads,      ledger_.created(), ledger_.destroyed(),
            transfers, components, switches_};
}

void RunControl::start(std::span<const Tokens> loads) {
    for (model::Observer* observer : observers_)
        observer->on_start(view(loads, {}));
}

void RunControl::create(Tokens tokens) {
    if (tokens == 0) return;
    ledger_.create(tokens);
    if (ledger_.expected() > tokens_max) throw OverflowError("total number of tokens");
}

bool RunControl::asks_environment(std::span<const Tokens> loads) {
    if (environment_ == nullptr || costs_.steps % round_length_ != 0) return false;
    changes_.clear();
    environment_->before_round(costs_.steps / round_length_, loads, changes_);
    return true;
}

void RunControl::arrive(NodeId node, Tokens tokens, std::span<Tokens> loads) {
    EQUIPOISE_ASSERT(node < loads.size());
    if (tokens >= 0) {
        create(tokens);
        loads[node] += tokens;
    } else {
        // Consumption stops when a node is empty, however much is asked for.
        const Tokens taken = -std::max(tokens, -std::max<Tokens>(loads[node], 0));
        ledger_.destroy(taken);
        loads[node] -= taken;
    }
}

bool RunControl::observed_after(Step steps) const {
    return std::any_of(next_wanted_.begin(), next_wanted_.end(),
                       [&](Step wanted) { return costs_.steps + steps >= wanted; });
}

void RunControl::end_step(const StepTotals& totals, Step steps, std::span<const Tokens> loads,
                          std::span<const model::Transfer> transfers,
                          std::span<const NodeId> components) {
    create(totals.created);
    ledger_.destroy(totals.destroyed);
    count_up(costs_.steps, steps, "number of steps");
    costs_.rounds = costs_.steps / round_length_ + (costs_.steps % round_length_ == 0 ? 0 : 1);
    std::uint64_t exchanges = std::exchange(handed_over_, 0);
    count_up(exchanges, totals.exchanges, "number of exchanges");
    count_up(costs_.exchanges, exchanges, "number of exchanges");
    count_up(costs_.messages, totals.messages, "number of messages");
    steps_quiet_ = exchanges == 0 ? steps_quiet_ + steps : 0;
    steps_stable_ = totals.steep ? 0 : steps_stable_ + steps;
    EQUIPOISE_HEAVY_ASSERT(loads.empty() || ledger_.balances(loads));
    for (std::size_t i = 0; i < observers_.size(); ++i) {
        if (costs_.steps < next_wanted_[i]) continue;
        observers_[i]->on_step(view(loads, transfers, components));
        next_wanted_[i] = std::max(costs_.steps + 1, observers_[i]->next_wanted(costs_.steps));
    }
    // After the observers, which may end the run with an error that says more.
    EQUIPOISE_HEAVY_ASSERT(nobody_owes(loads));
    switches_.clear();
}

void RunControl::finish(std::span<const Tokens> loads) {
    EQUIPOISE_ASSERT(loads.empty() || ledger_.balances(loads));
    for (model::Observer* observer : observers_)
        observer->on_end(view(loads, {}));
    // After the observers, which may end the run with an error that says more.
    EQUIPOISE_ASSERT(nobody_owes(loads));
}

bool RunControl::nobody_owes(std::span<const Tokens> loads) const {
    return may_owe_ || std::none_of(loads.begin(), loads.end(), is_negative);
}

std::optional<model::StopReason> RunControl::reason_to_stop_by_counters() const {
    using model::StopReason;
    if (stop_.quiet_steps && steps_quiet_ >= *stop_.quiet_steps) return StopReason::quiet;
    if (stop_.stable_steps && steps_stable_ >= *stop_.stable_steps) return StopReason::stable;
    if (costs_.steps >= stop_.steps_max) return StopReason::steps_max;
    if (interrupt_.stop_requested()) return StopReason::interrupted;
    return std::nullopt;
}

void RunControl::begin_step(std::span<Tokens> loads) {
    if (!asks_environment(loads)) return;
    EQUIPOISE_ASSERT(changes_.nodes.empty() && changes_.links.empty());
    for (const auto& [node, tokens] : changes_.arrivals)
        arrive(node, tokens, loads);
}

std::vector<NodeId> RunControl::begin_step(std::span<Tokens> loads, LiveNetwork& live,
                                           std::vector<model::Transfer>& transfers) {
    if (!asks_environment(loads)) return {};
    const std::size_t before = transfers.size();
    std::vector<NodeId> came = live.apply(changes_, costs_.steps, loads, transfers);
    for (std::size_t i = before; i < transfers.size(); ++i)
        count_up(handed_over_, static_cast<std::uint64_t>(transfers[i].tokens),
                 "number of exchanges");
    if (!wants_transfers_) transfers.clear();
    note(live.switches());
    for (const auto& [node, tokens] : changes_.arrivals)
        if (live.up(node)) arrive(node, tokens, loads);
    return came;
}

void RunControl::note(std::span<const model::NetworkSwitch> switches) {
    if (wants_transfers_) switches_.insert(switches_.end(), switches.begin(), switches.end());
}

bool RunControl::one_balanced(const Graph& network, std::span<const Tokens> loads) {
    return network.visit([&](const auto& kind) {
        const NodeId count = kind.node_count();
        for (NodeId i = 0; i < count; ++i) {
            for (Port port = 0; port < kind.degree(steep_node_); ++port)
                if (is_steep(loads[steep_node_] - loads[kind.neighbour(steep_node_, port)]))
                    return false;
            if (++steep_node_ == count) steep_node_ = 0;
        }
        return true;
    });
}

std::optional<model::StopReason> RunControl::reason_to_stop(const Graph& network,
                                                            std::span<const Tokens> loads,
                                                            bool all_finished) {
    return reason_to_stop(
        all_finished, [&] { return *discrepancy_ <= *stop_.discrepancy; },
        [&] { return one_balanced(network, loads); });
}

std::optional<model::StopReason> RunControl::reason_to_stop(LiveNetwork& live,
                                                            std::span<const Tokens> loads,
                                                            bool all_finished) {
    return reason_to_stop(
        all_finished, [&] { return live.discrepancy(loads) <= *stop_.discrepancy; },
        [&] { return live.one_balanced(loads); });
}

}  // namespace equipoise::engine
