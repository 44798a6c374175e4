#pragma once
// The arguments of the program and of its verbs. CLI11 stands behind it: its headers take long to
// compile, so only command.cpp and main.cpp see them.

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace equipoise::cli {

/// One option or operand. What follows a name is read as the value.
class Option {
  public:
    explicit Option(CLI::Option& option) : option_(&option) {}

    /// The command is refused without it.
    Option* required();
    /// The number must be in least .. most.
    Option* range(int least, int most);
    /// The value is the name of a file: "-", which elsewhere is standard output, is refused.
    Option* not_to_output();
    /// Takes one value each time it is given.
    Option* one_value_each();
    [[nodiscard]] bool given() const;

  private:
    CLI::Option* option_;
};

/// The program, or one of its verbs. `names` are as CLI11 writes them: "-o,--output", "OPERAND",
/// "--flag{value}". The variables must live until the arguments are read.
class Command {
  public:
    explicit Command(CLI::App& app) : app_(&app) {}

    Command* add_subcommand(const std::string& name, const std::string& help);
    Option* add_option(const std::string& names, std::string& value, const std::string& help);
    Option* add_option(const std::string& names, std::vector<std::string>& values,
                       const std::string& help);
    Option* add_option(const std::string& names, int& value, const std::string& help);
    Option* add_option(const std::string& names, std::uint64_t& value, const std::string& help);
    Option* add_flag(const std::string& names, bool& value, const std::string& help);
    Option* add_flag(const std::string& names, std::string& value, const std::string& help);

    /// Text below the help.
    void footer(const std::string& text);
    /// What to do when the arguments name this verb.
    void callback(const std::function<void()>& act);

  private:
    Option* keep(CLI::Option* option);

    CLI::App* app_;
    std::deque<Option> options_;
    std::deque<Command> verbs_;
};

}  // namespace equipoise::cli
