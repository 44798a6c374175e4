#include "equipoise/catalogue/runner/run.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/catalogue/runner/description.hpp"
#include "equipoise/catalogue/runner/ending.hpp"
#include "equipoise/catalogue/runner/playing.hpp"
#include "equipoise/catalogue/runner/reordering.hpp"
#include "equipoise/catalogue/runner/requirements.hpp"
#include "equipoise/catalogue/runner/same_run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/same_on_ranks.hpp"
#include "equipoise/model/run/arrivals.hpp"
#include "equipoise/model/run/churn.hpp"
#include "equipoise/model/run/progress.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/model/run/recorder.hpp"
#include "equipoise/model/run/world.hpp"

namespace equipoise::catalogue {

namespace {

/// A run that has been checked and may be played.
struct Plan {
    Preparation prepared;
    DefaultStop stop;
    std::unique_ptr<model::World> world;  ///< arrivals and churn; null: none
};

std::unique_ptr<model::World> make_world(const network::AnyNetwork& network,
                                         const RunOptions& options, std::uint64_t load_scale) {
    if (!options.world_changes()) return nullptr;
    return std::make_unique<model::World>(
        options.arrivals.empty() ? nullptr
                                 : model::make_arrivals(options.arrivals, network, options.seed),
        options.churn.empty() ? nullptr : model::make_churn(options.churn, network, options.seed),
        load_scale);
}

/// The same plan on all ranks, or the same error on all.
Plan plan_run(const Algorithm& algorithm, const NetworkFacts& facts, const load::Loads& loads,
              const RunOptions& options) {
    expect_same_run(algorithm, facts, loads, options);
    std::optional<Plan> plan;
    engine::try_together(options.fabric, [&] {
        Preparation prepared = prepare(algorithm, facts, loads, options);
        DefaultStop stop = planned_stop(algorithm, prepared.task(), options);
        auto world = make_world(facts.network(), options, prepared.task().load_scale);
        plan.emplace(Plan{std::move(prepared), std::move(stop), std::move(world)});
    });
    // Bounds computed in floating point may differ from machine to machine.
    if (options.fabric != nullptr) broadcast_value(*options.fabric, plan->stop.rule);
    return std::move(*plan);
}

const std::function<void(const model::Progress&)>& progress_of(const RunOptions& options) {
    static const Supervision none;
    return (options.supervision != nullptr ? *options.supervision : none).progress;
}

/// Ends a run with an error once a rule has sent tokens that a node does not hold. The rules of the
/// catalogue are trusted; a caller's rule may be wrong. On ranks, where it would have to gather all
/// loads in every step, it looks only at the final ones.
class NobodyOwes final : public model::Observer {
  public:
    NobodyOwes(const Algorithm& algorithm, const network::AnyNetwork& network, bool on_ranks)
        : algorithm_(&algorithm), network_(&network), on_ranks_(on_ranks) {}

    [[nodiscard]] Step next_wanted(Step done) const override {
        return on_ranks_ ? std::numeric_limits<Step>::max() : done + 1;
    }
    void on_step(const model::StepView& view) override {
        expect_nobody_owes(view, ": step " + std::to_string(view.costs.steps - 1));
    }
    void on_end(const model::StepView& view) override {
        expect_nobody_owes(view, ": after " + with_noun(view.costs.steps, "step", "steps"));
    }

  private:
    void expect_nobody_owes(const model::StepView& view, const std::string& when) const {
        const auto owing = std::find_if(view.loads.begin(), view.loads.end(),
                                        [](Tokens load) { return load < 0; });
        if (owing == view.loads.end()) return;
        const auto node = static_cast<NodeId>(owing - view.loads.begin());
        throw InputError(algorithm_->name + when + ", node " + network_->name(node) +
                         ": expected to be left with 0 tokens or more, found " +
                         std::to_string(*owing));
    }

