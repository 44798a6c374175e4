#include "equipoise/reassign/waves/every_wave.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>

#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/reassign/waves/wave_builder.hpp"

namespace equipoise::reassign {

namespace {

struct HashOfNumbers {
    std::size_t operator()(const std::vector<std::uint32_t>& numbers) const {
        std::uint64_t hash = numbers.size();
        for (const std::uint32_t number : numbers)
            hash = mix_bits(hash + number + 1);
        return static_cast<std::size_t>(hash);
    }
};

using Places = std::vector<MachineId>;

/// More states than these are not kept.
constexpr std::size_t states_most = 200'000;

class EveryWave {
  public:
    EveryWave(const Problem& problem, const EveryWaveOptions& options)
        : problem_(problem), options_(options), builder_(problem) {
        for (std::size_t resource = 0; resource < problem.resource_count(); ++resource) {
            Tokens most =
                problem.budget.amounts.empty() ? tokens_max : problem.budget.amounts[resource];
            if (resource == items_resource) most = std::min(most, options.moves_most);
            if (most != tokens_max) budgets_.emplace_back(resource, most);
        }
        moved_.assign(budgets_.size(), 0);
        const auto waves = static_cast<Step>(problem.budget.waves);
        waves_most_ = std::min(waves, options.fewer_than - 1);
    }

    FewestWaves to(std::span<const Places> goals) {
        FewestWaves found = search(goals);
        found.steps = steps_;
        return found;
    }

    std::optional<std::vector<Places>> best_ends() {
        keeps_ends_ = true;
        aim_anywhere();
        begin();
        for (Step wave = 0; !layer_.empty() && wave < waves_most_; ++wave) {
            expand_layer();
            if (spent()) return std::nullopt;
        }
        return std::move(best_ends_);
    }

  private:
    FewestWaves search(std::span<const Places> goals) {
        FewestWaves found;
        found.ended = true;
        if (std::find(goals.begin(), goals.end(), problem_.places) != goals.end()) {
            found.moves.emplace();
            return found;
        }
        if (options_.once) {
            aim_at(goals);
        } else {
            aim_anywhere();
        }
        begin();
        for (found.at_least = 1; !layer_.empty(); ++found.at_least) {
            if (found.at_least > waves_most_) return found;
            for (const std::vector<Move>& moves : layer_) {
                if (spent()) return cut_short(found);
                go_to(moves);
                if (!reach_one_of(goals)) continue;
                found.moves = builder_.moves();
                return found;
            }
            expand_layer();
            if (spent()) return cut_short(found);
        }
        return found;
    }

    static FewestWaves cut_short(FewestWaves found) {
        found.ended = false;
        return found;
    }
    [[nodiscard]] bool spent() const {
        return steps_ > options_.effort || seen_.size() > states_most ||
               options_.stop.stop_requested();
    }

    void aim_anywhere() {
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            std::vector<MachineId> machines;
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                if (problem_.may_be_on(item, machine)) machines.push_back(machine);
            aims_.emplace_back(item, std::move(machines));
        }
    }

    void aim_at(std::span<const Places> goals) {
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            std::vector<MachineId> machines;
            for (const Places& goal : goals)
                if (goal[item] != problem_.places[item]) machines.push_back(goal[item]);
            std::sort(machines.begin(), machines.end());
            machines.erase(std::unique(machines.begin(), machines.end()), machines.end());
            if (!machines.empty()) aims_.emplace_back(item, std::move(machines));
        }
    }

    void begin() {
        layer_.emplace_back();
        remember();
    }

    /// Whether the state was not known.
    bool remember() {
        if (!seen_.insert(state()).second) return false;
        if (!keeps_ends_) return true;
        const Score score = stand(problem_, builder_.places()).score;
        if (!best_ends_.empty() && score > best_score_) return true;
        if (best_ends_.empty() || score < best_score_) best_ends_.clear();
        best_score_ = score;
        if (std::find(best_ends_.begin(), best_ends_.end(), builder_.places()) == best_ends_.end())
            best_ends_.push_back(builder_.places());
        return true;
    }

    /// What later waves depend on.
    [[nodiscard]] std::vector<std::uint32_t> state() const {
        std::vector<std::uint32_t> numbers = builder_.places();
        for (const Tokens moved : moved_) {
            numbers.push_back(static_cast<std::uint32_t>(moved >> 32U));
            numbers.push_back(static_cast<std::uint32_t>(moved & 0xffffffff));
        }
        if (!builder_.remembers()) return numbers;
        std::vector<std::pair<ItemId, MachineId>> been;
        for (const Move& move : builder_.moves())
            if (move.to != problem_.places[move.item]) been.emplace_back(move.item, move.to);
        std::sort(been.begin(), been.end());
        been.erase(std::unique(been.begin(), been.end()), been.end());
        for (const auto& [item, machine] : been) {
            numbers.push_back(item);
            numbers.push_back(machine);
        }
        return numbers;
    }

