#pragma once
// What the fuzzers feed with arbitrary text.

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace equipoise::fuzz {

/// By the name of the fuzzer and of its folder in corpus/.
using Targets = std::map<std::string, std::function<void(std::string_view)>>;

[[nodiscard]] const Targets& targets();

}  // namespace equipoise::fuzz
