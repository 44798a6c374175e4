#pragma once
// Errors across ranks: an MPI call that fails here, and failures on which all ranks agree.

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace equipoise::mpi {

/// An MPI call failed on this rank. Other ranks may wait for this one for ever: the program cannot
/// go on; all it can do is call `MPI_Abort`.
class MpiError : public std::runtime_error {
  public:
    /// `call` is the function's name, `code` what it returned.
    MpiError(std::string_view call, int code);

    [[nodiscard]] const std::string& call() const { return call_; }
    [[nodiscard]] int code() const { return code_; }

  private:
    std::string call_;
    int code_;
};

/// Throws MpiError unless `code` is MPI_SUCCESS.
void check(int code, std::string_view call);

/// The kind of failure that the ranks agreed on.
enum class Failure : std::uint8_t {
    none,
    input,      ///< an option, a count or an item of a rank is wrong
    differing,  ///< ranks passed different things
    memory,     ///< a rank could not get the memory that it needs
    user_code,  ///< code of the caller, such as a serialiser, threw
};

/// "bad input", "different calls", ...
[[nodiscard]] std::string_view to_string(Failure failure);

/// An error that was found on one rank and is thrown, with the same text, on every rank of the
/// communicator. `what()` is one line that names the rank, or begins with "all ranks" if they pass
/// what is wrong only together (limits that leave too little room for all items). A rank without
/// memory throws it too: then it holds its own text, in which a control character is a blank.
class CollectiveError : public std::runtime_error {
  public:
    /// Longer texts are cut where there is no memory.
    static constexpr std::size_t text_max = 2200;
    static constexpr int all_ranks = -1;

    CollectiveError(Failure failure, int rank, std::string_view text) noexcept;

    [[nodiscard]] const char* what() const noexcept override;
    [[nodiscard]] Failure failure() const { return failure_; }
    /// The rank that found it, the lowest if several did; `all_ranks` if it is theirs together.
    [[nodiscard]] int rank() const { return rank_; }

  private:
    Failure failure_;
    int rank_;
    std::array<char, text_max + 1> own_text_ = {};  // empty: the base has it
};

}  // namespace equipoise::mpi