    /// Adds a move to the wave, if it is allowed and within the budget.
    bool add(ItemId item, MachineId to) {
        ++steps_;
        if (options_.once && builder_.place(item) != problem_.places[item]) return false;
        for (std::size_t i = 0; i < moved_.size(); ++i)
            if (moved_[i] + problem_.amount(item, budgets_[i].first) > budgets_[i].second)
                return false;
        if (builder_.add(item, to) != Refusal::none) return false;
        for (std::size_t i = 0; i < moved_.size(); ++i)
            moved_[i] += problem_.amount(item, budgets_[i].first);
        return true;
    }

    void take_back() {
        const ItemId item = builder_.wave().back().item;
        for (std::size_t i = 0; i < moved_.size(); ++i)
            moved_[i] -= problem_.amount(item, budgets_[i].first);
        builder_.take_back();
    }

    void go_to(const std::vector<Move>& moves) {
        while (builder_.waves() > 0) {
            builder_.reopen_wave();
            while (!builder_.wave().empty())
                take_back();
        }
        for (std::size_t i = 0; i < moves.size(); ++i) {
            add(moves[i].item, moves[i].to);
            if (i + 1 == moves.size() || moves[i + 1].wave != moves[i].wave) builder_.end_wave();
        }
    }

    [[nodiscard]] bool may_end() const {
        std::vector<Debt> debts;
        for (const Move& move : builder_.wave()) {
            builder_.append_debts(move, debts);
            if (!debts.empty()) return false;
        }
        return true;
    }

    /// Whether one wave leads from here to a goal. It is then the last one of the builder.
    bool reach_one_of(std::span<const Places> goals) {
        return std::any_of(goals.begin(), goals.end(), [&](const Places& goal) {
            bool goes = true;
            for (ItemId item = 0; goes && item < goal.size(); ++item)
                if (builder_.place(item) != goal[item]) goes = add(item, goal[item]);
            if (goes && may_end()) {
                builder_.end_wave();
                return true;
            }
            while (!builder_.wave().empty())
                take_back();
            return false;
        });
    }

    void expand_layer() {
        std::vector<std::vector<Move>> layer;
        layer.swap(layer_);
        for (const std::vector<Move>& moves : layer) {
            if (spent()) return;
            go_to(moves);
            extend(0);
        }
    }

    /// Every wave that has the moves of items before this one as they are.
    void extend(std::size_t aim) {
        if (spent()) return;
        if (aim == aims_.size()) {
            if (builder_.wave().empty() || !may_end()) return;
            builder_.end_wave();
            if (remember()) layer_.push_back(builder_.moves());
            builder_.reopen_wave();
            return;
        }
        extend(aim + 1);
        const auto& [item, machines] = aims_[aim];
        for (const MachineId machine : machines) {
            if (machine == builder_.place(item) || !add(item, machine)) continue;
            extend(aim + 1);
            take_back();
        }
    }

    const Problem& problem_;
    const EveryWaveOptions& options_;
    Step waves_most_ = 0;
    std::uint64_t steps_ = 0;
    WaveBuilder builder_;
    std::vector<std::pair<ItemId, std::vector<MachineId>>> aims_;  ///< where items may go
    std::vector<std::pair<std::size_t, Tokens>> budgets_;  ///< resources, and how much may move
    std::vector<Tokens> moved_;                            ///< of these
    std::vector<std::vector<Move>> layer_;  ///< ways to the states that as many waves reach
    std::unordered_set<std::vector<std::uint32_t>, HashOfNumbers> seen_;
    bool keeps_ends_ = false;
    Score best_score_;
    std::vector<Places> best_ends_;
};

}  // namespace

FewestWaves search_every_wave(const Problem& problem, std::span<const std::vector<MachineId>> goals,
                              const EveryWaveOptions& options) {
    return EveryWave(problem, options).to(goals);
}

FewestWaves search_fewest_moves(const Problem& problem,
                                std::span<const std::vector<MachineId>> goals,
                                EveryWaveOptions options) {
    constexpr Tokens detours_counted = 3;
    options.once = true;
    FewestWaves found = search_every_wave(problem, goals, options);
    options.once = false;
    Tokens moves = 0;
    for (const Places& goal : goals) {
        Tokens of_goal = 0;
        for (ItemId item = 0; item < problem.item_count(); ++item)
            if (goal[item] != problem.places[item]) ++of_goal;
        moves = std::max(moves, of_goal);
    }
    for (Tokens detours = 1; detours <= detours_counted + 1; ++detours) {
        if (!found.ended || found.moves) return found;
        options.moves_most = detours <= detours_counted ? moves + detours : tokens_max;
        const std::uint64_t steps = found.steps;
        found = search_every_wave(problem, goals, options);
        found.steps += steps;
    }
    return found;
}

std::optional<std::vector<std::vector<MachineId>>> search_best_ends(
    const Problem& problem, const EveryWaveOptions& options) {
    return EveryWave(problem, options).best_ends();
}

}  // namespace equipoise::reassign
