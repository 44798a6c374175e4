#include "equipoise/reassign/reasons/blocked.hpp"

#include <algorithm>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/words.hpp"
#include "equipoise/reassign/waves/wave_builder.hpp"

namespace equipoise::reassign {

namespace {

/// After some moves, says of others why they cannot be made on their own.
class Blocked {
  public:
    Blocked(const Problem& problem, std::span<const Move> moves)
        : problem_(problem), moves_(moves.begin(), moves.end()), builder_(problem) {
        for (std::size_t at = 0; at < moves.size(); ++at) {
            const Refusal refusal = builder_.add(moves[at].item, moves[at].to);
            EQUIPOISE_ASSERT(refusal == Refusal::none);
            if (at + 1 == moves.size() || moves[at + 1].wave != moves[at].wave) builder_.end_wave();
        }
    }

    [[nodiscard]] MachineId place(ItemId item) const { return builder_.place(item); }

    [[nodiscard]] std::string reason(ItemId item, MachineId to) {
        const MachineId from = place(item);
        if (!problem_.may_be_on(item, to))
            return "it must not be on " + machine_words(problem_, to);
        if (std::string words = of_rates(item, from, to); !words.empty()) return words;
        switch (builder_.add(item, to)) {
            case Refusal::room:
                return of_room(item, to);
            case Refusal::apart:
                return of_apart(item, to);
            case Refusal::never:
            case Refusal::limit:
                return of_capacity(item, to);
            case Refusal::none:
                break;
        }
        std::vector<Debt> debts;
        builder_.append_debts(builder_.wave().back(), debts);
        builder_.take_back();
        return debts.empty() ? of_plan(item, to) : of_debt(item, debts.front());
    }

  private:
    /// What holds back an item that could go: what the plan may move, or that planning was over.
    [[nodiscard]] std::string of_plan(ItemId item, MachineId to) const {
        std::vector<Move> more = moves_;
        more.push_back({moves_.empty() ? 0 : moves_.back().wave + 1, item, place(item), to});
        return replay(problem_, more).within_budget
                   ? "nothing stands in its way, but the search for waves ended too early"
                   : "the budget allows no more";
    }
    [[nodiscard]] std::string of_rates(ItemId item, MachineId from, MachineId to) const {
        const Resource& copied = problem_.resources[problem_.copied];
        const Tokens amount = problem_.amount(item, problem_.copied);
        const auto words = [&](MachineId machine, Tokens rate, const char* verb) {
            if (amount <= rate && rate > 0) return std::string();
            return machine_words(problem_, machine) + verb +
                   amounts_words(copied, amount, rate).limit + " in a wave";
        };
        const bool together = problem_.half_duplex;
        const MachineId giver = builder_.giver(item);
        std::string found;
        if (!problem_.gives.empty() && giver == from)
            found = words(giver, problem_.gives[giver],
                          together ? " gives and takes at most " : " gives at most ");
        if (found.empty() && !problem_.take_rates().empty())
            found = words(to, problem_.take_rates()[to],
                          together ? " gives and takes at most " : " takes at most ");
        return found;
    }

    /// "machine b has 2 GB of size free".
    [[nodiscard]] std::string free_words(MachineId machine, std::size_t resource,
                                         Tokens amount) const {
        const Tokens free = std::max<Tokens>(builder_.room(machine, resource), 0);
        const std::string words =
            resource == items_resource
                ? "room for " + counted(free, "item") + " more"
                : amounts_words(problem_.resources[resource], amount, free).limit + " of " +
                      problem_.resources[resource].name + " free";
        return machine_words(problem_, machine) + " has " + words;
    }

    [[nodiscard]] std::string of_room(ItemId item, MachineId to) const {
        for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource) {
            const Tokens amount = problem_.amount(item, resource);
            if (problem_.resources[resource].release != Release::at_once && amount > 0 &&
                problem_.capacity(to, resource) != tokens_max &&
                builder_.room(to, resource) < amount)
                return free_words(to, resource, amount);
        }
        return machine_words(problem_, to) + " has no room";
    }

    [[nodiscard]] std::string of_capacity(ItemId item, MachineId to) const {
        for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource)
            if (problem_.amount(item, resource) > problem_.capacity(to, resource))
                return machine_words(problem_, to) + " has a capacity of " +
                       amount_text(problem_.resources[resource], problem_.capacity(to, resource)) +
                       " of " + problem_.resources[resource].name;
        return "what it is copied from gives too little in a wave";
    }

    [[nodiscard]] std::string of_apart(ItemId item, MachineId to) const {
        for (const Apart& rule : problem_.apart) {
            if (!rule.on_the_way) continue;
            if (std::string words = of_apart(item, to, rule.label); !words.empty()) return words;
        }
        return machine_words(problem_, to) + " has an item from which it must be apart";
    }
    /// "machine b has web-2, from which it must be apart"; empty if it has none.
    [[nodiscard]] std::string of_apart(ItemId item, MachineId to, std::size_t label) const {
        const std::vector<ValueId>& values = problem_.item_labels[label].of;
        for (ItemId other = 0; values[item] != no_value && other < values.size(); ++other)
            if (other != item && values[other] == values[item] && place(other) == to)
                return machine_words(problem_, to) + " has " +
                       (label == 0 ? "another copy" : problem_.item_name(other)) +
                       ", from which it must be apart";
        return {};
    }

    [[nodiscard]] std::string of_debt(ItemId item, const Debt& debt) const {
        const auto value_of = [&](std::size_t label, ValueId value) {
            return std::string(problem_.item_labels[label].values.name(value));
        };
        switch (debt.kind) {
            case Debt::Kind::room:
                return free_words(debt.machine, debt.resource,
                                  problem_.amount(item, debt.resource));
            case Debt::Kind::apart:
                return of_apart(item, debt.machine, problem_.apart[debt.rule].label);
            case Debt::Kind::least_items:
                return machine_words(problem_, debt.machine) + " must keep " +
                       counted(problem_.least_items_of(debt.machine), "item");
            case Debt::Kind::spread: {
                const Spread& rule = problem_.spread[debt.rule];
                return value_of(rule.label, debt.value) + " must stay spread over " +
                       problem_.machine_labels[rule.machine_label].name;
            }
            case Debt::Kind::near: {
                const Near& rule = problem_.near[debt.rule];
                const auto& [service, other] = rule.depends[debt.pair];
                return value_of(rule.label, service) + " must have " + value_of(rule.label, other) +
                       " in its " + problem_.machine_labels[rule.machine_label].name;
            }
        }
        return {};
    }

    const Problem& problem_;
    std::vector<Move> moves_;
    WaveBuilder builder_;
};

}  // namespace

std::vector<BlockedItem> blocked_items(const Problem& problem, std::span<const Move> moves,
                                       std::size_t most) {
    Blocked blocked(problem, moves);
    std::vector<BlockedItem> items;
    for (ItemId item = 0; item < problem.given_ends.size(); ++item) {
        const MachineId place = blocked.place(item);
        if (place == problem.given_ends[item]) continue;
        items.push_back({item, place, ""});
        if (items.size() <= most)
            items.back().reason = blocked.reason(item, problem.given_ends[item]);
    }
    return items;
}

}  // namespace equipoise::reassign
