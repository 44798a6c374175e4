#include "equipoise/capi/rebalance.hpp"

#include <array>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "equipoise/balancer/balancer.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/capi/arrays.hpp"
#include "equipoise/capi/growing.hpp"
#include "equipoise/capi/guarded.hpp"
#include "equipoise/capi/in_place.hpp"
#include "equipoise/capi/packed.hpp"
#include "equipoise/capi/plan_handle.hpp"
#include "equipoise/capi/structs.hpp"
#include "equipoise/placement/few_moves.hpp"

namespace equipoise::capi {

namespace {

/// The arguments of a rank's call.
struct Call {
    MPI_Comm comm = MPI_COMM_NULL;
    void* items = nullptr;
    std::int64_t* count = nullptr;
    std::size_t item_size = 0;
    const equipoise_options* options = nullptr;
    equipoise_report* report = nullptr;
    bool weighted = false;
    void* weights = nullptr;  // the address of a pointer
};

/// The part of a call that can fail on this rank alone.
struct Prepared {
    std::optional<GrowingArray> items;
    std::optional<GrowingArray> weights;
    std::array<balancer::Column, 2> columns = {};
    const equipoise_packing* packing = nullptr;
    balancer::Options options;
    Tokens count = 0;

    void check(const Call& call) {
        if (call.count == nullptr)
            throw InputError("expected the address of the number of items, found NULL");
        count = *call.count;
        check_report(call.report);
        const equipoise_options known = known_options(call.options);
        packing = known.packing;
        if (packing != nullptr) check_packing(packing);
        options = options_of(known, count);
        items.emplace(call.items, Memory(known));
        columns[0] = {bytes_of(items->now(), count, call.item_size), call.item_size};
        if (!call.weighted) return;
        weights.emplace(call.weights, Memory(known));
        if (call.items == call.weights ||
            (weights->now() != nullptr && weights->now() == items->now()))
            throw InputError(
                "expected the weights in an array of their own, found the array of the items");
        if (known.weights_per_item < 1 || known.weights_per_item > placement::weights_per_item_max)
            throw InputError("expected 1 to " + std::to_string(placement::weights_per_item_max) +
                             " weights an item, found " + std::to_string(known.weights_per_item));
        with_type(known.weights_type, [&]<class T>(std::type_identity<T> /*type*/) {
            const std::size_t row = known.weights_per_item * sizeof(T);
            columns[1] = {bytes_of(weights->now(), count, row), row, number_name<T>()};
            options = by_weight(options, numbers_at(weights->now(), known.weights_type,
                                                    columns[1].rows.size() / sizeof(T)));
        });
    }

    // A rank that ends without items has no array, whether it had one of no bytes or gave all away.
    void end_with(Tokens after) {
        if (after > 0) return;
        items->resize(0);
        if (weights) weights->resize(0);
    }

    // What moves; the same on all ranks.
    [[nodiscard]] std::string describe(bool weighted) const {
        const std::span<const balancer::Column> all(columns.data(), weighted ? 2U : 1U);
        if (packing == nullptr) return balancer::describe(all);
        return weighted ? "packed items and " + balancer::describe(all.subspan(1)) : "packed items";
    }
};

/// Packed items, followed by columns: all arrive, or nothing leaves.
class PackedThenColumns {
  public:
    PackedThenColumns(const balancer::Plan& plan, balancer::PlacedItems& items,
                      std::span<const balancer::Column> columns,
                      const balancer::AllocateColumn& allocate)
        : columns_(plan, columns, allocate), items_(plan, items) {}

    [[nodiscard]] const balancer::Plan& plan() const { return items_.plan(); }
    void begin(engine::LocalFailure& failure) {
        columns_.prepare(failure);
        items_.begin(failure);
    }
    void end() {
        items_.end();
        columns_.start();
        columns_.end();
    }

