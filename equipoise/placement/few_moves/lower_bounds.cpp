#include "equipoise/placement/few_moves/lower_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

#include "equipoise/base/tokens.hpp"

namespace equipoise::placement {

double level_at_least(const Capacity& capacity, std::size_t kind, std::vector<Units> weights) {
    const double share = capacity.share(kind);
    if (share <= 0) return 0;
    const std::size_t ranks = capacity.ranks();
    std::sort(weights.begin(), weights.end(), std::greater<>());
    std::vector<double> speeds(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
        speeds[rank] = capacity.speed(rank);
    std::sort(speeds.begin(), speeds.end(), std::greater<>());
    double level = 1;
    double weight = 0;
    double speed = 0;
    for (std::size_t j = 0; j < std::min(ranks, weights.size()); ++j) {
        weight += static_cast<double>(weights[j]);
        speed += speeds[j];
        level = std::max(level, weight / (share * speed));
    }
    std::vector<Units> heaviest(weights.size() + 1, 0);  // by number: their weight
    std::partial_sum(weights.begin(), weights.end(), heaviest.begin() + 1);
    for (std::size_t on_one = 2; (on_one - 1) * ranks < weights.size(); ++on_one) {
        const std::size_t end = (on_one - 1) * ranks + 1;
        const Units least = heaviest[end] - heaviest[end - on_one];
        level = std::max(level, static_cast<double>(least) / (share * speeds.front()));
    }
    return level;
}

double level_in_rooms(const Capacity& capacity, std::size_t kind, std::span<const Units> weights,
                      std::span<const Units> taken, std::span<const Units> rooms) {
    const double share = capacity.share(kind);
    if (share <= 0) return 0;
    std::vector<std::size_t> items;
    for (std::size_t item = 0; item < weights.size(); ++item)
        if (taken[item] > 0) items.push_back(item);
    std::sort(items.begin(), items.end(), [&](std::size_t a, std::size_t b) {
        return Int128{weights[a]} * taken[b] < Int128{weights[b]} * taken[a];
    });
    std::vector<Units> sums(1, 0);  // of what is taken
    std::vector<double> weight(1, 0);
    for (const std::size_t item : items) {
        sums.push_back(sums.back() + taken[item]);
        weight.push_back(weight.back() + static_cast<double>(weights[item]));
    }
    std::vector<std::size_t> ranks(capacity.ranks());
    std::iota(ranks.begin(), ranks.end(), std::size_t{0});
    std::vector<double> room_for_speed(ranks.size(), -1);  // ranks of speed 0 come first
    for (const std::size_t rank : ranks)
        if (capacity.speed(rank) > 0)
            room_for_speed[rank] = static_cast<double>(rooms[rank]) / capacity.speed(rank);
    std::sort(ranks.begin(), ranks.end(),
              [&](std::size_t a, std::size_t b) { return room_for_speed[a] < room_for_speed[b]; });
    std::vector<double> speed_from(ranks.size() + 1, 0);  // by place, and the rest
    for (std::size_t place = ranks.size(); place-- > 0;)
        speed_from[place] = speed_from[place + 1] + capacity.speed(ranks[place]);
    double level = 0;
    Units left = sums.back();  // what lies on the ranks from a place on
    for (std::size_t place = 0; place < ranks.size() && speed_from[place] > 0; ++place) {
        const auto whole = static_cast<std::size_t>(
            std::upper_bound(sums.begin(), sums.end(), left) - sums.begin() - 1);
        double least = weight[whole];
        if (whole < items.size())
            least += static_cast<double>(weights[items[whole]]) *
                     static_cast<double>(left - sums[whole]) /
                     static_cast<double>(taken[items[whole]]);
        level = std::max(level, least / (share * speed_from[place]));
        left -= rooms[ranks[place]];
        if (left <= 0) break;
    }
    return level;
}

}  // namespace equipoise::placement
