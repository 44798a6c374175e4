#pragma once
// The structs of equipoise.h and their C++ counterparts. A struct begins with the size that it had
// where the caller was compiled, so that programs compiled with an older header can be linked.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

#include "equipoise/balancer/options.hpp"
#include "equipoise/base/numbers_view.hpp"
#include "equipoise/capi/equipoise.h"

namespace equipoise::capi {

/// Throws InputError unless a struct begins with a size that this library knows.
void check_size(std::size_t struct_bytes, std::size_t known, const char* made_with);

/// The colour of a rank; none: MPI is asked.
[[nodiscard]] std::optional<int> colour_of(std::int32_t given);
/// For how many items a rank has room; none: for any number.
[[nodiscard]] std::optional<Tokens> room_of(std::int64_t given);
/// The same for bytes.
[[nodiscard]] std::optional<double> limit_of(double given);

/// Throws InputError for a number that is no type of weights.
[[noreturn]] void refuse_type(std::int32_t type);
/// What `use(std::type_identity<T>())` returns for one of the types of weights, T.
template <class Use>
auto with_type(std::int32_t type, const Use& use) {
    switch (type) {
        case EQUIPOISE_DOUBLE:
            return use(std::type_identity<double>());
        case EQUIPOISE_FLOAT:
            return use(std::type_identity<float>());
        case EQUIPOISE_INT32:
            return use(std::type_identity<std::int32_t>());
        case EQUIPOISE_INT64:
            return use(std::type_identity<std::int64_t>());
        default:
            refuse_type(type);
    }
}
/// Numbers of one of the types of weights.
[[nodiscard]] inline NumbersView numbers_at(const void* first, std::int32_t type,
                                            std::size_t count) {
    return with_type(type, [&]<class T>(std::type_identity<T> /*type*/) {
        return NumbersView(static_cast<const T*>(first), count);
    });
}

/// The options of a caller; null: the defaults. Throws InputError for a struct that this library
/// does not know.
[[nodiscard]] equipoise_options known_options(const equipoise_options* given);

/// The request of a rank with `count` items, as options of the balancer. Throws InputError.
[[nodiscard]] balancer::Options options_of(const equipoise_options& given, Tokens count);

/// Throws InputError unless a report is null or was made with EQUIPOISE_REPORT_INIT.
void check_report(const equipoise_report* report);
/// Writes the figures for which the caller's struct has room; nothing if check_report would throw.
void write(const balancer::Report& from, equipoise_report* report) noexcept;
/// The report that was written.
[[nodiscard]] balancer::Report report_of(const equipoise_report& given);

/// Copies a text as snprintf does, and returns its length.
std::size_t write_text(const std::string& from, char* text, std::size_t room) noexcept;

/// Makes the options of neighbours-only. Throws InputError for a name that no algorithm has.
using NeighboursOnly = balancer::Options (*)(const std::string& algorithm);
/// Makes options_of() use this function.
void use_neighbours(NeighboursOnly make) noexcept;

}  // namespace equipoise::capi
