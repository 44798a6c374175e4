#include "equipoise/capi/relabel.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "equipoise/balancer/relabel.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/capi/arrays.hpp"
#include "equipoise/capi/guarded.hpp"
#include "equipoise/capi/structs.hpp"

namespace equipoise::capi {

namespace {

balancer::RelabelOptions relabel_options(const equipoise_relabel_options* given) {
    equipoise_relabel_options known = EQUIPOISE_RELABEL_OPTIONS_INIT;
    if (given != nullptr) {
        check_size(given->struct_bytes, sizeof known, "EQUIPOISE_RELABEL_OPTIONS_INIT");
        std::memcpy(&known, given, given->struct_bytes);
    }
    return {known.parts, known.parts_a_rank, known.machines_first != 0, colour_of(known.machine)};
}

template <class Number>
std::span<Number> numbers(Number* items, std::int64_t count) {
    return {items, bytes_of(items, count, sizeof(Number)).size() / sizeof(Number)};
}

// Prices of parts that were all left out would look like prices.
void expect_room(const equipoise_relabelling& found) {
    check_size(found.struct_bytes, sizeof found, "EQUIPOISE_RELABELLING_INIT");
    equipoise_relabelling all = EQUIPOISE_RELABELLING_INIT;
    std::memcpy(&all, &found, found.struct_bytes);
    if (all.part_prices != nullptr && all.room <= 0)
        throw InputError("expected `room` for the prices of parts, found " +
                         std::to_string(all.room));
}

void write_prices(std::span<const Int128> prices, std::int64_t room, equipoise_int128* to) {
    if (to == nullptr || room <= 0) return;
    for (const Int128 price : prices.first(std::min(prices.size(), static_cast<std::size_t>(room))))
        *to++ = {static_cast<std::int64_t>(price >> 64), static_cast<std::uint64_t>(price)};
}

void write(const balancer::Relabelled& from, equipoise_relabelling* found) {
    if (found == nullptr) return;
    equipoise_relabelling all = EQUIPOISE_RELABELLING_INIT;
    std::memcpy(&all, found, found->struct_bytes);
    const std::span<const int> ranks(from.rank_of_part);
    write_prices(from.part_prices, all.room, all.part_prices);
    write_prices(from.rank_prices, std::ssize(from.rank_prices), all.rank_prices);
    if (all.rank_of_part != nullptr && all.room > 0)
        std::copy_n(ranks.begin(), std::min(std::ssize(ranks), all.room), all.rank_of_part);
    all.parts = std::ssize(ranks);
    all.bytes = from.bytes;
    all.moved = from.moved;
    all.moved_by_identity = from.moved_by_identity;
    all.between_machines = from.between_machines;
    all.between_machines_by_identity = from.between_machines_by_identity;
    std::memcpy(found, &all, all.struct_bytes);
}

}  // namespace

template <class Number>
void relabel(MPI_Comm comm, std::int64_t count, Number* parts, const std::int64_t* bytes,
             const equipoise_relabel_options* options, equipoise_relabelling* found,
             engine::LocalFailure failure) {
    balancer::RelabelOptions known;
    std::span<Number> labels;
    std::span<const std::int64_t> sizes;
    failure.guard([&] {
        known = relabel_options(options);
        labels = numbers(parts, count);
        if (bytes != nullptr) sizes = numbers(bytes, count);
        if (found != nullptr) expect_room(*found);
    });
    const balancer::Relabelled relabelled =
        balancer::relabel(comm, std::span<const Number>(labels), sizes, known, failure);
    for (Number& part : labels)
        part = relabelled.rank_of_part[static_cast<std::size_t>(part)];
    write(relabelled, found);
}

template void relabel(MPI_Comm comm, std::int64_t count, int* parts, const std::int64_t* bytes,
                      const equipoise_relabel_options* options, equipoise_relabelling* found,
                      engine::LocalFailure failure);
template void relabel(MPI_Comm comm, std::int64_t count, std::int64_t* parts,
                      const std::int64_t* bytes, const equipoise_relabel_options* options,
                      equipoise_relabelling* found, engine::LocalFailure failure);

}  // namespace equipoise::capi

extern "C" {

int equipoise_relabel(MPI_Comm comm, int64_t count, int* parts, const int64_t* bytes,
                      const equipoise_relabel_options* options, equipoise_relabelling* found) {
    return equipoise::capi::guarded(
        [&] { equipoise::capi::relabel(comm, count, parts, bytes, options, found, {}); });
}

int equipoise_relabel64(MPI_Comm comm, int64_t count, int64_t* parts, const int64_t* bytes,
                        const equipoise_relabel_options* options, equipoise_relabelling* found) {
    return equipoise::capi::guarded(
        [&] { equipoise::capi::relabel(comm, count, parts, bytes, options, found, {}); });
}

}  // extern "C"
