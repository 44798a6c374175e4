#pragma once
// A fabric of one process: what is written for ranks runs alone.

#include <cstddef>
#include <span>
#include <vector>

#include "equipoise/engine/fabric.hpp"

namespace equipoise::engine {

class SoloFabric final : public Fabric {
  public:
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int ranks() const override { return 1; }
    [[nodiscard]] Tally reduce(const Tally& mine) override { return mine; }
    void begin_exchange(std::span<const Outgoing> /*out*/,
                        std::span<const Incoming> /*in*/) override {}
    void finish_exchange() override {}
    [[nodiscard]] std::vector<std::byte> gather(std::span<const std::byte> mine) override {
        return {mine.begin(), mine.end()};
    }
    void broadcast(std::span<std::byte> /*bytes*/, int /*from*/) override {}
};

}  // namespace equipoise::engine
