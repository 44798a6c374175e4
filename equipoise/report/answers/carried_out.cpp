#include "equipoise/report/answers/carried_out.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/reassign/problem.hpp"
#include "equipoise/report/tables/lines.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

constexpr std::size_t width_of_lines = 80;
constexpr std::size_t left_shown = 12;

std::string text_of_bytes(std::uint64_t bytes) {
    return reassign::amount_text({.name = "bytes", .in_bytes = true}, Int128{bytes});
}

/// Whole seconds, since the end is a guess.
std::string time_to_go(double seconds) {
    return seconds < 60 ? fmt::format("{:.0f} s", seconds) : duration(seconds);
}

}  // namespace

bool is_complete(const redis::CarriedOut& done) {
    return done.left.empty() && !done.interrupted && done.stopped.empty();
}

std::string progress_words(const redis::CarryOutProgress& progress) {
    std::string words = grouped(progress.slots) + " of " + counted(progress.slots_all, "slot");
    if (progress.bytes_all > 0)
        words += ", " + text_of_bytes(progress.bytes) + " of " + text_of_bytes(progress.bytes_all);
    if (progress.slots > 0 && progress.slots < progress.slots_all)
        words += ", " + time_to_go(progress.seconds_left) + " to go";
    return words;
}

std::string carried_out_text(const ReassignAnswer& answer) {
    EQUIPOISE_ASSERT(answer.carried_out.has_value());
    const redis::CarriedOut& done = *answer.carried_out;
    std::vector<std::pair<std::string, std::string>> lines;
    const auto planned = std::uint64_t{answer.plan.moves.size()};
    lines.emplace_back("moved",
                       (done.slots == planned ? grouped(planned)
                                              : grouped(done.slots) + " of " + grouped(planned)) +
                           (planned == 1 ? " slot" : " slots") + " of the plan, " +
                           text_of_bytes(done.bytes));
    lines.emplace_back("keys sent", grouped(done.keys));
    lines.emplace_back("time", duration(done.seconds));
    if (done.closed > 0 || done.finished > 0)
        lines.emplace_back("open slots", grouped(done.finished) + " finished, " +
                                             grouped(done.closed) + " closed");
    for (std::size_t at = 0; at < std::min(done.left.size(), left_shown); ++at)
        lines.emplace_back(at == 0 ? "left" : "", printable(done.left[at]));
    if (done.left.size() > left_shown)
        lines.emplace_back(
            "", fmt::format("... ({} in all)", grouped(std::uint64_t{done.left.size()})));
    if (!done.stopped.empty()) lines.emplace_back("stopped", printable(done.stopped));
    if (done.interrupted) lines.emplace_back("interrupted", "the same command goes on from here");
    std::string text = is_complete(done) ? "Carried out:\n" : "Carried out in part:\n";
    for (const auto& [name, value] : lines)
        text += named_line(name, value, width_of_lines);
    return text;
}

}  // namespace equipoise::report
