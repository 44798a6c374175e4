#include "equipoise/report/runs/compare.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/targets.hpp"
#include "equipoise/report/runs/words.hpp"
#include "equipoise/report/tables/glossary.hpp"
#include "equipoise/report/tables/lines.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using model::Record;

/// A cost as a multiple of the best possible; "-" if that is not known, or is 0 while the cost is
/// not.
std::string times_best(std::optional<std::uint64_t> best, std::uint64_t cost) {
    if (!best || (*best == 0 && cost > 0)) return "-";
    if (*best == 0) return "1.00";
    return fmt::format("{:.2f}", static_cast<double>(cost) / static_cast<double>(*best));
}

std::optional<std::uint64_t> best_steps(const Record& record) {
    return record.optimum ? record.optimum->steps : std::nullopt;
}

std::optional<std::uint64_t> best_exchanges(const Record& record) {
    if (!record.optimum) return std::nullopt;
    return static_cast<std::uint64_t>(record.optimum->exchanges);
}

std::string number_or_nothing(const std::optional<std::uint64_t>& number) {
    return number ? std::to_string(*number) : "";
}

std::string describe_optimum(const Optimum& optimum) {
    std::string steps = grouped(optimum.steps_at_least);
    if (!optimum.exact())
        steps += optimum.steps_at_most ? " to " + grouped(*optimum.steps_at_most) : " or more";
    return fmt::format(
        "best possible: {} {} in which a node sends at most one token and receives at most one; "
        "{}, {} moved; to floor or ceiling everywhere.\n"
        "Ratios are given for runs that reach this state; step ratios only for algorithms that "
        "move "
        "one token at a time.\n",
        steps, steps == "1" ? "step" : "steps", counted(optimum.exchanges, "exchange"),
        counted(optimum.moves, "token"));
}

/// Parameters of an algorithm that have one value in all its runs.
std::map<std::string, std::string> common_parameters(std::span<const Record> records,
                                                     const std::string& algorithm) {
    std::optional<std::map<std::string, std::string>> common;
    for (const Record& record : records) {
        if (record.algorithm != algorithm) continue;
        if (!common) common = record.parameters;
        std::erase_if(*common, [&](const auto& entry) {
            const auto found = record.parameters.find(entry.first);
            return found == record.parameters.end() || found->second != entry.second;
        });
    }
    return common.value_or(std::map<std::string, std::string>());
}

/// The shortest names that differ: with the parameters in which runs of one algorithm differ.
std::map<const Record*, std::string> row_names(std::span<const Record> records) {
    std::map<const Record*, std::string> names;
    for (const Record& record : records)
        names[&record] = name_with_parameters(record.algorithm, record.parameters,
                                              common_parameters(records, record.algorithm));
    return names;
}

/// Remarks in the order in which they are first made, each once, with all algorithms that it
/// concerns.
class Remarks {
  public:
    void add(const std::string& algorithm, const std::string& remark) {
        auto [entry, fresh] = names_.try_emplace(remark);
        if (fresh) order_.push_back(remark);
        if (std::find(entry->second.begin(), entry->second.end(), algorithm) == entry->second.end())
            entry->second.push_back(algorithm);
    }
    [[nodiscard]] std::string text() const {
        std::string text;
        for (const std::string& remark : order_)
            text += fmt::format("{}: {}\n", fmt::join(names_.at(remark), ", "), remark);
        return text;
    }

  private:
    std::vector<std::string> order_;
    std::map<std::string, std::vector<std::string>> names_;
};

/// Tokens that an algorithm made for its own use and that are still there.
Tokens dummies_left(const Record& record) {
    if (!record.constants.contains("dummies_left")) return 0;
    return load::total(record.final_loads) - load::total(record.initial_loads);
}

/// Adds what a reader of the figures must know.
void add_cautions(std::span<const Record> records, Remarks& remarks) {
    for (const Record& record : records)
        if (record.load_scale > 1) remarks.add(record.algorithm, "moves fractions of tokens.");
    for (const Record& record : records)
        if (const Tokens left = dummies_left(record); left != 0)
            remarks.add(record.algorithm,
                        std::to_string(left) + " dummy tokens remain among the others.");
}

