#include "equipoise/adapters/kafka/printed.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>

#include "equipoise/adapters/kafka/brokers.hpp"
#include "equipoise/adapters/kafka/progress.hpp"
#include "equipoise/adapters/kafka/topics.hpp"
#include "equipoise/adapters/kafka/words.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/file_kind.hpp"
#include "equipoise/base/json_outline.hpp"
#include "equipoise/base/read_bytes.hpp"

namespace equipoise::kafka {

namespace {

constexpr std::size_t looked_into = std::size_t{1} << 16U;
constexpr std::string_view blanks = " \t\r";

/// Whether a line begins with a brace that is followed by a key or by nothing.
bool begins_object(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (!line.starts_with('{')) return false;
    line.remove_prefix(1);
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    return line.empty() || line.front() == '"';
}

std::optional<Printed> printed_on(std::string_view line) {
    if (begins_object(line)) return Printed::documents;
    if (is_topic_line(line)) return Printed::topics;
    if (is_progress_line(line)) return Printed::progress;
    if (is_broker_line(line)) return Printed::brokers;
    return std::nullopt;
}

/// What the first line is for which `wanted` holds.
template <class Wanted>
std::optional<Printed> first_in(std::string_view text, const Wanted& wanted) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        const std::optional<Printed> printed = printed_on(line);
        if (printed && wanted(*printed)) return printed;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Printed> printed_in(std::string_view text) {
    return first_in(text.substr(0, looked_into), [](Printed) { return true; });
}

bool are_topics(std::string_view text) {
    return first_in(text, [](Printed printed) {
               return printed == Printed::topics || printed == Printed::documents;
           }) == Printed::topics;
}

bool has_topics(std::string_view text) {
    return first_in(text, [](Printed printed) { return printed == Printed::topics; }).has_value();
}

bool has_documents(std::string_view text) {
    return first_in(text, [](Printed printed) { return printed == Printed::documents; })
        .has_value();
}

bool holds_documents(const std::string& path) {
    if (path.ends_with(".json")) return true;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    std::ifstream file(path, std::ios::binary);
    std::string beginning(looked_into, '\0');
    file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    beginning.resize(static_cast<std::size_t>(file.gcount()));
    return printed_in(beginning).has_value();
}

std::string read_printed(const std::string& path) {
    JsonOutline outline(path, JsonOutline::Around::lines);
    bool are_lines = false;
    return read_bytes(path, [&](std::string_view all, std::size_t from) {
        const std::string_view more = all.substr(from);
        if (from == 0) {
            const std::optional<Printed> printed = printed_in(all);
            are_lines = printed && *printed != Printed::documents;
            if (const auto kind = kind_other_than_text(all))
                throw InputError(path + ": expected text, found " + std::string(*kind));
        }
        if (!are_lines) return outline.follow(more);
        if (more.find('\0') != std::string_view::npos)
            throw InputError(path + ": expected text, found a byte of value 0");
    });
}

}  // namespace equipoise::kafka
