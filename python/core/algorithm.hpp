#pragma once
// Algorithms as Python names them: the name of an entry, or a rule that the caller gives.

#include <memory>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "python/core/module.hpp"

namespace equipoise::python {

/// An algorithm that a run shares with its caller.
using AlgorithmHandle = std::shared_ptr<const catalogue::Algorithm>;

/// Given a name of the catalogue, or an object that returns its rule from `_equipoise_algorithm()`,
/// such as those that equipoise.edge_rule and its variants return. Throws InputError for an unknown
/// name and for anything else. Needs Python's lock.
[[nodiscard]] AlgorithmHandle algorithm_of(const py::object& named);

}  // namespace equipoise::python