std::string promise_remark(const std::string& source) {
    if (source.empty()) return "nothing is promised for this run.";
    const std::string basis = promise_text(source);
    return (basis == source ? "promised by " : "the promise ") + basis + '.';
}

void add_sources(std::span<const Record> records, Remarks& remarks) {
    for (const Record& record : records)
        if (record.one_token_a_link)
            remarks.add(record.algorithm, "at most one token crosses a link in a step.");
    for (const Record& record : records)
        if (record.on_spanning_tree)
            remarks.add(record.algorithm,
                        "runs on a spanning tree; figures are measured on the whole network.");
    for (const Record& record : records)
        remarks.add(record.algorithm, promise_remark(record.guarantee.source));
    for (const Record& record : records)
        if (const std::string kinds = step_kinds(record); !kinds.empty())
            remarks.add(record.algorithm, kinds + '.');
    for (const Record& record : records)
        if (const std::string moves = how_moves_were_made(record); !moves.empty())
            remarks.add(record.algorithm, "moves are " + moves + '.');
}

/// What words of a table mean.
std::string explained_words(std::span<const Record> records) {
    std::set<std::string> models;
    std::set<std::string> endings;
    std::string promises;
    for (const Record& record : records) {
        models.insert(record.model);
        endings.insert(record.stopped_because);
        promises += record.guarantee.source + '\n';
    }
    std::vector<std::string> words(models.begin(), models.end());
    words.insert(words.end(), endings.begin(), endings.end());
    for (std::string& mark : words_in(promises, {"repaired", "sharpened", "1-smooth", "frozen"}))
        words.push_back(std::move(mark));
    // Records of others may have words of their own.
    std::erase_if(words, [](const std::string& word) { return meaning_of(word).empty(); });
    return explained(words);
}

std::string notes(std::span<const Record> records, bool brief) {
    const bool one_model = std::all_of(records.begin(), records.end(), [&](const Record& record) {
        return record.model == records.front().model;
    });
    std::string text = brief ? "" : explained_words(records);
    if (!records.front().speeds.empty())
        text +=
            "off share: tokens between the node farthest from its share by speed and that share.\n"
            "by speed: largest minus smallest load per unit of speed.\n";
    if (std::any_of(records.begin(), records.end(),
                    [](const Record& r) { return r.level_since.has_value(); }))
        text +=
            "level after: the first step after which the discrepancy stayed as it is at the end.\n";
    if (!one_model) text += "Steps of different models are not comparable.\n";
    Remarks remarks;
    add_cautions(records, remarks);
    if (brief) {
        for (const Record& record : records)
            if (!record.reached)
                remarks.add(record.algorithm,
                            "stopped by " + record.stopped_because + " before the end.");
    } else {
        add_sources(records, remarks);
    }
    return text + remarks.text();
}

/// The largest deviation from the idealised process and its bound.
std::string deviation_of(const Record& record, const TextStyle& style) {
    if (!record.deviation) return "-";
    // Columns are narrow, so the error is shown only if it is large.
    const std::string deviation =
        deviation_is_sharp(record) ? deviation_value(record) : deviation_text(record);
    const std::optional<double>& bound = record.deviation->bound;
    return bound ? fmt::format("{} ({})", deviation, at_most(six_digits(*bound), style))
                 : deviation;
}

/// A column, its contents, and whether brief tables have it too.
struct Shown {
    Column column;
    bool brief = false;
    std::function<std::string(const Record&)> cell;
};

void add_results(std::span<const Record> records, const TextStyle& style,
                 std::vector<Shown>& shown) {
    const auto add = [&](const char* title, bool brief, auto cell) {
        shown.push_back({{title, Align::right}, brief, cell});
    };
    if (!records.front().speeds.empty()) {
        add("off share", true, share_distance_text);
        add("off share\npromised", false,
            [](const Record& r) { return promises_shares(r) ? "< 1" : "-"; });
        add("by speed", true, by_speed);
    } else {
        add("discrepancy", true, [](const Record& r) { return in_tokens(r, r.final_discrepancy); });
        add("discrepancy\npromised", false, [style](const Record& r) {
            const auto& promised = r.guarantee.discrepancy;
            return promised ? at_most(in_tokens(r, *promised), style) : "-";
        });
    }
    shown.push_back({{"kept"}, true, [style](const Record& r) { return kept(r, style); }});
    if (records.front().speeds.empty())
        add("local\nimbalance", false,
            [](const Record& r) { return in_tokens(r, r.local_imbalance); });
}

