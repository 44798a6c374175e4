#pragma once
// Made from equipoise/balancer/faces.toml by tools/make_faces.py: do not edit.
// clang-format off
// Options that must be the same on all ranks.

#include <bit>
#include <cstdint>
#include <string>

#include "equipoise/balancer/options.hpp"
#include "equipoise/base/digest.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/mpi/agreement.hpp"

namespace equipoise::balancer {

/// Adds them all. Of colours, that there are some.
inline void add_alike(const Options& options, Digest& digest) {
    digest.add(static_cast<std::uint64_t>(options.policy));
    digest.add(options.weights_per_item);
    digest.add(std::bit_cast<std::uint64_t>(options.tolerance + 0.0));
    digest.add(options.machines_first ? 1U : 0U);
    digest.add(options.machine ? 1U : 0U);
    digest.add(options.socket ? 1U : 0U);
    digest.add(mpi::digest_of(options.algorithm));
    digest.add(options.message_bytes_max);
}

/// Those that matter, or differ from the defaults, in words.
template <class RealText>
std::string alike_in_words(const Options& options, const RealText& real_text) {
    const Options defaults;
    std::string text;
    text += ", policy " + std::string(to_string(options.policy));
    if (options.policy == Policy::weighted || options.weights_per_item != defaults.weights_per_item)
        text += ", " + counted(std::uint64_t{options.weights_per_item}, "weight") + " an item";
    if (options.policy == Policy::weighted || options.tolerance != defaults.tolerance)
        text += ", tolerance " + real_text(options.tolerance);
    if (options.machines_first != defaults.machines_first)
        text += ", machines first";
    if (options.machine != defaults.machine)
        text += ", machine colours";
    if (options.socket != defaults.socket)
        text += ", socket colours";
    if (options.policy == Policy::neighbours_only || options.algorithm != defaults.algorithm)
        text += ", algorithm " + printable(beginning_of(options.algorithm));
    if (options.message_bytes_max != defaults.message_bytes_max)
        text +=
            ", messages of at most " + counted(std::uint64_t{options.message_bytes_max}, "byte");
    return text;
}

}  // namespace equipoise::balancer
