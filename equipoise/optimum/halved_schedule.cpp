#include "equipoise/optimum/halved_schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "equipoise/optimum/circulation_rounding.hpp"

namespace equipoise::optimum {

namespace {

using Totals = std::vector<FatMove>;

/// What a step lets through.
struct StepLimits {
    const Problem* problem = nullptr;
    [[nodiscard]] bool by_link() const { return problem->all_ports; }
    [[nodiscard]] Tokens of(NodeId node) const { return problem->ports_of(node); }
};

/// Tokens that a node which receives and sends must hold for totals at constant rates.
Tokens reserve(Tokens sent, Tokens received, Step steps) {
    if (sent == 0 || received == 0) return 0;
    return ceil_divide(std::max(sent, received), static_cast<Tokens>(steps));
}

/// Halves time down to single steps.
class Halver {
  public:
    Halver(load::Loads& held, Schedule& schedule)
        : held_(held), schedule_(schedule), index_(held.size(), none) {}

    /// Appends the moves of the steps first, ..., first + steps - 1.
    void play(const Totals& totals, Step first, Step steps) {
        if (totals.empty()) return;
        if (steps == 1) {
            for (const FatMove& move : totals) {
                for (Tokens i = 0; i < move.tokens; ++i)
                    schedule_.push_back({first, move.from, move.to});
                held_[move.from] -= move.tokens;
                held_[move.to] += move.tokens;
            }
            return;
        }
        auto [early, late] = split(totals, steps);
        play(early, first, steps / 2);
        early = {};
        play(late, first + steps / 2, steps - steps / 2);
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// The node's place among those of these totals.
    std::uint32_t place(NodeId node) {
        if (index_[node] == none) {
            index_[node] = static_cast<std::uint32_t>(nodes_.size());
            nodes_.push_back(node);
            sent_.push_back(0);
            received_.push_back(0);
        }
        return index_[node];
    }
    // Every node has three places: what it sends leaves the second, what it receives enters the
    // third, both are part of what the first holds; the last place of all is time.
    std::pair<Totals, Totals> split(const Totals& totals, Step steps) {
        const auto whole = static_cast<UInt128>(steps);
        const UInt128 part = whole / 2;
        const auto remainder = [&](Tokens tokens) {
            return static_cast<std::uint64_t>(static_cast<UInt128>(tokens) * part % whole);
        };
        std::vector<FractionalArc> arcs;
        arcs.reserve(totals.size());
        for (const FatMove& move : totals) {
            const std::uint32_t from = place(move.from);
            const std::uint32_t to = place(move.to);
            sent_[from] += move.tokens;
            received_[to] += move.tokens;
            arcs.push_back({3 * from + 1, 3 * to + 2, remainder(move.tokens)});
        }
        const auto count = static_cast<std::uint32_t>(nodes_.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            arcs.push_back({3 * i, 3 * i + 1, remainder(sent_[i])});
            arcs.push_back({3 * i + 2, 3 * i, remainder(received_[i])});
            const std::uint64_t more = remainder(received_[i]);
            const std::uint64_t less = remainder(sent_[i]);
            arcs.push_back({3 * i, 3 * count, more >= less ? more - less : more + steps - less});
        }
        for (const NodeId node : nodes_)
            index_[node] = none;
        nodes_.clear();
        sent_.clear();
        received_.clear();
        const std::vector<std::uint8_t> up = round_circulation(3 * count + 1, arcs, steps);
        std::pair<Totals, Totals> halves;
        for (std::size_t i = 0; i < totals.size(); ++i) {
            const FatMove& move = totals[i];
            const auto early =
                static_cast<Tokens>(static_cast<UInt128>(move.tokens) * part / whole) + up[i];
            if (early > 0) halves.first.push_back({move.from, move.to, early});
            if (early < move.tokens)
                halves.second.push_back({move.from, move.to, move.tokens - early});
        }
        return halves;
    }

    load::Loads& held_;
    Schedule& schedule_;
    std::vector<std::uint32_t> index_;  ///< by node
    std::vector<NodeId> nodes_;         ///< of the totals that are split
    std::vector<Tokens> sent_;
    std::vector<Tokens> received_;
};

/// Plays single steps while some node holds less than its reserve. Backward in time it is the same:
/// what a node sends in a step it holds after it.
class StepPlayer {
  public:
    StepPlayer(const StepLimits& limits, Totals& totals, load::Loads& held, bool backward)
        : limits_(limits),
          totals_(totals),
          held_(held),
          backward_(backward),
          to_send_(held.size(), 0),
          to_receive_(held.size(), 0),
          sending_(held.size(), 0),
          receiving_(held.size(), 0) {
        for (const FatMove& move : totals) {
            to_send_[tail(move)] += move.tokens;
            to_receive_[head(move)] += move.tokens;
        }
    }

    /// Whether some node holds less than it needs.
    [[nodiscard]] bool lacks(Step left) const {
        for (const FatMove& move : totals_)
            if (is_short(tail(move), left)) return true;
        return false;
    }
    /// Plays a step, the first of `left`. Returns false when some node would fall behind.
    bool play(Step left, std::vector<FatMove>& moves) {
        moves.clear();
        used_.assign(totals_.size(), 0);
        for (int urgency = 0; urgency < urgencies; ++urgency)
            for (std::size_t i = 0; i < totals_.size(); ++i)
                if (urgency_of(totals_[i], left) == urgency) send(i, left, moves);
        if (falls_behind(left)) return false;
        for (const FatMove& move : moves) {
            held_[tail(move)] -= move.tokens;
            held_[head(move)] += move.tokens;
            to_send_[tail(move)] -= move.tokens;
            to_receive_[head(move)] -= move.tokens;
            sending_[tail(move)] = 0;
            receiving_[head(move)] = 0;
        }
        std::erase_if(totals_, [](const FatMove& move) { return move.tokens == 0; });
        return true;
    }