void add_costs(std::span<const Record> records, const TextStyle& style, bool measured,
               std::vector<Shown>& shown) {
    const auto add = [&](const char* title, bool brief, auto cell) {
        shown.push_back({{title, Align::right}, brief, cell});
    };
    const auto any = [&](auto holds) { return std::any_of(records.begin(), records.end(), holds); };
    add("steps", true, [](const Record& r) { return grouped(r.costs.steps); });
    if (any([](const Record& r) { return r.guarantee.steps.has_value(); }))
        add("steps\npromised", false, [style](const Record& r) {
            const auto& promised = r.guarantee.steps;
            return promised ? at_most(grouped(*promised), style) : "-";
        });
    if (any([](const Record& r) { return r.level_since.has_value(); }))
        add("level\nafter", true,
            [](const Record& r) { return r.level_since ? grouped(*r.level_since) : "-"; });
    add("rounds", false, [](const Record& r) { return grouped(r.costs.rounds); });
    add("exchanges", true,
        [](const Record& r) { return in_tokens(r, static_cast<Tokens>(r.costs.exchanges)); });
    add("messages", false, [](const Record& r) { return grouped(r.costs.messages); });
    if (any([](const Record& r) { return r.deviation.has_value(); }))
        shown.push_back(
            {{"deviation"}, true, [style](const Record& r) { return deviation_of(r, style); }});
    shown.push_back({{"ended by"}, false, [](const Record& r) {
                         return r.stopped_because + (r.reached ? "" : " (not reached)");
                     }});
    if (measured) {
        add("steps/\nbest", true,
            [](const Record& r) { return times_best(best_steps(r), r.costs.steps); });
        add("exchanges/\nbest", true,
            [](const Record& r) { return times_best(best_exchanges(r), r.costs.exchanges); });
    }
    // Wide enough for most durations, so that tables of two runs look alike.
    if (style.with_seconds)
        add("     time", false, [](const Record& r) { return duration(r.seconds); });
}

std::string table(std::span<const Record> records, const TextStyle& style, bool measured) {
    const std::map<const Record*, std::string> names = row_names(records);
    const bool one_model = std::all_of(records.begin(), records.end(), [&](const Record& record) {
        return record.model == records.front().model;
    });
    std::vector<Shown> shown;
    shown.push_back({{"algorithm"}, true, [&](const Record& r) { return names.at(&r); }});
    shown.push_back({{"model"}, !one_model, [](const Record& r) { return r.model; }});
    add_results(records, style, shown);
    add_costs(records, style, measured, shown);
    if (style.brief) std::erase_if(shown, [](const Shown& column) { return !column.brief; });
    std::vector<Column> columns;
    columns.reserve(shown.size());
    for (const Shown& column : shown)
        columns.push_back(column.column);
    std::vector<std::vector<std::string>> rows;
    rows.reserve(records.size());
    for (const Record& record : records) {
        rows.emplace_back();
        for (const Shown& column : shown)
            rows.back().push_back(column.cell(record));
    }
    return layout(columns, rows, style.plain);
}

std::size_t widest_line(std::string_view text) {
    std::size_t widest = 0;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        widest = std::max(widest, width_of(line));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return widest;
}

/// The result by which runs are ranked first: with speeds the distance from shares, otherwise the
/// discrepancy.
load::Fraction result_of(const Record& record) {
    if (!record.speeds.empty()) return share_distance(record);
    return {record.final_discrepancy, Int128{record.load_scale}};
}

/// Denominators differ only for discrepancies, whose products are below 2^126.
bool less(const load::Fraction& a, const load::Fraction& b) {
    if (a.denominator == b.denominator) return a.numerator < b.numerator;
    return a.numerator * b.denominator < b.numerator * a.denominator;
}

