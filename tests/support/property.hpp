#pragma once
// Properties of randomly drawn cases.

#include <functional>
#include <string>

namespace equipoise::test {

/// Whether a property holds in a hundred cases that RapidCheck draws: the same in every run, unless
/// RC_PARAMS="seed=..." in the environment asks for others; tests/property/new_seeds.py draws such
/// seeds. The property states its expectations with RC_ASSERT. A failure prints the smallest case
/// found.
[[nodiscard]] bool holds(const std::function<void()>& property);
[[nodiscard]] bool holds(const std::string& description, const std::function<void()>& property);

}  // namespace equipoise::test
