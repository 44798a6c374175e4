// A summary as tables for papers: Markdown and LaTeX.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/figures.hpp"
#include "equipoise/report/studies/summary.hpp"
#include "equipoise/report/studies/summary_words.hpp"

namespace equipoise::report {

namespace {

using Texts = std::vector<std::string>;
using MaybeSample = std::optional<statistics::Sample> CellQuantity::*;

/// A value of a table.
struct Entry {
    std::optional<Digits> digits;  ///< nothing: no run has a value
    std::size_t used = 0;          ///< runs or pairs with a value
    std::size_t all = 0;           ///< runs of the cell, with those apart
    std::size_t cut_short = 0;
    std::size_t left_out = 0;

    /// Whether there are runs that the value does not say anything of.
    [[nodiscard]] bool is_partial() const { return used < all && used + cut_short + left_out > 0; }
    /// "17 of 20".
    [[nodiscard]] std::string share() const {
        return grouped(std::uint64_t{used}) + " of " + grouped(std::uint64_t{all});
    }
    /// "17 of 20 runs: the others were cut short", "none of 20 runs: all were left out".
    [[nodiscard]] std::string note() const {
        std::string why;
        const auto add = [&](bool so, const char* what) {
            if (so) why += (why.empty() ? "" : " or ") + std::string(what);
        };
        add(cut_short > 0, "were cut short");
        add(left_out > 0, "were left out");
        add(used + cut_short + left_out < all, "have no value");
        if (used == 0) return "none of " + grouped(std::uint64_t{all}) + " runs: all " + why;
        return share() + " runs: the others " + why;
    }
};

/// A table whose first columns name its rows; the others hold means.
struct PaperTable {
    std::string caption;
    Texts names;   ///< heads of the columns that name rows
    Texts values;  ///< heads of the others
    std::vector<Texts> row_names;
    std::vector<std::vector<Entry>> rows;
};

std::string spaced(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

class PaperTables {
  public:
    explicit PaperTables(const Summary& summary)
        : summary_(summary), names_(differing_names(summary)) {
        for (const std::size_t name : names_) {
            const bool is_algorithm =
                summary.by[name] == "algorithm" || summary.by[name] == "parameters";
            (is_algorithm ? algorithm_ : instance_).push_back(name);
        }
        for (const Cell& cell : summary.cells)
            if (const std::string algorithm = text_of(cell, algorithm_);
                std::find(algorithms_.begin(), algorithms_.end(), algorithm) == algorithms_.end())
                algorithms_.push_back(algorithm);
    }

    [[nodiscard]] std::vector<PaperTable> made() const {
        const bool crossed = !instance_.empty() && algorithms_.size() > 1;
        std::vector<std::vector<std::size_t>> shown;
        for (const std::size_t quantity : quantities()) {
            if (shown.empty() || crossed) shown.emplace_back();
            shown.back().push_back(quantity);
        }
        std::vector<PaperTable> tables;
        for (const auto& together : shown) {
            for (const MaybeSample which : {&CellQuantity::sample, &CellQuantity::difference}) {
                if (which == &CellQuantity::difference && summary_.options.against.empty())
                    continue;
                PaperTable table =
                    crossed ? by_algorithm(together.front(), which) : by_quantity(together, which);
                if (table.values.empty() || table.rows.empty()) continue;
                table.caption = caption(together, which);
                tables.push_back(std::move(table));
            }
        }
        return tables;
    }

  private:
    /// Those asked for; otherwise those that differ within cells, or, if none does, all that have
    /// values.
    [[nodiscard]] std::vector<std::size_t> quantities() const {
        std::vector<std::size_t> all;
        std::vector<std::size_t> differing;
        for (std::size_t k = 0; k < summary_.of.size(); ++k) {
            const Says says = what_is_said(summary_, k);
            if (says != Says::nothing || !summary_.options.of.empty()) all.push_back(k);
            if (says == Says::more) differing.push_back(k);
        }
        return summary_.options.of.empty() && !differing.empty() ? differing : all;
    }

    [[nodiscard]] static std::string text_of(const Cell& cell,
                                             const std::vector<std::size_t>& names) {
        std::string text;
        for (const std::size_t name : names)
            if (!cell.names[name].empty()) text += (text.empty() ? "" : " ") + cell.names[name];
        return text;
    }
    [[nodiscard]] Texts heads(const std::vector<std::size_t>& names) const {
        Texts texts;
        for (const std::size_t name : names)
            texts.push_back(spaced(summary_.by[name]));
        return texts;
    }
    [[nodiscard]] static Texts texts_of(const Cell& cell, const std::vector<std::size_t>& names) {
        Texts texts;
        for (const std::size_t name : names)
            texts.push_back(cell.names[name]);
        return texts;
    }

    [[nodiscard]] Entry entry_of(const Cell& cell, std::size_t quantity, MaybeSample which) const {
        Entry entry;
        entry.cut_short = cell.cut_short;
        entry.left_out = cell.left_out;
        entry.all = cell.rows.size() + cell.cut_short + cell.left_out;
        if (const auto& sample = cell.quantities[quantity].*which) {
            entry.digits = digits_of(*sample, summary_.options.interval.kind);
            entry.used = sample->n;
        }
        return entry;
    }

    /// A row for each start, a column for each algorithm.
    [[nodiscard]] PaperTable by_algorithm(std::size_t quantity, MaybeSample which) const {
        PaperTable table;
        table.names = heads(instance_);
        table.values = algorithms_;
        for (const Cell& cell : summary_.cells) {
            Texts names = texts_of(cell, instance_);
            auto row = std::find(table.row_names.begin(), table.row_names.end(), names);
            if (row == table.row_names.end()) {
                row = table.row_names.insert(row, std::move(names));
                table.rows.emplace_back(algorithms_.size());
            }
            const auto algorithm =
                std::find(algorithms_.begin(), algorithms_.end(), text_of(cell, algorithm_));
            table.rows[static_cast<std::size_t>(row - table.row_names.begin())]
                      [static_cast<std::size_t>(algorithm - algorithms_.begin())] =
                entry_of(cell, quantity, which);
        }
        if (which == &CellQuantity::difference) drop_empty_columns(table);
        return table;
    }

    /// A row for each cell, a column for each quantity.
    [[nodiscard]] PaperTable by_quantity(const std::vector<std::size_t>& quantities,
                                         MaybeSample which) const {
        PaperTable table;
        table.names = heads(names_);
        for (const std::size_t quantity : quantities)
            table.values.push_back(spaced(summary_.of[quantity]));
        for (const Cell& cell : summary_.cells) {
            std::vector<Entry> row;
            for (const std::size_t quantity : quantities)
                row.push_back(entry_of(cell, quantity, which));
            const bool empty = std::none_of(row.begin(), row.end(), [](const Entry& entry) {
                return entry.digits.has_value();
            });
            if (empty && which == &CellQuantity::difference) continue;
            table.row_names.push_back(texts_of(cell, names_));
            table.rows.push_back(std::move(row));
        }
        return table;
    }

    /// Those of the algorithm that others are compared with.
    static void drop_empty_columns(PaperTable& table) {
        for (std::size_t column = table.values.size(); column-- > 0;) {
            const auto is_empty = [&](const std::vector<Entry>& row) {
                return !row[column].digits;
            };
            if (!std::all_of(table.rows.begin(), table.rows.end(), is_empty)) continue;
            const auto at = static_cast<std::ptrdiff_t>(column);
            table.values.erase(table.values.begin() + at);
            for (auto& row : table.rows)
                row.erase(row.begin() + at);
        }
    }

    [[nodiscard]] std::string caption(const std::vector<std::size_t>& shown,
                                      MaybeSample which) const {
        std::string text;
        for (const std::size_t quantity : shown)
            text += (text.empty() ? "" : ", ") + spaced(summary_.of[quantity]);
        if (which == &CellQuantity::difference)
            text += ", less that of " + summary_.options.against +
                    " from the same start with the same seed";
        text += summary_.options.interval.kind == statistics::IntervalKind::student
                    ? ": mean ± half the width of its "
                    : ": mean and its ";
        text += interval_name(summary_.options.interval) + "; " + size_text(summary_);
        if (const std::string shared = shared_names(summary_); !shared.empty())
            text += "; " + shared;
        text += '.';
        if (const std::string apart = apart_text(summary_); !apart.empty())
            text += ' ' + apart + '.';
        return text;
    }

    const Summary& summary_;
    std::vector<std::size_t> names_;
    std::vector<std::size_t> algorithm_;  ///< of these, the algorithm and its parameters
    std::vector<std::size_t> instance_;   ///< the others
    Texts algorithms_;
};

// Markdown.

std::string markdown_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (std::string_view("\\`*_|<[]").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string markdown_entry(const Entry& entry) {
    std::string text = "–";
    if (entry.digits) {
        const Digits& digits = *entry.digits;
        text = grouped_decimal(digits.mean);
        if (!digits.half.empty()) text += " ± " + grouped_decimal(digits.half);
        if (!digits.low.empty())
            text += " [" + grouped_decimal(digits.low) + ", " + grouped_decimal(digits.high) + ']';
    }
    return text + (entry.is_partial() ? " (" + entry.share() + ')' : "");
}

std::string markdown_of(const PaperTable& table) {
    std::string text = markdown_text(table.caption) + "\n\n|";
    for (const std::string& head : table.names)
        text += ' ' + markdown_text(head) + " |";
    for (const std::string& head : table.values)
        text += ' ' + markdown_text(head) + " |";
    text += "\n|";
    for (std::size_t k = 0; k < table.names.size(); ++k)
        text += "---|";
    for (std::size_t k = 0; k < table.values.size(); ++k)
        text += "--:|";
    text += '\n';
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        text += '|';
        for (const std::string& name : table.row_names[row])
            text += ' ' + markdown_text(name) + " |";
        for (const Entry& entry : table.rows[row])
            text += ' ' + markdown_entry(entry) + " |";
        text += '\n';
    }
    return text;
}

// LaTeX.

std::string latex_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '\\':
                escaped += "\\textbackslash{}";
                break;
            case '~':
                escaped += "\\textasciitilde{}";
                break;
            case '^':
                escaped += "\\textasciicircum{}";
                break;
            case '<':
                escaped += "\\textless{}";
                break;
            case '>':
                escaped += "\\textgreater{}";
                break;
            case '|':
                escaped += "\\textbar{}";
                break;
            case '{':
            case '}':
            case '$':
            case '&':
            case '#':
            case '_':
            case '%':
                escaped += '\\';
                [[fallthrough]];
            default:
                escaped += c;
        }
    }
    return escaped;
}

