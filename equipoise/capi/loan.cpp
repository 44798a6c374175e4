#include <memory>

#include "equipoise/balancer/lend.hpp"
#include "equipoise/base/error.hpp"
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

int equipoise_give_back(const equipoise_loan* loan, void* items, int64_t* count, size_t item_size,
                        const equipoise_options* options, equipoise_report* report) {
    return guarded([&] {
        equipoise::capi::replace(loan_of(loan).back.plan, items, count, item_size, options, report);
    });
}

}  // extern "C"