  private:
    static constexpr int urgencies = 4;

    [[nodiscard]] NodeId tail(const FatMove& move) const { return backward_ ? move.to : move.from; }
    [[nodiscard]] NodeId head(const FatMove& move) const { return backward_ ? move.from : move.to; }
    [[nodiscard]] bool is_short(NodeId node, Step left) const {
        return held_[node] < reserve(to_send_[node], to_receive_[node], left);
    }
    /// Tokens that have to be sent (or received) in this step: others do not fit into those left.
    [[nodiscard]] Tokens must(Tokens amount, Tokens ports, Step left) const {
        return std::max<Tokens>(0, amount - ports * static_cast<Tokens>(left - 1));
    }
    [[nodiscard]] bool tail_must(const FatMove& move, Step left) const {
        const NodeId node = tail(move);
        return !limits_.by_link() && sending_[node] < must(to_send_[node], limits_.of(node), left);
    }
    [[nodiscard]] bool head_must(const FatMove& move, Step left) const {
        const NodeId node = head(move);
        return !limits_.by_link() &&
               receiving_[node] < must(to_receive_[node], limits_.of(node), left);
    }
    [[nodiscard]] int urgency_of(const FatMove& move, Step left) const {
        if (limits_.by_link() && must(move.tokens, 1, left) > 0) return 0;
        const bool from = tail_must(move, left);
        const bool to = head_must(move, left);
        if (from && to) return 0;
        if (from || to) return 1;
        return is_short(head(move), left) ? 2 : 3;
    }
    void send(std::size_t index, Step left, std::vector<FatMove>& moves) {
        FatMove& move = totals_[index];
        const NodeId from = tail(move);
        const NodeId to = head(move);
        Tokens free = held_[from] - sending_[from];
        Tokens most = move.tokens;
        bool urgent = false;
        if (limits_.by_link()) {
            most = std::min<Tokens>(most, 1 - used_[index]);
            urgent = must(move.tokens, 1, left) > 0;
        } else {
            most = std::min(
                {most, limits_.of(from) - sending_[from], limits_.of(to) - receiving_[to]});
            urgent = tail_must(move, left) || head_must(move, left);
        }
        // What is not urgent leaves the reserve alone.
        if (!urgent && left > 1) free -= reserve(to_send_[from], to_receive_[from], left - 1);
        const Tokens tokens = std::min(most, free);
        if (tokens <= 0) return;
        used_[index] = 1;
        sending_[from] += tokens;
        receiving_[to] += tokens;
        move.tokens -= tokens;
        moves.push_back({move.from, move.to, tokens});
    }
    /// Whether something that had to be sent or received now was not.
    [[nodiscard]] bool falls_behind(Step left) const {
        return std::any_of(totals_.begin(), totals_.end(), [&](const FatMove& move) {
            if (limits_.by_link()) return move.tokens > static_cast<Tokens>(left - 1);
            return tail_must(move, left) || head_must(move, left);
        });
    }

    StepLimits limits_;
    Totals& totals_;
    load::Loads& held_;
    bool backward_;
    load::Loads to_send_;
    load::Loads to_receive_;
    load::Loads sending_;  ///< in this step
    load::Loads receiving_;
    std::vector<std::uint8_t> used_;  ///< totals of which a part is sent in this step
};

}  // namespace

std::optional<Schedule> halved_schedule(const Problem& problem, std::vector<FatMove> totals,
                                        Step steps) {
    // Steps played one by one look at all links that still carry tokens.
    constexpr std::uint64_t looks_max = 4'000'000'000;
    std::uint64_t looks = 0;
    load::Loads at_start = problem.loads;
    load::Loads at_end = problem.loads;
    for (const FatMove& move : totals) {
        at_end[move.from] -= move.tokens;
        at_end[move.to] += move.tokens;
    }
    const StepLimits limits{&problem};
    Step left = steps;
    Schedule schedule;
    std::vector<FatMove> moves;
    bool played = false;
    const auto note_moves = [&moves](Schedule& to, Step step) {
        for (const FatMove& move : moves)
            for (Tokens i = 0; i < move.tokens; ++i)
                to.push_back({step, move.from, move.to});
    };
    const auto play_while_short = [&](load::Loads& held, bool backward, const auto& note) {
        StepPlayer player(limits, totals, held, backward);
        while (left > 0 && player.lacks(left)) {
            looks += 8 * totals.size();
            if (looks > looks_max || !player.play(left, moves)) return false;
            --left;
            played = true;
            note(left);
        }
        return true;
    };
    Step first = 0;
    Schedule last;  // backward
    do {
        played = false;
        const bool forward = play_while_short(at_start, false, [&](Step /*left*/) {
            note_moves(schedule, first);
            ++first;
        });
        const bool backward = forward && play_while_short(at_end, true, [&](Step later) {
                                  note_moves(last, first + later);
                              });
        if (!backward || (left == 0 && !totals.empty())) return std::nullopt;
    } while (played);
    Halver(at_start, schedule).play(totals, first, left);
    schedule.insert(schedule.end(), last.rbegin(), last.rend());
    return schedule;
}

}  // namespace equipoise::optimum
