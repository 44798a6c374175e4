#include "equipoise/catalogue/registry/network_facts.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "equipoise/analysis/laplacian_spectrum.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/network/structure/observer_tour.hpp"
#include "equipoise/network/structure/spanning_tree.hpp"

namespace equipoise::catalogue {

namespace {

/// The colour of every link of a network.
network::EdgeColouring by_links(const network::AnyNetwork& network,
                                const network::MatchingSequence& classes) {
    network::EdgeColouring colouring;
    colouring.colour_count = static_cast<Colour>(classes.size());
    colouring.by_link.resize(network.link_count());
    for (std::size_t colour = 0; colour < classes.size(); ++colour)
        for (const auto& [tail, head] : classes[colour])
            colouring.by_link[network.link(tail, network::port_to(network, tail, head).value())] =
                static_cast<Colour>(colour);
    return colouring;
}

}  // namespace

bool NetworkFacts::connected() const {
    if (!connected_) connected_ = network_->grid() != nullptr || network::is_connected(*network_);
    return *connected_;
}

bool NetworkFacts::tree() const {
    return network_->link_count() + 1 == network_->node_count() && connected();
}

network::DiameterBounds NetworkFacts::diameter() const {
    // Promises hold with any upper bound, and a run should not wait long for a better one.
    constexpr std::uint64_t searches_max = 4096;
    constexpr std::uint64_t visits_max = 100'000'000;
    if (!diameter_) diameter_ = network::diameter(*network_, searches_max, visits_max);
    return *diameter_;
}

Colour NetworkFacts::colour_count() const {
    if (network_->grid() != nullptr && given_.colouring.empty())
        return static_cast<Colour>(model::GridSchedule(*network_->grid()).period());
    return colouring().colour_count;
}

const network::EdgeColouring& NetworkFacts::colouring() const {
    if (!colouring_)
        colouring_ = given_.colouring.empty() ? network::colour_edges(*network_)
                                              : by_links(*network_, given_.colouring);
    return *colouring_;
}

const network::MatchingSequence& NetworkFacts::natural_matchings() const {
    if (!given_.colouring.empty()) return given_.colouring;
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

network::Network NetworkFacts::spanning_tree(network::SpanningTree kind) const {
    switch (kind) {
        case network::SpanningTree::minimum_diameter:
            return network::minimum_diameter_tree(*network_);
        case network::SpanningTree::low_degree:
            return network::low_degree_tree(*network_);
        case network::SpanningTree::given:
            if (given_.tree_links.empty() && network_->node_count() > 1)
                throw InputError(
                    "tree=given: expected the links of a tree (--tree FILE), found "
                    "none");
            return {network_->node_count(), given_.tree_links};
        case network::SpanningTree::breadth_first:
            break;
    }
    return network::default_spanning_tree(*network_);
}

const ColouredTree& NetworkFacts::coloured_tree(network::SpanningTree kind) const {
    const auto found = coloured_trees_.find(kind);
    if (found != coloured_trees_.end()) return found->second;
    const bool stored_tree = tree() && network_->stored() != nullptr;
    network::Network tree = stored_tree ? *network_->stored() : spanning_tree(kind);
    network::EdgeColouring colouring = network::colour_tree(tree);
    return coloured_trees_.emplace(kind, ColouredTree{std::move(tree), std::move(colouring)})
        .first->second;
}

const analysis::Convergence& NetworkFacts::convergence(
    const std::string& key, const std::function<analysis::Convergence()>& compute) const {
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

const analysis::LaplacianSpectrum& NetworkFacts::laplacian_spectrum() const {
    if (!laplacian_spectrum_)
        laplacian_spectrum_ = std::make_shared<const analysis::LaplacianSpectrum>(
            analysis::laplacian_spectrum(*network_));
    return *laplacian_spectrum_;
}

const analysis::LaplacianEnds& NetworkFacts::laplacian_ends() const {
    if (!laplacian_ends_)
        laplacian_ends_ =
            std::make_shared<const analysis::LaplacianEnds>(analysis::laplacian_ends(*network_));
    return *laplacian_ends_;
}

const analysis::LaplacianEnds* NetworkFacts::known_laplacian_ends() const {
    try {
        return &laplacian_ends();
    } catch (const UnsuitableError&) {
        return nullptr;
    }
}

}  // namespace equipoise::catalogue
