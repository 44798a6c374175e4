#pragma once
// The arguments of the program and of its verbs, by CLI11, whose headers take long to compile, so
// only command.cpp and program.cpp include them.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/file_set.hpp"
#include "equipoise/cli/description.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace equipoise::cli {

/// Adds the files that a value of an option stands for besides the one that it names.
using FilesOf = std::function<void(FileSet& files, const std::string& value)>;

/// One option or operand. The argument after a name is read as the value.
class Option {
  public:
    explicit Option(CLI::Option& option) : option_(&option) {}

    /// The command is refused without it.
    Option* required();
    /// The number must be in least .. most.
    Option* range(unsigned least, unsigned most);
    /// The value is the name of a file: "-", which elsewhere is standard output, is refused.
    Option* not_to_output();
    /// The value names a file that is written: no other option of the verb may name it.
    Option* writes_file();
    /// The same, and other files besides: all that may be written for the value.
    Option* writes_files(FilesOf files);
    /// The value may name a file that is read, perhaps after a prefix (`replay:`).
    Option* reads_file(std::string prefix = "");
    /// Also after this prefix.
    Option* or_file_after(std::string prefix);
    /// The value names files that are read.
    Option* reads_files(FilesOf files);
    /// The same, but it is read whole before any file is written, so that the option of this name
    /// may write that file.
    Option* reads_file_first(std::string successor);
    /// The value may be one of these words, or begin with one.
    Option* offers(Words words);
    Option* offers(const std::vector<std::string>& words);
    /// The value is refused if the function has a complaint of it.
    Option* refuses(const std::function<std::string(const std::string&)>& complaint);
    /// Takes one value each time it is given.
    Option* one_value_each();
    [[nodiscard]] bool given() const;
    [[nodiscard]] bool writes() const { return use_ == FileUse::writes; }
    [[nodiscard]] bool is(const CLI::Option& option) const { return option_ == &option; }
    /// Whether that option may write what this one reads.
    [[nodiscard]] bool may_become(const Option& other) const;
    /// Adds facts that CLI11 does not know.
    void describe(OptionDescription& description) const;
    [[nodiscard]] std::string name() const;
    /// The files that its values name, and all that they stand for.
    [[nodiscard]] FileSet named_files() const;
    [[nodiscard]] FileSet files() const;

  private:
    Option* named_value(const std::string& name);

    CLI::Option* option_;
    FileUse use_ = FileUse::none;
    std::vector<std::string> prefixes_ = {""};  ///< of which a file's name follows one
    FilesOf files_of_;                          ///< by value: others besides the one it names
    std::string successor_;
    Words words_;
};

/// The program, or one of its verbs. `names` are as CLI11 writes them: "-o,--output", "OPERAND",
/// "--flag{value}". The variables must live until the arguments are read. An empty value is
/// refused.
class Command {
  public:
    explicit Command(CLI::App& app) : app_(&app) {}

    Command* add_subcommand(const std::string& name, const std::string& help);
    Option* add_option(const std::string& names, std::string& value, const std::string& help);
    Option* add_option(const std::string& names, std::vector<std::string>& values,
                       const std::string& help);
    Option* add_option(const std::string& names, int& value, const std::string& help);
    Option* add_option(const std::string& names, std::uint64_t& value, const std::string& help);
    /// The value stays empty unless the option is given.
    Option* add_option(const std::string& names, std::optional<std::uint64_t>& value,
                       const std::string& help);
    Option* add_flag(const std::string& names, bool& value, const std::string& help);
    Option* add_flag(const std::string& names, std::string& value, const std::string& help);

    /// The options that are added from now on stand under this heading in help and manuals.
    void group(const std::string& heading);
    /// Text below the help.
    void footer(const std::string& text);
    /// Sets the action of this verb.
    void callback(const std::function<void()>& act);

    /// Throws InputError naming the first option or operand that was given and is not one of
    /// `names`: only these make sense with the option `mode`, for the reason given.
    void expect_only_given(const std::string& mode, const std::string& reason,
                           const std::vector<std::string_view>& names) const;

    /// The verb of this name. Throws InputError, with similar names, if there is none.
    [[nodiscard]] const Command& verb(const std::string& name) const;
    /// The names of all verbs, with what they do.
    [[nodiscard]] std::vector<SpecInfo> verb_words() const;
    /// What `--help` prints.
    [[nodiscard]] std::string help() const;
    [[nodiscard]] CommandDescription describe() const;

  private:
    [[nodiscard]] OptionDescription describe(const CLI::Option& option) const;
    Option* keep(CLI::Option* option);
    /// Throws InputError if two options have a file in common and one of them may write it.
    void expect_different_files() const;
    static void expect_different_files(const Option& one, const Option& other);

    CLI::App* app_;
    std::deque<Option> options_;
    std::deque<Command> verbs_;
};

/// Makes CLI11 word its help as our pages do, in lines of at most `columns`. To be called before
/// verbs are added.
void word_help(CLI::App& program, std::size_t columns);

}  // namespace equipoise::cli
