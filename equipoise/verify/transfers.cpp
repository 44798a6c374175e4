// The transfers of a full record, replayed from the initial loads.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/verify/examiner.hpp"
#include "equipoise/verify/live_links.hpp"

namespace equipoise::verify {

namespace {

using model::Record;
using model::Transfer;

/// The spread of loads that change one at a time.
class ChangingSpread {
  public:
    explicit ChangingSpread(const std::vector<Tokens>& loads) {
        for (const Tokens load : loads)
            ++nodes_[load];
    }
    void change(Tokens from, Tokens to) {
        if (--nodes_[from] == 0) nodes_.erase(from);
        ++nodes_[to];
    }
    [[nodiscard]] Int128 now() const {
        return Int128{nodes_.rbegin()->first} - nodes_.begin()->first;
    }

  private:
    std::map<Tokens, std::uint64_t> nodes_;  ///< how many hold so much
};

/// Loads that move by recorded transfers, one step at a time.
class Replay {
  public:
    Replay(const Record& record, const network::AnyNetwork& network)
        : record_(record),
          network_(network),
          single_port_(record.model == "single-port"),
          single_token_(record.model == "single-token"),
          one_a_link_(record.one_token_a_link),
          loads_(record.initial_loads),
          spread_(loads_),
          discrepancy_(spread_.now()),
          sent_(record.node_count, 0),
          received_(record.node_count, 0),
          partner_(record.node_count, no_node),
          live_(record, network) {}

    /// The first contradiction, or nothing.
    [[nodiscard]] std::string run() {
        for (std::size_t next_sample = 0; problem_.empty();) {
            while (next_sample < record_.samples.size() &&
                   record_.samples[next_sample].step <= next_step())
                check_sample(record_.samples[next_sample++]);
            if (done() || !problem_.empty()) break;
            play_step(next_step());
        }
        if (problem_.empty() && loads_ != record_.final_loads)
            problem_ = "the transfers do not lead to the final loads" +
                       first_difference(record_.final_loads);
        if (problem_.empty() && exchanges_ != record_.costs.exchanges)
            problem_ = "recorded " + std::to_string(record_.costs.exchanges) +
                       " exchanges, the transfers add up to " + load::to_decimal(exchanges_);
        return problem_;
    }

    /// The first step after which the discrepancy stayed as it is at the end, if a round takes
    /// `round` steps and its events are booked at the first of them.
    [[nodiscard]] Step level_since(Step round) const {
        return last_change_ ? *last_change_ + round : 0;
    }

  private:
    [[nodiscard]] bool done() const {
        return transfer_ == record_.transfers.size() && created_ == record_.created.size() &&
               destroyed_ == record_.destroyed.size() && live_.next_switch() >= record_.costs.steps;
    }
    /// The step of the earliest remaining event; the largest number if there is none. Switches
    /// after the run's last step move nothing.
    [[nodiscard]] Step next_step() const {
        Step step = live_.next_switch();
        const auto look = [&](const std::vector<Transfer>& events, std::size_t at) {
            if (at < events.size()) step = std::min(step, events[at].step);
        };
        look(record_.transfers, transfer_);
        look(record_.created, created_);
        look(record_.destroyed, destroyed_);
        return step;
    }
    /// Adds tokens to a node. Returns whether they are too many.
    [[nodiscard]] bool overflows(NodeId node, Tokens more) {
        const Tokens before = loads_[node];
        if (__builtin_add_overflow(before, more, &loads_[node])) return true;
        spread_.change(before, loads_[node]);
        return false;
    }
    void fail(Step step, const std::string& what) {
        if (problem_.empty()) problem_ = "step " + std::to_string(step) + ": " + what;
    }
    [[nodiscard]] std::string name(NodeId node) const { return record_.labels.name(node); }

    /// Takes the events of one step from an account and adds them to the loads.
    void book(const std::vector<Transfer>& account, std::size_t& at, Step step,
              NodeId Transfer::*node, Tokens sign) {
        for (; at < account.size() && account[at].step == step; ++at) {
            const Transfer& entry = account[at];
            if (entry.*node >= record_.node_count || entry.tokens < 1)
                return fail(step, "tokens made or removed at no node, or fewer than one");
            if (!live_.up(entry.*node))
                return fail(step, "tokens made or removed at node " + name(entry.*node) +
                                      ", which is down");
            if (overflows(entry.*node, sign * entry.tokens))
                return fail(step, "node " + name(entry.*node) + " overflows");
        }
    }

