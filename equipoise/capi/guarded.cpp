#include "equipoise/capi/guarded.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include "equipoise/base/error.hpp"
#include "equipoise/capi/equipoise.h"
#include "equipoise/capi/fields.hpp"
#include "equipoise/engine/local_failure.hpp"
#include "equipoise/mpi/error.hpp"

namespace equipoise::capi {

namespace {

// Has room for its own text, so that a rank without memory can still report. Texts of other ranks
// are cut as those of failures are, and begin with the rank and the kind.
struct LastError {
    std::array<char, engine::LocalFailure::text_max + 200> text = {};
    int rank = -1;

    int keep(int code, int of_rank, std::string_view what) noexcept {
        text.fill('\0');
        std::copy_n(what.begin(), std::min(what.size(), text.size() - 1), text.begin());
        rank = of_rank;
        return code;
    }
};

LastError& last_error() noexcept {
    thread_local LastError error;
    return error;
}

}  // namespace

int code_of(const std::exception_ptr& error) noexcept {
    LastError& last = last_error();
    try {
        std::rethrow_exception(error);
    } catch (const mpi::CollectiveError& failure) {
        return last.keep(code_of(failure.failure()), failure.rank(), failure.what());
    } catch (const mpi::MpiError& failure) {
        return last.keep(EQUIPOISE_MPI_FAILED, -1, failure.what());
    } catch (const InputError& failure) {
        return last.keep(EQUIPOISE_BAD_INPUT, -1, failure.what());
    } catch (const std::bad_alloc&) {
        return last.keep(EQUIPOISE_NO_MEMORY, -1, "an allocation failed");
    } catch (const std::exception& failure) {
        return last.keep(EQUIPOISE_CALLBACK_FAILED, -1, failure.what());
    } catch (...) {
        return last.keep(EQUIPOISE_CALLBACK_FAILED, -1, "a function threw");
    }
}

}  // namespace equipoise::capi

using equipoise::capi::last_error;

extern "C" {

const char* equipoise_error_text(void) {
    return last_error().text.data();
}

int equipoise_error_rank(void) {
    return last_error().rank;
}

}  // extern "C"
