#include "equipoise/network/io/edge_list_lines.hpp"

#include <string>

#include "equipoise/base/line_source.hpp"
#include "equipoise/network/io/skipped_number.hpp"

namespace equipoise::network {

namespace {

constexpr std::size_t extras_most = 2;

/// A number, also with a decimal comma.
bool is_number(std::string_view text) {
    if (is_printed_number(text)) return true;
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return false;
    std::string with_point(text);
    with_point[comma] = '.';
    return real_number(with_point).has_value();
}

/// A file, read with one separator.
class Reading {
  public:
    Reading(Separator separator, std::string_view first, std::optional<std::string_view> second)
        : separator_(separator) {
        fits_ = take(first) != LineShape::none;
        if (second) {
            const LineShape shape = take(*second);
            fits_ = fits_ && shape != LineShape::none && shape != LineShape::header;
        }
    }

    /// Whether the first line can be a link or a header, and the second a link.
    [[nodiscard]] bool fits() const { return fits_; }
    /// Whether one id is a number and the other several of them.
    [[nodiscard]] bool has_numbers_in_id() const { return has_numbers_in_id_; }
    /// Whether a quote follows a blank in an id.
    [[nodiscard]] bool has_quote_in_id() const { return has_quote_in_id_; }
    /// Whether a comma or semicolon is part of an id without quotes.
    [[nodiscard]] bool has_mark_in_id() const { return has_mark_in_id_; }
    /// Whether "Roe, A" is an id.
    [[nodiscard]] bool has_comma_and_blank_in_id() const { return has_comma_and_blank_in_id_; }
    /// How many fields the lines have.
    [[nodiscard]] std::size_t fields() const { return field_count_; }

  private:
    LineShape take(std::string_view line) {
        if (!split_fields(line, separator_, fields_)) return LineShape::none;
        const LineShape shape = shape_of(fields_);
        if (shape == LineShape::none) return shape;
        field_count_ += fields_.size();
        const std::size_t tail = numbers_in(fields_[0]);
        const std::size_t head = numbers_in(fields_[1]);
        if (tail != head && tail > 0 && head > 0) has_numbers_in_id_ = true;
        for (const std::size_t end : {0U, 1U}) {
            const auto& [text, quoted, begin] = fields_[end];
            if (quoted) continue;
            if (text.find(" \"") != std::string::npos || text.find("\t\"") != std::string::npos)
                has_quote_in_id_ = true;
            if (text.find_first_of(",;") != std::string::npos) has_mark_in_id_ = true;
            if (text.find(", ") != std::string::npos) has_comma_and_blank_in_id_ = true;
            // The other mark separates, and this one is in quotes.
            if (text.find(",\"") != std::string::npos || text.find(";\"") != std::string::npos)
                return LineShape::none;
        }
        return touches_mark(fields_[0]) || touches_mark(fields_[1]) ? LineShape::none : shape;
    }

    /// How many numbers a field holds; 0 if it holds anything else too.
    static std::size_t numbers_in(const Field& field) {
        std::size_t count = 0;
        std::string_view rest = field.text;
        for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
            if (field.quoted || !real_number(word)) return 0;
            ++count;
        }
        return count;
    }

    /// Whether an id without quotes begins or ends with a mark, as "1," in "1, 2", which is then no
    /// id.
    static bool touches_mark(const Field& field) {
        const auto is_mark = [](char c) { return c == ',' || c == ';' || c == '\t'; };
        return !field.quoted && (is_mark(field.text.front()) || is_mark(field.text.back()));
    }

    Separator separator_;
    std::vector<Field> fields_;
    bool fits_ = false;
    bool has_numbers_in_id_ = false;
    bool has_quote_in_id_ = false;
    bool has_mark_in_id_ = false;
    bool has_comma_and_blank_in_id_ = false;
    std::size_t field_count_ = 0;
};

/// Whether a line with these separators can only name columns.
bool is_header(Separator separator, std::string_view line) {
    std::vector<Field> fields;
    return split_fields(line, separator, fields) && shape_of(fields) == LineShape::header;
}

}  // namespace

LineShape shape_of(const std::vector<Field>& fields) {
    if (fields.size() < 2 || fields[0].text.empty() || fields[1].text.empty())
        return LineShape::none;
    std::size_t extras = 0;
    for (std::size_t at = 2; at < fields.size(); ++at) {
        const Field& field = fields[at];
        if (field.text.empty()) continue;
        ++extras;
        if (field.text.front() == '{' && !field.quoted && extras <= extras_most + 1)
            return LineShape::with_more;
        if (extras > extras_most || !is_number(field.text)) return LineShape::header;
    }
    return extras == 0 ? LineShape::link : LineShape::with_more;
}

template <Separator separator>
bool is_numbers(std::string_view rest) {
    for (std::size_t extras = 0; extras <= extras_most; ++extras) {
        const std::string_view word = take_field<separator>(rest);
        if (word.empty()) return rest.empty();
        if (extras == extras_most || !real_number(word)) return false;
    }
    return false;
}

template bool is_numbers<Separator::comma>(std::string_view rest);
template bool is_numbers<Separator::semicolon>(std::string_view rest);
template bool is_numbers<Separator::tab>(std::string_view rest);
template bool is_numbers<Separator::blanks>(std::string_view rest);

Separator separator_of(std::string_view first, std::optional<std::string_view> second) {
    const Reading by_blanks(Separator::blanks, first, second);
    const bool clean_by_blanks = by_blanks.fits() && !by_blanks.has_mark_in_id();
    const auto best_mark = [&](std::optional<std::string_view> then) {
        std::optional<Separator> best;
        std::size_t most_fields = 0;
        for (const Separator mark : {Separator::tab, Separator::comma, Separator::semicolon}) {
            const Reading reading(mark, first, then);
            if (!reading.fits() || (by_blanks.fits() && reading.has_numbers_in_id()) ||
                (clean_by_blanks && reading.has_quote_in_id()))
                continue;
            const bool better = reading.fields() > most_fields ||
                                (reading.fields() == most_fields && best == Separator::comma &&
                                 reading.has_comma_and_blank_in_id());
            if (!better) continue;
            best = mark;
            most_fields = reading.fields();
        }
        return best;
    };
    if (const auto mark = best_mark(second)) return *mark;
    if (clean_by_blanks) return Separator::blanks;
    // The second line may be faulty.
    if (const auto mark = best_mark(std::nullopt); mark && !is_header(*mark, first)) return *mark;
    if (by_blanks.fits() || !second || Reading(Separator::blanks, first, std::nullopt).fits())
        return Separator::blanks;
    // So may the first.
    for (const Separator mark : {Separator::tab, Separator::comma, Separator::semicolon})
        if (Reading(mark, *second, std::nullopt).fits()) return mark;
    return Separator::blanks;
}

}  // namespace equipoise::network
