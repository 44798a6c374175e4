#include "equipoise/mesh/step_set.hpp"

#include <algorithm>
#include <iterator>

namespace equipoise::mesh {

void StepSet::add(Step first, Step end) {
    if (first >= end) return;
    auto next = spans_.upper_bound(first);
    if (next != spans_.begin() && std::prev(next)->second >= first) --next;
    // Merges every span that touches the new one.
    while (next != spans_.end() && next->first <= end) {
        first = std::min(first, next->first);
        end = std::max(end, next->second);
        size_ -= next->second - next->first;
        next = spans_.erase(next);
    }
    spans_.emplace_hint(next, first, end);
    size_ += end - first;
}

void StepSet::clear() {
    spans_.clear();
    size_ = 0;
}

}  // namespace equipoise::mesh
