#pragma once
// How many fields an aggregate has, so that a list of them can be checked when it is compiled.

#include <cstddef>

namespace equipoise {

namespace detail {

/// What any field can be made from; for operands that are never evaluated.
struct AnyField {
    template <class T>
    operator T() const;  // NOLINT(google-explicit-constructor)
};

}  // namespace detail

/// The number of fields of an aggregate that has no base classes and no fields of unnamed types.
template <class Aggregate, class... Fields>
consteval std::size_t fields_of() {
    if constexpr (requires { Aggregate{{Fields{}}..., {detail::AnyField{}}}; })
        return fields_of<Aggregate, Fields..., detail::AnyField>();
    else
        return sizeof...(Fields);
}

}  // namespace equipoise
