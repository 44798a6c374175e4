#include "equipoise/catalogue/studies/placeholders.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <optional>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::catalogue {

namespace {

constexpr std::int64_t number_max = std::numeric_limits<std::int64_t>::max();
/// How deep parentheses may be nested.
constexpr int levels_max = 32;

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool is_of_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Reads the text between braces as a sum of products; each kind of reader decides the value of a
/// name.
class Expression {
  public:
    Expression(std::string_view text, const PlaceholderValues* values, std::set<std::string>* names)
        : text_(text), values_(values), names_(names) {}

    std::int64_t value() {
        const std::int64_t found = sum(0);
        if (at_ < text_.size()) wrong("+, -, * or /");
        return found;
    }

  private:
    [[noreturn]] void wrong(const std::string& expected) const {
        throw InputError("\"{" + std::string(text_) + "}\": expected " + expected + ", found " +
                         (at_ < text_.size() ? '"' + std::string(text_.substr(at_)) + '"'
                                             : std::string("the end")));
    }
    [[noreturn]] void beyond() const {
        throw InputError("\"{" + std::string(text_) + "}\": expected a number of at most 63 bits");
    }
    bool take(char wanted) {
        while (at_ < text_.size() && text_[at_] == ' ')
            ++at_;
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }

    std::int64_t sum(int level) {
        std::int64_t total = product(level);
        while (true) {
            std::int64_t result = 0;
            bool over = false;
            if (take('+')) {
                over = __builtin_add_overflow(total, product(level), &result);
            } else if (take('-')) {
                over = __builtin_sub_overflow(total, product(level), &result);
            } else {
                return total;
            }
            if (over) beyond();
            total = result;
        }
    }

    std::int64_t product(int level) {
        std::int64_t total = factor(level);
        while (true) {
            if (take('*')) {
                std::int64_t result = 0;
                if (__builtin_mul_overflow(total, factor(level), &result)) beyond();
                total = result;
            } else if (take('/')) {
                total = quotient(total, factor(level));
            } else {
                return total;
            }
        }
    }

    [[nodiscard]] std::int64_t quotient(std::int64_t above, std::int64_t below) const {
        if (values_ == nullptr) return 0;
        if (below == 0)
            throw InputError("\"{" + std::string(text_) + "}\": expected no division by 0");
        if (below == -1 && above == std::numeric_limits<std::int64_t>::min()) beyond();
        const std::int64_t rest = above % below;
        return above / below - (rest != 0 && (rest < 0) != (below < 0) ? 1 : 0);
    }

    std::int64_t factor(int level) {
        if (level > levels_max) wrong("fewer parentheses");
        if (take('(')) {
            const std::int64_t inner = sum(level + 1);
            if (!take(')')) wrong("a closing parenthesis");
            return inner;
        }
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_of_name(text_[at_]))
            ++at_;
        const std::string word(text_.substr(begin, at_ - begin));
        if (is_placeholder_name(word)) return value_of(word);
        const auto number = whole_number(word, static_cast<std::uint64_t>(number_max));
        if (number) return static_cast<std::int64_t>(*number);
        if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos) beyond();
        at_ = begin;
        wrong("a name or a whole number");
    }

    std::int64_t value_of(const std::string& name) {
        if (names_ != nullptr) names_->insert(name);
        if (values_ == nullptr) return 0;
        const auto found = values_->find(name);
        if (found == values_->end()) throw InputError("{" + name + "} has no value");
        const auto number = whole_number(found->second, static_cast<std::uint64_t>(number_max));
        if (!number)
            throw InputError("\"{" + std::string(text_) + "}\": expected a whole number for " +
                             name + ", found \"" + found->second + '"');
        return static_cast<std::int64_t>(*number);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    const PlaceholderValues* values_;
    std::set<std::string>* names_;
};

/// Calls `each` for the text between each pair of braces and appends the result in its place.
template <class Each>
std::string replaced(const std::string& text, const Each& each) {
    std::string out;
    std::size_t from = 0;
    for (std::size_t open = text.find('{'); open != std::string::npos;
         open = text.find('{', from)) {
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos)
            throw InputError('"' + text + "\": expected a closing brace, found none");
        out += text.substr(from, open - from);
        out += each(std::string_view(text).substr(open + 1, close - open - 1));
        from = close + 1;
    }
    return out + text.substr(from);
}

}  // namespace

bool is_placeholder_name(std::string_view text) {
    return !text.empty() && is_letter(text.front()) &&
           std::all_of(text.begin(), text.end(), is_of_name);
}

std::set<std::string> placeholder_names(const std::string& text) {
    std::set<std::string> names;
    static_cast<void>(replaced(text, [&](std::string_view inside) {
        static_cast<void>(Expression(inside, nullptr, &names).value());
        return std::string();
    }));
    return names;
}

std::string fill_placeholders(const std::string& text, const PlaceholderValues& values) {
    return replaced(text, [&](std::string_view inside) {
        if (is_placeholder_name(inside)) {
            const auto found = values.find(std::string(inside));
            if (found != values.end()) return found->second;
        }
        const std::int64_t number = Expression(inside, &values, nullptr).value();
        if (number < 0)
            throw InputError("\"{" + std::string(inside) + "}\": expected 0 or more, found " +
                             std::to_string(number));
        return std::to_string(number);
    });
}

}  // namespace equipoise::catalogue