/// Such a number is not aligned with others.
bool has_exponent(std::string_view digits) {
    return digits.find('e') != std::string_view::npos;
}
std::string latex_number(const std::string& digits) {
    return has_exponent(digits) ? "{\\num{" + digits + "}}" : digits;
}

/// The places that numbers take before and after their points.
struct Places {
    bool sign = false;
    std::size_t before = 1;
    std::size_t after = 0;

    void make_room(std::string_view digits) {
        if (has_exponent(digits)) return;
        sign = sign || digits.starts_with('-');
        const std::size_t begin = digits.starts_with('-') ? 1 : 0;
        const std::size_t point = std::min(digits.find('.'), digits.size());
        before = std::max(before, point - begin);
        if (point < digits.size()) after = std::max(after, digits.size() - point - 1);
    }
    [[nodiscard]] std::string format() const {
        return (sign ? "-" : "") + std::to_string(before) + '.' + std::to_string(after);
    }
};

/// "4.2" as siunitx writes an uncertainty behind its number: "42".
std::string last_digits(std::string digits) {
    std::erase(digits, '.');
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
}

/// One column of values, as one or three columns of LaTeX.
class LatexColumn {
  public:
    LatexColumn(const PaperTable& table, std::size_t column) : head_(table.values[column]) {
        for (const auto& row : table.rows) {
            if (!row[column].digits) continue;
            const Digits& digits = *row[column].digits;
            mean_.make_room(digits.mean);
            if (!digits.half.empty()) half_.make_room(digits.half);
            low_.make_room(digits.low);
            high_.make_room(digits.high);
            has_half_ = has_half_ || !digits.half.empty();
            has_ends_ = has_ends_ || !digits.low.empty();
        }
    }

