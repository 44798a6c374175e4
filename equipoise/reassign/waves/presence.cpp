#include "equipoise/reassign/waves/presence.hpp"

namespace equipoise::reassign {

Presence::Presence(const Problem& problem, std::size_t rule)
    : values_(problem.item_labels[problem.apart[rule].label].of),
      on_the_way_(problem.apart[rule].on_the_way),
      shared_(problem.item_labels[problem.apart[rule].label].values.size(), false),
      there_(shared_.size(), problem.machine_count(), 2 * std::size_t{problem.item_count()}),
      arriving_(0, 0, 0) {
    if (!on_the_way_)
        arriving_ =
            PairCounts(shared_.size(), problem.machine_count(), std::size_t{problem.item_count()});
    std::vector<bool> seen(shared_.size(), false);
    for (const ValueId value : values_) {
        if (value == no_value) continue;
        if (seen[value]) shared_[value] = true;
        seen[value] = true;
    }
    for (ItemId item = 0; item < problem.item_count(); ++item)
        if (counts(item)) there_.add(values_[item], problem.places[item]);
}

void Presence::add(const Move& move) {
    const ValueId value = values_[move.item];
    there_.add(value, move.to);
    if (on_the_way_) return;
    there_.subtract(value, move.from);
    arriving_.add(value, move.to);
}

void Presence::withdraw(const Move& move) {
    const ValueId value = values_[move.item];
    there_.subtract(value, move.to);
    if (on_the_way_) return;
    there_.add(value, move.from);
    arriving_.subtract(value, move.to);
}

void Presence::end(const Move& move) {
    if (on_the_way_) {
        there_.subtract(values_[move.item], move.from);
    } else {
        arriving_.subtract(values_[move.item], move.to);
    }
}

void Presence::reopen(const Move& move) {
    if (on_the_way_) {
        there_.add(values_[move.item], move.from);
    } else {
        arriving_.add(values_[move.item], move.to);
    }
}

}  // namespace equipoise::reassign
