#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/reassign/input/rules.hpp"

namespace equipoise::reassign {

namespace {

/// The parts of a text between colons, each of one character or more; nothing if there are not so
/// many.
std::optional<std::vector<std::string>> parts_of(const std::string& text, std::size_t least,
                                                 std::size_t most) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == ':') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    const bool has_empty = std::find(parts.begin(), parts.end(), "") != parts.end();
    if (has_empty || parts.size() < least || parts.size() > most) return std::nullopt;
    return parts;
}

/// Reads the parts of a rules.json.
class RulesFile {
  public:
    RulesFile(std::string_view text, std::string name, Rules& rules)
        : name_(std::move(name)), json_(parse_json(text, name_)), rules_(rules) {}

    void read() {
        const JsonValue top(json_, name_);
        top.expect_keys({"$schema", "apart", "spread", "near", "allowed", "forbidden", "pinned",
                         "drain", "limits", "release"});
        read_labels(top);
        for (const bool forbidden : {false, true})
            read_places(top, forbidden);
        if (const auto pinned = top.find("pinned")) {
            pinned->expect_keys({"items", "machines"});
            if (const auto items = pinned->find("items"))
                rules_.pinned_items.emplace_back(selection(*items, "item"), place("pinned.items"));
            if (const auto machines = pinned->find("machines"))
                rules_.pinned_machines.emplace_back(selection(*machines, "machine"),
                                                    place("pinned.machines"));
        }
        if (const auto drain = top.find("drain"))
            rules_.drained.emplace_back(selection(*drain, "machine"), place("drain"));
        read_limits(top);
        if (const auto release = top.find("release"))
            release->for_each_member([&](const std::string& resource, const JsonValue& value) {
                rules_.releases.emplace_back(NamedColumn{resource, place("release")},
                                             release_of(value));
            });
    }

  private:
    [[nodiscard]] std::string place(const std::string& where) const { return name_ + ": " + where; }
    [[nodiscard]] std::string place(const char* list, std::size_t number) const {
        return place(std::string(list) + '[' + std::to_string(number) + ']');
    }

    void read_labels(const JsonValue& top) {
        if (const auto apart = top.find("apart"))
            for (std::size_t at = 0; at < apart->size("a list of labels"); ++at)
                rules_.apart.push_back(apart_of(apart->at(at), place("apart", at)));
        if (const auto spread = top.find("spread")) {
            for (std::size_t at = 0; at < spread->size(); ++at) {
                const JsonValue rule = spread->at(at);
                rule.expect_keys({"label", "over", "least"});
                SpreadRule read{rule.at("label").text(), rule.at("over").text(), 0,
                                place("spread", at)};
                if (const auto least = rule.find("least"))
                    read.least = least->whole<std::uint32_t>(1);
                rules_.spread.push_back(std::move(read));
            }
        }
        if (const auto near = top.find("near")) {
            for (std::size_t at = 0; at < near->size(); ++at)
                rules_.near.push_back(near_of(near->at(at), place("near", at)));
        }
    }

    /// A label, or an object that names it.
    static ApartRule apart_of(const JsonValue& rule, std::string by) {
        if (rule.is_text()) return {rule.text(), std::move(by)};
        if (!rule.is_object()) rule.refuse("a label, or an object with the key \"label\"");
        rule.expect_keys({"label", "on_the_way"});
        ApartRule read{rule.at("label").text(), std::move(by)};
        if (const auto on_the_way = rule.find("on_the_way")) read.on_the_way = on_the_way->truth();
        return read;
    }

    static NearRule near_of(const JsonValue& rule, std::string by) {
        rule.expect_keys({"label", "within", "depends"});
        NearRule read{rule.at("label").text(), rule.at("within").text(), {}, std::move(by)};
        if (const auto depends = rule.find("depends")) {
            read.depends.emplace();
            depends->for_each_member([&](const std::string& service, const JsonValue& others) {
                for (const std::string& other : others.texts())
                    read.depends->emplace_back(service, other);
            });
        }
        return read;
    }

    void read_places(const JsonValue& top, bool forbidden) {
        const char* const list = forbidden ? "forbidden" : "allowed";
        const auto rules = top.find(list);
        if (!rules) return;
        for (std::size_t at = 0; at < rules->size(); ++at) {
            const JsonValue rule = rules->at(at);
            rule.expect_keys({"items", "machines"});
            rules_.places.push_back({forbidden, selection(rule.at("items"), "item"),
                                     selection(rule.at("machines"), "machine"), place(list, at)});
        }
    }

