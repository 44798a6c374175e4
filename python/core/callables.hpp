#pragma once
// Python functions that the library calls from a thread without Python's lock.

#include <memory>
#include <utility>

#include "python/core/module.hpp"

namespace equipoise::python {

/// Shares values that hold Python objects with code that does not hold Python's lock. The lock is
/// needed to make one; the last owner takes the lock to destroy it.
template <class T>
[[nodiscard]] std::shared_ptr<const T> shared_with_library(T value) {
    return {new T(std::move(value)), [](const T* held) {
                const py::gil_scoped_acquire locked;
                delete held;
            }};
}

}  // namespace equipoise::python
