#include "equipoise/cli/command.hpp"

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "equipoise/base/line_source.hpp"

namespace equipoise::cli {

namespace {

/// Left to itself CLI11 reads "-1", and what has more than 64 bits, as the largest number.
std::string complaint_of_whole_number(const std::string& text) {
    if (whole_number(text)) return "";
    return "expected a whole number, found \"" + text + '"';
}

}  // namespace

Option* Option::required() {
    option_->required();
    return this;
}

Option* Option::range(int least, int most) {
    option_->check(CLI::Range(least, most));
    return this;
}

Option* Option::not_to_output() {
    option_->check([](const std::string& value) -> std::string {
        return value == "-" ? R"(expected the name of a file, found "-")" : "";
    });
    return this;
}

Option* Option::one_value_each() {
    option_->allow_extra_args(false);
    return this;
}

bool Option::given() const {
    return option_->count() > 0;
}

Command* Command::add_subcommand(const std::string& name, const std::string& help) {
    return &verbs_.emplace_back(*app_->add_subcommand(name, help));
}

Option* Command::keep(CLI::Option* option) {
    return &options_.emplace_back(*option);
}

Option* Command::add_option(const std::string& names, std::string& value, const std::string& help) {
    return keep(app_->add_option(names, value, help));
}

Option* Command::add_option(const std::string& names, std::vector<std::string>& values,
                            const std::string& help) {
    return keep(app_->add_option(names, values, help));
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

Option* Command::add_flag(const std::string& names, bool& value, const std::string& help) {
    return keep(app_->add_flag(names, value, help));
}

Option* Command::add_flag(const std::string& names, std::string& value, const std::string& help) {
    return keep(app_->add_flag(names, value, help));
}

void Command::footer(const std::string& text) {
    app_->footer(text);
}

void Command::callback(const std::function<void()>& act) {
    app_->callback(act);
}

}  // namespace equipoise::cli
