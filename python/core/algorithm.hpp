#pragma once
// Algorithms as Python names them: by the name of an entry, or by a rule that is given.

#include <memory>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "python/core/module.hpp"

namespace equipoise::python {

/// An algorithm that a run shares with its caller.
using AlgorithmHandle = std::shared_ptr<const catalogue::Algorithm>;

/// A name of the catalogue, or an object that gives its rule in `_equipoise_algorithm()`: what
/// equipoise.edge_rule and the like return. Throws InputError for an unknown name and for anything
/// else. Needs Python's lock.
[[nodiscard]] AlgorithmHandle algorithm_of(const py::object& named);

}  // namespace equipoise::python
