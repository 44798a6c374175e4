#pragma once
// Fabrics on top of another fabric, which count, lose or fail.

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "equipoise/engine/fabric.hpp"

namespace equipoise::test {

/// Passes everything on, and reports each call except those that look for what has come.
class WatchedFabric : public engine::Fabric {
  public:
    explicit WatchedFabric(engine::Fabric& under, std::function<void()> called = {})
        : under_(under), called_(std::move(called)) {}

    [[nodiscard]] int exchanges() const { return exchanges_; }
    /// Whether this rank sent another one a message, or got one.
    [[nodiscard]] bool exchanged() const { return exchanged_; }
    /// The bytes that this rank got in exchanges.
    [[nodiscard]] std::size_t received() const { return received_; }

    [[nodiscard]] int rank() const override { return under_.rank(); }
    [[nodiscard]] int ranks() const override { return under_.ranks(); }
    [[nodiscard]] Tally reduce(const Tally& mine) override {
        tell();
        return under_.reduce(mine);
    }
    void broadcast(std::span<std::byte> bytes, int from) override {
        tell();
        under_.broadcast(bytes, from);
    }
    void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override {
        tell();
        ++exchanges_;
        exchanged_ = exchanged_ || !out.empty() || !in.empty();
        for (const Incoming& message : in)
            received_ += message.bytes.size();
        under_.begin_exchange(out, in);
    }
    void finish_exchange() override {
        tell();
        under_.finish_exchange();
    }
    void send(int to, std::vector<std::byte> bytes) override {
        tell();
        under_.send(to, std::move(bytes));
    }
    [[nodiscard]] bool takes(int to) override { return under_.takes(to); }
    bool receive(engine::Parcel& parcel) override { return under_.receive(parcel); }

  private:
    void tell() const {
        if (called_) called_();
    }

    engine::Fabric& under_;
    std::function<void()> called_;
    int exchanges_ = 0;
    bool exchanged_ = false;
    std::size_t received_ = 0;
};

/// Loses one exchange: what was on its way never arrives.
class LosingFabric final : public WatchedFabric {
  public:
    LosingFabric(engine::Fabric& under, int exchange) : WatchedFabric(under), lost_(exchange) {}

    void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override {
        if (exchanges() != lost_) return WatchedFabric::begin_exchange(out, in);
        nowhere_.clear();
        for (const Incoming& message : in)
            nowhere_.emplace_back(message.bytes.size());
        std::vector<Incoming> lost;
        for (std::size_t i = 0; i < in.size(); ++i)
            lost.push_back({in[i].from, nowhere_[i]});
        WatchedFabric::begin_exchange(out, lost);
    }

  private:
    int lost_;
    std::vector<std::vector<std::byte>> nowhere_;
};

/// What a failing fabric throws.
struct BrokenNetwork : std::runtime_error {
    BrokenNetwork() : std::runtime_error("the network broke") {}
};

/// Throws BrokenNetwork instead of making call number `call`, counted from 0, and then sets
/// `failed`.
class FailingFabric final : public WatchedFabric {
  public:
    FailingFabric(engine::Fabric& under, int call, std::atomic<bool>& failed)
        : WatchedFabric(under,
                        [this, &failed] {
                            if (left_-- != 0) return;
                            failed = true;
                            throw BrokenNetwork();
                        }),
          left_(call) {}

  private:
    int left_;
};

}  // namespace equipoise::test
