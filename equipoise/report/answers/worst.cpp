#include "equipoise/report/answers/worst.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using Json = nlohmann::ordered_json;

Json cost_object(const Worst& found, const LoadsCost& at) {
    Json object = {{"value", at.cost}};
    if (!found.beside.empty()) {
        object["beside"] = at.beside;
        if (const auto ratio = ratio_of(at)) object["ratio"] = *ratio;
    }
    object["loads"] = at.loads;
    return object;
}

std::string cost_line(const Worst& found, const LoadsCost& at) {
    const std::string one = found.quantity.substr(0, found.quantity.size() - 1);
    std::string text = counted(at.cost, one);
    if (!found.beside.empty()) text += ", beside " + grouped(at.beside);
    constexpr std::size_t shown_most = 200;
    if (at.loads.size() > shown_most) return text + "; --json shows the loads";
    return text + fmt::format(", from loads {}", fmt::join(at.loads, " "));
}

}  // namespace

std::optional<double> ratio_of(const LoadsCost& at) {
    if (at.beside == 0) return at.cost == 0 ? std::optional(1.0) : std::nullopt;
    return static_cast<double>(at.cost) / static_cast<double>(at.beside);
}

std::string worst_text(const Worst& found) {
    const bool two = !found.beside.empty();
    std::string text = fmt::format(
        "{}: {}, {}; {} of 0 to {} a node{}\n\n", found.network,
        counted(std::uint64_t{found.nodes}, "node"), counted(found.links, "link"),
        found.played == 1 ? "1 set of loads" : grouped(found.played) + " loads",
        counted(found.most_tokens, "token"), found.all ? ": all that leave a node empty" : "");
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("  {:<16} {}\n", name, value);
    };
    line("algorithm", found.algorithm);
    if (two) {
        line("beside", found.beside);
        line("of these loads", fmt::format("{} cost more {} than with {}, {} as many, {} fewer",
                                           grouped(found.dearer), found.quantity, found.beside,
                                           grouped(found.equal), grouped(found.cheaper)));
    }
    if (found.worst) line("worst", cost_line(found, *found.worst));
    if (found.best) line("best", cost_line(found, *found.best));
    if (found.unended > 0)
        line("not ended", counted(found.unended, "run") + " (counted until they were stopped)");
    return text;
}

std::string worst_json(const Worst& found) {
    Json object = object_of_schema("equipoise-worst");
    object["algorithm"] = found.algorithm;
    if (!found.beside.empty()) object["beside"] = found.beside;
    object["network"] = {{"name", found.network}, {"nodes", found.nodes}, {"links", found.links}};
    object["quantity"] = found.quantity;
    object["most_tokens"] = found.most_tokens;
    object["all"] = found.all;
    object["played"] = found.played;
    object["unended"] = found.unended;
    if (found.worst) object["worst"] = cost_object(found, *found.worst);
    if (!found.beside.empty()) {
        if (found.best) object["best"] = cost_object(found, *found.best);
        object["dearer"] = found.dearer;
        object["equal"] = found.equal;
        object["cheaper"] = found.cheaper;
    }
    return json_text(object, 2) + '\n';
}

}  // namespace equipoise::report
