#include "equipoise/engine/simulation/replay_errors.hpp"

#include <string>

#include "equipoise/base/error.hpp"

namespace equipoise::engine {

void refuse_start(NodeId node) {
    throw InputError("replay: expected every node to start once, found node " +
                     std::to_string(node) + " again or unknown");
}

void refuse_delivery(std::size_t number, const model::Delivery& delivery, const char* expected) {
    throw InputError("replay: delivery " + std::to_string(number) + " from node " +
                     std::to_string(delivery.from) + " to node " + std::to_string(delivery.to) +
                     ": expected " + expected + ", found none");
}

void refuse_grant(std::size_t number, NodeId node) {
    throw InputError("replay: delivery " + std::to_string(number) + " gives node " +
                     std::to_string(node) + " a channel that its other end holds");
}

}  // namespace equipoise::engine
