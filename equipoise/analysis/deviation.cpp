#include "equipoise/analysis/deviation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "equipoise/analysis/epsilon.hpp"
#include "equipoise/base/assert.hpp"

namespace equipoise::analysis {

namespace {

double widest(std::span<const double> values) {
    double most = 0;
    for (const double value : values)
        most = std::max(most, std::abs(value));
    return most;
}

/// A bound on what a step in floating point adds to the error of any entry: the product takes three
/// roundings for each link and sums of at most 3 `widest`, the fractions take three roundings and
/// sums of at most `degree`, and each whole number takes one. Together these are (degree + 6) (3
/// widest + degree + whole) half epsilons; the other half of the bound is for terms of higher
/// order.
double rounding_of_step(double degree, double widest, double whole) {
    return epsilon * (degree + 6) * (3 * widest + degree + whole);
}

}  // namespace

DeviationObserver::DeviationObserver(DiffusionMatrix matrix, network::RoundWeights weights,
                                     const TokenRule& rule)
    : matrix_(std::move(matrix)), weights_(std::move(weights)), rule_(rule) {
    const auto& diffusion = std::get<DiffusionMatrix>(matrix_);
    EQUIPOISE_ASSERT(weights_.size() == (diffusion.symmetric() ? 1 : 2) * diffusion.links().size());
    degree_max_ = diffusion.degree_max();
}

DeviationObserver::DeviationObserver(CircuitMatrix matrix, const TokenRule& rule)
    : matrix_(std::move(matrix)),
      rule_(rule),
      round_length_(std::max<Step>(1, std::get<CircuitMatrix>(matrix_).matchings().size())) {}

std::span<const Ends> DeviationObserver::links_of(Step step) const {
    if (const auto* diffusion = std::get_if<DiffusionMatrix>(&matrix_)) return diffusion->links();
    const auto& matchings = std::get<CircuitMatrix>(matrix_).matchings();
    if (matchings.empty()) return {};
    return matchings[step % round_length_];
}

DeviationObserver::Flow DeviationObserver::flow_over(std::size_t link, const Ends& ends) const {
    const auto* diffusion = std::get_if<DiffusionMatrix>(&matrix_);
    const network::Weight forth = diffusion != nullptr ? weights_[link] : rule_.share;
    Int128 flow = Int128{forth.numerator} * (before_[ends.tail] - before_[ends.head]);
    Int128 divisor = forth.denominator;
    if (diffusion != nullptr && !diffusion->symmetric()) {
        const network::Weight back = weights_[link + diffusion->links().size()];
        divisor = std::lcm(forth.denominator, back.denominator);
        flow = divisor / forth.denominator * forth.numerator * before_[ends.tail] -
               divisor / back.denominator * back.numerator * before_[ends.head];
    }
    return {static_cast<Tokens>(flow / divisor),
            static_cast<double>(flow % divisor) / static_cast<double>(divisor)};
}

void DeviationObserver::on_start(const model::StepView& view) {
    const std::size_t nodes = view.loads.size();
    before_.assign(view.loads.begin(), view.loads.end());
    difference_.assign(nodes, 0);
    next_.assign(nodes, 0);
    total_ = 0;
    for (const Tokens load : view.loads)
        total_ += load;
    steps_ = view.costs.steps;
    quiet_ = 0;
    widest_ = rounding_ = largest_ = to_come_ = limit_ = 0;
    largest_at_ = steps_;
    lasting_ = false;
    met_.clear();
    least_since_met_ = most_since_met_ = 0;
    rounds_ = 0;
    next_met_ = 1;
    look(view.loads);
}

void DeviationObserver::on_step(const model::StepView& view) {
    if (view.costs.steps != steps_ + 1) return;  // the last step was reported twice
    const bool moved = !std::equal(view.loads.begin(), view.loads.end(), before_.begin());
    quiet_ = moved ? 0 : quiet_ + 1;
    advance(view.loads);
    ++steps_;
    before_.assign(view.loads.begin(), view.loads.end());
    if (steps_ % round_length_ != 0) return;
    look(view.loads);
    if (end_ != nullptr && (known() || frozen())) end_->request_stop();
}

void DeviationObserver::advance(std::span<const Tokens> after) {
    const std::span<const Ends> links = links_of(steps_);
    if (const auto* diffusion = std::get_if<DiffusionMatrix>(&matrix_)) {
        diffusion->apply(difference_, next_);
        difference_.swap(next_);
    } else {
        share_pairs(links, std::get<CircuitMatrix>(matrix_).share(), difference_);
    }
    wholes_.resize(after.size());
    for (std::size_t node = 0; node < after.size(); ++node)
        wholes_[node] = after[node] - before_[node];
    fractions_.assign(after.size(), 0);
    for (std::size_t link = 0; link < links.size(); ++link) {
        const auto [tail, head] = links[link];
        const auto [whole, fraction] = flow_over(link, links[link]);
        wholes_[tail] += whole;
        wholes_[head] -= whole;
        fractions_[tail] += fraction;
        fractions_[head] -= fraction;
    }
    Tokens whole_max = 0;
    for (std::size_t node = 0; node < after.size(); ++node) {
        whole_max = std::max({whole_max, wholes_[node], -wholes_[node]});
        difference_[node] += fractions_[node] + static_cast<double>(wholes_[node]);
    }
    rounding_ += rounding_of_step(degree_max_, widest_, static_cast<double>(whole_max));
    widest_ = widest(difference_);
}

void DeviationObserver::look(std::span<const Tokens> loads) {
    if (loads.empty()) return;
    if (widest_ > largest_) {
        largest_ = widest_;
        largest_at_ = steps_;
    }
    const auto [lowest, highest] = std::minmax_element(loads.begin(), loads.end());
    if (!lasting_) {
        least_since_met_ = std::min(least_since_met_, *lowest);
        most_since_met_ = std::max(most_since_met_, *highest);
        if (frozen() || rule_.within_extremes) {
            least_since_met_ = *lowest;
            most_since_met_ = *highest;
        }
        lasting_ =
            frozen() || met_before(loads) || (rule_.within_extremes && *highest - *lowest <= 1);
    }
    const Tokens least = rule_.within_extremes ? *lowest : least_since_met_;
    const Tokens most = rule_.within_extremes ? *highest : most_since_met_;
    to_come_ = 0;
    for (std::size_t node = 0; node < loads.size(); ++node)
        to_come_ = std::max({to_come_, static_cast<double>(most - loads[node]) + difference_[node],
                             static_cast<double>(loads[node] - least) - difference_[node]});
    to_come_ *= 1 + 4 * epsilon;
    if (!rule_.within_extremes && !lasting_) to_come_ = std::numeric_limits<double>::infinity();
    note_limit(loads, least, most);
}

void DeviationObserver::note_limit(std::span<const Tokens> loads, Tokens least, Tokens most) {
    const auto nodes = static_cast<Int128>(loads.size());
    // Some node always has at least the mean, and some node at most the mean.
    const auto floor = static_cast<Tokens>(total_ / nodes - (total_ % nodes < 0 ? 1 : 0));
    const Tokens ceiling = floor + (total_ % nodes != 0 ? 1 : 0);
    const Tokens high = lasting_ ? most : ceiling;
    const Tokens low = lasting_ ? least : floor;
    limit_ = std::max(from_mean(high), -from_mean(low)) * (1 - 2 * epsilon);
}

bool DeviationObserver::met_before(std::span<const Tokens> loads) {
    if (!rule_.memoryless) return false;
    if (std::equal(loads.begin(), loads.end(), met_.begin(), met_.end())) return true;
    if (++rounds_ < next_met_) return false;
    met_.assign(loads.begin(), loads.end());
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    least_since_met_ = *least;
    most_since_met_ = *most;
    next_met_ *= 2;
    return false;
}

double DeviationObserver::from_mean(Tokens load) const {
    const auto nodes = static_cast<Int128>(before_.size());
    return static_cast<double>(nodes * load - total_) / static_cast<double>(nodes);
}

double DeviationObserver::at_least() const {
    return std::max({0.0, largest_ - rounding_, limit_});
}

double DeviationObserver::at_most() const {
    const double most = std::max(largest_, to_come_) + rounding_;
    return bound_ ? std::min(most, std::max(*bound_, largest_ + rounding_)) : most;
}

bool DeviationObserver::known() const {
    constexpr double digits = 1e-7;
    return at_most() - at_least() <= std::max(digits * std::max(1.0, at_least()), 4 * rounding_);
}

bool DeviationObserver::frozen() const {
    return rule_.quiet_steps > 0 && quiet_ >= rule_.quiet_steps && steps_ % round_length_ == 0;
}

void DeviationObserver::apply_round(std::vector<double>& loads, std::vector<double>& next) const {
    if (const auto* diffusion = std::get_if<DiffusionMatrix>(&matrix_)) {
        diffusion->apply(loads, next);
        loads.swap(next);
    } else {
        std::get<CircuitMatrix>(matrix_).apply(loads);
    }
}

void DeviationObserver::play_on(double link_visits, const std::stop_token& stop) {
    EQUIPOISE_ASSERT(frozen());
    const std::size_t nodes = before_.size();
    // Both are measured from the mean, so that roundings shrink as the idealised loads become
    // level.
    std::vector<double> tokens(nodes);
    std::vector<double> ideal(nodes);
    for (std::size_t node = 0; node < nodes; ++node) {
        tokens[node] = from_mean(before_[node]);
        ideal[node] = tokens[node] - difference_[node];
    }
    const auto [least, most] = std::minmax_element(tokens.begin(), tokens.end());
    double ideal_widest = widest(ideal);
    rounding_ += epsilon * (3 * widest(tokens) + ideal_widest);
    double links = 0;
    for (Step step = 0; step < round_length_; ++step)
        links += static_cast<double>(links_of(step).size());
    const double round_visits = links + static_cast<double>(nodes);
    for (double visits = 0; visits < link_visits && !known() && !stop.stop_requested();
         visits += round_visits) {
        apply_round(ideal, next_);
        steps_ += round_length_;
        rounding_ +=
            static_cast<double>(round_length_) * epsilon * (degree_max_ + 6) * 3 * ideal_widest;
        double low = ideal[0];
        double high = ideal[0];
        double now = 0;
        for (std::size_t node = 0; node < nodes; ++node) {
            low = std::min(low, ideal[node]);
            high = std::max(high, ideal[node]);
            now = std::max(now, std::abs(tokens[node] - ideal[node]));
        }
        ideal_widest = std::max(high, -low);
        if (now > largest_) {
            largest_ = now;
            largest_at_ = steps_;
        }
        to_come_ = std::max(*most - low, high - *least) * (1 + 4 * epsilon);
    }
}

}  // namespace equipoise::analysis
