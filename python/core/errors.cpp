#include "python/core/errors.hpp"

#include <exception>

#include "equipoise/base/error.hpp"
#include "python/core/module.hpp"

namespace equipoise::python {

namespace {

void translate(std::exception_ptr error) {
    try {
        if (error) std::rethrow_exception(error);
    } catch (const UnsuitableError& unsuitable) {
        set_error("UnsuitableError", unsuitable.what());
    } catch (const OverflowError& overflow) {
        set_error("OverflowError", overflow.what());
    } catch (const InputError& input) {
        set_error("InputError", input.what());
    }
}

}  // namespace

void add_errors(py::module_& /*module*/) {
    py::register_local_exception_translator(&translate);
}

}  // namespace equipoise::python
