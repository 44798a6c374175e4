// Functions that the modules of Fortran call besides equipoise.h: for communicators of Fortran, for
// errors found in Fortran before the call, and for handles that can be copied.
#include <array>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <type_traits>

#include "equipoise/balancer/columns.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/capi/advisor_handle.hpp"
#include "equipoise/capi/arrays.hpp"
#include "equipoise/capi/guarded.hpp"
#include "equipoise/capi/moving_handle.hpp"
#include "equipoise/capi/numbered.hpp"
#include "equipoise/capi/plan_handle.hpp"
#include "equipoise/capi/relabel.hpp"
#include "equipoise/capi/rows.hpp"
#include "equipoise/capi/structs.hpp"
#include "equipoise/mpi/communicator.hpp"

namespace {

using equipoise::engine::LocalFailure;

/// The failure that a rank has found; an empty text: none.
LocalFailure failure_of(const char* problem, std::size_t length) {
    LocalFailure failure;
    if (length > 0) failure.note(LocalFailure::Kind::input, {problem, length});
    return failure;
}

/// The same, or that an array of `room` prices is too short for those of all ranks; below 0: there
/// is none.
LocalFailure with_room(MPI_Comm callers, std::int64_t room, LocalFailure failure) {
    if (room < 0) return failure;
    const equipoise::mpi::Communicator communicator(callers);
    failure.guard([&] {
        if (room < communicator.size())
            throw equipoise::InputError("expected room for the prices of all " +
                                        std::to_string(communicator.size()) + " ranks, found " +
                                        std::to_string(room));
    });
    return failure;
}

/// What a plan moves; 0 bytes a row: nothing more is known.
std::string what_moves(size_t row_bytes, std::int32_t weights_type) {
    if (row_bytes == 0) return "a plan";
    std::string text =
        equipoise::balancer::describe(std::array{equipoise::balancer::Column{{}, row_bytes}});
    if (weights_type == EQUIPOISE_DOUBLE) return text;
    // Those of doubles and of int64 have as many bytes.
    return text + " and weights of " +
           equipoise::capi::with_type(weights_type, []<class T>(std::type_identity<T> /*type*/) {
               return equipoise::number_name<T>();
           });
}

template <class Thing>
equipoise::capi::Register<Thing>& all() {
    static equipoise::capi::Register<Thing> things;
    return things;
}

// Relabels parts of 32 or 64 bits.
template <class Part>
int relabelled(MPI_Fint comm, int64_t count, Part* parts, const int64_t* bytes,
               const equipoise_relabel_options* options, int64_t rank_room, const char* problem,
               size_t length, equipoise_relabelling* found) {
    return equipoise::capi::guarded([&] {
        const MPI_Comm callers = MPI_Comm_f2c(comm);
        equipoise::capi::relabel(callers, count, parts, bytes, options, found,
                                 with_room(callers, rank_room, failure_of(problem, length)));
    });
}

}  // namespace

extern "C" {

int64_t equipoise_fortran_keep_plan(equipoise_plan* plan) {
    return all<equipoise_plan>().add(plan);
}
const equipoise_plan* equipoise_fortran_plan(int64_t number) {
    return all<equipoise_plan>().find(number);
}
void equipoise_fortran_free_plan(int64_t number) {
    delete all<equipoise_plan>().take(number);
}

int64_t equipoise_fortran_keep_advisor(equipoise_advisor* advisor) {
    return all<equipoise_advisor>().add(advisor);
}
equipoise_advisor* equipoise_fortran_advisor(int64_t number) {
    return all<equipoise_advisor>().find(number);
}
void equipoise_fortran_free_advisor(int64_t number) {
    delete all<equipoise_advisor>().take(number);
}

int64_t equipoise_fortran_keep_moving(equipoise_moving* moving) {
    return all<equipoise_moving>().add(moving);
}
equipoise_moving* equipoise_fortran_take_moving(int64_t number) {
    return all<equipoise_moving>().take(number);
}

int equipoise_fortran_make_plan(MPI_Fint comm, int64_t count, const equipoise_options* options,
                                size_t row_bytes, int lacks_memory, const char* problem,
                                size_t length, equipoise_plan** plan) {
    return equipoise::capi::guarded([&] {
        LocalFailure failure = failure_of(problem, length);
        std::string what;
        failure.guard([&] {
            if (lacks_memory != 0) throw std::bad_alloc();
            what = what_moves(row_bytes, options->weights_type);
        });
        equipoise::capi::make_plan(MPI_Comm_f2c(comm), count, options, plan, failure, what);
    });
}

int equipoise_fortran_make_plan_to(MPI_Fint comm, int64_t count, const int* ranks,
                                   const equipoise_options* options, equipoise_plan** plan) {
    return equipoise_plan_make_to(MPI_Comm_f2c(comm), count, ranks, options, plan);
}

int equipoise_fortran_make_plan_to64(MPI_Fint comm, int64_t count, const int64_t* ranks,
                                     const equipoise_options* options, equipoise_plan** plan) {
    return equipoise_plan_make_to64(MPI_Comm_f2c(comm), count, ranks, options, plan);
}

int equipoise_fortran_relabel(MPI_Fint comm, int64_t count, int* parts, const int64_t* bytes,
                              const equipoise_relabel_options* options, int64_t rank_room,
                              const char* problem, size_t length, equipoise_relabelling* found) {
    return relabelled(comm, count, parts, bytes, options, rank_room, problem, length, found);
}

int equipoise_fortran_relabel64(MPI_Fint comm, int64_t count, int64_t* parts, const int64_t* bytes,
                                const equipoise_relabel_options* options, int64_t rank_room,
                                const char* problem, size_t length, equipoise_relabelling* found) {
    return relabelled(comm, count, parts, bytes, options, rank_room, problem, length, found);
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

int equipoise_fortran_move_rows(const equipoise_plan* plan, const equipoise_rows* rows,
                                size_t count, const char* problem, size_t length,
                                equipoise_report* report) {
    return equipoise::capi::execute(
        plan, report, [&](const auto& of) { return equipoise::capi::move_rows(of, rows, count); },
        failure_of(problem, length));
}

int equipoise_fortran_begin_rows(const equipoise_plan* plan, const equipoise_rows* rows,
                                 size_t count, const char* problem, size_t length,
                                 equipoise_moving** moving) {
    return equipoise::capi::begin(
        plan, moving, [&](const auto& of) { return equipoise::capi::move_rows(of, rows, count); },
        failure_of(problem, length));
}

}  // extern "C"
