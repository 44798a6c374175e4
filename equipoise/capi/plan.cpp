#include <limits>
#include <memory>
#include <span>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/capi/arrays.hpp"
#include "equipoise/capi/guarded.hpp"
#include "equipoise/capi/plan_handle.hpp"
#include "equipoise/capi/structs.hpp"
#include "equipoise/placement/few_moves.hpp"

namespace equipoise::capi {

const balancer::Plan& plan_of(const equipoise_plan* handle) {
    if (handle == nullptr)
        throw InputError("expected a plan, found none: it was not made, or has been freed");
    return handle->plan;
}

namespace {

std::unique_ptr<equipoise_plan> make_handle(equipoise_plan** plan) {
    if (plan == nullptr) throw InputError("expected the address of a plan, found NULL");
    *plan = nullptr;
    return std::make_unique<equipoise_plan>();
}

template <class Number>
void make_plan_to(MPI_Comm comm, std::int64_t count, const Number* ranks,
                  const equipoise_options* options, equipoise_plan** plan) {
    std::unique_ptr<equipoise_plan> made;
    balancer::Options known;
    std::span<const Number> destinations;
    engine::LocalFailure failure;
    failure.guard([&] {
        made = make_handle(plan);
        known = options_of(known_options(options), count);
        static_cast<void>(bytes_of(ranks, count, sizeof(Number)));
        destinations = {ranks, static_cast<std::size_t>(count)};
    });
    balancer::Plan planned =
        balancer::plan_to(comm, destinations, known.message_bytes_max, failure);
    made->plan = std::move(planned);
    *plan = made.release();
}

}  // namespace

void make_plan(MPI_Comm comm, std::int64_t count, const equipoise_options* given,
               equipoise_plan** plan, engine::LocalFailure failure, std::string_view what) {
    std::unique_ptr<equipoise_plan> made;
    balancer::Options options;
    failure.guard([&] {
        made = make_handle(plan);
        options = options_of(known_options(given), count);
    });
    balancer::Plan planned = balancer::make_plan(comm, count, options, failure, what);
    made->plan = std::move(planned);
    *plan = made.release();
}

}  // namespace equipoise::capi

using equipoise::capi::guarded;
using equipoise::capi::plan_of;

extern "C" {

int equipoise_plan_make(MPI_Comm comm, int64_t count, const equipoise_options* options,
                        equipoise_plan** plan) {
    return guarded([&] { equipoise::capi::make_plan(comm, count, options, plan, {}, "a plan"); });
}

int equipoise_plan_make_to(MPI_Comm comm, int64_t count, const int* ranks,
                           const equipoise_options* options, equipoise_plan** plan) {
    return guarded([&] { equipoise::capi::make_plan_to(comm, count, ranks, options, plan); });
}

int equipoise_plan_make_to64(MPI_Comm comm, int64_t count, const int64_t* ranks,
                             const equipoise_options* options, equipoise_plan** plan) {
    return guarded([&] { equipoise::capi::make_plan_to(comm, count, ranks, options, plan); });
}

int equipoise_plan_inverse(const equipoise_plan* plan, equipoise_plan** inverse) {
    return guarded([&] {
        const equipoise::balancer::Plan& there = plan_of(plan);
        std::unique_ptr<equipoise_plan> made;
        equipoise::engine::LocalFailure failure;
        failure.guard([&] {
            made = equipoise::capi::make_handle(inverse);
            made->plan = there.inverse();
        });
        equipoise::mpi::agree(there.communicator(), failure, "an inverse plan");
        *inverse = made.release();
    });
}

void equipoise_plan_free(equipoise_plan** plan) {
    if (plan == nullptr) return;
    delete *plan;
    *plan = nullptr;
}

int64_t equipoise_plan_size_before(const equipoise_plan* plan) {
    return plan == nullptr ? 0 : plan->plan.size_before();
}

int64_t equipoise_plan_size_after(const equipoise_plan* plan) {
    return plan == nullptr ? 0 : plan->plan.size_after();
}

int64_t equipoise_plan_transfers(const equipoise_plan* plan, equipoise_transfer* transfers,
                                 int64_t room) {
    if (plan == nullptr) return 0;
    const auto all = plan->plan.transfers();
    for (std::size_t i = 0; i < all.size() && static_cast<int64_t>(i) < room; ++i)
        transfers[i] = {all[i].from, all[i].to, all[i].items};
    return static_cast<int64_t>(all.size());
}

int equipoise_plan_report(const equipoise_plan* plan, equipoise_report* report) {
    return guarded([&] {
        equipoise::capi::check_report(report);
        equipoise::capi::write(plan_of(plan).report(), report);
    });
}

size_t equipoise_plan_describe(const equipoise_plan* plan, char* text, size_t room) {
    size_t length = 0;
    const int error = guarded(
        [&] { length = equipoise::capi::write_text(plan_of(plan).describe(), text, room); });
    return error == EQUIPOISE_OK ? length : equipoise::capi::write_text("", text, room);
}

size_t equipoise_report_describe(const equipoise_report* report, char* text, size_t room) {
    size_t length = 0;
    const int error = guarded([&] {
        if (report == nullptr) throw equipoise::InputError("expected a report, found NULL");
        const equipoise::balancer::Report known = equipoise::capi::report_of(*report);
        length = equipoise::capi::write_text(known.describe(), text, room);
    });
    return error == EQUIPOISE_OK ? length : equipoise::capi::write_text("", text, room);
}

int equipoise_plan_worth_it(const equipoise_plan* plan, const equipoise_costs* costs,
                            equipoise_verdict* verdict) {
    return equipoise_plan_worth_it_by_kind(plan, costs, nullptr, 0, verdict);
}

int equipoise_plan_worth_it_by_kind(const equipoise_plan* plan, const equipoise_costs* costs,
                                    const double* seconds_by_kind, size_t kinds,
                                    equipoise_verdict* verdict) {
    return guarded([&] {
        // NaN is refused on all ranks.
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        const equipoise_costs given =
            costs == nullptr ? equipoise_costs{none, none, none, none} : *costs;
        equipoise::balancer::CostModel model = {
            .seconds_per_item = given.seconds_per_item,
            .steps = given.steps,
            .seconds_per_item_moved = given.seconds_per_item_moved,
            .seconds_per_message = given.seconds_per_message};
        const equipoise::balancer::Plan& planned = plan_of(plan);
        equipoise::engine::LocalFailure failure;
        failure.guard([&] {
            if (seconds_by_kind == nullptr) return;
            if (kinds > equipoise::placement::weights_per_item_max)
                throw equipoise::InputError(
                    "expected at most " +
                    std::to_string(equipoise::placement::weights_per_item_max) +
                    " figures in seconds_by_kind, found " + std::to_string(kinds));
            model.seconds_by_kind.assign(seconds_by_kind, seconds_by_kind + kinds);
        });
        const equipoise::balancer::Verdict found = planned.worth_it(model, failure);
        if (verdict != nullptr)
            *verdict = {found.worth ? 1 : 0, found.seconds_saved, found.seconds_spent};
    });
}

}  // extern "C"
