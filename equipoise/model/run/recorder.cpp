#include "equipoise/model/run/recorder.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/load/loads.hpp"

namespace equipoise::model {

namespace {

constexpr std::size_t sampled_loads_max = std::size_t{1} << 26U;

}  // namespace

Recorder::Recorder(RecordLevel level, std::size_t samples_wanted)
    : level_(level), samples_wanted_(std::max<std::size_t>(samples_wanted, 2)) {}

Step Recorder::next_wanted(Step done) const {
    switch (level_) {
        case RecordLevel::summary:
            return ~Step{0};
        case RecordLevel::sampled:
            return (done / stride_ + 1) * stride_;
        case RecordLevel::full:
            return done + 1;
    }
    return done + 1;
}

void Recorder::on_start(const StepView& view) {
    if (!view.loads.empty())
        samples_wanted_ =
            std::clamp<std::size_t>(sampled_loads_max / view.loads.size(), 2, samples_wanted_);
    if (level_ == RecordLevel::full) loads_before_.assign(view.loads.begin(), view.loads.end());
    if (level_ != RecordLevel::summary) keep_sample(view);
}

void Recorder::on_step(const StepView& view) {
    if (level_ == RecordLevel::full) {
        transfers_.insert(transfers_.end(), view.transfers.begin(), view.transfers.end());
        switches_.insert(switches_.end(), view.switches.begin(), view.switches.end());
    }
    keep_accounts(view);
    if (level_ != RecordLevel::summary && view.costs.steps % stride_ == 0) keep_sample(view);
}

void Recorder::on_end(const StepView& view) {
    keep_accounts(view);
    if (level_ == RecordLevel::summary) return;
    if (samples_.empty() || samples_.back().step != view.costs.steps) keep_sample(view);
}

void Recorder::move_into(Record& record) {
    record.level = level_;
    record.samples = std::move(samples_);
    record.transfers = std::move(transfers_);
    record.switches = std::move(switches_);
    record.created = std::move(created_at_);
    record.destroyed = std::move(destroyed_at_);
}

void Recorder::keep_sample(const StepView& view) {
    samples_.push_back({view.costs.steps,
                        load::discrepancy(view.loads),
                        load::to_decimal(load::potential(view.loads)),
                        {view.loads.begin(), view.loads.end()}});
    if (samples_.size() > 2 * samples_wanted_) thin_samples();
}

void Recorder::thin_samples() {
    stride_ *= 2;
    std::erase_if(samples_, [&](const Sample& sample) { return sample.step % stride_ != 0; });
}

void Recorder::keep_accounts(const StepView& view) {
    const Tokens made = view.created - created_;
    const Tokens removed = view.destroyed - destroyed_;
    // In full records a round of several steps is booked at its first, like its transfers.
    const Step last = view.costs.steps == 0 ? 0 : view.costs.steps - 1;
    const Step step = level_ == RecordLevel::full ? std::min(steps_seen_, last) : last;
    steps_seen_ = view.costs.steps;
    created_ = view.created;
    destroyed_ = view.destroyed;
    if (level_ != RecordLevel::full) {
        if (made != 0) created_at_.push_back({step, 0, no_node, made});
        if (removed != 0) destroyed_at_.push_back({step, no_node, 0, removed});
        return;
    }
    if (made != 0 || removed != 0) {
        for (const Transfer& transfer : view.transfers) {
            loads_before_[transfer.from] -= transfer.tokens;
            loads_before_[transfer.to] += transfer.tokens;
        }
        for (NodeId node = 0; node < view.loads.size(); ++node) {
            const Tokens change = view.loads[node] - loads_before_[node];
            if (change > 0) created_at_.push_back({step, 0, node, change});
            if (change < 0) destroyed_at_.push_back({step, node, 0, -change});
        }
    }
    std::copy(view.loads.begin(), view.loads.end(), loads_before_.begin());
}

}  // namespace equipoise::model
