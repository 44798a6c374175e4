#include "equipoise/cli/command.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/cli/remedies.hpp"
#include "equipoise/report/tables/lines.hpp"

namespace equipoise::cli {

namespace {

/// What must stay together of a command where it is broken into lines: words, quotations, options
/// with their values.
std::vector<std::string> pieces_of(std::string_view command) {
    std::vector<std::string> pieces;
    bool joins = false;  // the next word belongs to the last piece
    for (const std::string& word : report::lines_of(command, 1)) {
        const bool begins = word.starts_with('-');
        if (joins && !begins)
            pieces.back() += ' ' + word;
        else
            pieces.push_back(word);
        const bool open = std::count(pieces.back().begin(), pieces.back().end(), '"') % 2 != 0;
        joins = open || (begins && word.find('=') == std::string::npos);
    }
    return pieces;
}

/// A command in lines that a shell reads as one, since all but the last end in a backslash.
std::string example_lines(std::string_view command, std::size_t indent, std::size_t width) {
    constexpr std::string_view goes_on = " \\";
    const std::vector<std::string> pieces = pieces_of(command);
    std::string text;
    std::string line(indent, ' ');
    for (const std::string& piece : pieces) {
        const std::size_t end = &piece == &pieces.back() ? 0 : goes_on.size();
        const bool first = &piece == &pieces.front();
        if (!first && line.size() + 1 + piece.size() + end > width) {
            text.append(line).append(goes_on).append("\n");
            line.assign(2 * indent + 2, ' ');
            line += piece;
        } else {
            line.append(first ? "" : " ").append(piece);
        }
    }
    return text + line + '\n';
}

/// Replaces names of CLI11's own by the words of our pages: a value is a NUMBER, a FILE, a SPEC, a
/// WORD or another TEXT, operands name their own value, and a flag that may have a value is shown
/// as --json[=FILE]. Lines have at most `width` columns.
class HelpFormat final : public CLI::Formatter {
  public:
    explicit HelpFormat(std::size_t width = 0) : width_(width) {
        label("SUBCOMMAND", "VERB");
        label("Positionals", "Arguments");
        label("UINT", "NUMBER");
        label("INT", "NUMBER");
        label("REQUIRED", "(required)");
    }
    /// Groups of options are set apart by one empty line; CLI11 leaves two.
    std::string make_help(const CLI::App* verb, std::string name,
                          CLI::AppFormatMode mode) const override {
        std::string text = CLI::Formatter::make_help(verb, std::move(name), mode);
        for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;)
            text.erase(at, 1);
        return text;
    }
    std::string make_description(const CLI::App* verb) const override {
        return report::wrapped(verb->get_description(), width_);
    }
    std::string make_subcommand(const CLI::App* verb) const override {
        constexpr std::size_t column = 14;
        return named(verb->get_name(), verb->get_description(), column);
    }
    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        constexpr std::size_t column = 26;
        return named(make_option_name(option, is_positional) + make_option_opts(option),
                     make_option_desc(option), column);
    }
    /// Lines of text, and commands, which begin with spaces.
    std::string make_footer(const CLI::App* verb) const override {
        std::string text;
        std::string footer = verb->get_footer();
        for (std::size_t at = 0; at < footer.size();) {
            const std::size_t end = std::min(footer.find('\n', at), footer.size());
            const std::string line = footer.substr(at, end - at);
            const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
            text += indent > 0 && width_ > 0
                        ? example_lines(std::string_view(line).substr(indent), indent, width_)
                        : report::hanging(line, 0, width_) + '\n';
            at = end + 1;
        }
        return text;
    }
    std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
        std::string name = CLI::Formatter::make_option_name(option, is_positional);
        const std::size_t brace = name.find('{');
        return brace == std::string::npos ? name : name.substr(0, brace) + "[=FILE]";
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        std::string words = CLI::Formatter::make_option_opts(option);
        const std::string type = ' ' + value_name(*option);
        if (option->get_positional() && words.starts_with(type)) words.erase(0, type.size());
        return words;
    }
    [[nodiscard]] std::string value_name(const CLI::Option& option) const {
        if (may_lack_value(option)) return "FILE";
        return option.get_type_name().empty() ? "" : get_label(option.get_type_name());
    }
    /// --json[=FILE]: CLI11 shows --json{-}.
    [[nodiscard]] static bool may_lack_value(const CLI::Option& option) {
        return option.get_name(false, true).find('{') != std::string::npos;
    }

  private:
    /// A name and what it means beside it, or below it if there is no room.
    [[nodiscard]] std::string named(const std::string& name, const std::string& text,
                                    std::size_t column) const {
        constexpr std::size_t narrow = 64;
        constexpr std::size_t below = 6;
        const bool beside = width_ == 0 || width_ >= narrow;
        const std::size_t indent = beside ? column : below;
        std::string line = "  " + name;
        if (beside && line.size() < indent)
            line.append(indent - line.size(), ' ');
        else
            line += '\n' + std::string(indent, ' ');
        return line + report::hanging(text, indent, width_) + '\n';
    }

    std::size_t width_;  ///< 0: no limit
};

