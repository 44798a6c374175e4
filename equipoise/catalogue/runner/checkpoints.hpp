#pragma once
// Runs that save their state now and then, and runs that are resumed from a saved state.

#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/engine/keeper.hpp"
#include "equipoise/model/run/progress.hpp"

namespace equipoise::catalogue {

/// How often the state is saved.
struct SaveEvery {
    std::optional<Step> steps;  ///< else by time
    double seconds = 600;
};

/// `1000` (steps) or `60s` (seconds). Throws InputError.
[[nodiscard]] SaveEvery save_every(const std::string& text);

/// What is asked of a run, as a checkpoint remembers it: two runs with the same entries take the
/// same course. Files count by their contents, whatever their names.
using RunIdentity = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] RunIdentity identity_of(const std::string& algorithm, const NetworkRequest& network,
                                      const std::string& loads, const RunRequest& request);

/// What is saved of a run, where, and who is told about its progress.
struct CheckpointRequest {
    std::string path;  ///< what to write; empty: nothing
    SaveEvery every;
    std::string resume;  ///< the file to resume from; empty: the run begins anew
    RunIdentity run;
    /// Called several times a minute on every rank, if any rank has one; each call costs a look at
    /// all loads.
    std::function<void(const model::Progress&)> progress;
    Step steps_max = ~Step{0};  ///< for progress

    [[nodiscard]] bool wanted() const { return !path.empty() || !resume.empty(); }
};

/// Writes the state of a run to a file at intervals and at its end, by `AtomicFile`: rank 0 writes,
/// and the others send it their values, about a million at a time. Reads such a file on every rank,
/// which reads only its own part. The file is the same at any number of ranks.
class Checkpoints final : public engine::Keeper {
  public:
    /// Opens the file to resume from. Throws InputError if it is damaged or of another run, or if
    /// the file to write cannot be written.
    explicit Checkpoints(CheckpointRequest request);

    [[nodiscard]] const model::RunBooks* resumed() const override;
    void read(const engine::KeptValues& values) override;
    [[nodiscard]] Wish wish(const model::Costs& costs) override;
    void look(const model::Costs& costs, Tokens least, Tokens most) override;
    [[nodiscard]] bool saves() const override { return !request_.path.empty(); }
    void save(engine::Fabric* fabric, const model::RunBooks& books,
              std::span<const engine::KeptValues> values) override;

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - begin_).count();
    }

    CheckpointRequest request_;
    std::ifstream stream_;
    std::unique_ptr<model::CheckpointReader> reader_;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point saved_ = begin_;
    Clock::time_point looked_ = begin_;
    double look_seconds_ = 1;  ///< between looks
    std::optional<Tokens> first_discrepancy_;
    Step first_step_ = 0;
};

}  // namespace equipoise::catalogue
