#pragma once
// Options that several verbs share, and their meaning.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/cli/command.hpp"

namespace equipoise::cli {

inline constexpr int exit_done = 0;
inline constexpr int exit_not_reached = 1;
inline constexpr int exit_bad_input = 2;

/// What the chosen verb will do once all arguments are read; returns the exit status. If several
/// ranks run the program, only rank 0 does it, unless the verb says otherwise.
class Action {
  public:
    template <class Act>
    Action& operator=(const Act& act) {
        act_ = act;
        return *this;
    }
    template <class Act>
    void on_all_ranks(const Act& act) {
        act_ = act;
        for_all_ = true;
    }
    [[nodiscard]] bool for_all_ranks() const { return for_all_; }
    [[nodiscard]] int operator()() const { return act_(); }

  private:
    std::function<int()> act_;
    bool for_all_ = false;
};

/// The options `--network`, `--format`, `--header`, `--simplify`, `--largest-component` and
/// `--seed`.
struct NetworkArguments {
    std::string network;
    std::string format;
    std::string header;
    bool simplify = false;
    bool largest_component = false;
    std::uint64_t seed = 0;

    /// Adds them; returns the option `--network`.
    Option* add_to(Command& verb);
    /// The network; says on standard error how its file was read unless `quiet`. Throws InputError.
    [[nodiscard]] network::AnyNetwork make(bool quiet) const;
    /// The request that the options make. Throws InputError.
    [[nodiscard]] catalogue::NetworkRequest request() const;
    /// Reports on standard error what was dropped from a file and noticed about it, if anything.
    void tell(const network::ReadReport& report) const;
};

/// The options of runs (runner/run_option.hpp), except --seed, which NetworkArguments have.
struct RunArguments {
    catalogue::RunRequest request;  ///< together with `made`, everything that was given
    std::vector<std::string> parameters;

    void add_to(Command& verb, bool compares = false);
    /// The request that the options make. Throws InputError for parameters that are not
    /// `name=value` pairs.
    [[nodiscard]] catalogue::RunRequest made(std::uint64_t seed) const;
};

/// The number, 0 or more, that is the value of an option. Throws InputError naming it.
[[nodiscard]] double number_value(const char* option, const std::string& text);

/// The names of all algorithms, with their titles.
[[nodiscard]] std::vector<SpecInfo> algorithm_words();

/// `--json` and `--json=FILE`: whether an object is written, and where.
struct JsonArgument {
    std::string target;  ///< "-": standard output

    void add_to(Command& verb);
    [[nodiscard]] bool wanted() const { return !target.empty(); }
    [[nodiscard]] bool to_output() const { return target == "-"; }
    /// Prints the object or writes the file. Throws InputError.
    void emit(const std::string& object) const;
};

}  // namespace equipoise::cli
