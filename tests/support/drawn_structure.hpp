#pragma once
// Structures as `plot --structure` draws them.

#include <cstddef>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/structures/structure.hpp"
#include "equipoise/network/generators/generate.hpp"

namespace equipoise::test {

/// The SVG of a structure; what an InputError says instead.
inline std::string drawn_structure(const std::string& structure, const std::string& network,
                                   const std::string& loads) {
    const network::AnyNetwork made = network::generate(network, 0);
    const catalogue::NetworkFacts facts(made);
    try {
        return catalogue::structure_svg(structure, {.facts = facts, .given_loads = {loads}});
    } catch (const InputError& error) {
        return error.what();
    }
}

/// Whether a picture has these words as a text of their own.
inline bool shows(const std::string& svg, const std::string& words) {
    return svg.find('>' + words + "</text>") != std::string::npos;
}

/// How often a picture has a part.
inline std::size_t times(const std::string& svg, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1))
        ++found;
    return found;
}

}  // namespace equipoise::test
