#pragma once
// The observer that fills a record while a run goes on.

#include <cstddef>
#include <vector>

#include "equipoise/model/run/observer.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::model {

/// Keeps what a record of the given level holds of a run: at `summary` nothing but the accounts of
/// created and destroyed tokens, at `sampled` also loads at evenly spread steps, at `full` also
/// every transfer, and which nodes and links came and went.
///
/// The number of steps is not known beforehand: samples are taken every `stride` steps, and when
/// there are more than twice as many as wanted, every other one is dropped and the stride doubled.
/// The first and the last moment are always kept. Memory: at most 2 * samples * nodes loads, where
/// the number of samples is reduced to keep this below about 2^27 loads; full records also 32 bytes
/// for each transfer.
class Recorder final : public Observer {
  public:
    explicit Recorder(RecordLevel level, std::size_t samples_wanted = 200);

    [[nodiscard]] bool wants_loads() const override { return level_ != RecordLevel::summary; }
    [[nodiscard]] bool wants_transfers() const override { return level_ == RecordLevel::full; }
    [[nodiscard]] Step next_wanted(Step done) const override;
    void on_start(const StepView& view) override;
    void on_step(const StepView& view) override;
    void on_end(const StepView& view) override;

    /// Moves samples, transfers, switches and accounts into the record and sets its level.
    void move_into(Record& record);

  private:
    void keep_sample(const StepView& view);
    void thin_samples();
    /// Books tokens made or removed since the last call. In full records the nodes are known: their
    /// loads changed by something other than transfers.
    void keep_accounts(const StepView& view);

    RecordLevel level_;
    std::size_t samples_wanted_;
    Step stride_ = 1;
    Step steps_seen_ = 0;
    Tokens created_ = 0;
    Tokens destroyed_ = 0;
    std::vector<Tokens> loads_before_;
    std::vector<Sample> samples_;
    std::vector<Transfer> transfers_;
    std::vector<NetworkSwitch> switches_;
    std::vector<Transfer> created_at_;
    std::vector<Transfer> destroyed_at_;
};

}  // namespace equipoise::model
