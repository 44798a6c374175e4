#pragma once
// The fabric of a single process: code that is written for ranks runs alone on it.

#include <cstddef>
#include <span>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/engine/fabric.hpp"

namespace equipoise::engine {

class SoloFabric final : public Fabric {
  public:
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int ranks() const override { return 1; }
    [[nodiscard]] Tally reduce(const Tally& mine) override { return mine; }
    void broadcast(std::span<std::byte> /*bytes*/, int /*from*/) override {}
    void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override {
        EQUIPOISE_ASSERT(out.empty() && in.empty());
    }
    void finish_exchange() override {}
    void send(int /*to*/, std::vector<std::byte> /*bytes*/) override {
        const bool there_are_others = false;
        EQUIPOISE_ASSERT(there_are_others);
    }
    [[nodiscard]] bool takes(int /*to*/) override { return true; }
    bool receive(Parcel& /*parcel*/) override { return false; }
};

}  // namespace equipoise::engine
