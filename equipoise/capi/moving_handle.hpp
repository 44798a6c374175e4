#pragma once
// Items under way, behind a handle of C.

#include <memory>
#include <string>

#include "equipoise/balancer/plan.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/capi/equipoise.h"
#include "equipoise/capi/guarded.hpp"
#include "equipoise/capi/numbered.hpp"
#include "equipoise/capi/plan_handle.hpp"
#include "equipoise/capi/structs.hpp"

/// What equipoise_end() completes.
struct equipoise_moving : equipoise::capi::Numbered {
    equipoise_moving() = default;
    equipoise_moving(const equipoise_moving&) = delete;
    equipoise_moving& operator=(const equipoise_moving&) = delete;
    virtual ~equipoise_moving() = default;

    /// Collective. `failure` is any earlier failure of this rank.
    virtual void begin(equipoise::engine::LocalFailure& failure) = 0;
    /// Collective.
    [[nodiscard]] virtual equipoise::balancer::Report end() = 0;
};

namespace equipoise::capi {

/// Sets the handle to null. Throws InputError if there is no place for one.
inline void check_moving(equipoise_moving** moving) {
    if (moving == nullptr) throw InputError("expected the address of a move, found NULL");
    *moving = nullptr;
}

/// Begins the move that `make` returns. If that fails on one rank, all throw the same
/// CollectiveError.
template <class Make>
std::unique_ptr<equipoise_moving> begin(const balancer::Plan& plan, engine::LocalFailure& failure,
                                        const Make& make) {
    std::unique_ptr<equipoise_moving> moving;
    failure.guard([&] { moving = make(); });
    if (moving == nullptr) plan.agree_to_move(failure, [] { return std::string("items"); });
    moving->begin(failure);
    return moving;
}

/// The body of a function of C that moves items: begins, ends and reports. `failure` is any earlier
/// failure of this rank.
template <class Make>
[[nodiscard]] int execute(const equipoise_plan* handle, equipoise_report* report, const Make& make,
                          engine::LocalFailure failure = {}) {
    return guarded([&] {
        const balancer::Plan& plan = plan_of(handle);
        failure.guard([&] { check_report(report); });
        write(begin(plan, failure, [&] { return make(plan); })->end(), report);
    });
}

/// The body of a function of C that begins to move items.
template <class Make>
[[nodiscard]] int begin(const equipoise_plan* handle, equipoise_moving** moving, const Make& make,
                        engine::LocalFailure failure = {}) {
    return guarded([&] {
        const balancer::Plan& plan = plan_of(handle);
        failure.guard([&] { check_moving(moving); });
        *moving = begin(plan, failure, [&] { return make(plan); }).release();
    });
}

}  // namespace equipoise::capi
