#pragma once
// The MPI datatype of a C++ type.

#include <concepts>
#include <cstdint>
#include <type_traits>

#include <mpi.h>

namespace equipoise::mpi {

/// The predefined datatype of an arithmetic type; a type without one does not compile.
template <class T>
    requires std::is_arithmetic_v<T>
[[nodiscard]] MPI_Datatype datatype_of() {
    if constexpr (std::same_as<T, float>) {
        return MPI_FLOAT;
    } else if constexpr (std::same_as<T, double>) {
        return MPI_DOUBLE;
    } else if constexpr (std::same_as<T, long double>) {
        return MPI_LONG_DOUBLE;
    } else if constexpr (std::same_as<T, bool>) {
        return MPI_CXX_BOOL;
    } else if constexpr (std::is_signed_v<T>) {
        if constexpr (sizeof(T) == 1) return MPI_INT8_T;
        if constexpr (sizeof(T) == 2) return MPI_INT16_T;
        if constexpr (sizeof(T) == 4) return MPI_INT32_T;
        if constexpr (sizeof(T) == 8) return MPI_INT64_T;
    } else {
        if constexpr (sizeof(T) == 1) return MPI_UINT8_T;
        if constexpr (sizeof(T) == 2) return MPI_UINT16_T;
        if constexpr (sizeof(T) == 4) return MPI_UINT32_T;
        if constexpr (sizeof(T) == 8) return MPI_UINT64_T;
    }
}

}  // namespace equipoise::mpi
