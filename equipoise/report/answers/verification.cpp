#include "equipoise/report/answers/verification.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"

namespace equipoise::report {

std::string verification_text(const verify::Report& report) {
    std::size_t width = 0;
    for (const verify::Check& check : report.checks)
        width = std::max(width, check.name.size());
    std::string text;
    std::size_t failures = 0;
    for (const verify::Check& check : report.checks) {
        failures += check.passed ? 0 : 1;
        text += (check.passed ? "ok    " : "FAIL  ") + check.name +
                std::string(width + 2 - check.name.size(), ' ') + check.detail + '\n';
    }
    for (const std::string& what : report.unchecked)
        text += "not checked: " + what + '\n';
    text += failures == 0 ? "passed: " + std::to_string(report.checks.size()) + " checks\n"
                          : "failed: " + std::to_string(failures) + " of " +
                                std::to_string(report.checks.size()) + " checks\n";
    return text;
}

std::string verification_json(const verify::Report& report) {
    nlohmann::ordered_json object = object_of_schema("equipoise-verify");
    object["passed"] = report.passed();
    object["checks"] = nlohmann::ordered_json::array();
    for (const verify::Check& check : report.checks)
        object["checks"].push_back(
            {{"name", check.name}, {"passed", check.passed}, {"detail", check.detail}});
    object["unchecked"] = report.unchecked;
    object["unchecked_fields"] = report.unchecked_fields;
    return json_text(object, 2) + '\n';
}

}  // namespace equipoise::report
