#pragma once
// The generators: a row for each, from which help, errors, sizes and networks follow.

#include <cstdint>
#include <string_view>
#include <vector>

#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_info.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/generators/link_stream.hpp"
#include "equipoise/network/generators/size.hpp"

namespace equipoise::network {

struct Generator {
    SpecInfo info;
    std::vector<std::string_view> keys;  ///< besides `seed`
    NetworkSize (*size)(const Spec& spec);
    AnyNetwork (*make)(const Spec& spec, std::uint64_t seed);
    /// Yields its links one by one; null if they can only be made together.
    LinkStream (*stream)(const Spec& spec, std::uint64_t seed) = nullptr;
};

/// All of them, in the order help shows them.
[[nodiscard]] const std::vector<Generator>& generator_table();

}  // namespace equipoise::network
