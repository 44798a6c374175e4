#include "equipoise/balancer/options.hpp"

namespace equipoise::balancer {

std::string_view to_string(Policy policy) {
    switch (policy) {
        case Policy::minimum_moves:
            return "minimum-moves";
        case Policy::keep_order:
            return "keep-order";
        case Policy::weighted:
            return "weighted";
        case Policy::hierarchical:
            return "hierarchical";
        case Policy::neighbours_only:
            return "neighbours-only";
    }
    return "unknown policy";
}

}  // namespace equipoise::balancer
