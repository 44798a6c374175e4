#pragma once
// Judges placements of weighted items by itself, in real numbers.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/placement/few_moves.hpp"
#include "equipoise/placement/few_moves/weighted.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::placement {

// Weights, sizes and the rest of some ranks, with memory of their own.
struct Ranks {
    std::vector<std::vector<double>> weights;
    std::vector<std::vector<double>> sizes;
    std::vector<Tokens> pinned;
    std::vector<double> speeds;
    std::vector<int> machines;
    std::vector<Tokens> most;  // items that they have room for
    std::vector<double> bytes_most;
    std::size_t kinds = 1;

    [[nodiscard]] std::vector<RankItems> views() const {
        std::vector<RankItems> all(weights.size());
        for (std::size_t r = 0; r < all.size(); ++r) {
            all[r].weights = weights[r];
            if (!sizes.empty()) all[r].sizes = sizes[r];
            if (!pinned.empty()) all[r].pinned = pinned[r];
            if (!speeds.empty()) all[r].speed = speeds[r];
            if (!machines.empty()) all[r].machine = machines[r];
            if (!most.empty()) all[r].most = most[r];
            if (!bytes_most.empty()) all[r].bytes_most = bytes_most[r];
        }
        return all;
    }
    [[nodiscard]] std::size_t items(std::size_t rank) const { return weights[rank].size() / kinds; }
};

// What decides between placements, from best to worst.
struct Merit {
    double level = 0;  // or the bound
    double between = 0;
    double bytes = 0;
    double items = 0;
};
inline bool clearly_better(const Merit& a, const Merit& b) {
    constexpr double slack = 1e-9;
    if (a.level > b.level * (1 + slack) || b.level > a.level * (1 + slack))
        return a.level < b.level;
    if (std::abs(a.between - b.between) > slack) return a.between < b.between;
    if (std::abs(a.bytes - b.bytes) > slack) return a.bytes < b.bytes;
    return a.items < b.items - slack;
}

// Judges placements by itself, in real numbers.
class Judge {
  public:
    Judge(const Ranks& ranks, const PlaceOptions& options) : ranks_(&ranks), options_(&options) {
        for (std::size_t r = 0; r < ranks.weights.size(); ++r) {
            for (std::size_t i = 0; i < ranks.items(r); ++i)
                if (static_cast<Tokens>(i) >= pinned(r)) free_.emplace_back(r, i);
        }
        shares_.resize(ranks.kinds);
        for (std::size_t kind = 0; kind < ranks.kinds; ++kind)
            shares_[kind] = share(kind);
    }

    // By free item: its rank.
    [[nodiscard]] Merit merit(const std::vector<std::size_t>& at) const {
        const std::size_t kinds = ranks_->kinds;
        const std::size_t count = ranks_->weights.size();
        std::vector<double> loads = stays();
        Merit merit;
        for (std::size_t f = 0; f < free_.size(); ++f) {
            const auto [home, item] = free_[f];
            for (std::size_t kind = 0; kind < kinds; ++kind)
                loads[at[f] * kinds + kind] += ranks_->weights[home][item * kinds + kind];
            if (at[f] == home) continue;
            const double size = ranks_->sizes.empty() ? 1 : ranks_->sizes[home][item];
            merit.items += 1;
            if (!ranks_->sizes.empty()) merit.bytes += size;
            if (options_->machines_first && ranks_->machines[home] != ranks_->machines[at[f]])
                merit.between += size;
        }
        const std::vector<double> pinned = stays();
        for (std::size_t r = 0; r < count; ++r) {
            for (std::size_t kind = 0; kind < kinds; ++kind) {
                const double load = loads[r * kinds + kind];
                if (load > pinned[r * kinds + kind])
                    merit.level = std::max(merit.level, load / (shares_[kind] * speed(r)));
            }
        }
        merit.level = std::max(merit.level, bound());
        if (!allowed(at)) merit.level = std::numeric_limits<double>::infinity();
        return merit;
    }

    // The best of all placements.
    [[nodiscard]] Merit best() const {
        const std::size_t count = ranks_->weights.size();
        std::vector<std::size_t> at(free_.size(), 0);
        Merit best = merit(at);
        while (true) {
            std::size_t f = 0;
            while (f < at.size() && ++at[f] == count)
                at[f++] = 0;
            if (f == at.size()) return best;
            const Merit found = merit(at);
            if (clearly_better(found, best)) best = found;
        }
    }

