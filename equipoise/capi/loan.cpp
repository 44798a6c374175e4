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
    equipoise_report* report;
};

// The items stay; copies come in a new array.
void lend_copies(const balancer::Plan& there, const CopiesCall& call) {
    engine::LocalFailure failure;
    balancer::Column items;
    std::optional<GrowingArray> copies;
    std::byte* room = nullptr;
    failure.guard([&] {
        if (call.copy_count == nullptr)
            throw InputError("expected the address of the number of copies, found NULL");
        const equipoise_options known = known_options(call.options);
        if (known.packing != nullptr)
            throw InputError("expected items that can be copied as bytes, found packing");
        check_report(call.report);
        items = {bytes_of(call.items, call.count, call.item_size), call.item_size};
        if (call.count != there.size_before())
            throw InputError("expected an array of the planned size " +
                             std::to_string(there.size_before()) + ", found " +
                             std::to_string(call.count));
        if (static_cast<std::uint64_t>(there.size_after()) > PTRDIFF_MAX / call.item_size)
            throw std::bad_alloc();
        if (call.copies != nullptr) std::memset(call.copies, 0, sizeof(void*));
        copies.emplace(call.copies, Memory(known));
        room = copies->allocate(static_cast<std::size_t>(there.size_after()) * call.item_size);
        if (balancer::detail::keeps_all(there))
            std::copy(items.rows.begin(), items.rows.end(), room);
    });
    const balancer::Report report = balancer::move_columns(
        there, std::span(&items, 1),
        [room](std::size_t /*column*/, std::uint64_t /*bytes*/) { return room; }, failure);
    copies->replace();
    *call.copy_count = there.size_after();
    write(report, call.report);
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
                          size_t item_size, void* copies, int64_t* copy_count,
                          const equipoise_options* options, equipoise_report* report) {
    return guarded([&] {
        equipoise::capi::lend_copies(loan_of(loan).there.plan, {items, count, item_size, copies,
                                                                copy_count, options, report});
    });
}

int equipoise_give_back(const equipoise_loan* loan, void* items, int64_t* count, size_t item_size,
                        const equipoise_options* options, equipoise_report* report) {
    return guarded([&] {
        equipoise::capi::replace(loan_of(loan).back.plan, items, count, item_size, options, report);
    });
}

}  // extern "C"
