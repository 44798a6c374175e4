#include "equipoise/analysis/deviation.hpp"

#include <algorithm>
#include <cmath>
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

constexpr Tokens whole_beta = Tokens{1} << SecondOrder::fraction_bits;

/// The quotient, rounded towards zero, and the fraction that is left.
std::pair<Tokens, double> quotient_of(Int128 numerator, Int128 divisor) {
    return {static_cast<Tokens>(numerator / divisor),
            static_cast<double>(numerator % divisor) / static_cast<double>(divisor)};
}

}  // namespace

DeviationObserver::DeviationObserver(DiffusionMatrix matrix, network::RoundWeights weights,
                                     const TokenRule& rule)
    : matrix_(std::move(matrix)), weights_(std::move(weights)), rule_(rule) {
    const auto& diffusion = std::get<DiffusionMatrix>(matrix_);
    EQUIPOISE_ASSERT(weights_.size() == (diffusion.symmetric() ? 1 : 2) * diffusion.links().size());
    degree_max_ = diffusion.degree_max();
}

DeviationObserver::DeviationObserver(DiffusionMatrix matrix, network::RoundWeights weights,
                                     SecondOrder order)
    : DeviationObserver(std::move(matrix), std::move(weights),
                        TokenRule{.within_extremes = false, .for_ever = false}) {
    EQUIPOISE_ASSERT(std::get<DiffusionMatrix>(matrix_).symmetric());
    EQUIPOISE_ASSERT(whole_beta <= order.beta && order.beta < 2 * whole_beta);
    order_ = order;
}

DeviationObserver::DeviationObserver(CircuitMatrix matrix, const TokenRule& rule)
    : matrix_(std::move(matrix)),
      rule_(rule),
      share_(std::get<CircuitMatrix>(matrix_).share()),
      round_length_(std::max<Step>(1, std::get<CircuitMatrix>(matrix_).matchings().size())) {}

DeviationObserver::DeviationObserver(PairsOfStep pairs, const TokenRule& rule)
    : matrix_(std::move(pairs)), rule_(rule) {
    EQUIPOISE_ASSERT(2 * rule.share.numerator == rule.share.denominator);
}

std::span<const Ends> DeviationObserver::links_of(Step step) const {
    if (const auto* diffusion = std::get_if<DiffusionMatrix>(&matrix_)) return diffusion->links();
    if (const auto* pairs = std::get_if<PairsOfStep>(&matrix_)) return (*pairs)(step);
    const auto& matchings = std::get<CircuitMatrix>(matrix_).matchings();
    if (matchings.empty()) return {};
    return matchings[step % round_length_];
}

DeviationObserver::Flow DeviationObserver::flow_over(std::size_t link, const Ends& ends,
                                                     Tokens beta) const {
    const auto* diffusion = std::get_if<DiffusionMatrix>(&matrix_);
    const network::Weight forth = diffusion != nullptr ? weights_[link] : rule_.share;
    if (forth.numerator == 1 && beta == whole_beta &&
        (diffusion == nullptr || diffusion->symmetric())) {
        const Tokens difference = before_[ends.tail] - before_[ends.head];  // 64 bits are faster
        return {difference / forth.denominator,
                static_cast<double>(difference % forth.denominator) /
                    static_cast<double>(forth.denominator)};
    }
    Int128 flow = Int128{forth.numerator} * (before_[ends.tail] - before_[ends.head]);
    Int128 divisor = forth.denominator;
    if (diffusion != nullptr && !diffusion->symmetric()) {
        const network::Weight back = weights_[link + diffusion->links().size()];
        divisor = std::lcm(forth.denominator, back.denominator);
        flow = divisor / forth.denominator * forth.numerator * before_[ends.tail] -
               divisor / back.denominator * back.numerator * before_[ends.head];
    }
    const auto [whole, fraction] = beta == whole_beta
                                       ? quotient_of(flow, divisor)
                                       : quotient_of(flow * beta, divisor * whole_beta);
    return {whole, fraction};
}

Tokens DeviationObserver::beta_now() const {
    return order_ && steps_ > 0 && steps_ < order_->switch_at ? order_->beta : whole_beta;
}

