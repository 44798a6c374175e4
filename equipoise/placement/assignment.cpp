#include "equipoise/placement/assignment.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::placement {

namespace {

constexpr int nobody = -1;

std::size_t at(int index) {
    return static_cast<std::size_t>(index);
}

class AugmentingPaths {
  public:
    AugmentingPaths(int parts, std::span<const int> capacity, std::span<const Gain> gains)
        : capacity_(capacity),
          gains_(gains.begin(), gains.end()),
          first_(at(parts) + 1),
          given_(at(parts), nobody),
          held_(capacity.size()),
          part_price_(at(parts)),
          rank_price_(capacity.size()),
          part_seen_(at(parts)),
          rank_seen_(capacity.size()) {
        std::sort(gains_.begin(), gains_.end(), [](const Gain& one, const Gain& other) {
            return std::pair(one.part, one.rank) < std::pair(other.part, other.rank);
        });
        for (const Gain& gain : gains_) {
            ++first_[at(gain.part) + 1];
            // No part ever pays for a rank that takes nothing.
            Int128& price = rank_price_[at(gain.rank)];
            if (capacity[at(gain.rank)] == 0) price = std::max(price, gain.value);
        }
        for (std::size_t part = 0; part < given_.size(); ++part)
            first_[part + 1] += first_[part];
    }

    PartsOnRanks run() {
        for (int part = 0; part < static_cast<int>(given_.size()); ++part)
            bring_in(part);
        PartsOnRanks result;
        for (const Gain& gain : gains_)
            if (given_[at(gain.part)] == gain.rank) result.gain += gain.value;
        result.rank_of_part = std::move(given_);
        result.prices = {std::move(part_price_), std::move(rank_price_)};
        return result;
    }

  private:
    // What the current search knows about a part or a rank.
    struct Seen {
        bool reached = false;
        bool settled = false;
        Int128 distance = 0;
        int from = nobody;  // the part from which a rank was reached
    };
    using Entry = std::pair<Int128, int>;  // distance, rank

    // Prices and assignment are best for the parts so far; this adds one part and keeps them best.
    void bring_in(int part) {
        Int128& price = part_price_[at(part)];
        for (std::size_t i = first_[at(part)]; i < first_[at(part) + 1]; ++i)
            price = std::max(price, gains_[i].value - rank_price_[at(gains_[i].rank)]);
        if (price == 0) return;
        best_ = price;
        end_ = {part, nobody};
        visit(part, 0);
        while (!queue_.empty() && queue_.top().first < best_) {
            const auto [distance, rank] = queue_.top();
            queue_.pop();
            Seen& seen = rank_seen_[at(rank)];
            if (seen.settled) continue;
            seen.settled = true;
            if (held_[at(rank)].size() < at(capacity_[at(rank)])) {
                best_ = distance;
                end_ = {nobody, rank};
                break;
            }
            for (const int holder : held_[at(rank)])
                visit(holder, distance);
        }
        change_prices();
        augment(part);
        forget();
    }

    void visit(int part, Int128 distance) {
        Seen& seen = part_seen_[at(part)];
        if (seen.reached) return;
        seen = {true, true, distance, nobody};
        parts_reached_.push_back(part);
        if (distance + part_price_[at(part)] < best_) {
            best_ = distance + part_price_[at(part)];
            end_ = {part, nobody};
        }
        for (std::size_t i = first_[at(part)]; i < first_[at(part) + 1]; ++i) {
            const int rank = gains_[i].rank;
            Seen& next = rank_seen_[at(rank)];
            const Int128 slack = part_price_[at(part)] + rank_price_[at(rank)] - gains_[i].value;
            const Int128 length = distance + slack;
            if (next.settled || length >= best_ || capacity_[at(rank)] == 0) continue;
            if (next.reached && next.distance <= length) continue;
            if (!next.reached) ranks_reached_.push_back(rank);
            next = {true, false, length, part};
            queue_.emplace(length, rank);
        }
    }

    void change_prices() {
        for (const int part : parts_reached_)
            part_price_[at(part)] -= std::max<Int128>(best_ - part_seen_[at(part)].distance, 0);
        for (const int rank : ranks_reached_) {
            const Seen& seen = rank_seen_[at(rank)];
            if (seen.settled) rank_price_[at(rank)] += std::max<Int128>(best_ - seen.distance, 0);
        }
    }

    // Gives every part on the path the rank that was reached from it.
    void augment(int part) {
        int rank = end_.second;
        if (end_.first == part) return;  // it stays without a rank
        if (end_.first != nobody) {
            rank = std::exchange(given_[at(end_.first)], nobody);
            std::erase(held_[at(rank)], end_.first);
        }
        while (true) {
            const int taker = rank_seen_[at(rank)].from;
            const int left = std::exchange(given_[at(taker)], rank);
            held_[at(rank)].push_back(taker);
            if (taker == part) return;
            EQUIPOISE_ASSERT(left != nobody);
            std::erase(held_[at(left)], taker);
            rank = left;
        }
    }

    void forget() {
        for (const int part : parts_reached_)
            part_seen_[at(part)] = {};
        for (const int rank : ranks_reached_)
            rank_seen_[at(rank)] = {};
        parts_reached_.clear();
        ranks_reached_.clear();
        queue_ = {};
    }

    std::span<const int> capacity_;
    std::vector<Gain> gains_;  // by part
    std::vector<std::size_t> first_;
    std::vector<int> given_;
    std::vector<std::vector<int>> held_;  // by rank
    std::vector<Int128> part_price_;
    std::vector<Int128> rank_price_;
    std::vector<Seen> part_seen_;
    std::vector<Seen> rank_seen_;
    std::vector<int> parts_reached_;
    std::vector<int> ranks_reached_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
    Int128 best_ = 0;          // length of the shortest way out found so far
    std::pair<int, int> end_;  // where it ends: the part that does without, or the rank with room
};

}  // namespace

PartsOnRanks best_assignment(int parts, std::span<const int> capacity,
                             std::span<const Gain> gains) {
    return AugmentingPaths(parts, capacity, gains).run();
}

}  // namespace equipoise::placement
