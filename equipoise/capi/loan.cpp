#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>

#include "equipoise/balancer/columns.hpp"
#include "equipoise/balancer/lend.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/capi/arrays.hpp"
#include "equipoise/capi/growing.hpp"
#include "equipoise/capi/guarded.hpp"
#include "equipoise/capi/moving_handle.hpp"
#include "equipoise/capi/plan_handle.hpp"
#include "equipoise/capi/rebalance.hpp"
#include "equipoise/capi/structs.hpp"

struct equipoise_loan {
    equipoise_plan there;
    equipoise_plan back;
};

namespace equipoise::capi {

namespace {

const equipoise_loan& loan_of(const equipoise_loan* handle) {
    if (handle == nullptr)
        throw InputError("expected a loan, found none: it was not made, or has been freed");
    return *handle;
}

void make_loan(MPI_Comm comm, std::int64_t count, const equipoise_options* given,
               equipoise_loan** loan) {
    engine::LocalFailure failure;
    std::unique_ptr<equipoise_loan> made;
    balancer::Options options;
    failure.guard([&] {
        if (loan == nullptr) throw InputError("expected the address of a loan, found NULL");
        *loan = nullptr;
        made = std::make_unique<equipoise_loan>();
        options = options_of(known_options(given), count);
    });
    balancer::LoanPlan planned = balancer::plan_loan(comm, count, options, failure);
    made->there.plan = std::move(planned.there);
    made->back.plan = std::move(planned.back);
    *loan = made.release();
}

/// The arguments of a rank's call.
struct CopiesCall {
    const void* items;
    std::int64_t count;
    std::size_t item_size;
    void* copies;
    std::int64_t* copy_count;
    const equipoise_options* options;
};

/// Copies on their way to a new array; the items stay.
class CopiesMoving final : public equipoise_moving {
  public:
    /// Takes the memory. Throws InputError for a call that makes no sense, and std::bad_alloc.
    CopiesMoving(const balancer::Plan& there, const CopiesCall& call)
        : plan_(there), copy_count_(call.copy_count) {
        if (call.copy_count == nullptr)
            throw InputError("expected the address of the number of copies, found NULL");
        const equipoise_options known = known_options(call.options);
        if (known.packing != nullptr)
            throw InputError("expected items that can be copied as bytes, found packing");
        items_ = {bytes_of(call.items, call.count, call.item_size), call.item_size};
        if (call.count != there.size_before())
            throw InputError("expected an array of the planned size " +
                             std::to_string(there.size_before()) + ", found " +
                             std::to_string(call.count));
        if (static_cast<std::uint64_t>(there.size_after()) > PTRDIFF_MAX / call.item_size)
            throw std::bad_alloc();
        if (call.copies != nullptr) std::memset(call.copies, 0, sizeof(void*));
        copies_.emplace(call.copies, Memory(known));
        room_ = copies_->allocate(static_cast<std::size_t>(there.size_after()) * call.item_size);
        if (balancer::detail::keeps_all(there))
            std::copy(items_.rows.begin(), items_.rows.end(), room_);
    }

    void begin(engine::LocalFailure& failure) override {
        moving_.emplace(failure, plan_, std::span<const balancer::Column>(&items_, 1),
                        [this](std::size_t /*column*/, std::uint64_t /*bytes*/) { return room_; });
    }
    [[nodiscard]] balancer::Report end() override {
        const balancer::Report report = moving_->end();
        copies_->replace();
        *copy_count_ = plan_.size_after();
        return report;
    }

  private:
    balancer::Plan plan_;
    std::int64_t* copy_count_;
    balancer::Column items_;
    std::optional<GrowingArray> copies_;
    std::byte* room_ = nullptr;
    std::optional<balancer::Moving<balancer::ColumnsMove>> moving_;
};

// If that fails on one rank, all throw the same CollectiveError.
std::unique_ptr<equipoise_moving> begin_copies(const equipoise_loan* loan, const CopiesCall& call,
                                               engine::LocalFailure& failure) {
    const balancer::Plan& there = loan_of(loan).there.plan;
    return begin(there, failure, [&] { return std::make_unique<CopiesMoving>(there, call); });
}

}  // namespace

}  // namespace equipoise::capi

using equipoise::capi::guarded;
using equipoise::capi::loan_of;

extern "C" {

int equipoise_loan_make(MPI_Comm comm, int64_t count, const equipoise_options* options,
                        equipoise_loan** loan) {
    return guarded([&] { equipoise::capi::make_loan(comm, count, options, loan); });
}

void equipoise_loan_free(equipoise_loan** loan) {
    if (loan == nullptr) return;
    delete *loan;
    *loan = nullptr;
}

const equipoise_plan* equipoise_loan_there(const equipoise_loan* loan) {
    return loan == nullptr ? nullptr : &loan->there;
}

const equipoise_plan* equipoise_loan_back(const equipoise_loan* loan) {
    return loan == nullptr ? nullptr : &loan->back;
}

int equipoise_lend(const equipoise_loan* loan, void* items, int64_t* count, size_t item_size,
                   const equipoise_options* options, equipoise_report* report) {
    return guarded([&] {
        equipoise::capi::replace(loan_of(loan).there.plan, items, count, item_size, options,
                                 report);
    });
}

int equipoise_lend_copies(const equipoise_loan* loan, const void* items, int64_t count,
                          // NOLINTNEXTLINE(readability-non-const-parameter): the move writes it
                          size_t item_size, void* copies, int64_t* copy_count,
                          const equipoise_options* options, equipoise_report* report) {
    return guarded([&] {
        equipoise::engine::LocalFailure failure;
        failure.guard([&] { equipoise::capi::check_report(report); });
        const equipoise::capi::CopiesCall call = {items,  count,      item_size,
                                                  copies, copy_count, options};
        equipoise::capi::write(equipoise::capi::begin_copies(loan, call, failure)->end(), report);
    });
}

int equipoise_lend_copies_begin(
    const equipoise_loan* loan, const void* items, int64_t count,
    // NOLINTNEXTLINE(readability-non-const-parameter): the move writes it
    size_t item_size, void* copies, int64_t* copy_count, const equipoise_options* options,
    equipoise_moving** moving) {
    return guarded([&] {
        equipoise::engine::LocalFailure failure;
        failure.guard([&] { equipoise::capi::check_moving(moving); });
        const equipoise::capi::CopiesCall call = {items,  count,      item_size,
                                                  copies, copy_count, options};
        *moving = equipoise::capi::begin_copies(loan, call, failure).release();
    });
}

int equipoise_give_back(const equipoise_loan* loan, void* items, int64_t* count, size_t item_size,
                        const equipoise_options* options, equipoise_report* report) {
    return guarded([&] {
        equipoise::capi::replace(loan_of(loan).back.plan, items, count, item_size, options, report);
    });
}

}  // extern "C"
