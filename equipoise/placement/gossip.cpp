#include "equipoise/placement/gossip.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "equipoise/base/random.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::placement {

std::vector<std::vector<Transfer>> random_pair_rounds(std::span<const Tokens> counts) {
    const std::uint64_t ranks = counts.size();
    std::vector<std::vector<Transfer>> rounds;
    if (ranks < 2) return rounds;
    std::vector<Tokens> held(counts.begin(), counts.end());
    std::vector<std::size_t> met(ranks, 0);  // rounds until a rank has met all it has met so far
    const Tokens items = total(counts);
    const Tokens floor = floor_divide(items, static_cast<Tokens>(ranks));
    const Tokens ceiling = ceil_divide(items, static_cast<Tokens>(ranks));
    const auto uneven = [&](std::size_t rank) {
        return held[rank] < floor || held[rank] > ceiling ? std::uint64_t{1} : std::uint64_t{0};
    };
    std::uint64_t left = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        left += uneven(rank);
    RandomStream random(0, Purpose::program);
    while (left > 0) {
        std::size_t giver = random.below(ranks);
        std::size_t taker = random.below(ranks - 1);
        if (taker >= giver) ++taker;
        if (held[giver] < held[taker]) std::swap(giver, taker);
        const Tokens gift = (held[giver] - held[taker]) / 2;
        if (gift == 0) continue;
        left -= uneven(giver) + uneven(taker);
        held[giver] -= gift;
        held[taker] += gift;
        left += uneven(giver) + uneven(taker);
        const std::size_t round = std::max(met[giver], met[taker]);
        met[giver] = met[taker] = round + 1;
        if (round == rounds.size()) rounds.emplace_back();
        rounds[round].push_back({static_cast<int>(giver), static_cast<int>(taker), gift});
    }
    return rounds;
}

}  // namespace equipoise::placement
