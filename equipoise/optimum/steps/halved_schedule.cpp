#include "equipoise/optimum/steps/halved_schedule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <tuple>
#include <utility>

#include "equipoise/optimum/steps/halver.hpp"

namespace equipoise::optimum {

namespace {

using Totals = std::vector<FatMove>;

/// The tokens that a node which receives and sends must hold for totals at constant rates.
Tokens reserve(Tokens sent, Tokens received, Step steps) {
    if (sent == 0 || received == 0) return 0;
    return ceil_divide(std::max(sent, received), static_cast<Tokens>(steps));
}

/// A total with the windows that it is the sum of.
struct PacedTotal {
    FatMove move;
    std::span<const Window> windows;

    /// Tokens that the rates of the windows have sent before a step. Rounded: it only guides.
    [[nodiscard]] double sent_before(Step step) const {
        double sum = 0;
        for (const Window& window : windows) {
            if (step <= window.first) continue;
            const Step passed = std::min(step - window.first, window.steps);
            sum += static_cast<double>(window.tokens) * static_cast<double>(passed) /
                   static_cast<double>(window.steps);
        }
        return sum;
    }
};

/// Plays single steps while some node holds less than its reserve, near the rates of the windows.
/// Backward in time it works the same way: a node holds after a step what it sends in it.
class StepPlayer {
  public:
    StepPlayer(const Problem& problem, std::vector<PacedTotal>& totals, load::Loads& held,
               bool backward)
        : problem_(problem), totals_(totals), held_(held), backward_(backward) {
        nodes_.resize(held.size());
        for (const PacedTotal& total : totals) {
            nodes_[tail(total.move)].to_send += total.move.tokens;
            nodes_[head(total.move)].to_receive += total.move.tokens;
        }
    }

    /// Whether some node holds less than it needs.
    [[nodiscard]] bool lacks(Step left) const {
        return std::any_of(totals_.begin(), totals_.end(), [&](const PacedTotal& total) {
            return is_short(tail(total.move), left);
        });
    }
    /// Plays `step`, one of `left`. Returns false when some node would fall behind.
    bool play(Step step, Step left, std::vector<FatMove>& moves) {
        follow_rates(step);
        sent_.assign(totals_.size(), 0);
        std::array<std::vector<std::size_t>, urgencies> by_urgency;
        for (std::size_t i = 0; i < totals_.size(); ++i)
            by_urgency[urgency_of(i, left)].push_back(i);
        for (const std::vector<std::size_t>& some : by_urgency)
            for (const std::size_t i : some)
                send(i, left);
        if (falls_behind(left) && (problem_.all_ports || !swap(left) || falls_behind(left)))
            return false;
        moves.clear();
        for (std::size_t i = 0; i < totals_.size(); ++i) {
            if (sent_[i] == 0) continue;
            const FatMove& move = totals_[i].move;
            moves.push_back({move.from, move.to, sent_[i]});
            Node& from = nodes_[tail(move)];
            Node& to = nodes_[head(move)];
            held_[tail(move)] -= sent_[i];
            held_[head(move)] += sent_[i];
            from.to_send -= sent_[i];
            to.to_receive -= sent_[i];
            from.sending = 0;
            to.receiving = 0;
        }
        std::erase_if(totals_, [](const PacedTotal& total) { return total.move.tokens == 0; });
        return true;
    }

  private:
    static constexpr std::size_t urgencies = 64;

    struct Node {
        Tokens to_send = 0;
        Tokens to_receive = 0;
        Tokens sending = 0;  ///< in this step
        Tokens receiving = 0;
        double send_lag = 0;  ///< tokens behind the rates
        double receive_lag = 0;
    };

