#include "benchmarks/placement/peers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

#include "equipoise/base/random.hpp"

namespace equipoise::peers {

namespace {

std::vector<std::size_t> by_weight(std::span<const double> weights) {
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
    return order;
}

std::size_t at(int rank) {
    return static_cast<std::size_t>(rank);
}

double largest(std::span<const double> loads) {
    return *std::max_element(loads.begin(), loads.end());
}

}  // namespace

std::vector<double> loads_of(const Items& items, std::span<const int> rank) {
    std::vector<double> loads(items.fixed.begin(), items.fixed.end());
    for (std::size_t i = 0; i < rank.size(); ++i)
        loads[at(rank[i])] += items.weights[i];
    return loads;
}

std::vector<int> longest_processing_time(const Items& items) {
    // Nobody stays: no load is at most 0 times another.
    return greedy_refine_once(items, -1, 0);
}

std::vector<int> greedy_refine_once(const Items& items, double most, double spread) {
    std::vector<double> loads(items.fixed.begin(), items.fixed.end());
    std::set<std::pair<double, int>> ranks;
    for (std::size_t r = 0; r < loads.size(); ++r)
        ranks.emplace(loads[r], static_cast<int>(r));
    std::vector<int> placed(items.weights.size());
    for (const std::size_t item : by_weight(items.weights)) {
        const double weight = items.weights[item];
        const auto [least, first] = *ranks.begin();
        const int here = items.rank[item];
        const bool stays =
            loads[at(here)] <= (least + 0.01) * spread && loads[at(here)] + weight <= most;
        const int to = stays ? here : first;
        ranks.erase({loads[at(to)], to});
        loads[at(to)] += weight;
        ranks.emplace(loads[at(to)], to);
        placed[item] = to;
        most = std::max(most, most < 0 ? most : loads[at(to)]);
    }
    return placed;
}

std::vector<Tolerances> greedy_refine_tolerances(std::size_t processors) {
    constexpr double any = std::numeric_limits<double>::max() / 1e6;
    std::vector<Tolerances> tried;
    for (const double most :
         {1.0, 1.005, 1.01, 1.015, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.16, 1.20, 1.30}) {
        for (const double spread :
             {1.0, 1.05, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1, 2.2, 2.3, any}) {
            if (tried.size() + 1 < processors) tried.push_back({most, spread});
        }
    }
    return tried;
}

std::vector<int> greedy_refine(const Items& items) {
    struct Solution {
        std::vector<int> rank;
        double most = 0;
        std::size_t moves = 0;
    };
    std::vector<Solution> found;
    const auto add = [&](std::vector<int> rank) {
        Solution one{std::move(rank), 0, 0};
        one.most = largest(loads_of(items, one.rank));
        for (std::size_t i = 0; i < one.rank.size(); ++i)
            one.moves += one.rank[i] != items.rank[i] ? 1 : 0;
        found.push_back(std::move(one));
    };
    add(longest_processing_time(items));
    const double greedy = found.front().most;
    for (const auto& [most, spread] : greedy_refine_tolerances(items.fixed.size()))
        add(greedy_refine_once(items, most * greedy, spread));
    double lowest = greedy;
    for (const Solution& one : found)
        lowest = std::min(lowest, one.most);
    const Solution* best = nullptr;
    for (const Solution& one : found) {
        if (one.most > 1.003 * lowest) continue;
        if (best == nullptr || one.moves < best->moves ||
            (one.moves == best->moves && one.most < best->most))
            best = &one;
    }
    return best->rank;
}

namespace {

/// One trial of TemperedLB.
class Tempering {
  public:
    Tempering(const Items& items, std::uint64_t seed, std::uint64_t trial)
        : items_(items),
          ranks_(items.fixed.size()),
          random_(seed, Purpose::rule, trial),
          rank(items.rank.begin(), items.rank.end()) {
        loads_ = loads_of(items, rank);
        average_ = std::accumulate(loads_.begin(), loads_.end(), 0.0) / static_cast<double>(ranks_);
        const double log2 = std::log2(static_cast<double>(ranks_));
        rounds_ = static_cast<int>(std::max(1.0, std::round(std::sqrt(log2))));
        fanout_ = static_cast<std::size_t>(
            std::ceil(std::pow(static_cast<double>(ranks_), 1.0 / rounds_) - 1e-9));
    }

    void iterate() {
        inform();
        std::vector<int> next = rank;
        for (std::size_t r = 0; r < ranks_; ++r) {
            if (loads_[r] > average_) transfer(r, next);
        }
        rank = std::move(next);
        loads_ = loads_of(items_, rank);
    }
    [[nodiscard]] double most() const { return largest(loads_); }