/// Left alone, CLI11 reads "-1", and anything beyond 64 bits, as the largest number.
std::string complaint_of_whole_number(const std::string& text) {
    if (whole_number(text)) return "";
    return "expected a whole number, found \"" + text + '"';
}

/// An empty name, as from an unset shell variable, must not count as no name.
std::string complaint_of_empty(const std::string& text) {
    return text.empty() ? "expected a value, found an empty one" : "";
}

}  // namespace

Option* Option::required() {
    option_->required();
    return this;
}

Option* Option::range(unsigned least, unsigned most) {
    option_->check(
        [least, most](const std::string& text) -> std::string {
            const auto number = whole_number(text, most);
            if (number && *number >= least) return "";
            return "expected a whole number from " + std::to_string(least) + " to " +
                   std::to_string(most) + ", found \"" + text + '"';
        },
        "");
    return this;
}

Option* Option::not_to_output() {
    option_->check([](const std::string& value) -> std::string {
        return value == "-" ? R"(expected the name of a file, found "-")" : "";
    });
    return this;
}

Option* Option::writes_file() {
    use_ = FileUse::writes;
    return named_value("FILE");
}

Option* Option::writes_files(FilesOf files) {
    files_of_ = std::move(files);
    return writes_file();
}

/// The name of the value in help; a spec that may also be a file is still called SPEC.
Option* Option::named_value(const std::string& name) {
    if (!words_ && option_->get_expected_max() > 0) option_->type_name(name);
    return this;
}

Option* Option::reads_file(std::string prefix) {
    use_ = FileUse::reads;
    prefixes_ = {std::move(prefix)};
    return named_value(prefixes_.front().empty() ? "FILE" : "SPEC");
}

Option* Option::or_file_after(std::string prefix) {
    prefixes_.push_back(std::move(prefix));
    return this;
}

Option* Option::reads_files(FilesOf files) {
    files_of_ = std::move(files);
    return reads_file();
}

Option* Option::reads_file_first(std::string successor) {
    successor_ = std::move(successor);
    return reads_file();
}

bool Option::may_become(const Option& other) const {
    return other.writes() && other.name() == successor_;
}

Option* Option::offers(Words words) {
    named_value("SPEC");
    words_ = std::move(words);
    return this;
}

Option* Option::offers(const std::vector<std::string>& words) {
    named_value("WORD");
    words_ = [words] {
        std::vector<SpecInfo> infos;
        for (const std::string& word : words)
            infos.push_back({word, word, ""});
        return infos;
    };
    return this;
}

Option* Option::refuses(const std::function<std::string(const std::string&)>& complaint) {
    option_->check(complaint, "");
    return this;
}

void Option::describe(OptionDescription& description) const {
    description.file = use_;
    description.file_prefix = prefixes_.front();
    if (words_) description.words = words_();
}

std::string Option::name() const {
    return option_->get_name();
}

FileSet Option::named_files() const {
    FileSet files;
    if (use_ == FileUse::none) return files;
    for (const std::string& value : option_->results()) {
        const auto prefix =
            std::find_if(prefixes_.begin(), prefixes_.end(),
                         [&](const std::string& each) { return value.starts_with(each); });
        if (value == "-" || prefix == prefixes_.end()) continue;
        const std::string path = value.substr(prefix->size());
        std::error_code error;  // a generator's spec is not a file
        if (writes() || std::filesystem::exists(path, error)) files.add(path);
    }
    return files;
}

FileSet Option::files() const {
    FileSet files = named_files();
    if (!files_of_) return files;
    for (const std::string& value : option_->results())
        files_of_(files, value);
    return files;
}

Option* Option::one_value_each() {
    option_->allow_extra_args(false);
    return this;
}

bool Option::given() const {
    return option_->count() > 0;
}

void word_help(CLI::App& program, std::size_t columns) {
    program.formatter(std::make_shared<HelpFormat>(columns));
    program.set_help_flag("-h,--help", "print this help");
}

Command* Command::add_subcommand(const std::string& name, const std::string& help) {
    return &verbs_.emplace_back(*app_->add_subcommand(name, help)->group("Verbs"));
}

Option* Command::keep(CLI::Option* option) {
    return &options_.emplace_back(*option);
}

Option* Command::add_option(const std::string& names, std::string& value, const std::string& help) {
    CLI::Option* const option = app_->add_option(names, value, help);
    option->check(complaint_of_empty, "");
    return keep(option);
}

Option* Command::add_option(const std::string& names, std::vector<std::string>& values,
                            const std::string& help) {
    CLI::Option* const option = app_->add_option(names, values, help);
    option->check(complaint_of_empty, "");
    return keep(option);
}