    void play_step(Step step) {
        if (step < last_step_) return fail(step, "comes after step " + std::to_string(last_step_));
        if (step >= record_.costs.steps) return fail(step, "comes after the run's last step");
        last_step_ = step;
        const std::vector<NodeId> went = live_.switch_until(step);
        while (transfer_ < record_.transfers.size() && record_.transfers[transfer_].step == step &&
               problem_.empty() && touches_one_that_went(record_.transfers[transfer_], went))
            hand_over(record_.transfers[transfer_++]);
        for (const NodeId node : went)
            if (loads_[node] != 0 && live_.heir(node) != no_node)
                fail(step, "node " + name(node) + " went with " + std::to_string(loads_[node]) +
                               (loads_[node] == 1 ? " token" : " tokens") +
                               " although a neighbour could take them");
        book(record_.created, created_, step, &Transfer::to, 1);
        book(record_.destroyed, destroyed_, step, &Transfer::from, -1);
        const std::size_t begin = transfer_;
        while (transfer_ < record_.transfers.size() && record_.transfers[transfer_].step == step &&
               problem_.empty())
            take(record_.transfers[transfer_++]);
        for (std::size_t i = begin; i < transfer_ && problem_.empty(); ++i)
            settle(step, record_.transfers[i]);
        if (spread_.now() == discrepancy_) return;
        discrepancy_ = spread_.now();
        last_change_ = step;
    }

    [[nodiscard]] bool touches_one_that_went(const Transfer& t,
                                             const std::vector<NodeId>& went) const {
        return std::any_of(went.begin(), went.end(),
                           [&](NodeId node) { return t.from == node || t.to == node; });
    }

    /// A node that went hands over all its tokens (a negative load moves the other way).
    void hand_over(const Transfer& t) {
        if (t.tokens < 1 || t.from >= record_.node_count || t.to >= record_.node_count)
            return fail(t.step, "a node that went hands over to no node, or less than one token");
        const NodeId gone = live_.up(t.from) ? t.to : t.from;
        const NodeId heir = gone == t.from ? t.to : t.from;
        const Tokens held = gone == t.from ? t.tokens : -t.tokens;
        if (heir != live_.heir(gone) || held != loads_[gone])
            return fail(t.step, "node " + name(gone) + " went with " +
                                    std::to_string(loads_[gone]) + " tokens and " +
                                    std::to_string(held) + " of them went to node " + name(heir));
        exchanges_ += t.tokens;
        if (overflows(gone, -held) || overflows(heir, held))
            fail(t.step, "node " + name(heir) + " overflows");
    }