    [[nodiscard]] NodeId tail(const FatMove& move) const { return backward_ ? move.to : move.from; }
    [[nodiscard]] NodeId head(const FatMove& move) const { return backward_ ? move.from : move.to; }
    [[nodiscard]] bool is_short(NodeId node, Step left) const {
        return held_[node] < reserve(nodes_[node].to_send, nodes_[node].to_receive, left);
    }
    /// Tokens that must be sent (or received) in this step, since they do not fit into the
    /// remaining steps.
    [[nodiscard]] static Tokens must(Tokens amount, Tokens ports, Step left) {
        const Int128 later = Int128{ports} * static_cast<Int128>(left - 1);
        return static_cast<Tokens>(std::max<Int128>(0, Int128{amount} - later));
    }
    [[nodiscard]] bool tail_must(NodeId node, Step left) const {
        return !problem_.all_ports &&
               nodes_[node].sending < must(nodes_[node].to_send, problem_.ports_of(node), left);
    }
    [[nodiscard]] bool head_must(NodeId node, Step left) const {
        return !problem_.all_ports && nodes_[node].receiving < must(nodes_[node].to_receive,
                                                                    problem_.ports_of(node), left);
    }
    void follow_rates(Step step) {
        lag_.assign(totals_.size(), 0);
        for (const PacedTotal& total : totals_) {
            nodes_[tail(total.move)].send_lag = 0;
            nodes_[head(total.move)].receive_lag = 0;
        }
        for (std::size_t i = 0; i < totals_.size(); ++i) {
            const PacedTotal& total = totals_[i];
            // The tokens that the rates leave for after this step or, backward, before it.
            const double later = backward_
                                     ? total.sent_before(step)
                                     : total.sent_before(~Step{0}) - total.sent_before(step + 1);
            lag_[i] = static_cast<double>(total.move.tokens) - later;
            nodes_[tail(total.move)].send_lag += lag_[i];
            nodes_[head(total.move)].receive_lag += lag_[i];
        }
    }
    /// Whether an amount leaves so few of the steps free that nothing may wait for a reserve.
    [[nodiscard]] static bool is_tight(Tokens amount, Tokens ports, Step left) {
        constexpr Int128 share = 8;
        return share * amount >= (share - 1) * Int128{ports} * static_cast<Int128>(left);
    }
    [[nodiscard]] bool is_urgent(std::size_t index, Step left) const {
        const FatMove& move = totals_[index].move;
        if (lag_[index] >= 1) return true;
        if (problem_.all_ports) return lag_[index] > 0 && is_tight(move.tokens, 1, left);
        const Node& from = nodes_[tail(move)];
        const Node& to = nodes_[head(move)];
        if (tail_must(tail(move), left) || head_must(head(move), left)) return true;
        if (from.send_lag >= 1 || to.receive_lag >= 1) return true;
        return (from.send_lag > 0 && is_tight(from.to_send, problem_.ports_of(tail(move)), left)) ||
               (to.receive_lag > 0 && is_tight(to.to_receive, problem_.ports_of(head(move)), left));
    }
    /// 0 for what must come first.
    [[nodiscard]] std::size_t urgency_of(std::size_t index, Step left) const {
        const FatMove& move = totals_[index].move;
        const bool from = tail_must(tail(move), left);
        const bool to = head_must(head(move), left);
        if (from && to) return 0;
        if (from || to || (problem_.all_ports && move.tokens > static_cast<Tokens>(left - 1)))
            return 1;
        // By how far both ends are behind the rates, in halves of a token.
        double lag = problem_.all_ports ? lag_[index]
                                        : nodes_[tail(move)].send_lag +
                                              nodes_[head(move)].receive_lag + lag_[index];
        if (is_short(head(move), left)) lag += 1;
        constexpr double most = static_cast<double>(urgencies - 3);
        return urgencies - 1 - static_cast<std::size_t>(std::clamp(2 * lag, 0.0, most));
    }
    void send(std::size_t index, Step left) {
        FatMove& move = totals_[index].move;
        Node& from = nodes_[tail(move)];
        Node& to = nodes_[head(move)];
        Tokens free = held_[tail(move)] - from.sending;
        Tokens most = 0;
        if (problem_.all_ports) {
            most = std::min<Tokens>(move.tokens, 1 - sent_[index]);
        } else {
            most = std::min({move.tokens, problem_.ports_of(tail(move)) - from.sending,
                             problem_.ports_of(head(move)) - to.receiving});
        }
        // No total gets ahead of its rate by a token, and totals that are not urgent leave the
        // reserve alone.
        const bool urgent = is_urgent(index, left);
        if (!tail_must(tail(move), left) && !head_must(head(move), left))
            most = std::min(most, static_cast<Tokens>(std::ceil(lag_[index])));
        if (!urgent && left > 1) free -= reserve(from.to_send, from.to_receive, left - 1);
        const Tokens tokens = std::min(most, free);
        if (tokens > 0) change(index, tokens);
    }
    /// Sends more, or with a number below 0 takes back.
    void change(std::size_t index, Tokens tokens) {
        FatMove& move = totals_[index].move;
        Node& from = nodes_[tail(move)];
        Node& to = nodes_[head(move)];
        move.tokens -= tokens;
        sent_[index] += tokens;
        lag_[index] -= static_cast<double>(tokens);
        from.sending += tokens;
        to.receiving += tokens;
        from.send_lag -= static_cast<double>(tokens);
        to.receive_lag -= static_cast<double>(tokens);
    }
    /// Whether something that has to be sent or received now is not.
    [[nodiscard]] bool falls_behind(Step left) const {
        for (const auto& total : totals_) {
            const FatMove& move = total.move;
            if (problem_.all_ports ? move.tokens > static_cast<Tokens>(left - 1)
                                   : tail_must(tail(move), left) || head_must(head(move), left))
                return true;
        }
        return false;
    }

