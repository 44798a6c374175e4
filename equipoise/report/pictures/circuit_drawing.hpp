#pragma once
// Balancing circuits drawn as on paper: wires from left to right, balancers across them.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace equipoise::report {

/// A balancer between two wires, which are numbered from the top.
struct DrawnBalancer {
    std::size_t up = 0;  ///< the wire that gets the odd token: the arrow points there
    std::size_t down = 0;
    bool marked = false;  ///< drawn dashed
};

/// The tokens on a wire between two levels.
struct DrawnTokens {
    std::string words;    ///< upon the wire
    unsigned filled = 0;  ///< tokens as discs
    unsigned open = 0;    ///< tokens as rings
};

/// One circuit, or several rounds of it.
struct DrawnCircuit {
    std::string caption;
    std::vector<std::string> wires;  ///< their names, from the top
    std::vector<std::vector<DrawnBalancer>> levels;
    std::size_t round = 0;  ///< levels of a round, in the colours of their matchings; at least 1
    /// Before the first level and after each: one for every wire; empty: no tokens are drawn.
    std::vector<std::vector<DrawnTokens>> tokens;
};

/// Draws circuits below one another under one title, with `notes` in small print.
[[nodiscard]] std::string circuit_svg(const std::string& title,
                                      std::span<const DrawnCircuit> circuits,
                                      std::span<const std::string> notes = {});

}  // namespace equipoise::report
