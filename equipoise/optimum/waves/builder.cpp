#include "equipoise/optimum/waves/builder.hpp"

#include <algorithm>

namespace equipoise::optimum {

CopyPlaces::CopyPlaces(const ItemsProblem& problem) : copies_of_(problem.copies_of) {
    for (ItemId item = 0; item < copies_of_.size(); ++item)
        add(item, problem.places[item]);
}

WaveBuilder::WaveBuilder(const ItemsProblem& problem)
    : problem_(problem),
      places_(problem.places),
      moves_now_(problem.places.size(), false),
      held_(problem.loads()),
      given_(problem.nodes, 0),
      taken_(problem.nodes, 0),
      given_items_(problem.nodes, 0),
      taken_items_(problem.nodes, 0),
      copies_(problem) {}

Tokens WaveBuilder::can_give(NodeId node) const {
    return gives_more(node) ? problem_.gives_of(node) - problem_.counted(given_[node], taken_[node])
                            : 0;
}

Tokens WaveBuilder::can_take(NodeId node) const {
    if (!takes_more(node)) return 0;
    const Tokens both_left =
        problem_.half_duplex ? problem_.gives_of(node) - given_[node] - taken_[node] : tokens_max;
    return std::min({problem_.takes_of(node) - taken_[node], both_left,
                     problem_.capacity_of(node) - held_[node] - taken_[node]});
}

bool WaveBuilder::allows(ItemId item, NodeId to) const {
    const NodeId from = places_[item];
    const Tokens size = problem_.size_of(item);
    return from != to && !moves_now_[item] && gives_more(from) && takes_more(to) &&
           size <= can_give(from) && size <= can_take(to) && !copies_.holds(item, to);
}

void WaveBuilder::move(ItemId item, NodeId to) {
    const NodeId from = places_[item];
    const Tokens size = problem_.size_of(item);
    given_[from] += size;
    taken_[to] += size;
    ++given_items_[from];
    ++taken_items_[to];
    moves_now_[item] = true;
    copies_.add(item, to);
    schedule_.push_back({wave_, item, from, to});
}

void WaveBuilder::end_wave() {
    if (wave_is_empty()) return;
    for (; first_of_wave_ < schedule_.size(); ++first_of_wave_) {
        const auto [wave, item, from, to] = schedule_[first_of_wave_];
        const Tokens size = problem_.size_of(item);
        held_[from] -= size;
        held_[to] += size;
        given_[from] = given_items_[from] = 0;
        taken_[to] = taken_items_[to] = 0;
        moves_now_[item] = false;
        copies_.remove(item, from);
        places_[item] = to;
    }
    ++wave_;
}

}  // namespace equipoise::optimum
