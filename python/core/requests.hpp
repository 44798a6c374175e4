#pragma once
// Options from Python as the library's requests. The package's Python code has already reduced them
// to numbers, texts, and arrays of whole numbers that name nodes by number.

#include <cstdint>
#include <string>
#include <vector>

#include <pybind11/numpy.h>

#include "equipoise/catalogue/runner/request.hpp"
#include "python/core/module.hpp"

namespace equipoise::python {

using Whole = py::array_t<std::int64_t, py::array::c_style>;

/// A string or an array of one number per node.
[[nodiscard]] catalogue::TextOr<load::Loads> loads_from(const py::object& given);
/// A text or a list of arrays of pairs.
[[nodiscard]] catalogue::TextOr<network::MatchingSequence> matchings_from(const py::object& given);
/// A text, or two arrays by link: numerators and denominators.
[[nodiscard]] catalogue::TextOr<network::RoundWeights> weights_from(const py::object& given);
/// The pairs of an array of two columns. Throws InputError for a number that no node has.
[[nodiscard]] std::vector<Ends> pairs_from(const Whole& array);

/// Options of a run under the names that they have in Python; options that were not given are
/// absent.
[[nodiscard]] catalogue::RunRequest run_request(const py::dict& options);

/// The value of an option, or the fallback if it was not given.
template <class T>
[[nodiscard]] T option(const py::dict& options, const char* name, T otherwise) {
    return options.contains(name) ? options[name].cast<T>() : otherwise;
}
[[nodiscard]] inline py::object option(const py::dict& options, const char* name) {
    return options.contains(name) ? py::object(options[name]) : py::none();
}

/// A NumPy array of these values.
template <class T>
[[nodiscard]] py::array_t<T> array_of(const std::vector<T>& values) {
    return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace equipoise::python
