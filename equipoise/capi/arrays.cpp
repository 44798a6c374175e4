#include "equipoise/capi/arrays.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "equipoise/base/error.hpp"

namespace equipoise::capi {

std::span<const std::byte> bytes_of(const void* items, Tokens count, std::size_t item_size) {
    if (item_size == 0) throw InputError("expected items of at least 1 byte, found 0 bytes");
    if (count < 0 || static_cast<std::uint64_t>(count) > PTRDIFF_MAX / item_size)
        throw InputError("expected a number of items that fit into memory, found " +
                         std::to_string(count));
    if (items == nullptr && count > 0)
        throw InputError("expected an array of " + std::to_string(count) + " items, found NULL");
    return {static_cast<const std::byte*>(items), static_cast<std::size_t>(count) * item_size};
}

void check_arrays(const balancer::Plan& plan, std::span<const equipoise_array> arrays) {
    for (const equipoise_array& array : arrays) {
        static_cast<void>(bytes_of(array.from, plan.size_before(), array.item_size));
        if (plan.size_after() == 0) continue;
        if (array.to == nullptr) throw std::bad_alloc();
        if (array.to == array.from)
            throw InputError(
                "expected different arrays for the items before and after the move, found "
                "one for both");
    }
}

ArraysMoving::ArraysMoving(const balancer::Plan& plan, std::span<const equipoise_array> arrays)
    : plan_(plan), arrays_(arrays.begin(), arrays.end()) {
    check_arrays(plan, arrays);
    for (const equipoise_array& array : arrays_)
        columns_.push_back(
            {bytes_of(array.from, plan.size_before(), array.item_size), array.item_size});
}

void ArraysMoving::begin(engine::LocalFailure& failure) {
    moving_.emplace(failure, plan_, columns_, [this](std::size_t column, std::uint64_t /*bytes*/) {
        arrives_ = true;
        return static_cast<std::byte*>(arrays_[column].to);
    });
}

balancer::Report ArraysMoving::end() {
    const balancer::Report report = moving_->end();
    for (std::size_t i = 0; i < arrays_.size() && !arrives_; ++i)
        if (!columns_[i].rows.empty())
            std::memcpy(arrays_[i].to, columns_[i].rows.data(), columns_[i].rows.size());
    return report;
}

std::unique_ptr<equipoise_moving> move_arrays(const balancer::Plan& plan,
                                              const equipoise_array* arrays, std::size_t count) {
    if (arrays == nullptr && count > 0) throw InputError("expected arrays, found NULL");
    return std::make_unique<ArraysMoving>(plan, std::span(arrays, count));
}

}  // namespace equipoise::capi

using namespace equipoise::capi;

extern "C" {

int equipoise_plan_execute(const equipoise_plan* plan, const equipoise_array* arrays,
                           size_t array_count, equipoise_report* report) {
    return execute(plan, report,
                   [&](const auto& of) { return move_arrays(of, arrays, array_count); });
}

int equipoise_plan_begin(const equipoise_plan* plan, const equipoise_array* arrays,
                         size_t array_count, equipoise_moving** moving) {
    return begin(plan, moving,
                 [&](const auto& of) { return move_arrays(of, arrays, array_count); });
}

int equipoise_end(equipoise_moving** moving, equipoise_report* report) {
    return guarded([&] {
        if (moving == nullptr || *moving == nullptr)
            throw equipoise::InputError(
                "expected a move that was begun, found none: it was not begun, or has ended");
        const std::unique_ptr<equipoise_moving> ending(*moving);
        *moving = nullptr;
        write(ending->end(), report);
    });
}

}  // extern "C"