    // Calls `each(merit, largest)` for all placements.
    template <class Each>
    void for_all(const Each& each) const {
        const std::size_t count = ranks_->weights.size();
        std::vector<std::size_t> at(free_.size(), 0);
        while (true) {
            each(merit(at), largest(at));
            std::size_t f = 0;
            while (f < at.size() && ++at[f] == count)
                at[f++] = 0;
            if (f == at.size()) return;
        }
    }

    // The largest load per unit of speed, in averages if there are several kinds.
    [[nodiscard]] double largest(const std::vector<std::size_t>& at) const {
        const std::size_t kinds = ranks_->kinds;
        std::vector<double> loads = stays();
        for (std::size_t f = 0; f < free_.size(); ++f)
            for (std::size_t kind = 0; kind < kinds; ++kind)
                loads[at[f] * kinds + kind] +=
                    ranks_->weights[free_[f].first][free_[f].second * kinds + kind];
        double most = 0;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            double total = 0;
            double speeds = 0;
            for (std::size_t r = 0; r < ranks_->weights.size(); ++r) {
                total += loads[r * kinds + kind];
                speeds += speed(r);
            }
            const double unit = kinds == 1 || total <= 0 ? 1 : total / speeds;
            for (std::size_t r = 0; r < ranks_->weights.size(); ++r)
                if (loads[r * kinds + kind] > 0)
                    most = std::max(most, loads[r * kinds + kind] / speed(r) / unit);
        }
        return most;
    }

    // The limits are kept, no rank of speed 0 holds what could leave, and the largest load is none
    // larger than at first, if that is allowed.
    [[nodiscard]] bool allowed(const std::vector<std::size_t>& at) const {
        if (!has_room(at)) return false;
        for (const std::size_t rank : at)
            if (speed(rank) <= 0) return false;
        return !has_room(homes()) || largest(at) <= largest(homes()) * (1 + 1e-9);
    }

    // No rank holds more items or bytes than it has room for.
    [[nodiscard]] bool has_room(const std::vector<std::size_t>& at) const {
        std::vector<Tokens> items(ranks_->weights.size(), 0);
        std::vector<double> bytes(items.size(), 0);
        const auto add = [&](std::size_t home, std::size_t item, std::size_t rank) {
            ++items[rank];
            if (!ranks_->sizes.empty()) bytes[rank] += ranks_->sizes[home][item];
        };
        for (std::size_t r = 0; r < items.size(); ++r)
            for (Tokens i = 0; i < pinned(r); ++i)
                add(r, static_cast<std::size_t>(i), r);
        for (std::size_t f = 0; f < free_.size(); ++f)
            add(free_[f].first, free_[f].second, at[f]);
        for (std::size_t r = 0; r < items.size(); ++r) {
            if (!ranks_->most.empty() && items[r] > ranks_->most[r]) return false;
            if (!ranks_->bytes_most.empty() && bytes[r] > ranks_->bytes_most[r]) return false;
        }
        return true;
    }

    [[nodiscard]] std::vector<std::size_t> homes() const {
        std::vector<std::size_t> at;
        at.reserve(free_.size());
        for (const auto& [home, item] : free_)
            at.push_back(home);
        return at;
    }

    [[nodiscard]] Merit merit(const Placement& placement) const { return merit(at(placement)); }
    // By free item: where a placement puts it.
    [[nodiscard]] std::vector<std::size_t> at(const Placement& placement) const {
        std::vector<std::size_t> at(free_.size());
        for (std::size_t f = 0; f < free_.size(); ++f)
            at[f] = free_[f].first;
        for (const Relocation& move : placement.moves) {
            const auto found = std::find(free_.begin(), free_.end(),
                                         std::pair(static_cast<std::size_t>(move.from),
                                                   static_cast<std::size_t>(move.place)));
            EXPECT_NE(found, free_.end()) << "a pinned item moves";
            EXPECT_NE(move.from, move.to);
            at[static_cast<std::size_t>(found - free_.begin())] = static_cast<std::size_t>(move.to);
        }
        return at;
    }

  private:
    // The tolerance; if pinned items make one rank larger anyway, up to that, but no more than the
    // share and the heaviest item.
    [[nodiscard]] double bound() const {
        const double bound = 1 + options_->tolerance;
        if (ranks_->kinds > 1 || shares_[0] <= 0) return bound;
        const std::vector<double> stay = stays();
        double most = 0;
        double heaviest = 0;
        double fastest = 0;
        for (std::size_t r = 0; r < ranks_->weights.size(); ++r) {
            if (stay[r] > 0) most = std::max(most, stay[r] / (shares_[0] * speed(r)));
            for (const double weight : ranks_->weights[r])
                heaviest = std::max(heaviest, weight);
            fastest = std::max(fastest, speed(r));
        }
        return std::max(bound, std::min(most, 1 + heaviest / (shares_[0] * fastest)));
    }
    [[nodiscard]] Tokens pinned(std::size_t rank) const {
        return ranks_->pinned.empty() ? 0 : ranks_->pinned[rank];
    }
    [[nodiscard]] double speed(std::size_t rank) const {
        return ranks_->speeds.empty() ? 1 : ranks_->speeds[rank];
    }
    [[nodiscard]] std::vector<double> stays() const {
        std::vector<double> loads(ranks_->weights.size() * ranks_->kinds, 0);
        for (std::size_t r = 0; r < ranks_->weights.size(); ++r) {
            for (Tokens i = 0; i < pinned(r); ++i)
                for (std::size_t kind = 0; kind < ranks_->kinds; ++kind)
                    loads[r * ranks_->kinds + kind] +=
                        ranks_->weights[r][static_cast<std::size_t>(i) * ranks_->kinds + kind];
        }
        return loads;
    }
    // The level of water that is poured over what is pinned, in vessels as wide as speeds.
    [[nodiscard]] double share(std::size_t kind) const {
        const std::vector<double> pinned = stays();
        double total = 0;
        double most = 0;
        for (const auto& weights : ranks_->weights)
            for (std::size_t i = kind; i < weights.size(); i += ranks_->kinds)
                total += weights[i];
        for (std::size_t r = 0; r < ranks_->weights.size(); ++r)
            if (speed(r) > 0) most = std::max(most, total / speed(r));
        double low = 0;
        double high = most;
        for (int step = 0; step < 200; ++step) {
            const double middle = (low + high) / 2;
            double held = 0;
            for (std::size_t r = 0; r < ranks_->weights.size(); ++r)
                held += std::max(middle * speed(r), pinned[r * ranks_->kinds + kind]);
            (held < total ? low : high) = middle;
        }
        return high;
    }

    const Ranks* ranks_;
    const PlaceOptions* options_;
    std::vector<std::pair<std::size_t, std::size_t>> free_;  // rank and place
    std::vector<double> shares_;
};

