#pragma once
// The errors of orders of deliveries that cannot be replayed.

#include <cstddef>

#include "equipoise/base/ids.hpp"
#include "equipoise/model/run/delivery.hpp"

namespace equipoise::engine {

/// Each throws InputError. `number`: that of the delivery, from 1 on.
[[noreturn]] void refuse_start(NodeId node);
[[noreturn]] void refuse_delivery(std::size_t number, const model::Delivery& delivery,
                                  const char* expected);
[[noreturn]] void refuse_grant(std::size_t number, NodeId node);

}  // namespace equipoise::engine
