#include "equipoise/catalogue/runner/stop.hpp"

#include <limits>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"

namespace equipoise::catalogue {

namespace {

constexpr auto whole_max = static_cast<std::uint64_t>(std::numeric_limits<Tokens>::max());

/// The number behind the colon of `quiet:12`.
std::uint64_t number_of(const Spec& spec, std::uint64_t least) {
    const std::string& text = spec.positional();
    std::uint64_t number = 0;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit || number > (whole_max - 9) / 10) number = whole_max + 1;
        if (number > whole_max) break;
        number = number * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (text.empty() || number > whole_max || number < least)
        throw InputError("stop rule \"" + spec.text() + "\": expected " + spec.name() +
                         ": and a whole number of at least " + std::to_string(least) +
                         ", found \"" + text + '"');
    return number;
}

void add_part(model::StopRule& rule, std::string_view text) {
    const Spec spec = Spec::parse(text);
    if (spec.name() == "discrepancy") {
        rule.discrepancy = static_cast<Tokens>(number_of(spec, 0));
    } else if (spec.name() == "quiet") {
        rule.quiet_steps = number_of(spec, 1);
    } else if (spec.name() == "stable") {
        rule.stable_steps = number_of(spec, 1);
    } else if (spec.name() == "one-balanced") {
        rule.one_balanced = true;
    } else if (spec.name() == "own-termination") {
        rule.own_termination = true;
    } else {
        throw InputError("unknown stop rule \"" + std::string(text) +
                         "\": expected discrepancy:D, one-balanced, quiet:STEPS, stable:STEPS or "
                         "own-termination");
    }
    spec.expect_done();
}

}  // namespace

const std::vector<StopInfo>& stop_rules() {
    static const std::vector<StopInfo> infos = {
        {"discrepancy:1", "largest minus smallest load is at most 1 token"},
        {"one-balanced", "no two neighbours differ by more than 1 token"},
        {"quiet:100", "no token moved in 100 consecutive steps"},
        {"stable:100",
         "no active link had a discrepancy of 2 or more in 100 consecutive steps; called "
         "no-progress where that many do not prove that it stays so"},
        {"own-termination", "the algorithm itself says that it is done"},
    };
    return infos;
}

model::StopRule parse_stop(std::string_view text) {
    model::StopRule rule;
    rule.own_termination = false;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('+', begin), text.size());
        add_part(rule, text.substr(begin, end - begin));
        begin = end + 1;
    }
    return rule;
}

std::string to_text(const model::StopRule& rule) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "+") + part; };
    if (rule.own_termination) add("own-termination");
    if (rule.discrepancy) add("discrepancy:" + std::to_string(*rule.discrepancy));
    if (rule.one_balanced) add("one-balanced");
    if (rule.quiet_steps) add("quiet:" + std::to_string(*rule.quiet_steps));
    if (rule.stable_steps) add("stable:" + std::to_string(*rule.stable_steps));
    return text;
}

}  // namespace equipoise::catalogue
