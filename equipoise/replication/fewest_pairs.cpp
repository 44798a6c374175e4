#include "equipoise/replication/fewest_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

#include "equipoise/base/tokens.hpp"

namespace equipoise::replication {

namespace {

/// amount / of, as parts of `whole`, rounded up; at most `whole`.
Tokens part_of(Int128 amount, Int128 of, Tokens whole) {
    if (amount <= 0) return 0;
    if (amount >= of) return whole;
    return static_cast<Tokens>((amount * whole + of - 1) / of);
}

/// weight * part, of `whole`, rounded up.
Tokens weighted(Tokens part, Tokens weight, Tokens whole) {
    return static_cast<Tokens>((Int128{part} * weight + whole - 1) / whole);
}

/// Appends what each further one adds to totals (which begin with 0), on the least curve above them
/// that bends down: the best first ones then add at least as much as any.
void append_gains(std::vector<Tokens>& gains, const std::vector<Tokens>& totals) {
    for (std::size_t from = 0; from + 1 < totals.size();) {
        std::size_t to = from;
        Tokens slope = 0;
        for (std::size_t next = from + 1; next < totals.size(); ++next) {
            const Tokens steps = static_cast<Tokens>(next - from);
            const Tokens average = ceil_divide(totals[next] - totals[from], steps);
            if (average > slope) {
                slope = average;
                to = next;
            }
        }
        if (to == from) return;
        gains.insert(gains.end(), to - from, slope);
        from = to;
    }
}

}  // namespace

PresentPairs::PresentPairs(const Problem& problem)
    : on(problem.machines), machines_with(problem.items(), 0) {
    for (MachineId machine = 0; machine < problem.machines; ++machine) {
        const auto first =
            problem.placement.begin() + static_cast<std::ptrdiff_t>(machine) * problem.slots;
        std::vector<ItemId>& items = on[machine];
        items.assign(first, first + problem.slots);
        std::sort(items.begin(), items.end());
        items.erase(std::unique(items.begin(), items.end()), items.end());
        twice += problem.slots - static_cast<std::uint32_t>(items.size());
        for (const ItemId item : items)
            ++machines_with[item];
    }
}

FewestPairs::FewestPairs(const Problem& problem, const PresentPairs& present,
                         const LevelNeeds& needs, Tokens level)
    : problem_(problem), present_(present), needs_(needs) {
    to_take_ = std::accumulate(problem.loads.begin(), problem.loads.end(), Int128{0});
    for (MachineId machine = 0; machine < problem.machines; ++machine) {
        Tokens held = 0;
        for (const ItemId item : present.on[machine])
            held += share(item, 0);
        excess_.push_back(held - level);
        if (held > level) {
            ++above_;
            to_take_ -= level;
        } else {
            to_take_ -= held + Tokens{problem.slots};  // shares may be rounded up
        }
    }
    if (above_ == 0) return;
    find_reliefs();
    find_pushes();
    find_shares();
    find_drops();
}

/// What a copy of the item carries if this many machines more have it.
Tokens FewestPairs::share(ItemId item, std::int64_t more, bool up) const {
    const Tokens copies = Tokens{present_.machines_with[item]} + more;
    return up ? load_of_copy(problem_.loads[item], copies) : problem_.loads[item] / copies;
}

void FewestPairs::find_reliefs() {
    parts_.resize(problem_.machines);
    rooms_.assign(problem_.machines, 0);
    for (MachineId machine = 0; machine < problem_.machines; ++machine) {
        if (excess_[machine] <= 0) {
            rooms_[machine] =
                to_take_ > 0 ? part_of(-Int128{excess_[machine]}, to_take_, whole) : 0;
            continue;
        }
        for (const ItemId item : present_.on[machine])
            parts_[machine].push_back(
                part_of(share(item, 0) - needs_.least_on_machine(1), excess_[machine], whole));
    }
}

void FewestPairs::find_pushes() {
    pushes_.resize(problem_.machines);
    for (MachineId machine = 0; machine < problem_.machines; ++machine) {
        if (excess_[machine] > 0) continue;
        for (const ItemId item : present_.on[machine]) {
            if (present_.machines_with[item] < 2) continue;
            const Tokens over = excess_[machine] - share(item, 0) + share(item, -1);
            if (over > 0) pushes_[machine].push_back(over);
        }
    }
}

void FewestPairs::find_shares() {
    std::vector<std::vector<MachineId>> machines(problem_.items());
    for (MachineId machine = 0; machine < problem_.machines; ++machine)
        if (excess_[machine] > 0 || !pushes_[machine].empty())
            for (const ItemId item : present_.on[machine])
                machines[item].push_back(machine);
    more_.resize(problem_.items());
    for (ItemId item = 0; item < problem_.items(); ++item) {
        if (machines[item].empty()) continue;
        More& more = more_[item];
        for (const MachineId machine : machines[item])
            if (excess_[machine] > 0) more.machines.push_back(machine);
        more.parts.assign(more.machines.size(), 0);
        more.pushed.push_back(0);
        if (present_.machines_with[item] >= needs_.copies_most()) continue;
        const std::uint32_t most = needs_.copies_most() - present_.machines_with[item];
        for (std::uint32_t count = 1; count <= std::min(most, copies_listed); ++count) {
            // The last one of the list stands for all further ones.
            const std::uint32_t copies = count == copies_listed ? most : count;
            const Tokens less = share(item, 0, true) - share(item, copies);
            Tokens pushed = 0;
            for (const MachineId machine : machines[item]) {
                if (excess_[machine] > 0) {
                    more.parts.push_back(part_of(less, excess_[machine], whole));
                    continue;
                }
                Tokens parts = 0;
                for (const Tokens over : pushes_[machine])
                    parts += part_of(less, over, whole);
                pushed += ceil_divide(parts, static_cast<Tokens>(pushes_[machine].size()));
            }
            more.pushed.push_back(pushed);
        }
    }
}

void FewestPairs::find_drops() {
    std::vector<std::vector<MachineId>> machines(problem_.items());
    for (MachineId machine = 0; machine < problem_.machines; ++machine)
        if (excess_[machine] <= 0)
            for (const ItemId item : present_.on[machine])
                machines[item].push_back(machine);
    drops_.resize(problem_.items());
    for (ItemId item = 0; item < problem_.items(); ++item) {
        const std::uint32_t copies = present_.machines_with[item];
        for (std::uint32_t less = 1; less < copies; ++less) {
            const Tokens growth = share(item, -std::int64_t{less}, true) - share(item, 0);
            std::vector<Tokens> raises;
            for (const MachineId machine : machines[item])
                raises.push_back(std::min(growth, -excess_[machine]));
            std::sort(raises.begin(), raises.end(), std::greater<>());
            raises.resize(std::min<std::size_t>(raises.size(), copies - less));
            const Int128 sum = std::accumulate(raises.begin(), raises.end(), Int128{0});
            drops_[item].raises.push_back(to_take_ > 0 ? part_of(sum, to_take_, whole) : 0);
        }
        if (copies < 2) continue;
        for (const MachineId machine : machines[item])
            if (excess_[machine] - share(item, 0) + share(item, -1) > 0)
                drops_[item].pushed.push_back(static_cast<Tokens>(pushes_[machine].size()));
    }
}

/// By item: what it may contribute on other machines that it has a copy less, for each such copy.
std::vector<Tokens> FewestPairs::gains_of_drops(const Weights& weights) const {
    std::vector<Tokens> gains(problem_.items(), 0);
    for (ItemId item = 0; item < problem_.items(); ++item) {
        const Drop& drop = drops_[item];
        if (drop.raises.empty()) continue;
        Tokens pushed = 0;
        for (const Tokens pushing : drop.pushed)
            pushed += weights.push / pushing;
        gains[item] = -pushed;
        for (std::size_t less = 1; less <= drop.raises.size(); ++less) {
            const Tokens raise = weighted(drop.raises[less - 1], weights.raise, whole);
            gains[item] =
                std::max(gains[item], ceil_divide(raise - pushed, static_cast<Tokens>(less)));
        }
        gains[item] += weights.spare;
    }
    return gains;
}

/// What new pairs may contribute, each with what goes for it. Those that go into slots beside one
/// with the same item are there in any case, and nothing goes for them.
FewestPairs::PairGains FewestPairs::gains_of_pairs(const Weights& weights) const {
    const std::vector<Tokens> of_drop = gains_of_drops(weights);
    PairGains gains;
    std::vector<Tokens> elsewhere;  // by what goes
    std::vector<Tokens> in_all;
    std::vector<Tokens> totals;
    for (MachineId machine = 0; machine < problem_.machines; ++machine) {
        const std::vector<ItemId>& items = present_.on[machine];
        const bool above = excess_[machine] > 0;
        Tokens once = weights.above[machine];
        if (!above) {
            once = weighted(rooms_[machine], weights.raise, whole) +
                   (pushes_[machine].empty() ? 0 : weights.push);
            if (items.size() < problem_.slots) {
                gains.in_any_case += once;
                once = 0;
            }
        }
        elsewhere.clear();
        in_all.clear();
        for (std::size_t i = 0; i < items.size(); ++i) {
            elsewhere.push_back(std::max(of_drop[items[i]], Tokens{0}));
            if (above)
                in_all.push_back(elsewhere.back() +
                                 weighted(parts_[machine][i], weights.above[machine], whole));
        }
        std::sort(elsewhere.begin(), elsewhere.end(), std::greater<>());
        std::sort(in_all.begin(), in_all.end(), std::greater<>());
        totals.assign(1, 0);
        Tokens most = once;
        Tokens sum = 0;
        for (std::size_t pair = 0; pair < items.size(); ++pair) {
            most += elsewhere[pair];
            if (above) sum += in_all[pair];
            totals.push_back(above ? std::min(most, sum) : most);
        }
        append_gains(gains.further, totals);
    }
    return gains;
}

/// What further copies of an item may contribute, by their number.
void FewestPairs::total_of_copies(const More& more, const Weights& weights,
                                  std::vector<Tokens>& totals) {
    totals.clear();
    auto part = more.parts.begin();
    for (const Tokens pushed : more.pushed) {
        Tokens total = weighted(pushed, weights.push, whole);
        for (const MachineId machine : more.machines)
            total += weighted(*part++, weights.above[machine], whole);
        totals.push_back(total);
    }
}

/// What each further copy of an item may contribute.
std::vector<Tokens> FewestPairs::gains_of_copies(const Weights& weights) const {
    std::vector<Tokens> gains;
    std::vector<Tokens> totals;
    for (const More& more : more_) {
        if (more.pushed.size() < 2) continue;
        total_of_copies(more, weights, totals);
        append_gains(gains, totals);
    }
    std::erase_if(gains, [&](Tokens gain) { return gain <= weights.spare; });
    for (Tokens& gain : gains)
        gain -= weights.spare;
    return gains;
}

FewestPairs::Count FewestPairs::pairs(const Weights& weights) const {
    PairGains by_pairs = gains_of_pairs(weights);
    std::vector<Tokens> by_copies = gains_of_copies(weights);
    std::sort(by_pairs.further.begin(), by_pairs.further.end(), std::greater<>());
    std::sort(by_copies.begin(), by_copies.end(), std::greater<>());
    const std::size_t least = present_.twice;
    const std::size_t first_copies = std::min(least, by_copies.size());
    Tokens missing = std::accumulate(weights.above.begin(), weights.above.end(), Tokens{0}) +
                     (to_take_ > 0 ? weights.raise : 0) -
                     weights.spare * static_cast<Tokens>(least) - by_pairs.in_any_case;
    for (std::size_t i = 0; i < first_copies; ++i)
        missing -= by_copies[i];
    Count count;
    count.pairs = static_cast<Tokens>(least) * whole;
    if (missing <= 0) return count;
    const std::size_t most = std::max(by_pairs.further.size() + least, by_copies.size());
    for (std::size_t i = least; i < most; ++i) {
        count.last_pair = i - least < by_pairs.further.size() ? by_pairs.further[i - least] : 0;
        count.last_copy = i < by_copies.size() ? by_copies[i] : 0;
        const Tokens gain = count.last_pair + count.last_copy;
        if (gain >= missing) {
            count.pairs = static_cast<Tokens>(i) * whole + part_of(missing, gain, whole);
            return count;
        }
        missing -= gain;
    }
    count.pairs = Tokens{problem_.all_slots()} * whole;  // the level is out of reach
    return count;
}

/// Moves weight from machines that the pairs which count bring down several times over to those
/// that they leave. A matter of luck: every weight is right.
void FewestPairs::shift(Weights& weights, const Count& count, double step) const {
    std::vector<double> covered(problem_.machines, 0);
    std::vector<Tokens> totals;
    std::vector<Tokens> gains;
    for (const More& more : more_) {
        if (more.machines.empty()) continue;
        total_of_copies(more, weights, totals);
        gains.clear();
        append_gains(gains, totals);
        std::size_t taken = 0;
        while (taken < gains.size() && gains[taken] - weights.spare >= count.last_copy &&
               gains[taken] > weights.spare)
            ++taken;
        for (std::size_t i = 0; i < more.machines.size(); ++i)
            covered[more.machines[i]] +=
                static_cast<double>(more.parts[taken * more.machines.size() + i]) /
                static_cast<double>(whole);
    }
    double sum = 0;
    double shifted = 0;
    for (MachineId machine = 0; machine < problem_.machines; ++machine) {
        if (excess_[machine] <= 0) continue;
        // A pair on the machine itself, where that is one of the best.
        if (weights.above[machine] > count.last_pair) covered[machine] += 1;
        sum += static_cast<double>(weights.above[machine]);
        covered[machine] = static_cast<double>(weights.above[machine]) *
                           std::clamp(1 + step * (1 - covered[machine]), 0.25, 2.0);
        shifted += covered[machine];
    }
    for (MachineId machine = 0; machine < problem_.machines; ++machine)
        if (excess_[machine] > 0)
            weights.above[machine] =
                std::max(static_cast<Tokens>(covered[machine] * sum / shifted), Tokens{1});
}

std::uint64_t FewestPairs::at_least() const {
    if (above_ == 0) return present_.twice;
    Weights best;
    for (const Tokens excess : excess_)
        best.above.push_back(excess > 0 ? whole : 0);
    Tokens most = pairs(best).pairs;
    const auto take_better = [&](const Weights& next) {
        const Tokens count = pairs(next).pairs;
        if (count <= most) return false;
        most = count;
        best = next;
        return true;
    };
    const Tokens above = Tokens{above_} * whole;
    take_better({best.above, above / 2, whole / 3, whole / 3});
    take_better({best.above, above, whole / 8, whole / 8});
    constexpr Tokens Weights::*all[] = {&Weights::raise, &Weights::push, &Weights::spare};
    const auto improve = [&](Tokens step) {
        for (const auto weight : all)
            for (const Tokens factor : {8 - step, 8 + step}) {
                Weights next = best;
                do
                    next.*weight = std::min(best.*weight * factor / 8, 4 * above);
                while (take_better(next));
            }
    };
    improve(4);
    improve(2);
    Weights next = best;
    for (double step = 0.5; step > 0.02; step *= 0.88) {
        shift(next, pairs(next), step);
        take_better(next);
    }
    improve(2);
    improve(1);
    return static_cast<std::uint64_t>(ceil_divide(most, whole));
}

}  // namespace equipoise::replication
