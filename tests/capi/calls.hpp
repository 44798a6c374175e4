#pragma once
// Calls of equipoise.h, as tests make them.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

#include "equipoise/capi/equipoise.h"
#include "equipoise/mpi/agreement.hpp"
#include "tests/mpi/items.hpp"

namespace equipoise::capi {

using balancer::Grain;
using balancer::world_rank;
using balancer::world_size;

inline std::size_t own_rank() {
    return static_cast<std::size_t>(world_rank());
}

/// An array of C, from malloc.
template <class T>
struct CArray {
    T* items = nullptr;
    std::int64_t count = 0;

    CArray() = default;
    explicit CArray(const std::vector<T>& from) : count(static_cast<std::int64_t>(from.size())) {
        if (from.empty()) return;
        items = static_cast<T*>(std::malloc(from.size() * sizeof(T)));
        std::memcpy(static_cast<void*>(items), from.data(), from.size() * sizeof(T));
    }
    CArray(const CArray&) = delete;
    CArray& operator=(const CArray&) = delete;
    ~CArray() { std::free(items); }

    [[nodiscard]] std::vector<T> as_vector() const { return {items, items + count}; }
};

/// Everything on rank 0, so that others have to make room and rank 0 to send.
inline std::vector<Tokens> pile() {
    std::vector<Tokens> counts(static_cast<std::size_t>(world_size()), 0);
    counts[0] = 60;
    return counts;
}

/// Whether all ranks have the same text.
inline bool same_everywhere(std::string_view text) {
    const std::hash<std::string_view> digest;
    engine::Ballot mine;
    mine.must_be_equal = digest(text);
    try {
        mpi::agree(mpi::Communicator(MPI_COMM_WORLD), {}, mine);
    } catch (const mpi::CollectiveError&) {
        return false;
    }
    return true;
}

/// `call(failing here)` must return `code` with the same text on all ranks, whichever rank from
/// `first` on fails.
inline void expect_alike(int code, int first, const std::function<int(bool)>& call) {
    for (int failing = first; failing < world_size(); ++failing) {
        const int found = call(world_rank() == failing);
        EXPECT_EQ(code, found) << equipoise_error_text();
        EXPECT_EQ(failing, equipoise_error_rank()) << equipoise_error_text();
        EXPECT_TRUE(same_everywhere(equipoise_error_text())) << equipoise_error_text();
    }
}

}  // namespace equipoise::capi