    /// Notes the tokens that a transfer sends; arrivals count only after the step.
    void take(const Transfer& t) {
        const std::string route = std::to_string(t.tokens) +
                                  (t.tokens == 1 ? " token" : " tokens") + " from node " +
                                  std::to_string(t.from) + " to node " + std::to_string(t.to);
        if (t.tokens < 1) return fail(t.step, route + ": expected at least one");
        if (t.from >= record_.node_count || t.to >= record_.node_count ||
            !network::port_to(network_, t.from, t.to))
            return fail(t.step, route + ": there is no such link");
        if (!live_.live(t.from, t.to)) return fail(t.step, route + ": this link is down");
        exchanges_ += t.tokens;
        if (__builtin_add_overflow(sent_[t.from], t.tokens, &sent_[t.from]) ||
            __builtin_add_overflow(received_[t.to], t.tokens, &received_[t.to]))
            return fail(t.step, route + ": too many");
        if (one_a_link_ && t.tokens > 1)
            return fail(t.step, route + ": at most one token may cross a link in a step");
        if (single_port_) meet(t);
        if (single_token_ && (sent_[t.from] > 1 || received_[t.to] > 1))
            return fail(t.step, route +
                                    ": more than one token sent or received by a node in a "
                                    "single-token step");
    }
    void meet(const Transfer& t) {
        for (const auto& [node, other] : {std::pair(t.from, t.to), std::pair(t.to, t.from)}) {
            if (partner_[node] != no_node && partner_[node] != other)
                return fail(t.step, "node " + name(node) +
                                        " exchanges with two neighbours in a single-port step");
            partner_[node] = other;
        }
    }
    void settle(Step step, const Transfer& t) {
        for (const NodeId node : {t.from, t.to}) {
            if (sent_[node] > loads_[node] && !record_.loads_may_be_negative)
                return fail(step, "node " + name(node) + " sends " + std::to_string(sent_[node]) +
                                      (sent_[node] == 1 ? " token" : " tokens") + " and has " +
                                      std::to_string(loads_[node]));
            if (overflows(node, received_[node] - sent_[node]))
                return fail(step, "node " + name(node) + " overflows");
            sent_[node] = 0;
            received_[node] = 0;
            partner_[node] = no_node;
        }
    }
    void check_sample(const model::Sample& sample) {
        if (!sample.loads.empty() && sample.loads != loads_)
            problem_ = "the transfers do not lead to the sample at step " +
                       std::to_string(sample.step) + first_difference(sample.loads);
        else if (sample.loads.empty() &&
                 (spread(loads_) != sample.discrepancy ||
                  load::to_decimal(load::potential(loads_)) != sample.potential))
            problem_ = "the figures of the sample at step " + std::to_string(sample.step) +
                       " are not those of the transfers";
    }
    [[nodiscard]] std::string first_difference(const std::vector<Tokens>& claimed) const {
        const auto [mine, theirs] =
            std::mismatch(loads_.begin(), loads_.end(), claimed.begin(), claimed.end());
        if (mine == loads_.end() || theirs == claimed.end()) return "";
        const auto node = static_cast<NodeId>(mine - loads_.begin());
        return ": node " + name(node) + " has " + std::to_string(*mine) + ", recorded " +
               std::to_string(*theirs);
    }

    const Record& record_;
    const network::AnyNetwork& network_;
    bool single_port_;
    bool single_token_;
    bool one_a_link_;
    std::vector<Tokens> loads_;
    ChangingSpread spread_;
    Int128 discrepancy_;
    std::optional<Step> last_change_;  ///< the step that changed it last
    std::vector<Tokens> sent_;
    std::vector<Tokens> received_;
    std::vector<NodeId> partner_;
    LiveLinks live_;
    std::size_t transfer_ = 0;
    std::size_t created_ = 0;
    std::size_t destroyed_ = 0;
    Step last_step_ = 0;
    Int128 exchanges_ = 0;
    std::string problem_;
};

}  // namespace

void Examiner::check_transfers() {
    if (record_.level != model::RecordLevel::full) {
        if (!record_.transfers.empty())
            note("transfers", false,
                 "a record of level " + model::to_string(record_.level) + " lists transfers");
        return;
    }
    if (!network_) {
        report_.unchecked.emplace_back("the transfers: the network is not known for certain");
        return;
    }
    std::string problem = problem_of_rounds();
    try {
        Replay replay(record_, *network_);
        if (problem.empty()) problem = replay.run();
        if (problem.empty() && known_ != nullptr)
            level_since_ = replay.level_since(known_->steps_at_once);
    } catch (const OverflowError& error) {
        problem = error.what();
    }
    note("transfers", problem.empty(),
         problem.empty() ? std::to_string(record_.transfers.size()) +
                               " transfers lead along links from the initial to the final loads"
                         : problem);
}

/// The events of a round of several steps are booked at its first step. If neither the samples nor
/// the facts known about the algorithm give the steps, they are left open.
std::string Examiner::problem_of_rounds() {
    if (every_step_is_sampled()) return "";
    const Step round = known_ == nullptr ? 1 : known_->steps_at_once;
    if (round == 1) {
        if (record_.samples.size() >= 2)
            leave_open({"transfers", "created", "destroyed"}, "their steps between two samples");
        return "";
    }
    for (const auto* events : {&record_.transfers, &record_.created, &record_.destroyed})
        for (const Transfer& event : *events)
            if (event.step % round != 0)
                return "step " + std::to_string(event.step) + ": is not the first of a round of " +
                       std::to_string(round) + " steps";
    return "";
}

}  // namespace equipoise::verify
