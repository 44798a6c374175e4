#include "equipoise/placement/assignment_check.hpp"

#include <cstddef>
#include <vector>

namespace equipoise::placement {

namespace {

std::string of_pair(const char* text, const Gain& gain) {
    std::string words = text;
    words += " part " + std::to_string(gain.part);
    words += " and rank " + std::to_string(gain.rank);
    return words;
}

std::string fault_of_places(const PartsOnRanks& claim, std::span<const int> capacity) {
    std::vector<int> room(capacity.begin(), capacity.end());
    for (std::size_t part = 0; part < claim.rank_of_part.size(); ++part) {
        const int rank = claim.rank_of_part[part];
        if (rank == -1) continue;
        if (rank < 0 || static_cast<std::size_t>(rank) >= capacity.size())
            return "part " + std::to_string(part) + " has a rank that is not there";
        if (room[static_cast<std::size_t>(rank)]-- <= 0)
            return "rank " + std::to_string(rank) + " has more parts than it takes";
    }
    return "";
}

}  // namespace

std::string fault_of(const PartsOnRanks& claim, std::span<const int> capacity,
                     std::span<const Gain> gains) {
    const Prices& prices = claim.prices;
    if (prices.part.size() != claim.rank_of_part.size() || prices.rank.size() != capacity.size())
        return "not every part and rank has a price";
    if (std::string fault = fault_of_places(claim, capacity); !fault.empty()) return fault;
    Int128 bound = 0;
    for (const Int128 price : prices.part) {
        if (price < 0) return "a part has a negative price";
        bound = checked_add(bound, price);
    }
    for (std::size_t rank = 0; rank < capacity.size(); ++rank) {
        if (prices.rank[rank] < 0) return "a rank has a negative price";
        bound = checked_add(bound, checked_multiply(Int128{capacity[rank]}, prices.rank[rank]));
    }
    Int128 gained = 0;
    for (const Gain& gain : gains) {
        const auto part = static_cast<std::size_t>(gain.part);
        const auto rank = static_cast<std::size_t>(gain.rank);
        if (checked_add(prices.part.at(part), prices.rank.at(rank)) < gain.value)
            return of_pair("the prices do not pay for", gain);
        if (claim.rank_of_part[part] == gain.rank) gained = checked_add(gained, gain.value);
    }
    if (gained != claim.gain) return "the gain is not that of the pairs";
    if (gained != bound) return "the prices allow a larger gain";
    return "";
}

}  // namespace equipoise::placement
