#pragma once
// Which part of its machine this process is bound to.

#include <optional>
#include <string>
#include <vector>

namespace equipoise::mpi {

/// A kind of part (machine, socket, ...), and which one this process stays on.
struct Bound {
    std::string kind;                 ///< "socket", "numa", "l3-cache", "l2-cache", "core", ...
    std::optional<std::string> part;  ///< nothing: it may run on several, or this is unknown
};

/// From coarse to fine, with the same kinds on every machine: what the processors that this process
/// may use have in common, as Linux shows in /sys. Empty on other systems.
[[nodiscard]] std::vector<Bound> binding();

}  // namespace equipoise::mpi