// Where the rule of weighted.hpp puts each item that is not pinned, in real numbers.
inline std::vector<std::size_t> by_lines(const Ranks& ranks) {
    const std::size_t count = ranks.weights.size();
    std::vector<double> loads(count, 0);
    std::vector<double> pinned(count, 0);
    for (std::size_t r = 0; r < count; ++r) {
        loads[r] = std::accumulate(ranks.weights[r].begin(), ranks.weights[r].end(), 0.0);
        pinned[r] = std::accumulate(ranks.weights[r].begin(),
                                    ranks.weights[r].begin() + ranks.pinned[r], 0.0);
    }
    const std::vector<double> targets = weight_targets(loads, pinned, ranks.speeds);
    std::vector<Cut> cuts;
    std::vector<WeightedRank> parts;
    for (std::size_t r = 0; r < count; ++r) {
        cuts.push_back(cut_at(ranks.weights[r], ranks.pinned[r], targets[r]));
        parts.push_back({loads[r], targets[r], cuts[r].kept_weight, cuts[r].next_weight});
    }
    const WeightedLines lines = weighted_lines(parts);
    std::vector<std::size_t> at;
    for (std::size_t r = 0; r < count; ++r) {
        const Tokens kept = cuts[r].kept + (lines.keeps_next[r] ? 1 : 0);
        const auto parcels = weighted_parcels(lines, static_cast<int>(r), ranks.weights[r], kept);
        const auto stay = parcels.empty() ? static_cast<Tokens>(ranks.weights[r].size()) : kept;
        for (Tokens i = ranks.pinned[r]; i < stay; ++i)
            at.push_back(r);
        for (const WeightedParcel& parcel : parcels)
            at.insert(at.end(), static_cast<std::size_t>(parcel.items),
                      static_cast<std::size_t>(parcel.to));
    }
    return at;
}

}  // namespace equipoise::placement
