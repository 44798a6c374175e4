#pragma once
// The part of its machine to which this process is bound.

#include <optional>
#include <string>
#include <vector>

namespace equipoise::mpi {

/// A kind of part (machine, socket, ...), and which part of this kind the process stays on.
struct Bound {
    std::string kind;                 ///< "socket", "numa", "l3-cache", "l2-cache", "core", ...
    std::optional<std::string> part;  ///< nothing: it may run on several, or this is unknown
};

/// The processors that this process may run on, as numbers; empty where the system does not say.
[[nodiscard]] std::vector<int> own_processors();

/// From coarse to fine, with the same kinds on every machine: the parts that the processors which
/// this process may use have in common, as Linux shows in /sys. Empty on other systems.
[[nodiscard]] std::vector<Bound> binding();

}  // namespace equipoise::mpi