    [[nodiscard]] bool has_ends() const { return has_ends_; }
    [[nodiscard]] std::string specification() const {
        const auto column = [](const std::string& options) { return "  S[" + options + "]\n"; };
        const std::string mean = "table-format=" + mean_.format();
        if (has_ends_)
            return column(mean) + column("table-format=" + low_.format()) +
                   column("table-format=" + high_.format());
        if (!has_half_) return column(mean);
        return column("separate-uncertainty, " + mean + '(' +
                      std::to_string(half_.before + mean_.after) + ')');
    }
    [[nodiscard]] std::string head() const {
        const std::string text = '{' + latex_text(head_) + '}';
        return has_ends_ ? "\\multicolumn{3}{c}" + text : text;
    }
    [[nodiscard]] std::string entry(const Entry& entry, const std::string& mark) const {
        std::string mean = "{--}";
        std::string ends = has_ends_ ? " & & " : "";
        if (entry.digits) {
            const Digits& digits = *entry.digits;
            mean = latex_number(digits.mean);
            if (has_exponent(digits.mean + digits.half) && !digits.half.empty())
                mean = "{\\num{" + digits.mean + "} \\(\\pm\\) \\num{" + digits.half + "}}";
            else if (!digits.half.empty())
                mean += '(' + last_digits(digits.half) + ')';
            if (!digits.low.empty())
                ends = " & " + latex_number(digits.low) + " & " + latex_number(digits.high);
        }
        return mean + (mark.empty() ? "" : " \\textsuperscript{" + mark + '}') + ends;
    }