    const Algorithm* algorithm_;
    const network::AnyNetwork* network_;
    bool on_ranks_;
};

/// The observers of a run: those that its record needs and those of its caller.
class Watch {
  public:
    Watch(const Algorithm& algorithm, const RunOptions& options, const Plan& plan)
        : nobody_owes_(algorithm, plan.prepared.task().facts.network(), options.fabric != nullptr),
          recorder_(options.record_level, options.samples),
          progress_(progress_of(options), plan.stop.rule.steps_max,
                    plan.prepared.task().load_scale),
          observers_{&recorder_} {
        if (algorithm.is_given && algorithm.plays_rounds() && !algorithm.loads_may_be_negative)
            observers_.insert(observers_.begin(), &nobody_owes_);
        if (progress_of(options)) observers_.push_back(&progress_);
        if (options.supervision != nullptr)
            observers_.insert(observers_.end(), options.supervision->observers.begin(),
                              options.supervision->observers.end());
        if (plan.world != nullptr) observers_.push_back(&world_);
    }

    [[nodiscard]] const std::vector<model::Observer*>& observers() const { return observers_; }
    void move_into(model::Record& record) {
        recorder_.move_into(record);
        if (observers_.back() == &world_) record.world = world_.figures();
    }

  private:
    NobodyOwes nobody_owes_;
    model::Recorder recorder_;
    model::ProgressObserver progress_;
    model::WorldObserver world_;
    std::vector<model::Observer*> observers_;
};

engine::RoundOptions round_options(const RunOptions& options, const Plan& plan,
                                   const std::vector<model::Observer*>& observers) {
    engine::RoundOptions round;
    round.seed = options.seed;
    round.threads = options.threads;
    round.stop = plan.stop.rule;
    if (options.supervision != nullptr) {
        round.interrupt = options.supervision->interrupt;
        round.keeper = options.supervision->keeper;
    }
    round.observers = observers;
    round.speeds = plan.prepared.task().speeds;
    round.environment = plan.world.get();
    round.fabric = options.fabric;
    round.partition = options.partition;
    if (options.fabric != nullptr) round.final_loads = options.final_loads;
    return round;
}

}  // namespace

Outcome::Outcome() = default;
Outcome::Outcome(const Outcome& other) = default;
Outcome::Outcome(Outcome&& other) noexcept = default;
Outcome& Outcome::operator=(const Outcome& other) = default;
Outcome& Outcome::operator=(Outcome&& other) noexcept = default;
Outcome::~Outcome() = default;

void Outcome::write(const std::string& path) const {
    if (record.final_loads.size() != record.node_count)
        throw InputError(path + ": expected the final loads of " +
                         std::to_string(record.node_count) + " nodes, found " +
                         std::to_string(record.final_loads.size()) + " (RunOptions::final_loads)");
    model::write_record(record, path);
}

Outcome run(const Algorithm& algorithm, const NetworkFacts& facts, const load::Loads& loads,
            const RunOptions& options) {
    const Plan plan = plan_run(algorithm, facts, loads, options);
    const Task task = plan.prepared.task();
    Watch watch(algorithm, options, plan);
    Outcome outcome;
    model::Record& record = outcome.record;

    Reordering reordering(facts.network(), options);
    outcome.reordered = reordering.costs();
    engine::RoundOptions round = round_options(options, plan, watch.observers());
    reordering.apply(round);

    const auto begin = std::chrono::steady_clock::now();
    engine::RoundOutcome played = play(algorithm, task, round, options, record);
    record.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    describe_task(algorithm, task, options, plan.stop, record);
    watch.move_into(record);
    const FinalFigures figures = figures_of(task, round, played);
    describe_end(algorithm, task, options, plan.stop, std::move(played), figures, record);
    return outcome;
}

Outcome run(std::string_view algorithm, const network::AnyNetwork& network,
            const load::Loads& loads, const RunOptions& options) {
    return run(find_algorithm(algorithm), NetworkFacts(network), loads, options);
}

Outcome run(std::string_view algorithm, const network::AnyNetwork& network,
            const load::Loads& loads) {
    return run(algorithm, network, loads, RunOptions());
}

Outcome run(const Algorithm& algorithm, const network::AnyNetwork& network,
            const load::Loads& loads, const RunOptions& options) {
    return run(algorithm, NetworkFacts(network), loads, options);
}

}  // namespace equipoise::catalogue
