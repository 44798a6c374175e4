#include "equipoise/theory/stateless_diffusion.hpp"

#include <algorithm>

namespace equipoise::theory {

Tokens send_floor_discrepancy(Tokens divisor) {
    return divisor - 1;
}

Tokens send_floor_discrepancy_ever_after(Tokens divisor, std::uint64_t degree_max) {
    const auto degree = std::max<Tokens>(1, static_cast<Tokens>(degree_max));
    return checked_add(divisor, degree - 2);
}

}  // namespace equipoise::theory
