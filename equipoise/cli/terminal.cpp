#include "equipoise/cli/terminal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::cli {

namespace {

bool locale_is_utf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(name);
        if (value == nullptr || *value == '\0') continue;
        const std::string_view text = value;
        return text.find("UTF-8") != std::string_view::npos ||
               text.find("utf8") != std::string_view::npos;
    }
    return false;
}

// Set once, before anything is printed.
bool silent = false;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

void fall_silent() {
    silent = true;
}

void print(const std::string& text) {
    if (silent) return;
    const std::string clean = printable(text, "\n\t");
    std::fwrite(clean.data(), 1, clean.size(), stdout);
}

void finish_output() {
    // Output that was lost earlier is no longer in the buffer.
    const bool lost = std::ferror(stdout) != 0;
    if (std::fflush(stdout) == 0 && !lost) return;
    throw InputError("standard output could not be written: " +
                     std::error_code(errno, std::generic_category()).message());
}

void clear_terminal() {
    if (!silent && isatty(STDOUT_FILENO) != 0) std::fputs("\033[H\033[J", stdout);
}

void note(const std::string& message) {
    if (!silent) std::fprintf(stderr, "equipoise: note: %s\n", printable(message).c_str());
}

void complain(const std::string& message) {
    if (!silent) std::fprintf(stderr, "equipoise: %s\n", shortened(printable(message)).c_str());
}

std::size_t text_columns() {
    constexpr std::uint64_t most = 1'000'000;
    if (const char* const named = std::getenv("COLUMNS"))
        if (const auto columns = whole_number(named, most); columns && *columns > 0)
            return static_cast<std::size_t>(*columns);
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::size_t help_columns() {
    constexpr std::size_t usual = 80;
    const std::size_t columns = text_columns();
    return columns > 0 ? columns : usual;
}

report::TextStyle text_style(bool ascii) {
    report::TextStyle style;
    style.plain = ascii || isatty(STDOUT_FILENO) == 0 || !locale_is_utf8();
    style.width = text_columns();
    return style;
}

RewrittenLine::RewrittenLine(bool quiet)
    : shown_(!quiet && !silent && isatty(STDERR_FILENO) != 0) {}

RewrittenLine::~RewrittenLine() {
    if (dirty_) std::fputs("\r\033[K", stderr);
}

void RewrittenLine::show(const std::string& text) {
    if (!shown_) return;
    dirty_ = true;
    std::fprintf(stderr, "\r%s\033[K", text.c_str());
    std::fflush(stderr);
}

std::function<void(const model::Progress&)> ProgressLine::callback(const std::string& run) {
    if (!line_.shown()) return {};
    const std::string name = run.empty() ? "" : run + ": ";
    return [this, name](const model::Progress& progress) {
        line_.show(name + line(progress, target_));
    };
}

OutcomeLines::OutcomeLines(bool quiet, bool launched)
    : shown_(!quiet && !silent && (launched || isatty(STDERR_FILENO) != 0)) {}

void OutcomeLines::add(const std::string& line) {
    if (!shown_) return;
    waiting_ += line + '\n';
    if (std::chrono::steady_clock::now() - begin_ < std::chrono::seconds(1)) return;
    const char* const wipe = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";  // a progress line
    std::fprintf(stderr, "%s%s", wipe, waiting_.c_str());
    waiting_.clear();
}

std::function<void(std::uint64_t, std::uint64_t)> CountLine::callback() {
    if (!line_.shown()) return {};
    return [this](std::uint64_t done, std::uint64_t all) {
        line_.show(report::grouped(done) + " of " + report::grouped(all) + ' ' + what_);
    };
}

std::string ProgressLine::line(const model::Progress& progress, Tokens target_discrepancy) {
    const double seconds = std::max(progress.seconds, 1e-9);
    const double rate = static_cast<double>(progress.steps - progress.steps_before) / seconds;
    std::string text = fmt::format(
        "{}, {} a second, discrepancy {}", report::counted(std::uint64_t{progress.steps}, "step"),
        report::grouped(static_cast<std::uint64_t>(rate)), report::grouped(progress.discrepancy));
    const auto fallen = static_cast<double>(progress.initial_discrepancy - progress.discrepancy);
    const auto left = static_cast<double>(progress.discrepancy - target_discrepancy);
    double expected = -1;
    if (fallen > 0 && left > 0) expected = seconds * left / fallen;
    if (progress.steps_max != ~Step{0} && rate > 0) {
        const double latest = static_cast<double>(progress.steps_max - progress.steps) / rate;
        if (expected < 0 || latest < expected) expected = latest;
    }
    if (expected >= 0) text += fmt::format(", about {} left", report::duration(expected));
    return text;
}

}  // namespace equipoise::cli
