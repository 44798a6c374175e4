#pragma once
// What bulk rules see, as NumPy arrays over the engine's own memory.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <pybind11/numpy.h>

#include "equipoise/model/local/bulk_rule.hpp"
#include "python/core/module.hpp"

namespace equipoise::python {

/// A field of a state, by name; 8 bytes.
struct StateField {
    std::string name;
    bool is_real = false;
};
using StateFields = std::vector<StateField>;
/// Made from pairs (name, whether it is real).
[[nodiscard]] StateFields state_fields(const std::vector<std::pair<std::string, bool>>& named);

void add_views(py::module_& module);

/// The arguments of a rule's functions.
[[nodiscard]] py::object end_view(model::BulkLinks& links, model::LinkEnd end,
                                  const StateFields& fields);
[[nodiscard]] py::object link_view(model::BulkLinks& links, const StateFields& fields);
[[nodiscard]] py::object node_view(model::BulkNodes& nodes, const StateFields& fields);
[[nodiscard]] py::object port_view(model::BulkSurroundings& here);
[[nodiscard]] py::object moment(const model::BulkView& view);
/// A read-only copy.
[[nodiscard]] py::object read_only(std::span<const Tokens> values);

/// Copies the result of a function. Throws InputError, which begins with `where`, unless it has one
/// whole number for each of `out`; `what`: "flow for each active link".
void take_result(const py::object& result, std::span<Tokens> out, const std::string& where,
                 const char* what);

}  // namespace equipoise::python
