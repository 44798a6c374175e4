#include "equipoise/mpi/error.hpp"

#include <charconv>
#include <new>
#include <span>

#include <mpi.h>

#include "equipoise/base/printable.hpp"
#include "equipoise/base/utf8.hpp"

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
    std::string message =
        rank == CollectiveError::all_ranks ? "all ranks" : "rank " + std::to_string(rank);
    message += ": ";
    message += to_string(failure);
    message += ": ";
    message += one_line(text);
    return message;
}

// The same without memory.
void write_text(Failure failure, int rank, std::string_view text, std::span<char> room) {
    const auto put = [&](std::string_view part) {
        for (const char character : part.substr(0, whole_characters(part, room.size()))) {
            const auto code = static_cast<unsigned char>(character);
            room.front() = code < 0x20 || code == 0x7f ? ' ' : character;
            room = room.subspan(1);
        }
    };
    std::array<char, 12> digits{};
    const std::to_chars_result end =
        std::to_chars(digits.data(), digits.data() + digits.size(), rank);
    if (rank == CollectiveError::all_ranks) {
        put("all ranks");
    } else {
        put("rank ");
        put({digits.data(), static_cast<std::size_t>(end.ptr - digits.data())});
    }
    put(": ");
    put(to_string(failure));
    put(": ");
    put(text);
}

// An empty text takes no memory.
std::runtime_error with_text_if_it_fits(Failure failure, int rank, std::string_view text) noexcept {
    try {
        return std::runtime_error(text_of(failure, rank, text));
    } catch (const std::bad_alloc&) {
        return std::runtime_error("");
    }
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

CollectiveError::CollectiveError(Failure failure, int rank, std::string_view text) noexcept
    : std::runtime_error(with_text_if_it_fits(failure, rank, text)),
      failure_(failure),
      rank_(rank) {
    if (*std::runtime_error::what() == '\0')
        write_text(failure, rank, text, std::span(own_text_).first(text_max));
}

const char* CollectiveError::what() const noexcept {
    return own_text_.front() == '\0' ? std::runtime_error::what() : own_text_.data();
}

}  // namespace equipoise::mpi
