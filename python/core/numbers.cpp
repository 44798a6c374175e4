#include "python/core/numbers.hpp"

namespace equipoise::python {

std::string shown(const py::handle& value) {
    return py::module_::import("equipoise.networks").attr("shown")(value).cast<std::string>();
}

}  // namespace equipoise::python
