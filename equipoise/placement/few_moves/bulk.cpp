#include "equipoise/placement/few_moves/bulk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <map>
#include <numeric>

#include "equipoise/base/assert.hpp"
#include "equipoise/placement/few_moves.hpp"

namespace equipoise::placement {

namespace {

// Matches remaining excess with remaining room, among some of the ranks.
class Line {
  public:
    Line(std::span<const Units> wanted, std::span<Units> room, std::vector<Allotment>& found)
        : wanted_(wanted), room_(room), found_(&found) {}

    // Every rank gets room for `scale` times its excess.
    void match(std::span<const std::size_t> ranks, double scale, bool between) {
        std::size_t taker = 0;
        for (const std::size_t giver : ranks) {
            auto left = static_cast<Units>(static_cast<double>(wanted_[giver]) * scale);
            while (left > 0) {
                while (taker < ranks.size() && room_[ranks[taker]] <= 0)
                    ++taker;
                if (taker == ranks.size()) return;
                const Units part = std::min(left, room_[ranks[taker]]);
                found_->push_back(
                    {static_cast<int>(giver), static_cast<int>(ranks[taker]), part, between});
                left -= part;
                room_[ranks[taker]] -= part;
            }
        }
    }

  private:
    std::span<const Units> wanted_;
    std::span<Units> room_;
    std::vector<Allotment>* found_;
};

double sum_over(std::span<const std::size_t> ranks, std::span<const Units> values) {
    double sum = 0;
    for (const std::size_t rank : ranks)
        sum += static_cast<double>(values[rank]);
    return sum;
}

}  // namespace

std::vector<Allotment> allot(const Capacity& capacity, std::span<const Units> loads, double level,
                             std::span<const int> machine) {
    const std::size_t ranks = capacity.ranks();
    const std::size_t kinds = capacity.kinds();
    std::vector<Units> wanted(ranks, 0);
    std::vector<Units> room(ranks, 0);
    std::vector<Units> caps(kinds);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        for (std::size_t kind = 0; kind < kinds; ++kind)
            caps[kind] = capacity.cap(rank, kind, level);
        const Units left = capacity.room(loads.subspan(rank * kinds, kinds), caps);
        (left < 0 ? wanted : room)[rank] = std::abs(left);
    }
    std::vector<std::size_t> everyone(ranks);
    std::iota(everyone.begin(), everyone.end(), std::size_t{0});
    std::vector<Allotment> found;
    Line line(wanted, room, found);
    const auto scale = [&](std::span<const std::size_t> members) {
        const double all = sum_over(members, wanted);
        return all > 0 ? sum_over(members, room) / all : 0;
    };
    if (machine.empty()) {
        line.match(everyone, scale(everyone), false);
        return found;
    }
    std::map<int, std::vector<std::size_t>> machines;
    for (const std::size_t rank : everyone)
        machines[machine[rank]].push_back(rank);
    bool between = false;
    for (const auto& [name, members] : machines)
        between = between || scale(members) < 1;
    std::vector<Units> rest(ranks, 0);
    for (const auto& [name, members] : machines) {
        const double room_for_each = scale(members);
        line.match(members, between ? std::min(1.0, room_for_each) : room_for_each, false);
        for (const std::size_t rank : members)
            rest[rank] = static_cast<Units>(static_cast<double>(wanted[rank]) *
                                            std::max(0.0, 1 - room_for_each));
    }
    if (between) Line(rest, room, found).match(everyone, 1, true);
    return found;
}

std::vector<std::uint32_t> falling(std::span<const float> keys) {
    constexpr unsigned digit_bits = 11;
    constexpr std::size_t digits = std::size_t{1} << digit_bits;
    EQUIPOISE_ASSERT(keys.size() <= weighted_items_max);
    // The bits of non-negative numbers are in the order of the numbers; inverted, they fall.
    std::vector<std::uint64_t> words(keys.size());
    std::vector<std::uint64_t> other(keys.size());
    std::array<std::array<std::size_t, digits>, 3> starts = {};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const std::uint32_t key = ~std::bit_cast<std::uint32_t>(keys[i]);
        words[i] = std::uint64_t{key} << 32U | i;
        for (std::size_t pass = 0; pass < starts.size(); ++pass)
            ++starts[pass][(key >> (pass * digit_bits)) % digits];
    }
    for (std::size_t pass = 0; pass < starts.size(); ++pass) {
        auto& start = starts[pass];
        std::exclusive_scan(start.begin(), start.end(), start.begin(), std::size_t{0});
        const std::size_t shift = 32 + pass * digit_bits;
        for (const std::uint64_t word : words)
            other[start[(word >> shift) % digits]++] = word;
        words.swap(other);
    }
    std::vector<std::uint32_t> order(keys.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<std::uint32_t>(words[i]);
    return order;
}

}  // namespace equipoise::placement
