// A column is looked at where it is.
// expected: deleted function
// expected: View<
#include <cstddef>
#include <vector>

#include "equipoise/balancer/columns.hpp"

namespace {

[[maybe_unused]] equipoise::balancer::Column column(const std::vector<std::byte>& rows) {
#if defined(MISTAKE)
    return {.rows = std::vector<std::byte>(rows), .row_bytes = 8};
#else
    return {.rows = rows, .row_bytes = 8};
#endif
}

}  // namespace