  private:
    balancer::ColumnsMove columns_;
    balancer::PlacedMove items_;
};

balancer::Report move_packed(const balancer::Plan& plan, Prepared& prepared,
                             std::span<const balancer::Column> columns,
                             const balancer::AllocateColumn& allocate,
                             engine::LocalFailure& failure) {
    std::optional<PackedArray> items;
    failure.guard([&] {
        const std::size_t size = columns.front().row_bytes;
        if (static_cast<std::uint64_t>(plan.size_after()) > PTRDIFF_MAX / size)
            throw std::bad_alloc();
        std::byte* const next =
            prepared.items->allocate(static_cast<std::size_t>(plan.size_after()) * size);
        items.emplace(prepared.items->now(), next, size, prepared.packing);
    });
    if (!items) plan.agree_to_move(failure, [] { return std::string("packed items"); });
    const auto of_weights = [&](std::size_t /*column*/, std::uint64_t bytes) {
        return allocate(1, bytes);
    };
    return balancer::Moving<PackedThenColumns>(failure, plan, *items, columns.subspan(1),
                                               of_weights)
        .end();
}

// Moves what was prepared by a plan, and replaces the caller's arrays.
void move(const balancer::Plan& plan, Prepared& prepared, const Call& call,
          engine::LocalFailure& failure) {
    const std::span<const balancer::Column> columns(prepared.columns.data(),
                                                    call.weighted ? 2U : 1U);
    if (prepared.packing == nullptr && plan.rounds().size() == 1) {
        const std::array arrays = {
            InPlaceMove::Array{prepared.items ? &*prepared.items : nullptr, columns[0].row_bytes},
            InPlaceMove::Array{prepared.weights ? &*prepared.weights : nullptr,
                               prepared.columns[1].row_bytes}};
        const balancer::Report report =
            balancer::Moving<InPlaceMove>(failure, plan, std::span(arrays).first(columns.size()))
                .end();
        *call.count = plan.size_after();
        prepared.end_with(plan.size_after());
        return write(report, call.report);
    }
    const auto allocate = [&](std::size_t column, std::uint64_t bytes) {
        return (column == 0 ? prepared.items : prepared.weights)->allocate(bytes);
    };
    const balancer::Report report = prepared.packing == nullptr
                                        ? move_columns(plan, columns, allocate, failure)
                                        : move_packed(plan, prepared, columns, allocate, failure);
    prepared.items->replace();
    if (prepared.weights) prepared.weights->replace();
    prepared.end_with(plan.size_after());
    *call.count = plan.size_after();
    write(report, call.report);
}

void rebalance(const Call& call) {
    engine::LocalFailure failure;
    Prepared prepared;
    std::string what;
    failure.guard([&] {
        prepared.check(call);
        what = prepared.describe(call.weighted);
    });
    const balancer::Plan plan =
        balancer::begin_plan(call.comm, prepared.count, prepared.options, failure, what);
    if (plan.settled()) {
        prepared.end_with(plan.size_after());
        return write(plan.report(), call.report);
    }
    move(plan, prepared, call, failure);
}

}  // namespace

// NOLINTNEXTLINE(readability-non-const-parameter): the move writes it
void replace(const balancer::Plan& plan, void* items, std::int64_t* count, std::size_t item_size,
             const equipoise_options* options, equipoise_report* report) {
    const Call call = {MPI_COMM_NULL, items, count, item_size, options, report};
    engine::LocalFailure failure;
    Prepared prepared;
    failure.guard([&] {
        prepared.check(call);
        if (prepared.count != plan.size_before())
            throw InputError("expected an array of the planned size " +
                             std::to_string(plan.size_before()) + ", found " +
                             std::to_string(prepared.count));
    });
    move(plan, prepared, call, failure);
}

}  // namespace equipoise::capi

using equipoise::capi::guarded;

extern "C" {

int equipoise_rebalance(MPI_Comm comm, void* items, int64_t* count, size_t item_size,
                        const equipoise_options* options, equipoise_report* report) {
    return guarded([&] {
        equipoise::capi::rebalance({comm, items, count, item_size, options, report});
    });
}

int equipoise_rebalance_weighted(MPI_Comm comm, void* items, void* weights, int64_t* count,
                                 size_t item_size, const equipoise_options* options,
                                 equipoise_report* report) {
    return guarded([&] {
        equipoise::capi::rebalance({comm, items, count, item_size, options, report, true, weights});
    });
}

int equipoise_plan_replace(const equipoise_plan* plan, void* items, int64_t* count,
                           size_t item_size, const equipoise_options* options,
                           equipoise_report* report) {
    return guarded([&] {
        equipoise::capi::replace(equipoise::capi::plan_of(plan), items, count, item_size, options,
                                 report);
    });
}

}  // extern "C"
