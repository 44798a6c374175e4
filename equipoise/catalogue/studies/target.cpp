#include "equipoise/catalogue/studies/target.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/spec_rows.hpp"

namespace equipoise::catalogue {

namespace {

Target::Kind kind_of(std::string_view name) {
    if (name == "at-most") return Target::Kind::at_most;
    if (name == "exact") return Target::Kind::exact;
    if (name == "speeds") return Target::Kind::speeds;
    return name == "places" ? Target::Kind::places : Target::Kind::floor_ceil;
}

}  // namespace

std::vector<SpecInfo> plan_targets() {
    return {
        {"floor-ceil", "floor-ceil", "the mean, rounded down or up"},
        {"at-most", "at-most:3", "at most this many tokens on every node", false, "at-most:TOKENS"},
        {"exact", "exact:1", "at most this many tokens more than the mean, rounded up", false,
         "exact:DELTA"},
        {"speeds", "speeds:FILE.csv", "in proportion to speeds", false, "speeds:FILE.csv"}};
}

std::vector<SpecInfo> items_targets() {
    return {{"floor-ceil", "floor-ceil", "the mean, rounded down or up"},
            {"at-most", "at-most:3", "items of this size at most", false, "at-most:SIZE"},
            {"exact", "exact:1", "as much more than the mean, rounded up, at most", false,
             "exact:DELTA"},
            {"speeds", "speeds:FILE.csv", "in proportion to speeds", false, "speeds:FILE.csv"},
            {"places", "places:FILE", "where the file says", false, "places:FILE"}};
}

std::optional<Target> find_target(const std::string& text, const std::vector<SpecInfo>& targets) {
    const std::size_t colon = text.find(':');
    const std::string_view name = std::string_view(text).substr(0, colon);
    const auto row = std::find_if(targets.begin(), targets.end(),
                                  [&](const SpecInfo& target) { return target.name == name; });
    if (row == targets.end()) return std::nullopt;
    Target target{.kind = kind_of(name)};
    if (target.kind == Target::Kind::floor_ceil)
        return text == row->name ? std::optional(target) : std::nullopt;
    if (colon == std::string::npos) return std::nullopt;
    const std::string rest = text.substr(colon + 1);
    if (target.kind == Target::Kind::at_most || target.kind == Target::Kind::exact) {
        const auto number = whole_number(rest, static_cast<std::uint64_t>(tokens_max));
        if (!number)
            throw InputError("--target: expected " + row->form + " with a whole number, found \"" +
                             printable(text) + '"');
        target.number = static_cast<Tokens>(*number);
        return target;
    }
    if (rest.empty()) return std::nullopt;
    target.file = rest;
    return target;
}

Target target_of(const std::string& text, const std::vector<SpecInfo>& targets) {
    if (auto target = find_target(text, targets)) return *std::move(target);
    throw InputError(unknown_row("target", printable(text), targets));
}

}  // namespace equipoise::catalogue
