#pragma once
// Which part of its machine this process is bound to.

#include <optional>
#include <string>
#include <vector>

namespace equipoise::mpi {

/// One kind of part, and which one of its machine this process stays on.
struct Bound {
    std::string kind;                 ///< "socket", "numa", "l3-cache", "l2-cache", "core", ...
    std::optional<std::string> part;  ///< nothing: it may run on several, or nobody knows
};

/// From coarse to fine, the same kinds on every machine: what the processors that this process may
/// run on have in common, by Linux's /sys. Elsewhere nothing is known.
[[nodiscard]] std::vector<Bound> binding();

}  // namespace equipoise::mpi
