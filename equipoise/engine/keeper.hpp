#pragma once
// How the state of a run leaves the engine between two steps, and comes back.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/checkpoint.hpp"

namespace equipoise::engine {

class Fabric;

/// Values of one kind, some of which this process holds: by node or by slot of the schedule.
struct KeptValues {
    /// Own values with numbers begin .. end-1, in ascending order.
    struct Own {
        std::vector<std::uint64_t> numbers;
        std::vector<std::byte> bytes;
    };

    std::string_view name;
    std::uint64_t count = 0;  ///< of the whole run
    std::size_t bytes = 0;    ///< of one value
    /// The numbers of own values lie in this range.
    std::uint64_t own_begin = 0;
    std::uint64_t own_end = 0;
    /// Whether ranks hold consecutive values in the order of ranks; numbers are then not listed.
    bool in_order = false;
    /// Appends own values to `own`.
    std::function<void(std::uint64_t begin, std::uint64_t end, Own& own)> give = {};
    /// Takes values first, first + 1, ... of `bytes` each and keeps the own ones.
    std::function<void(std::uint64_t first, std::span<const std::byte> values, std::size_t bytes)>
        take = {};
};

/// Watches over a synchronous run, on every process that plays it, and saves it.
class Keeper {
  public:
    /// What to do after a step; the later ones include the earlier ones.
    enum class Wish : std::uint8_t { nothing, look, save };

    Keeper() = default;
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;
    virtual ~Keeper() = default;

    /// The books with which the run goes on; null if it begins at its start.
    [[nodiscard]] virtual const model::RunBooks* resumed() const { return nullptr; }
    /// Fills own values from the file of the run that is resumed. Each rank calls this for itself;
    /// throws InputError.
    virtual void read(const KeptValues& /*values*/) {}

    /// What this process wishes to do after a step; all ranks do the most that any of them wishes.
    [[nodiscard]] virtual Wish wish(const model::Costs& costs) = 0;
    /// Called on every rank with the extremes of all loads; finding them costs O(nodes).
    virtual void look(const model::Costs& /*costs*/, Tokens /*least*/, Tokens /*most*/) {}
    /// Whether to save at the end of the run.
    [[nodiscard]] virtual bool saves() const = 0;
    /// Saves books and values. Collective; `fabric` is null for a process alone.
    virtual void save(Fabric* fabric, const model::RunBooks& books,
                      std::span<const KeptValues> values) = 0;
};

}  // namespace equipoise::engine
