#include "equipoise/report/answers/worst.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using Json = nlohmann::ordered_json;
using load::Fraction;

enum class Kind : std::uint8_t { count, amount, ratio };

/// A quantity in words.
struct QuantityWords {
    std::string_view word;
    Kind kind;
    const char* noun;  ///< of one
    // Loads that cost more than with another algorithm, as much, less.
    const char* more = "";
    const char* same = "as many";
    const char* less = "fewer";
};

const QuantityWords& words_of(const Worst& found) {
    static constexpr std::array<QuantityWords, 11> all = {{
        {"steps", Kind::count, "step", "cost more steps"},
        {"level-since", Kind::amount, "level since step", "are level later", "as early", "earlier"},
        {"rounds", Kind::count, "round", "cost more rounds"},
        {"exchanges", Kind::count, "exchange", "cost more exchanges"},
        {"messages", Kind::count, "message", "cost more messages"},
        {"discrepancy", Kind::amount, "discrepancy", "have a larger discrepancy", "the same",
         "a smaller one"},
        {"deviation", Kind::amount, "deviation", "have a larger deviation", "the same",
         "a smaller one"},
        {"largest-load", Kind::amount, "largest load", "have a larger largest load", "the same",
         "a smaller one"},
        {"steps/optimum", Kind::ratio, "step"},
        {"level-since/optimum", Kind::ratio, "step"},
        {"exchanges/optimum", Kind::ratio, "exchange"},
    }};
    return *std::find_if(all.begin(), all.end() - 1,
                         [&](const auto& words) { return words.word == found.quantity; });
}

std::uint64_t whole(Int128 number) {
    return static_cast<std::uint64_t>(number);
}

Json number(const Fraction& cost) {
    return cost.denominator == 1 ? Json(whole(cost.numerator)) : Json(cost.value());
}

std::string number_text(const Fraction& cost) {
    return cost.denominator == 1 ? grouped(whole(cost.numerator)) : grouped_real(cost.value());
}

Json cost_object(const Worst& found, const LoadsCost& at) {
    Json object = {{"value", number(at.cost)}};
    if (words_of(found).kind == Kind::ratio) {
        object["value"] = at.cost.value();
        object["cost"] = whole(at.cost.numerator);
        object["optimum"] = whole(at.cost.denominator);
    }
    if (!found.beside.empty()) {
        object["beside"] = number(at.beside);
        if (const auto ratio = ratio_of(at)) object["ratio"] = *ratio;
    }
    object["loads"] = at.loads;
    if (!at.loads_spec.empty()) object["loads_spec"] = at.loads_spec;
    if (found.any_numbering) {
        object["numbering"] = at.numbering;
        object["network_spec"] = at.network_spec;
    }
    return object;
}

std::string cost_text(const Worst& found, const LoadsCost& at) {
    const QuantityWords& words = words_of(found);
    if (words.kind == Kind::ratio)
        return fmt::format("{}, {} times the fewest ({})",
                           counted(whole(at.cost.numerator), words.noun),
                           grouped_real(at.cost.value()), grouped(whole(at.cost.denominator)));
    const std::string beside =
        found.beside.empty() ? "" : fmt::format(", beside {}", number_text(at.beside));
    if (words.kind == Kind::amount)
        return fmt::format("{} {}{}", words.noun, number_text(at.cost), beside);
    return counted(whole(at.cost.numerator), words.noun) + beside;
}

/// A value of an option, in quotes if a shell would read more than one word in it.
std::string option_value(const std::string& text) {
    const bool plain = std::all_of(text.begin(), text.end(), [](char letter) {
        return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
               (letter >= 'A' && letter <= 'Z') ||
               std::string_view("_-+.,:=/@%").find(letter) != std::string_view::npos;
    });
    if (plain) return text;
    std::string quoted = "'";
    for (const char letter : text)
        quoted += letter == '\'' ? std::string(R"('\'')") : std::string(1, letter);
    return quoted + '\'';
}

std::string cost_line(const Worst& found, const LoadsCost& at) {
    const std::string text = cost_text(found, at);
    constexpr std::size_t shown_most = 200;
    if (at.loads.size() > shown_most) return text + "; --json shows the loads";
    const std::string network =
        at.network_spec.empty() ? "" : "--network " + option_value(at.network_spec) + ' ';
    if (at.loads_spec.empty())
        return fmt::format("{}, from {}loads {}", text, network, fmt::join(at.loads, " "));
    return fmt::format("{}, from {}--loads {}", text, network, option_value(at.loads_spec));
}

std::string heading(const Worst& found) {
    std::string text =
        fmt::format("{}: {}, {}; ", found.network, counted(std::uint64_t{found.nodes}, "node"),
                    counted(found.links, "link"));
    const std::uint64_t suitable = found.numberings - found.unsuitable;
    const std::uint64_t loads = found.all && suitable > 0 ? found.played / suitable : found.played;
    if (found.all && found.any_numbering)
        text += fmt::format("{} of the nodes, each with ", counted(suitable, "numbering"));
    text += fmt::format("{} of 0 to {} a node",
                        loads == 1 ? "1 set of loads" : grouped(loads) + " loads",
                        counted(found.most_tokens, "token"));
    if (found.any_numbering && !found.all) text += ", under several numberings of the nodes";
    return text + (found.all ? ": all that leave a node empty\n\n" : "\n\n");
}

std::string beside_line(const Worst& found) {
    const QuantityWords& words = words_of(found);
    return fmt::format("{} {} than with {}, {} {}, {} {}", grouped(found.dearer), words.more,
                       found.beside, grouped(found.equal), words.same, grouped(found.cheaper),
                       words.less);
}

}  // namespace

std::optional<double> ratio_of(const LoadsCost& at) {
    if (at.beside.numerator == 0) return at.cost.numerator == 0 ? std::optional(1.0) : std::nullopt;
    return at.cost.value() / at.beside.value();
}

std::string worst_text(const Worst& found) {
    std::string text = heading(found);
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("  {:<16} {}\n", name, value);
    };
    line("algorithm", found.algorithm);
    if (!found.beside.empty()) {
        line("beside", found.beside);
        line("of these loads", beside_line(found));
    }
    if (found.worst) line("worst", cost_line(found, *found.worst));
    if (found.best) line("best", cost_line(found, *found.best));
    if (found.unsuitable > 0)
        line("left out", counted(found.unsuitable, "numbering") + " that the algorithm cannot use");
    if (found.left_out > 0)
        line("no ratio", grouped(found.left_out) +
                             " loads: level from the start, or the run does not end as level as "
                             "the best possible");
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
    object["any_numbering"] = found.any_numbering;
    object["all"] = found.all;
    if (found.any_numbering && found.all) object["numberings"] = found.numberings;
    if (found.any_numbering) object["unsuitable"] = found.unsuitable;
    object["played"] = found.played;
    if (words_of(found).kind == Kind::ratio) object["left_out"] = found.left_out;
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
