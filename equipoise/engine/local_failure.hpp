#pragma once
// A failure on one rank, in the form in which it is sent to other ranks.

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace equipoise::engine {

/// The first failure of a rank. It holds its own text, so that a rank that is short of memory can
/// still report it, and its bytes mean the same on every rank.
class LocalFailure {
  public:
    enum class Kind : std::uint8_t {
        none,
        overflow,    ///< OverflowError; the text is what left the range
        unsuitable,  ///< UnsuitableError
        joint,       ///< JointError: all ranks find it, and none is to blame
        input,       ///< any other InputError
        differing,   ///< ranks passed different things
        memory,      ///< an allocation failed, or more was asked for than a container can hold
        other,
    };
    /// Longer texts are cut.
    static constexpr std::size_t text_max = 2000;

    LocalFailure() = default;
    /// Null means that nothing went wrong.
    explicit LocalFailure(const std::exception_ptr& error) noexcept { note(error); }

    /// Runs `action` and keeps what it throws. Does nothing once something has failed.
    template <class Action>
    void guard(const Action& action) noexcept {
        if (failed()) return;
        try {
            action();
        } catch (...) {
            note(std::current_exception());
        }
    }
    /// Keeps the failure, unless there already is one.
    void note(const std::exception_ptr& error) noexcept;
    void note(Kind kind, std::string_view text) noexcept;
    /// Puts "rank R: " before the text if the input was bad, unless it is that of all together.
    void name_rank(int rank) noexcept;

    [[nodiscard]] bool failed() const { return kind_ != Kind::none; }
    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] std::string_view text() const { return text_.data(); }
    /// The line for the user.
    [[nodiscard]] std::string message() const;

  private:
    Kind kind_ = Kind::none;
    std::array<char, text_max + 1> text_ = {};
};

}  // namespace equipoise::engine