  private:
    std::string head_;
    Places mean_, half_, low_, high_;
    bool has_half_ = false;
    bool has_ends_ = false;
};

/// The line of heads, and, where values have three columns, what each of these is.
std::string latex_heads(const PaperTable& table, const std::vector<LatexColumn>& columns) {
    std::string heads;
    for (const std::string& name : table.names)
        heads += (heads.empty() ? "" : " & ") + ('{' + latex_text(name) + '}');
    std::string rules;
    std::string second(table.names.size() - 1, '&');
    std::size_t at = table.names.size();
    for (const LatexColumn& column : columns) {
        heads += " & " + column.head();
        second += column.has_ends() ? " & {mean} & {from} & {to}" : " & ";
        if (column.has_ends())
            rules +=
                "\\cmidrule(lr){" + std::to_string(at + 1) + '-' + std::to_string(at + 3) + '}';
        at += column.has_ends() ? 3 : 1;
    }
    heads += " \\\\\n";
    return rules.empty() ? heads : heads + rules + '\n' + second + " \\\\\n";
}

/// "a", "b", ..., "z", "aa", ...
std::string mark_of(std::size_t number) {
    std::string mark;
    for (++number; number > 0; number = (number - 1) / 26)
        mark.insert(mark.begin(), static_cast<char>('a' + (number - 1) % 26));
    return mark;
}

std::string latex_of(const PaperTable& table) {
    std::vector<LatexColumn> columns;
    std::string text =
        "% " + table.caption + "\n% Packages: booktabs, siunitx\n\\begin{tabular}{\n";
    text += "  " + std::string(table.names.size(), 'l') + '\n';
    std::size_t width = table.names.size();
    for (std::size_t k = 0; k < table.values.size(); ++k) {
        columns.emplace_back(table, k);
        text += columns.back().specification();
        width += columns.back().has_ends() ? 3 : 1;
    }
    text += "}\n\\toprule\n" + latex_heads(table, columns) + "\\midrule\n";
    Texts notes;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        std::string line;
        for (const std::string& name : table.row_names[row])
            line += (line.empty() ? "" : " & ") + latex_text(name);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const Entry& entry = table.rows[row][k];
            std::string mark;
            if (entry.is_partial()) {
                auto note = std::find(notes.begin(), notes.end(), entry.note());
                if (note == notes.end()) note = notes.insert(note, entry.note());
                mark = mark_of(static_cast<std::size_t>(note - notes.begin()));
            }
            line += " & " + columns[k].entry(entry, mark);
        }
        text += line + " \\\\\n";
    }
    text += "\\bottomrule\n";
    for (std::size_t k = 0; k < notes.size(); ++k)
        text += "\\multicolumn{" + std::to_string(width) + "}{l}{\\footnotesize\\textsuperscript{" +
                mark_of(k) + "} " + notes[k] + "} \\\\\n";
    return text + "\\end{tabular}\n";
}

std::string joined(const Summary& summary, std::string (*written)(const PaperTable&)) {
    std::string text;
    for (const PaperTable& table : PaperTables(summary).made())
        text += (text.empty() ? "" : "\n") + written(table);
    return text;
}

}  // namespace

std::string summary_markdown(const Summary& summary) {
    return joined(summary, markdown_of);
}

std::string summary_latex(const Summary& summary) {
    return joined(summary, latex_of);
}

}  // namespace equipoise::report
