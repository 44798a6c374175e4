#include "equipoise/catalogue/network_facts.hpp"

#include <utility>
#include <vector>

#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/network/structure/observer_tour.hpp"
#include "equipoise/network/structure/spanning_tree.hpp"

namespace equipoise::catalogue {

bool NetworkFacts::connected() const {
    if (!connected_) connected_ = network_->grid() != nullptr || network::is_connected(*network_);
    return *connected_;
}

bool NetworkFacts::tree() const {
    return network_->link_count() + 1 == network_->node_count() && connected();
}

network::DiameterBounds NetworkFacts::diameter() const {
    if (!diameter_) diameter_ = network::diameter(*network_);
    return *diameter_;
}

Colour NetworkFacts::colour_count() const {
    if (network_->grid() != nullptr)
        return static_cast<Colour>(model::GridSchedule(*network_->grid()).period());
    return colouring().colour_count;
}

const network::EdgeColouring& NetworkFacts::colouring() const {
    if (!colouring_) colouring_ = network::colour_edges(*network_);
    return *colouring_;
}

const network::MatchingSequence& NetworkFacts::natural_matchings() const {
    if (!matchings_) {
        const bool has_own = network_->grid() != nullptr || network::is_hypercube(*network_);
        matchings_ = has_own ? network::natural_matchings(*network_)
                             : colouring().classes(*network_->stored());
    }
    return *matchings_;
}

Step NetworkFacts::stability_window() const {
    if (!window_) window_ = network::stability_window(*network_, colouring());
    return *window_;
}

const network::Network& NetworkFacts::stored() const {
    if (network_->stored() != nullptr) return *network_->stored();
    if (!stored_) stored_ = network::Network(network_->node_count(), network::all_links(*network_));
    return *stored_;
}

const ColouredTree& NetworkFacts::coloured_tree() const {
    if (!coloured_tree_) {
        const bool stored_tree = tree() && network_->stored() != nullptr;
        network::Network tree =
            stored_tree ? *network_->stored() : network::default_spanning_tree(*network_);
        network::EdgeColouring colouring = network::colour_tree(tree);
        coloured_tree_ = ColouredTree{std::move(tree), std::move(colouring)};
    }
    return *coloured_tree_;
}

const Convergence& NetworkFacts::convergence(const std::string& key,
                                             const std::function<Convergence()>& compute) const {
    const auto found = convergence_.find(key);
    return found != convergence_.end() ? found->second
                                       : convergence_.emplace(key, compute()).first->second;
}

Step NetworkFacts::steps_from(const load::Loads& loads, Tokens key,
                              const std::function<std::optional<Step>()>& compute) const {
    if (loads != loads_) {
        loads_ = loads;
        steps_from_loads_.clear();
    }
    if (const auto found = steps_from_loads_.find(key); found != steps_from_loads_.end())
        return found->second;
    const std::optional<Step> steps = compute();
    if (steps) steps_from_loads_.emplace(key, *steps);
    return steps.value_or(0);
}

}  // namespace equipoise::catalogue
