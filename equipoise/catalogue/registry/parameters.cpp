#include "equipoise/catalogue/registry/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::catalogue {

namespace {

template <class Number>
bool parse(const std::string& text, Number& number) {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    return result.ec == std::errc{} && result.ptr == text.data() + text.size();
}

/// Whether a text is p/q with 0 < p < q.
bool parse_fraction(const std::string& text, Fraction& fraction) {
    const std::size_t slash = text.find('/');
    return slash != std::string::npos && parse(text.substr(0, slash), fraction.numerator) &&
           parse(text.substr(slash + 1), fraction.denominator) && fraction.numerator > 0 &&
           fraction.numerator < fraction.denominator && fraction.denominator <= denominator_max;
}

std::string plain(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

void check(const std::string& algorithm, const Parameter& parameter, const std::string& value) {
    const std::string begin = algorithm + ": parameter " + parameter.name + ": ";
    const auto fail = [&](const std::string& expected) {
        throw InputError(begin + "expected " + expected + ", found \"" + value + '"');
    };
    const std::string range = " from " + plain(parameter.least) + " to " + plain(parameter.most);
    if (parameter.type == ParameterType::word) {
        if (std::find(parameter.words.begin(), parameter.words.end(), value) ==
            parameter.words.end())
            throw InputError(begin + expected_word(value, parameter.words));
    } else if (parameter.type == ParameterType::whole) {
        std::uint64_t number = 0;
        if (!parse(value, number) || static_cast<double>(number) < parameter.least ||
            static_cast<double>(number) > parameter.most)
            fail("a whole number" + range);
    } else if (parameter.type == ParameterType::fraction) {
        Fraction fraction;
        if (!parse_fraction(value, fraction))
            fail("a fraction p/q between 0 and 1 with q at most " +
                 std::to_string(denominator_max));
    } else {
        double number = 0;
        if (!parse(value, number) || !(number >= parameter.least && number <= parameter.most) ||
            (parameter.accepts != nullptr && !parameter.accepts(number)))
            fail(parameter.expected.empty() ? "a number" + range : parameter.expected);
    }
}

}  // namespace

Parameter word_parameter(std::string name, std::vector<std::string> words, std::string help) {
    return {.name = std::move(name),
            .type = ParameterType::word,
            .default_value = words.front(),
            .help = std::move(help),
            .words = std::move(words)};
}

Parameter whole_parameter(std::string name, std::string default_value, ParameterRange range,
                          std::string help) {
    return {.name = std::move(name),
            .type = ParameterType::whole,
            .default_value = std::move(default_value),
            .help = std::move(help),
            .least = range.least,
            .most = range.most};
}

Parameter real_parameter(std::string name, std::string default_value, ParameterRange range,
                         std::string help) {
    Parameter parameter =
        whole_parameter(std::move(name), std::move(default_value), range, std::move(help));
    parameter.type = ParameterType::real;
    return parameter;
}

Parameters::Parameters(const std::string& algorithm, const std::vector<Parameter>& known,
                       const ParameterTexts& given) {
    std::vector<std::string> names;
    for (const Parameter& parameter : known) {
        names.push_back(parameter.name);
        const auto found = given.find(parameter.name);
        const std::string& value = found == given.end() ? parameter.default_value : found->second;
        check(algorithm, parameter, value);
        values_[parameter.name] = value;
    }
    for (const auto& [name, value] : given) {
        if (values_.contains(name)) continue;
        std::string complaint = algorithm;
        complaint += names.empty() ? " has no parameters, found \"" : " has no parameter \"";
        complaint += name;
        complaint += '"';
        complaint += suggestion(name, names);
        throw InputError(complaint);
    }
}

const std::string& Parameters::word(const std::string& name) const {
    const auto found = values_.find(name);
    EQUIPOISE_ASSERT(found != values_.end());
    return found->second;
}

std::uint64_t Parameters::whole(const std::string& name) const {
    std::uint64_t number = 0;
    EQUIPOISE_ASSERT(parse(word(name), number));
    return number;
}

double Parameters::real(const std::string& name) const {
    double number = 0;
    EQUIPOISE_ASSERT(parse(word(name), number));
    return number;
}

Fraction Parameters::fraction(const std::string& name) const {
    Fraction fraction;
    EQUIPOISE_ASSERT(parse_fraction(word(name), fraction));
    const std::uint64_t common = std::gcd(fraction.numerator, fraction.denominator);
    return {fraction.numerator / common, fraction.denominator / common};
}

}  // namespace equipoise::catalogue
