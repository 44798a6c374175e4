// What equipoise.F90 calls beside equipoise.h: communicators of Fortran, and what went wrong in
// Fortran before the call.
#include <span>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/capi/arrays.hpp"
#include "equipoise/capi/guarded.hpp"
#include "equipoise/capi/moving_handle.hpp"
#include "equipoise/capi/plan_handle.hpp"
#include "equipoise/capi/relabel.hpp"

namespace {

using equipoise::engine::LocalFailure;

/// What a rank found wrong; an empty text: nothing.
LocalFailure failure_of(const char* problem, std::size_t length) {
    LocalFailure failure;
    if (length > 0) failure.note(LocalFailure::Kind::input, {problem, length});
    return failure;
}

}  // namespace

extern "C" {

int equipoise_fortran_make_plan(MPI_Fint comm, int64_t count, const equipoise_options* options,
                                const char* problem, size_t length, equipoise_plan** plan) {
    return equipoise::capi::guarded([&] {
        equipoise::capi::make_plan(MPI_Comm_f2c(comm), count, options, plan,
                                   failure_of(problem, length));
    });
}

int equipoise_fortran_make_plan_to(MPI_Fint comm, int64_t count, const int* ranks,
                                   const equipoise_options* options, equipoise_plan** plan) {
    return equipoise_plan_make_to(MPI_Comm_f2c(comm), count, ranks, options, plan);
}

int equipoise_fortran_relabel(MPI_Fint comm, int64_t count, int* parts, const int64_t* bytes,
                              const equipoise_relabel_options* options, const char* problem,
                              size_t length, equipoise_relabelling* found) {
    return equipoise::capi::guarded([&] {
        equipoise::capi::relabel(MPI_Comm_f2c(comm), count, parts, bytes, options, found,
                                 failure_of(problem, length));
    });
}

int equipoise_fortran_make_advisor(MPI_Fint comm, equipoise_advisor** advisor) {
    return equipoise_advisor_make(MPI_Comm_f2c(comm), advisor);
}

int equipoise_fortran_execute(const equipoise_plan* plan, const equipoise_array* arrays,
                              size_t array_count, const char* problem, size_t length,
                              equipoise_report* report) {
    return equipoise::capi::execute(
        plan, report,
        [&](const auto& of) { return equipoise::capi::move_arrays(of, arrays, array_count); },
        failure_of(problem, length));
}

int equipoise_fortran_begin(const equipoise_plan* plan, const equipoise_array* arrays,
                            size_t array_count, const char* problem, size_t length,
                            equipoise_moving** moving) {
    return equipoise::capi::begin(
        plan, moving,
        [&](const auto& of) { return equipoise::capi::move_arrays(of, arrays, array_count); },
        failure_of(problem, length));
}

}  // extern "C"
