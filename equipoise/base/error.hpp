#pragma once
// The kinds of error that the library throws. It never prints and never exits.

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace equipoise {

/// Bad input: a file, an option, a network or loads that a caller passed. `what()` is one line that
/// a person can act upon.
class InputError : public std::runtime_error {
  public:
    explicit InputError(const std::string& message) : std::runtime_error(message) {}

    /// Message of the form `file:line: expected E, found "F"`.
    [[nodiscard]] static InputError at(std::string_view file, std::size_t line,
                                       std::string_view expected, std::string_view found);
};

/// A count left the range that 64 (or 128) bits can hold.
class OverflowError : public InputError {
  public:
    explicit OverflowError(const std::string& quantity);

    /// What left the range.
    [[nodiscard]] std::string_view quantity() const { return quantity_.what(); }

  private:
    std::runtime_error quantity_;  // a text whose copies never throw, as those of exceptions must
};

/// The algorithm cannot run on this instance (not a tree, no colouring, ...).
class UnsuitableError : public InputError {
  public:
    using InputError::InputError;
};

}  // namespace equipoise