/// "A, B, C and 4 more".
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t shown_max = 3;
    if (names.size() <= shown_max + 1) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + shown_max, ", "),
                       grouped(std::uint64_t{names.size() - shown_max}));
}

/// A run that was asked for twice is named only once.
void add_once(std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// The names of the runs that have the least of something.
std::vector<std::string> least(const std::vector<const Record*>& runs,
                               const std::map<const Record*, std::string>& names,
                               std::uint64_t (*figure)(const Record&)) {
    std::vector<std::string> best;
    std::uint64_t fewest = ~std::uint64_t{0};
    for (const Record* run : runs) {
        if (figure(*run) < fewest) best.clear();
        fewest = std::min(fewest, figure(*run));
        if (figure(*run) == fewest) add_once(best, names.at(run));
    }
    return best;
}

/// The runs that compete, and those among them with the best result.
struct Winners {
    std::vector<const Record*> best;
    bool all = true;         ///< every run has the best result
    bool parts_out = false;  ///< runs that move fractions of tokens do not compete

    explicit Winners(std::span<const Record> records) {
        const auto whole = [](const Record& r) { return r.reached && r.load_scale <= 1; };
        const bool any_whole = std::any_of(records.begin(), records.end(), whole);
        for (const Record& record : records) {
            if (!record.reached) continue;
            if (any_whole && !whole(record)) {
                parts_out = true;
                continue;
            }
            if (!best.empty() && less(result_of(record), result_of(*best.front()))) {
                best.clear();
                all = false;
            }
            if (!best.empty() && less(result_of(*best.front()), result_of(record)))
                all = false;
            else
                best.push_back(&record);
        }
    }
};

}  // namespace

std::string best_line(std::span<const Record> records) {
    if (records.size() < 2) return "";
    const Winners winners(records);
    if (winners.best.empty()) return "best: no run reached its end.\n";
    const std::map<const Record*, std::string> names = row_names(records);
    const Record& first = *winners.best.front();
    std::vector<std::string> all;
    for (const Record* run : winners.best)
        add_once(all, names.at(run));
    std::string text =
        fmt::format("best{}: {} {} by {}", winners.parts_out ? " in whole tokens" : "",
                    first.speeds.empty() ? "discrepancy" : "off share",
                    first.speeds.empty() ? in_tokens(first, first.final_discrepancy)
                                         : share_distance_text(first),
                    winners.all && all.size() == records.size() ? "all" : listed(all));
    if (all.size() == 1) return text + ".\n";
    text += winners.all ? "; fewest steps: " : "; of these, fewest steps: ";
    std::map<std::string, std::vector<const Record*>> by_model;
    for (const Record* run : winners.best)
        by_model[run->model].push_back(run);
    std::vector<std::string> parts;
    for (const auto& [model, runs] : by_model)
        parts.push_back(listed(least(runs, names, [](const Record& r) { return r.costs.steps; })) +
                        (by_model.size() > 1 ? " (" + model + ")" : ""));
    text += fmt::format(
        "{}; fewest exchanges: {}.\n", fmt::join(parts, ", "),
        listed(least(winners.best, names, [](const Record& r) { return r.costs.exchanges; })));
    return text;
}

std::string compare_text(std::span<const Record> records, const TextStyle& style,
                         const Optimum* optimum) {
    if (records.empty()) return "";
    TextStyle chosen = style;
    std::string rows = table(records, chosen, optimum != nullptr);
    if (!chosen.brief && style.width > 0 && widest_line(rows) > style.width) {
        chosen.brief = true;
        rows = table(records, chosen, optimum != nullptr);
    }
    const std::string below =
        (optimum != nullptr ? describe_optimum(*optimum) : "") + notes(records, chosen.brief) +
        (chosen.brief ? "For all figures and the source of each promise: --full.\n" : "") +
        best_line(records);
    return heading(records.front()) + '\n' + rows + '\n' + wrapped(below, style.width, 2);
}