  private:
    void inform() {
        known_.assign(ranks_, std::vector<char>(ranks_, 0));
        std::vector<char> sends(ranks_, 0);
        for (std::size_t r = 0; r < ranks_; ++r) {
            if (loads_[r] < average_) known_[r][r] = sends[r] = 1;
        }
        for (int round = 0; round < rounds_; ++round) {
            std::vector<std::vector<char>> learnt = known_;
            std::vector<char> received(ranks_, 0);
            for (std::size_t r = 0; r < ranks_; ++r) {
                if (sends[r] == 0) continue;
                for (const std::size_t to : partners(r)) {
                    received[to] = 1;
                    for (std::size_t u = 0; u < ranks_; ++u)
                        if (known_[r][u] != 0) learnt[to][u] = 1;
                }
            }
            known_ = std::move(learnt);
            sends = std::move(received);
        }
    }

    /// Different random ranks, not this one and, as long as there are others, not known as below
    /// the average.
    std::vector<std::size_t> partners(std::size_t from) {
        std::vector<std::size_t> first;
        std::vector<std::size_t> others;
        for (std::size_t r = 0; r < ranks_; ++r) {
            if (r != from) (known_[from][r] == 0 ? first : others).push_back(r);
        }
        std::vector<std::size_t> chosen;
        for (auto* pool : {&first, &others}) {
            while (chosen.size() < fanout_ && !pool->empty()) {
                std::swap((*pool)[random_.below(pool->size())], pool->back());
                chosen.push_back(pool->back());
                pool->pop_back();
            }
        }
        return chosen;
    }

    /// The items of a rank: from the lightest that would bring it to the average downwards, then
    /// the heavier ones upwards.
    [[nodiscard]] std::vector<std::size_t> fewest_migrations(std::size_t from) const {
        std::vector<std::size_t> order;
        double pivot = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < rank.size(); ++i) {
            if (at(rank[i]) != from) continue;
            order.push_back(i);
            const double weight = items_.weights[i];
            if (weight > loads_[from] - average_) pivot = std::min(pivot, weight);
        }
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const double x = items_.weights[a];
            const double y = items_.weights[b];
            if (x <= pivot && y <= pivot) return x > y;
            return x < y;
        });
        return order;
    }

    void transfer(std::size_t from, std::vector<int>& next) {
        std::vector<double> known;
        std::vector<std::size_t> receivers;
        for (std::size_t r = 0; r < ranks_; ++r) {
            if (known_[from][r] == 0) continue;
            receivers.push_back(r);
            known.push_back(loads_[r]);
        }
        double load = loads_[from];
        for (const std::size_t item : fewest_migrations(from)) {
            if (load <= average_ || receivers.empty()) break;
            const double norm = std::max(average_, largest(known));
            double sum = 0;
            for (const double each : known)
                sum += 1 - each / norm;
            if (!(sum > 0)) break;
            double left = random_.unit() * sum;
            std::size_t to = 0;
            while (to + 1 < known.size() && left >= 1 - known[to] / norm) {
                left -= 1 - known[to] / norm;
                ++to;
            }
            const double weight = items_.weights[item];
            if (!(known[to] + weight < load)) continue;
            known[to] += weight;
            load -= weight;
            next[item] = static_cast<int>(receivers[to]);
        }
    }

    const Items& items_;
    std::size_t ranks_;
    RandomStream random_;
    std::vector<double> loads_;
    double average_ = 0;
    int rounds_ = 1;
    std::size_t fanout_ = 1;
    std::vector<std::vector<char>> known_;  // by rank: whom it knows to be below the average

  public:
    std::vector<int> rank;
};

}  // namespace

std::vector<int> tempered(const Items& items, std::uint64_t seed) {
    std::vector<int> best(items.rank.begin(), items.rank.end());
    double most = largest(loads_of(items, best));
    if (items.fixed.size() < 2) return best;
    for (std::uint64_t trial = 0; trial < 3; ++trial) {
        Tempering tempering(items, seed, trial);
        for (int iteration = 0; iteration < 8; ++iteration) {
            tempering.iterate();
            if (tempering.most() >= most) continue;
            most = tempering.most();
            best = tempering.rank;
        }
    }
    return best;
}

std::vector<int> zoltan_block(const Items& items) {
    const std::size_t ranks = items.fixed.size();
    std::vector<std::size_t> order(items.weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return items.rank[a] < items.rank[b]; });
    const double total = std::accumulate(items.weights.begin(), items.weights.end(), 0.0);
    std::vector<int> placed(items.weights.size());
    std::size_t part = 0;
    double before = 0;
    for (const std::size_t item : order) {
        const double middle = before + items.weights[item] / 2;
        while (part + 1 < ranks &&
               middle > total * static_cast<double>(part + 1) / static_cast<double>(ranks))
            ++part;
        placed[item] = static_cast<int>(part);
        before += items.weights[item];
    }
    return placed;
}

}  // namespace equipoise::peers
