#pragma once
// Networks as Python holds them.

#include <memory>

#include "equipoise/network/any_network.hpp"

namespace equipoise::python {

/// A network that runs, plans and their callers share.
struct NetworkHandle {
    std::shared_ptr<const network::AnyNetwork> network;

    [[nodiscard]] const network::AnyNetwork& operator*() const { return *network; }
    [[nodiscard]] const network::AnyNetwork* operator->() const { return network.get(); }
};

}  // namespace equipoise::python