std::string compare_csv(std::span<const Record> records, bool with_optimum) {
    std::string text =
        "algorithm,parameters,model,nodes,links,tokens,seed,initial_discrepancy,discrepancy,"
        "guaranteed_discrepancy,local_imbalance,steps,guaranteed_steps,rounds,exchanges,messages,"
        "reached,stopped_because,seconds,level_since";
    const bool speeds = !records.empty() && !records.front().speeds.empty();
    if (with_optimum) text += ",optimum_steps,optimum_exchanges";
    text += speeds ? ",share_distance,weighted_imbalance\n" : "\n";
    for (const Record& r : records) {
        const auto decimal = [&](Tokens units) { return tokens_text(r, units); };
        std::string parameters;
        for (const auto& [name, value] : r.parameters)
            parameters += (parameters.empty() ? "" : " ") + name + '=' + value;
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                            csv_field(r.algorithm), csv_field(parameters), r.model, r.node_count,
                            r.link_count, decimal(load::total(r.initial_loads)), r.seed,
                            decimal(r.initial_discrepancy), decimal(r.final_discrepancy),
                            r.guarantee.discrepancy ? decimal(*r.guarantee.discrepancy) : "",
                            decimal(r.local_imbalance), r.costs.steps,
                            number_or_nothing(r.guarantee.steps), r.costs.rounds,
                            decimal(static_cast<Tokens>(r.costs.exchanges)), r.costs.messages,
                            r.reached ? "true" : "false", r.stopped_because, r.seconds,
                            number_or_nothing(r.level_since));
        if (with_optimum)
            text +=
                ',' + number_or_nothing(best_steps(r)) + ',' + number_or_nothing(best_exchanges(r));
        if (speeds) text += fmt::format(",{},{}", share_distance(r).value(), imbalance_by_speed(r));
        text += '\n';
    }
    return text;
}

std::string outcome_line(const Record& record) {
    const bool speeds = !record.speeds.empty();
    return fmt::format(
        "{}: {} {}, {}, {} exchanges, {}{}", record.algorithm, speeds ? "off share" : "discrepancy",
        speeds ? share_distance_text(record) : in_tokens(record, record.final_discrepancy),
        counted(record.costs.steps, "step"),
        in_tokens(record, static_cast<Tokens>(record.costs.exchanges)), duration(record.seconds),
        record.reached ? "" : " (" + record.stopped_because + ", not reached)");
}

namespace {

using Before = bool (*)(const Record&, const Record&);

const std::vector<std::pair<std::string, Before>>& orders() {
    static const std::vector<std::pair<std::string, Before>> known = {
        {"discrepancy",
         [](const Record& a, const Record& b) { return less(result_of(a), result_of(b)); }},
        {"local-imbalance",
         [](const Record& a, const Record& b) {
             return less({a.local_imbalance, Int128{a.load_scale}},
                         {b.local_imbalance, Int128{b.load_scale}});
         }},
        {"steps", [](const Record& a, const Record& b) { return a.costs.steps < b.costs.steps; }},
        {"rounds",
         [](const Record& a, const Record& b) { return a.costs.rounds < b.costs.rounds; }},
        {"exchanges",
         [](const Record& a, const Record& b) {
             return less({Int128{a.costs.exchanges}, Int128{a.load_scale}},
                         {Int128{b.costs.exchanges}, Int128{b.load_scale}});
         }},
        {"messages",
         [](const Record& a, const Record& b) { return a.costs.messages < b.costs.messages; }},
        {"time", [](const Record& a, const Record& b) { return a.seconds < b.seconds; }},
        {"name", [](const Record& a, const Record& b) { return a.algorithm < b.algorithm; }},
    };
    return known;
}

}  // namespace

const std::vector<std::string>& sort_keys() {
    static const std::vector<std::string> keys = [] {
        std::vector<std::string> names;
        for (const auto& order : orders())
            names.push_back(order.first);
        return names;
    }();
    return keys;
}

void sort_by(std::string_view key, std::vector<Record>& records) {
    const auto found = std::find_if(orders().begin(), orders().end(),
                                    [&](const auto& order) { return order.first == key; });
    if (found == orders().end()) throw InputError("--sort: " + expected_word(key, sort_keys()));
    std::stable_sort(records.begin(), records.end(), found->second);
}

}  // namespace equipoise::report
