#pragma once
// Whole numbers that rules and node programs pass.

#include <limits>
#include <string>
#include <type_traits>

#include "equipoise/base/error.hpp"
#include "python/core/module.hpp"

namespace equipoise::python {

/// A value as Python shows it, in one line.
[[nodiscard]] std::string shown(const py::handle& value);

/// The whole number that a Python value holds. Throws InputError, which begins with `what`, for
/// other kinds of values and for numbers that T cannot hold.
template <class T>
[[nodiscard]] T whole_number(const py::handle& value, const std::string& what) {
    using Wide = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
    const auto fail = [&] {
        throw InputError(what + ": expected a whole number from " +
                         std::to_string(std::numeric_limits<T>::min()) + " to " +
                         std::to_string(std::numeric_limits<T>::max()) + ", found " + shown(value));
    };
    if (PyIndex_Check(value.ptr()) == 0) fail();
    const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!number) throw py::error_already_set();
    Wide wide = 0;
    if constexpr (std::is_signed_v<T>) {
        wide = PyLong_AsLongLong(number.ptr());
    } else {
        wide = PyLong_AsUnsignedLongLong(number.ptr());
    }
    if (PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        fail();
    }
    if (wide < Wide{std::numeric_limits<T>::min()} || wide > Wide{std::numeric_limits<T>::max()})
        fail();
    return static_cast<T>(wide);
}

}  // namespace equipoise::python
