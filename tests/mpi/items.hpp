#pragma once
// Items for tests of the balancer, and what all ranks of MPI_COMM_WORLD have of them.

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <mpi.h>

#include "equipoise/balancer/bytes.hpp"
#include "equipoise/base/tokens.hpp"
#include "tests/support/grains.hpp"

namespace equipoise::balancer {

inline int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}
inline int world_size() {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

using test::all_there;
using test::counts_up;
using test::Grain;
using test::make_grain;
using test::undamaged;

/// An item with memory of its own.
struct Sack {
    std::int64_t number = 0;
    std::string name;
    std::vector<double> values;
    friend bool operator==(const Sack&, const Sack&) = default;

    template <class Archive>
    void serialize(Archive& archive) {
        archive(number, name, values);
    }
};
inline Sack make_sack(std::int64_t number, int maker) {
    const auto size = static_cast<std::size_t>(number % 5);
    return {number, "made by " + std::to_string(maker), std::vector<double>(size, 0.5 * maker)};
}
struct SackSerialiser {
    static void save(const Sack& sack, ByteWriter& out) {
        out.put(sack.number);
        out.put(sack.name);
        out.put(sack.values);
    }
    [[nodiscard]] static Sack load(ByteReader& in) {
        Sack sack;
        sack.number = in.get<std::int64_t>();
        sack.name = in.get_string();
        sack.values = in.get_vector<double>();
        return sack;
    }
};

/// The items of this rank if rank r makes counts[r] of them, numbered across all ranks.
template <class Item>
std::vector<Item> make_items(const std::vector<Tokens>& counts, Item (*make)(std::int64_t, int)) {
    const int rank = world_rank();
    std::int64_t number = 0;
    for (int lower = 0; lower < rank; ++lower)
        number += counts[static_cast<std::size_t>(lower)];
    std::vector<Item> items;
    items.reserve(static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]));
    for (Tokens i = 0; i < counts[static_cast<std::size_t>(rank)]; ++i)
        items.push_back(make(number++, rank));
    return items;
}

/// Numbers of the items of all ranks, one rank after the other.
template <class Item>
std::vector<std::int64_t> all_numbers(const std::vector<Item>& items) {
    std::vector<std::int64_t> mine;
    mine.reserve(items.size());
    for (const Item& item : items)
        mine.push_back(item.number);
    const int size = static_cast<int>(mine.size());
    std::vector<int> sizes(static_cast<std::size_t>(world_size()));
    MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<int> firsts(sizes.size(), 0);
    for (std::size_t rank = 1; rank < sizes.size(); ++rank)
        firsts[rank] = firsts[rank - 1] + sizes[rank - 1];
    std::vector<std::int64_t> all(static_cast<std::size_t>(firsts.back() + sizes.back()));
    MPI_Allgatherv(mine.data(), size, MPI_INT64_T, all.data(), sizes.data(), firsts.data(),
                   MPI_INT64_T, MPI_COMM_WORLD);
    return all;
}

/// Distributions that programs meet and that break balancers.
inline std::vector<std::vector<Tokens>> distributions(int ranks) {
    const auto size = static_cast<std::size_t>(ranks);
    std::vector<std::vector<Tokens>> all;
    all.emplace_back(size, 0);  // nothing at all
    all.emplace_back(size, 0);  // a single item, on the last rank
    all.back().back() = 1;
    all.emplace_back(size, 0);  // everything on one rank
    all.back()[size / 2] = 1000;
    all.emplace_back(size, 100);  // all alike
    all.emplace_back(size, 100);  // alike except for one item
    all.back().front() = 101;
    all.emplace_back(size, 100);  // a little too much at one end, too little at the other
    all.back().front() += 5;
    all.back().back() -= 5;
    all.emplace_back(size, 0);  // a staircase with an empty rank
    for (std::size_t rank = 0; rank < size; ++rank)
        all.back()[rank] = static_cast<Tokens>(rank * rank * 7);
    all.emplace_back(size, 0);  // fewer items than ranks
    for (std::size_t rank = 0; rank + 1 < size; rank += 2)
        all.back()[rank] = 1;
    return all;
}

/// An allocator that refuses on chosen ranks when told to.
template <class T>
struct RefusingAllocator {
    using value_type = T;
    static inline bool refuses = false;

    RefusingAllocator() = default;
    template <class U>
    RefusingAllocator(const RefusingAllocator<U>& /*other*/) {}
    T* allocate(std::size_t count) {
        if (refuses) throw std::bad_alloc();
        return std::allocator<T>().allocate(count);
    }
    void deallocate(T* items, std::size_t count) { std::allocator<T>().deallocate(items, count); }
    friend bool operator==(const RefusingAllocator& /*one*/, const RefusingAllocator& /*other*/) {
        return true;
    }
};

}  // namespace equipoise::balancer
