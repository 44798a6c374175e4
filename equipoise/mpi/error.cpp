#include "equipoise/mpi/error.hpp"

#include <array>

#include <mpi.h>

#include "equipoise/base/printable.hpp"

namespace equipoise::mpi {

namespace {

std::string text_of(std::string_view call, int code) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    std::string message(call);
    message += " failed: ";
    // Some MPI libraries write a line for each function on the call stack.
    if (MPI_Error_string(code, text.data(), &length) == MPI_SUCCESS)
        message += one_line({text.data(), static_cast<std::size_t>(length)});
    else
        message += "error code " + std::to_string(code);
    return message;
}

std::string text_of(Failure failure, int rank, std::string_view text) {
    std::string message = "rank " + std::to_string(rank);
    message += ": ";
    message += to_string(failure);
    message += ": ";
    message += one_line(text);
    return message;
}

}  // namespace

MpiError::MpiError(std::string_view call, int code)
    : std::runtime_error(text_of(call, code)), call_(call), code_(code) {}

void check(int code, std::string_view call) {
    if (code != MPI_SUCCESS) throw MpiError(call, code);
}

std::string_view to_string(Failure failure) {
    switch (failure) {
        case Failure::none:
            return "no failure";
        case Failure::input:
            return "bad input";
        case Failure::differing:
            return "different calls";
        case Failure::memory:
            return "out of memory";
        case Failure::user_code:
            return "the caller's code threw";
    }
    return "unknown failure";
}

CollectiveError::CollectiveError(Failure failure, int rank, std::string_view text)
    : std::runtime_error(text_of(failure, rank, text)), failure_(failure), rank_(rank) {}

}  // namespace equipoise::mpi