Option* Command::add_option(const std::string& names, int& value, const std::string& help) {
    return keep(app_->add_option(names, value, help));
}

Option* Command::add_option(const std::string& names, std::uint64_t& value,
                            const std::string& help) {
    CLI::Option* const option = app_->add_option(names, value, help);
    option->check(complaint_of_whole_number, "");
    return keep(option);
}

Option* Command::add_option(const std::string& names, std::optional<std::uint64_t>& value,
                            const std::string& help) {
    CLI::Option* const option = app_->add_option(names, value, help);
    option->check(complaint_of_whole_number, "");
    return keep(option);
}

Option* Command::add_flag(const std::string& names, bool& value, const std::string& help) {
    return keep(app_->add_flag(names, value, help));
}

Option* Command::add_flag(const std::string& names, std::string& value, const std::string& help) {
    CLI::Option* const option = app_->add_flag(names, value, help);
    option->check(complaint_of_empty, "");
    return keep(option);
}

void Command::group(const std::string& heading) {
    app_->option_defaults()->group(heading);
}

void Command::footer(const std::string& text) {
    app_->footer(text);
}

void Command::callback(const std::function<void()>& act) {
    app_->callback([this, act] {
        expect_different_files();
        act();
    });
}

void Command::expect_only_given(const std::string& mode, const std::string& reason,
                                const std::vector<std::string_view>& names) const {
    for (const Option& option : options_)
        if (option.given() && std::find(names.begin(), names.end(), option.name()) == names.end())
            throw InputError(option.name() + " cannot be combined with " + mode + ": " + reason);
}

OptionDescription Command::describe(const CLI::Option& option) const {
    OptionDescription description;
    for (const std::string& name : option.get_snames())
        description.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        description.names.push_back("--" + name);
    if (description.names.empty()) description.names.push_back(option.get_name());
    if (option.get_group() != CLI::OptionDefaults().get_group())
        description.group = option.get_group();
    description.value = HelpFormat().value_name(option);
    description.value_may_lack = HelpFormat::may_lack_value(option);
    description.help = option.get_description();
    description.required = option.get_required();
    description.repeatable = option.get_expected_max() > 1;
    for (const Option& own : options_)
        if (own.is(option)) own.describe(description);
    return description;
}

const Command& Command::verb(const std::string& name) const {
    std::vector<std::string> known;
    for (const Command& verb : verbs_) {
        if (verb.app_->get_name() == name) return verb;
        known.push_back(verb.app_->get_name());
    }
    const std::string meant = meant_by_verb(name);
    throw InputError("unknown verb \"" + name + '"' +
                     (meant.empty() ? suggestion(name, known) : meant));
}

std::vector<SpecInfo> Command::verb_words() const {
    std::vector<SpecInfo> words;
    for (const Command& verb : verbs_)
        words.push_back(
            {verb.app_->get_name(), verb.app_->get_name(), verb.app_->get_description()});
    return words;
}

std::string Command::help() const {
    const CLI::App* const above = app_->get_parent();
    return app_->get_formatter()->make_help(
        app_, above == nullptr ? app_->get_name() : above->get_name() + ' ' + app_->get_name(),
        CLI::AppFormatMode::Normal);
}

CommandDescription Command::describe() const {
    const CLI::App* const above = app_->get_parent();
    CommandDescription description;
    description.name = app_->get_name();
    description.help = app_->get_description();
    const std::string usage = HelpFormat().make_usage(
        app_, above == nullptr ? description.name : above->get_name() + ' ' + description.name);
    description.usage = usage.substr(sizeof "Usage:", usage.find('\n') - sizeof "Usage:");
    for (const CLI::Option* option : std::as_const(*app_).get_options())
        (option->get_positional() ? description.operands : description.options)
            .push_back(describe(*option));
    description.footer = app_->get_footer();
    for (const Command& verb : verbs_)
        description.verbs.push_back(verb.describe());
    return description;
}

void Command::expect_different_files() const {
    for (auto option = options_.begin(); option != options_.end(); ++option)
        for (auto other = options_.begin(); other != option; ++other)
            if ((other->writes() || option->writes()) && !option->may_become(*other) &&
                !other->may_become(*option))
                expect_different_files(*other, *option);
}

void Command::expect_different_files(const Option& one, const Option& other) {
    if (const auto file = other.named_files().common(one.named_files()))
        throw InputError(one.name() + " and " + other.name() + " name the same file: " + *file);
    const auto file = other.files().common(one.files());
    if (!file) return;
    if (one.writes() && other.writes())
        throw InputError(one.name() + " and " + other.name() + " may both write " + *file +
                         ": expected another name");
    const auto& [writer, reader] = one.writes() ? std::tie(one, other) : std::tie(other, one);
    throw InputError(writer.name() + " may write over " + *file + ", which " + reader.name() +
                     " reads: expected another name");
}

}  // namespace equipoise::cli
