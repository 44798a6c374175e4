#include <exception>

#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "python/core/module.hpp"

namespace equipoise::python {

namespace {

void raise(const char* name, const std::exception& error) {
    const py::object kind = py::module_::import("equipoise.errors").attr(name);
    PyErr_SetObject(kind.ptr(), py::str(shortened(printable(error.what()))).ptr());
}

void translate(std::exception_ptr error) {
    try {
        if (error) std::rethrow_exception(error);
    } catch (const UnsuitableError& unsuitable) {
        raise("UnsuitableError", unsuitable);
    } catch (const OverflowError& overflow) {
        raise("OverflowError", overflow);
    } catch (const InputError& input) {
        raise("InputError", input);
    }
}

}  // namespace

void add_errors(py::module_& /*module*/) {
    py::register_local_exception_translator(&translate);
}

}  // namespace equipoise::python