    // Alternating paths, as of a matching that has to cover given nodes (Mendelsohn, Dulmage 1958):
    // a node that must send takes the place of one that need not, or of one that finds another
    // receiver; then the same for nodes that must receive.
    bool swap(Step left) {
        at_node_.assign(held_.size(), {});
        for (std::size_t i = 0; i < totals_.size(); ++i) {
            at_node_[tail(totals_[i].move)].first.push_back(i);
            at_node_[head(totals_[i].move)].second.push_back(i);
        }
        for (const bool sends : {true, false})
            for (NodeId node = 0; node < held_.size(); ++node)
                while (sends ? tail_must(node, left) : head_must(node, left)) {
                    if (sends && held_[node] <= nodes_[node].sending) return false;
                    met_.assign(held_.size(), false);
                    if (!find_place(node, sends, left)) return false;
                }
        return true;
    }
    /// Whether a node that still may (it has a port free) now sends, or receives, one token more.
    bool find_place(NodeId node, bool sends, Step left) {
        for (const std::size_t i : sends ? at_node_[node].first : at_node_[node].second) {
            if (totals_[i].move.tokens == 0) continue;
            const NodeId other = sends ? head(totals_[i].move) : tail(totals_[i].move);
            if (met_[other]) continue;
            met_[other] = true;
            const Tokens used = sends ? nodes_[other].receiving : nodes_[other].sending;
            if (used < problem_.ports_of(other) &&
                (sends || held_[other] > nodes_[other].sending)) {
                change(i, 1);
                return true;
            }
            // One of the nodes that the other one deals with gives way.
            for (const std::size_t taken : sends ? at_node_[other].second : at_node_[other].first) {
                if (sent_[taken] == 0 || taken == i) continue;
                const NodeId rival = sends ? tail(totals_[taken].move) : head(totals_[taken].move);
                change(taken, -1);
                change(i, 1);
                const bool missed = sends ? tail_must(rival, left) : head_must(rival, left);
                if (!missed || find_place(rival, sends, left)) return true;
                change(i, -1);
                change(taken, 1);
            }
        }
        return false;
    }

    const Problem& problem_;
    std::vector<PacedTotal>& totals_;
    load::Loads& held_;
    bool backward_;
    std::vector<Node> nodes_;
    std::vector<double> lag_;   ///< by total: tokens behind its rate
    std::vector<Tokens> sent_;  ///< by total, in this step
    std::vector<std::pair<std::vector<std::size_t>, std::vector<std::size_t>>> at_node_;
    std::vector<bool> met_;
};

/// The windows of every total, in the order of their ends.
std::vector<PacedTotal> paced(const Totals& totals, std::vector<Window>& windows, Step steps) {
    if (windows.empty())
        for (const FatMove& move : totals)
            windows.push_back({move.from, move.to, 0, steps, move.tokens});
    const auto before = [](const auto& a, const auto& b) {
        return std::tie(a.from, a.to) < std::tie(b.from, b.to);
    };
    std::sort(windows.begin(), windows.end(), before);
    std::vector<PacedTotal> all;
    all.reserve(totals.size());
    for (const FatMove& move : totals) {
        const Window like{move.from, move.to, 0, 1, 0};
        const auto [first, last] = std::equal_range(windows.begin(), windows.end(), like, before);
        all.push_back({move, {first, last}});
    }
    return all;
}

}  // namespace

std::optional<Schedule> halved_schedule(const Problem& problem, const std::vector<FatMove>& totals,
                                        Step steps, std::vector<Window> windows,
                                        const std::stop_token& stop) {
    // Steps played one by one look at all links that still carry tokens.
    constexpr std::uint64_t looks_max = 500'000'000;
    std::uint64_t looks = 0;
    load::Loads at_start = problem.loads;
    load::Loads at_end = problem.loads;
    Tokens all = 0;
    for (const FatMove& move : totals) {
        at_end[move.from] -= move.tokens;
        at_end[move.to] += move.tokens;
        all = checked_add(all, move.tokens);
    }
    std::vector<PacedTotal> open = paced(totals, windows, steps);
    Step first = 0;
    Step left = steps;
    Schedule schedule;
    schedule.reserve(static_cast<std::size_t>(all));
    std::deque<Move> last;  // backward; never takes more than its moves
    std::vector<FatMove> moves;
    bool played = false;
    const auto play_while_short = [&](bool backward) {
        StepPlayer player(problem, open, backward ? at_end : at_start, backward);
        while (left > 0 && player.lacks(left)) {
            const Step step = backward ? first + left - 1 : first;
            looks += open.size();
            if (looks > looks_max || stop.stop_requested() || !player.play(step, left, moves))
                return false;
            for (const FatMove& move : moves)
                for (Tokens i = 0; i < move.tokens; ++i) {
                    if (backward)
                        last.push_back({step, move.from, move.to});
                    else
                        schedule.push_back({step, move.from, move.to});
                }
            --left;
            first += backward ? 0 : 1;
            played = true;
        }
        return true;
    };
    do {
        played = false;
        if (!play_while_short(false) || !play_while_short(true)) return std::nullopt;
        if (left == 0 && !open.empty()) return std::nullopt;
    } while (played);
    Totals rest;
    rest.reserve(open.size());
    for (const PacedTotal& total : open)
        rest.push_back(total.move);
    open = {};
    if (!Halver(problem.network->node_count(), schedule, stop).play(rest, first, left))
        return std::nullopt;
    schedule.insert(schedule.end(), last.rbegin(), last.rend());
    return schedule;
}

}  // namespace equipoise::optimum