    void read_limits(const JsonValue& top) {
        const auto limits = top.find("limits");
        if (!limits) return;
        for (std::size_t at = 0; at < limits->size(); ++at) {
            const JsonValue limit = limits->at(at);
            limit.expect_keys({"machines", "least_items", "most_items", "capacity", "target"});
            LimitRule read;
            read.by = place("limits", at);
            if (const auto machines = limit.find("machines"))
                read.machines = selection(*machines, "machine");
            if (const auto least = limit.find("least_items"))
                read.least_items = least->whole<Tokens>(0, tokens_max);
            if (const auto most = limit.find("most_items"))
                read.capacities.push_back(
                    {"items", std::to_string(most->whole<Tokens>(0, tokens_max))});
            if (const auto capacity = limit.find("capacity"))
                add_amounts(*capacity, read.capacities);
            if (const auto target = limit.find("target")) add_amounts(*target, read.targets);
            rules_.limits.push_back(std::move(read));
        }
    }

    static void add_amounts(const JsonValue& amounts, std::vector<NamedAmount>& list) {
        amounts.for_each_member([&](const std::string& resource, const JsonValue& value) {
            const std::string text = value.is_text() ? value.text() : value.json().dump();
            if (!quantity(text)) value.refuse(quantity_expected(text));
            list.push_back({resource, text});
        });
    }

    /// A list of names, or an object of labels with a value or a list of values each.
    static Selection selection(const JsonValue& value, const char* name) {
        const auto values_of = [](const JsonValue& list) {
            std::vector<Selection::Value> values;
            if (list.is_text()) {
                values.push_back({list.text(), 0});
            } else {
                for (std::string& text : list.texts())
                    values.push_back({std::move(text), 0});
            }
            if (values.empty()) list.refuse("a name or more");
            return values;
        };
        Selection read;
        if (!value.is_object()) {
            if (!value.is_list()) value.refuse("a list of names, or an object of labels");
            read.labels.push_back({name, values_of(value)});
            return read;
        }
        value.for_each_member([&](const std::string& label, const JsonValue& list) {
            read.labels.push_back({label, values_of(list)});
        });
        if (read.labels.empty()) value.refuse("a label or more");
        return read;
    }

    static Release release_of(const JsonValue& value) {
        const std::string word = value.text();
        if (word == "at-once") return Release::at_once;
        if (word == "after-wave") return Release::after_wave;
        if (word == "after-last") return Release::after_last;
        value.refuse(R"("at-once", "after-wave" or "after-last")");
    }

    std::string name_;
    nlohmann::json json_;
    Rules& rules_;
};

}  // namespace

SpreadRule spread_rule(const std::string& text) {
    constexpr std::uint64_t least_max = std::numeric_limits<std::uint32_t>::max();
    const std::string expected =
        "--spread: expected LABEL:MACHINELABEL, or LABEL:MACHINELABEL:K with K from 1 on, found \"";
    const auto parts = parts_of(text, 2, 3);
    if (!parts) throw InputError(expected + printable(text) + '"');
    SpreadRule rule{(*parts)[0], (*parts)[1], 0, "--spread"};
    if (parts->size() == 3) {
        const auto least = whole_number((*parts)[2], least_max);
        if (!least || *least == 0) throw InputError(expected + printable(text) + '"');
        rule.least = static_cast<std::uint32_t>(*least);
    }
    return rule;
}

NearRule near_rule(const std::string& text) {
    const auto parts = parts_of(text, 2, 2);
    if (!parts)
        throw InputError("--near: expected LABEL:MACHINELABEL, found \"" + printable(text) + '"');
    return {(*parts)[0], (*parts)[1], {}, "--near"};
}

void read_place_table(LineSource& source, bool forbidden, Rules& rules) {
    TableReader table(source);
    if (table.columns().size() != 2 || table.columns()[0].empty() || table.columns()[1].empty())
        source.fail("two columns: item or a label of items, then machine or a label of machines",
                    table.header());
    std::unordered_map<std::string, std::size_t> rule_of;
    std::vector<std::string> fields;
    std::uint64_t lines = 0;
    while (table.next(fields)) {
        if (++lines > items_max)
            source.fail_plainly("at most " + std::to_string(items_max) + " lines", "more");
        for (std::size_t column = 0; column < 2; ++column)
            if (fields[column].empty()) source.fail("a value of " + table.columns()[column], "");
        const std::uint64_t line = source.line_number();
        const auto [rule, is_new] = rule_of.try_emplace(fields[0], rules.places.size());
        if (is_new)
            rules.places.push_back({forbidden,
                                    {{{table.columns()[0], {{fields[0], line}}}}},
                                    {{{table.columns()[1], {}}}},
                                    source.name()});
        rules.places[rule->second].machines.labels.front().values.push_back({fields[1], line});
    }
}

void read_rules(std::string_view text, const std::string& name, Rules& rules) {
    RulesFile(text, name, rules).read();
}

}  // namespace equipoise::reassign
