#pragma once
// Standard output and standard error.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/model/run/progress.hpp"
#include "equipoise/report/runs/summary.hpp"

namespace equipoise::cli {

/// From now on this process prints nothing: another one speaks for it.
void fall_silent();
/// Prints a text to standard output; what is not printable, except line ends and tabs, is escaped.
void print(const std::string& text);
/// Flushes the output. Throws InputError if standard output could not take all of it.
void finish_output();
/// Clears the terminal on standard output, so that what is printed next replaces what was; nothing
/// where that is none, and texts follow each other.
void clear_terminal();
/// One printable line to standard error: `equipoise: note: ...`.
void note(const std::string& message);

/// An error, in one printable line to standard error: `equipoise: ...`.
void complain(const std::string& message);

/// The columns of a line of text: those that COLUMNS in the environment names or, without it, those
/// of the terminal on standard output; 0, no limit, if there is neither: programs read whole lines.
[[nodiscard]] std::size_t text_columns();
/// The columns of a line of help: the same, but 80 if there is neither.
[[nodiscard]] std::size_t help_columns();

/// How texts look: characters beyond ASCII only on a terminal that supports them, and never with
/// `ascii`; lines have `text_columns()`.
[[nodiscard]] report::TextStyle text_style(bool ascii);

/// A line on standard error that is rewritten while work goes on, and goes away with this object;
/// none if standard error is not a terminal or with `quiet`.
class RewrittenLine {
  public:
    explicit RewrittenLine(bool quiet);
    ~RewrittenLine();
    RewrittenLine(const RewrittenLine&) = delete;
    RewrittenLine& operator=(const RewrittenLine&) = delete;

    /// Whether there is such a line.
    [[nodiscard]] bool shown() const { return shown_; }
    void show(const std::string& text);

  private:
    bool shown_ = false;
    bool dirty_ = false;
};

/// How far a run is.
class ProgressLine {
  public:
    ProgressLine(bool quiet, Tokens target_discrepancy)
        : line_(quiet), target_(target_discrepancy) {}

    /// The callback to pass to RunOptions: empty when there is nothing to show. `run` is named if
    /// there are several.
    [[nodiscard]] std::function<void(const model::Progress&)> callback(const std::string& run = "");
    /// Steps, steps a second, discrepancy and expected end in one line. The end is expected when
    /// the discrepancy would reach the target if it kept falling as it has so far, and at the cap
    /// on steps at the latest.
    [[nodiscard]] static std::string line(const model::Progress& progress,
                                          Tokens target_discrepancy);

  private:
    RewrittenLine line_;
    Tokens target_;
};

/// A line on standard error about every run that has ended, for a person who waits for the whole
/// table: none in the first second, within which the table may be complete. None with `quiet` or if
/// standard error is not a terminal; with `launched` it need not be one, since launchers pass it on
/// through pipes.
class OutcomeLines {
  public:
    OutcomeLines(bool quiet, bool launched);
    void add(const std::string& line);

  private:
    bool shown_;
    std::string waiting_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// "12 of 40 runs".
class CountLine {
  public:
    CountLine(bool quiet, std::string what) : line_(quiet), what_(std::move(what)) {}

    /// The callback to pass to a sweep: empty when there is nothing to show.
    [[nodiscard]] std::function<void(std::uint64_t, std::uint64_t)> callback();

  private:
    RewrittenLine line_;
    std::string what_;
};

}  // namespace equipoise::cli
