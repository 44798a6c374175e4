#pragma once
// The border to C: no exception crosses it. Every exception becomes a code and a text.

#include <exception>

namespace equipoise::capi {

/// Keeps the text of an error for equipoise_error_text(), and returns its code.
[[nodiscard]] int code_of(const std::exception_ptr& error) noexcept;

/// Runs the body of a function of C. Returns EQUIPOISE_OK, or the code of the exception that it
/// throws.
template <class Action>
[[nodiscard]] int guarded(const Action& action) noexcept {
    try {
        action();
    } catch (...) {
        return code_of(std::current_exception());
    }
    return 0;
}

}  // namespace equipoise::capi
