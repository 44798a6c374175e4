#include "equipoise/optimum/waves/level.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "equipoise/base/assert.hpp"

namespace equipoise::optimum {

namespace {

/// A product that may leave 64 bits, or `most` if that is less.
Tokens product_up_to(Step waves, Tokens rate, Tokens most) {
    const Int128 product = static_cast<Int128>(waves) * rate;
    return product < most ? static_cast<Tokens>(product) : most;
}

/// A problem seen from both sides: the nodes that must give, and those that can take.
class Level {
  public:
    explicit Level(const LevelProblem& problem) : p_(problem) {
        for (NodeId node = 0; node < p_.loads.size(); ++node) {
            if (excess(node) > 0) {
                givers_.push_back(node);
                surplus_ += excess(node);
                if (p_.target.extra_at(node)) ++givers_with_extra_;
            } else {
                takers_.push_back(node);
            }
        }
        extras_of_givers_ = std::min(p_.target.extras, givers_with_extra_);
        extras_of_takers_ = p_.target.extras - extras_of_givers_;
        moves_ = surplus_ - extras_of_givers_;
    }

    [[nodiscard]] Tokens moves() const { return moves_; }

    /// Why this many waves are too few; nothing if they are enough.
    [[nodiscard]] std::optional<LevelWaves> obstacle(Step waves) const {
        if (auto found = giving_obstacle(waves)) return found;
        return taking_obstacle(waves);
    }

    [[nodiscard]] LevelQuotas quotas(Step waves) const {
        LevelQuotas quotas;
        quotas.gives.assign(p_.loads.size(), 0);
        quotas.takes.assign(p_.loads.size(), 0);
        share_extras_of_givers(waves, quotas);
        share_takes(waves, quotas);
        return quotas;
    }

  private:
    [[nodiscard]] Tokens excess(NodeId node) const { return p_.loads[node] - p_.target.base[node]; }
    [[nodiscard]] Tokens can_give(NodeId node, Step waves) const {
        return product_up_to(waves, p_.gives[node], tokens_max);
    }
    [[nodiscard]] bool may_keep_extra(NodeId node) const {
        return p_.target.extras > 0 && p_.target.extra_at(node);
    }
    /// Without an extra.
    [[nodiscard]] Tokens can_take(NodeId node, Step waves) const {
        return product_up_to(waves, p_.takes[node], -excess(node));
    }
    [[nodiscard]] bool takes_extra(NodeId node, Step waves) const {
        return p_.target.extra_at(node) &&
               product_up_to(waves, p_.takes[node], 1 - excess(node)) > -excess(node);
    }
    /// Whether the node can give enough only if it keeps an extra.
    [[nodiscard]] bool needs_extra(NodeId node, Step waves) const {
        return excess(node) > can_give(node, waves);
    }

    [[nodiscard]] std::optional<LevelWaves> giving_obstacle(Step waves) const {
        LevelWaves found;
        Tokens needing = 0;
        for (const NodeId node : givers_) {
            if (!needs_extra(node, waves)) continue;
            const Tokens least = excess(node) - (may_keep_extra(node) ? 1 : 0);
            if (least > can_give(node, waves)) {
                found.tight = {node};
                found.amount = least;
                found.a_wave = p_.gives[node];
                return found;
            }
            ++needing;
            found.tight.push_back(node);
            found.amount += excess(node);
            found.a_wave += std::min(p_.gives[node], tokens_max - found.a_wave);
        }
        if (needing <= extras_of_givers_) return std::nullopt;
        found.amount -= p_.target.extras;
        return found;
    }

