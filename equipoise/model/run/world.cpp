#include "equipoise/model/run/world.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/load/loads.hpp"

namespace equipoise::model {

World::World(std::unique_ptr<Environment> arrivals, std::unique_ptr<Environment> churn,
             std::uint64_t scale)
    : scale_(static_cast<Tokens>(scale)) {
    // Churn first: it sees the loads before anything arrives.
    if (churn != nullptr) parts_.push_back(std::move(churn));
    if (arrivals != nullptr) parts_.push_back(std::move(arrivals));
}

bool World::changes_network() const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [](const auto& part) { return part->changes_network(); });
}

void World::begin(Step round_length) {
    for (const auto& part : parts_)
        part->begin(round_length);
}

void World::before_round(Step round, std::span<const Tokens> loads, Changes& changes) {
    for (const auto& part : parts_)
        part->before_round(round, loads, changes);
    if (scale_ == 1) return;
    for (Changes::Delta& delta : changes.arrivals)
        delta.tokens = checked_multiply(delta.tokens, scale_);
}

void WorldObserver::on_step(const StepView& view) {
    discrepancies_.push_back(view.components.empty()
                                 ? load::discrepancy(view.loads)
                                 : load::discrepancy_of_components(view.loads, view.components));
}

void WorldObserver::on_end(const StepView& view) {
    arrived_ = view.created;
    consumed_ = view.destroyed;
    exchanges_ = view.costs.exchanges;
}

WorldFigures WorldObserver::figures() const {
    WorldFigures figures;
    figures.arrived = arrived_;
    figures.consumed = consumed_;
    if (arrived_ > 0)
        figures.moved_per_arrival = static_cast<double>(exchanges_) / static_cast<double>(arrived_);
    std::vector<Tokens> sorted(
        discrepancies_.begin() + static_cast<std::ptrdiff_t>(discrepancies_.size() / 10),
        discrepancies_.end());
    if (sorted.empty()) return figures;
    std::sort(sorted.begin(), sorted.end());
    // Nearest rank: the least value that at least `percent` of all values do not exceed.
    const auto quantile = [&](std::size_t percent) {
        return sorted[(sorted.size() * percent + 99) / 100 - 1];
    };
    figures.discrepancy_50 = quantile(50);
    figures.discrepancy_99 = quantile(99);
    figures.discrepancy_max = sorted.back();
    return figures;
}

}  // namespace equipoise::model