void DeviationObserver::on_start(const model::StepView& view) {
    const std::size_t nodes = view.loads.size();
    before_.assign(view.loads.begin(), view.loads.end());
    difference_.assign(nodes, 0);
    next_.assign(nodes, 0);
    if (order_) {
        earlier_ = before_;
        earlier_difference_ = difference_;
        if (order_->beta > whole_beta)
            amplification_ = std::sqrt(static_cast<double>(nodes)) *
                             static_cast<double>(whole_beta) /
                             static_cast<double>(2 * whole_beta - order_->beta);
    }
    total_ = 0;
    for (const Tokens load : view.loads)
        total_ += load;
    steps_ = view.costs.steps;
    quiet_ = 0;
    widest_ = earlier_widest_ = rounding_ = largest_ = to_come_ = limit_ = 0;
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
    // Ranks end some steps after they are asked to; what is found must not depend on that.
    if (end_ != nullptr && end_->stop_requested()) return;
    const bool moved = !std::equal(view.loads.begin(), view.loads.end(), before_.begin());
    quiet_ = moved ? 0 : quiet_ + 1;
    advance(view.loads);
    ++steps_;
    if (order_) earlier_ = before_;
    before_.assign(view.loads.begin(), view.loads.end());
    look(view.loads);
    if (end_ != nullptr && (known() || frozen())) end_->request_stop();
}

void DeviationObserver::advance_difference(std::span<const Ends> links, Tokens beta) {
    const auto* diffusion = std::get_if<DiffusionMatrix>(&matrix_);
    if (diffusion == nullptr) return share_pairs(links, share_, difference_);
    diffusion->apply(difference_, next_);
    if (beta != whole_beta) {
        const double factor = static_cast<double>(beta) / static_cast<double>(whole_beta);
        for (std::size_t node = 0; node < next_.size(); ++node)
            next_[node] = factor * next_[node] + (1 - factor) * earlier_difference_[node];
    }
    difference_.swap(next_);
    if (order_) earlier_difference_.swap(next_);
}

void DeviationObserver::subtract_momentum(Tokens beta) {
    if (beta == whole_beta) return;
    for (std::size_t node = 0; node < before_.size(); ++node) {
        const auto [whole, fraction] =
            quotient_of(Int128{beta - whole_beta} * (before_[node] - earlier_[node]), whole_beta);
        wholes_[node] -= whole;
        fractions_[node] -= fraction;
    }
}

void DeviationObserver::advance(std::span<const Tokens> after) {
    const std::span<const Ends> links = links_of(steps_);
    const Tokens beta = beta_now();
    advance_difference(links, beta);
    wholes_.resize(after.size());
    for (std::size_t node = 0; node < after.size(); ++node)
        wholes_[node] = after[node] - before_[node];
    fractions_.assign(after.size(), 0);
    subtract_momentum(beta);
    for (std::size_t link = 0; link < links.size(); ++link) {
        const auto [tail, head] = links[link];
        const auto [whole, fraction] = flow_over(link, links[link], beta);
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
    // With second order the product and the difference of the step before are also multiplied by
    // numbers below 2, and one more fraction is added.
    const double rounded = order_ ? 2 * widest_ + earlier_widest_ + 1 : widest_;
    rounding_ +=
        amplification_ * rounding_of_step(degree_max_, rounded, static_cast<double>(whole_max));
    earlier_widest_ = widest_;
    widest_ = widest(difference_);
}

void DeviationObserver::look(std::span<const Tokens> loads) {
    if (loads.empty()) return;
    if (widest_ > largest_) {
        largest_ = widest_;
        largest_at_ = steps_;
    }
    if (!rule_.for_ever) return;
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
    Tokens least = rule_.within_extremes ? *lowest : least_since_met_;
    Tokens most = rule_.within_extremes ? *highest : most_since_met_;
    if (!rule_.within_extremes && !lasting_) {
        least = 0;
        most = static_cast<Tokens>(total_);
    }
    to_come_ = 0;
    for (std::size_t node = 0; node < loads.size(); ++node)
        to_come_ = std::max({to_come_, static_cast<double>(most - loads[node]) + difference_[node],
                             static_cast<double>(loads[node] - least) - difference_[node]});
    to_come_ *= 1 + 4 * epsilon;
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
    if (!rule_.memoryless || steps_ % round_length_ != 0) return false;
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
    return rule_.for_ever && rule_.quiet_steps > 0 && quiet_ >= rule_.quiet_steps;
}

void DeviationObserver::apply_step(std::span<const Ends> links, std::vector<double>& loads) {
    if (const auto* diffusion = std::get_if<DiffusionMatrix>(&matrix_)) {
        diffusion->apply(loads, next_);
        loads.swap(next_);
    } else {
        share_pairs(links, share_, loads);
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
    for (double visits = 0; visits < link_visits && !known() && !stop.stop_requested();) {
        const std::span<const Ends> links = links_of(steps_);
        visits += static_cast<double>(links.size() + nodes);
        apply_step(links, ideal);
        ++steps_;
        rounding_ += epsilon * (degree_max_ + 6) * 3 * ideal_widest;
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
