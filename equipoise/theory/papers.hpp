#pragma once
// The papers from which bounds and algorithms come, as texts cite them.

#include <string>
#include <string_view>

namespace equipoise::theory {

namespace papers {

inline constexpr std::string_view dinitz = "Dinitz, Dolev, Kumar 2020";
inline constexpr std::string_view houle = "Houle, Symvonis, Wood 2004";
inline constexpr std::string_view margara = "Margara, Pistocchi, Vassura 2004";
inline constexpr std::string_view meyer = "Meyer auf der Heide, Oesterdiekhoff, Wanka 1996";
inline constexpr std::string_view rabani = "Rabani, Sinclair, Wanka 1998";
inline constexpr std::string_view gehrke = "Gehrke, Plaxton, Rajaraman 1999";
/// The project's own.
inline constexpr std::string_view stateless = "Stateless diffusion, docs/results";
inline constexpr std::string_view kept = "Kept discrepancy, docs/results";

}  // namespace papers

/// "Houle, Symvonis, Wood 2004, Section 2".
[[nodiscard]] inline std::string cite(std::string_view paper, std::string_view place) {
    return std::string(paper).append(", ").append(place);
}

/// "Houle, Symvonis, Wood 2004, Theorem 5"; asserts that `theorems()` has a row for it.
[[nodiscard]] std::string cite_theorem(std::string_view paper, std::string_view name);

}  // namespace equipoise::theory
