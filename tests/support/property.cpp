#include "tests/support/property.hpp"

#include <cstdlib>
#include <string>

#include <rapidcheck.h>

namespace equipoise::test {

namespace {

/// RapidCheck reads its settings from the environment when the first property is checked, and
/// draws a new seed unless they name one.
void fix_seed() {
    constexpr const char* name = "RC_PARAMS";
    const char* const given = std::getenv(name);
    std::string settings = given == nullptr ? "" : given;
    if (settings.find("seed=") != std::string::npos) return;
    settings += (settings.empty() ? "" : " ") + std::string("seed=1");
    static_cast<void>(setenv(name, settings.c_str(), 1));
}

}  // namespace

bool holds(const std::string& description, const std::function<void()>& property) {
    fix_seed();
    return rc::check(description, property);
}

bool holds(const std::function<void()>& property) {
    return holds("", property);
}

}  // namespace equipoise::test