    [[nodiscard]] std::optional<LevelWaves> taking_obstacle(Step waves) const {
        Int128 room = 0;
        Tokens extras = 0;
        for (const NodeId node : takers_) {
            room += can_take(node, waves);
            if (takes_extra(node, waves)) ++extras;
        }
        if (room + std::min(extras, extras_of_takers_) >= moves_) return std::nullopt;
        // Units for which the other takers have no room must go to these nodes, which have no time
        // to take them.
        LevelWaves found;
        found.tight_takes = true;
        Int128 amount = moves_ - std::min(extras, extras_of_takers_);
        for (const NodeId node : takers_) {
            if (product_up_to(waves, p_.takes[node], 1 - excess(node)) > -excess(node)) {
                amount += excess(node);
                continue;
            }
            found.tight.push_back(node);
            found.a_wave += std::min(p_.takes[node], tokens_max - found.a_wave);
        }
        found.amount = static_cast<Tokens>(amount);
        return found;
    }

    void share_extras_of_givers(Step waves, LevelQuotas& quotas) const {
        Tokens extras = extras_of_givers_;
        for (const NodeId node : givers_) {
            quotas.gives[node] = excess(node);
            if (needs_extra(node, waves)) {
                --quotas.gives[node];
                --extras;
            }
        }
        EQUIPOISE_ASSERT(extras >= 0);
        for (const NodeId node : givers_) {
            if (extras == 0) break;
            if (!p_.target.extra_at(node) || quotas.gives[node] < excess(node)) continue;
            --quotas.gives[node];
            --extras;
        }
    }

    /// The emptiest nodes take first, all up to one level, as far as they can.
    void share_takes(Step waves, LevelQuotas& quotas) const {
        Tokens least = 0;
        Tokens most = 0;
        std::vector<Tokens> can;
        Int128 room = 0;
        for (const NodeId node : takers_) {
            can.push_back(can_take(node, waves));
            room += can.back();
            most = std::max(most, p_.loads[node] + can.back());
        }
        Tokens extras = std::min(extras_of_takers_,
                                 room < moves_ ? static_cast<Tokens>(moves_ - room) : Tokens{0});
        for (std::size_t i = 0; i < takers_.size() && extras > 0; ++i) {
            if (!takes_extra(takers_[i], waves)) continue;
            ++can[i];
            --extras;
        }
        EQUIPOISE_ASSERT(extras == 0);
        ++most;
        const auto taken = [&](std::size_t i, Tokens level) {
            return std::clamp<Tokens>(level - p_.loads[takers_[i]], 0, can[i]);
        };
        while (least < most) {
            const Tokens level = least + (most - least) / 2;
            Int128 sum = 0;
            for (std::size_t i = 0; i < takers_.size(); ++i)
                sum += taken(i, level);
            if (sum >= moves_) {
                most = level;
            } else {
                least = level + 1;
            }
        }
        Int128 sum = 0;
        for (std::size_t i = 0; i < takers_.size(); ++i)
            sum += quotas.takes[takers_[i]] = taken(i, least);
        for (std::size_t i = takers_.size(); i-- > 0 && sum > moves_;) {
            Tokens& takes = quotas.takes[takers_[i]];
            if (takes == 0 || takes == taken(i, least - 1)) continue;
            --takes;
            --sum;
        }
        EQUIPOISE_ASSERT(sum == moves_);
    }

    const LevelProblem& p_;
    std::vector<NodeId> givers_;
    std::vector<NodeId> takers_;
    Tokens surplus_ = 0;
    Tokens givers_with_extra_ = 0;
    Tokens extras_of_givers_ = 0;
    Tokens extras_of_takers_ = 0;
    Tokens moves_ = 0;
};

}  // namespace

LevelWaves fewest_level_waves(const LevelProblem& problem) {
    const Level level(problem);
    if (level.moves() == 0) return {};
    Step enough = static_cast<Step>(level.moves());
    if (auto hopeless = level.obstacle(enough)) {
        hopeless->possible = false;
        return *hopeless;
    }
    Step too_few = 0;
    while (enough - too_few > 1) {
        const Step middle = too_few + (enough - too_few) / 2;
        (level.obstacle(middle) ? too_few : enough) = middle;
    }
    LevelWaves fewest = *level.obstacle(too_few);
    fewest.waves = enough;
    return fewest;
}

LevelQuotas level_quotas(const LevelProblem& problem, Step waves) {
    return Level(problem).quotas(waves);
}

}  // namespace equipoise::optimum
