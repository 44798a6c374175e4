#include "equipoise/verify/known_algorithms.hpp"

#include <algorithm>

namespace equipoise::verify {

const KnownAlgorithm* find_known(std::string_view name) {
    const std::span<const KnownAlgorithm> all = known_algorithms();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.name == name; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace equipoise::verify
