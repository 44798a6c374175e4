#include "equipoise/replication/groups_on_hosts.hpp"

#include <algorithm>
#include <numeric>

#include "equipoise/base/tokens.hpp"

namespace equipoise::replication {

GroupsOnHosts::GroupsOnHosts(const Problem& problem, const LevelNeeds& needs, Tokens level)
    : on_each_(problem.groups / problem.hosts),
      groups_(problem.groups),
      order_(problem.groups),
      hosts_(problem.hosts),
      host_of_(problem.groups, 0) {
    const Tokens most = needs.most_of_smallest(level, 1);
    Tokens total = 0;
    for (ItemId item = 0; item < problem.items(); ++item) {
        Sums& group = groups_[problem.group_of(item)];
        group.load += problem.loads[item];
        group.slots += needs.copies_for(problem.loads[item], most);
        total += problem.loads[item];
    }
    std::iota(order_.begin(), order_.end(), 0U);
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return groups_[a].load > groups_[b].load;
    });
    smallest_.push_back(0);
    for (std::uint32_t count = 0; count < on_each_; ++count)
        smallest_.push_back(smallest_.back() + groups_[order_[order_.size() - 1 - count]].load);
    const Tokens machines = problem.machines / problem.hosts;
    most_.load = level > total / machines ? total : level * machines;
    most_.slots = machines * Tokens{problem.slots};
}

bool GroupsOnHosts::put(std::size_t next, std::uint32_t host) {
    const Sums& group = groups_[order_[next]];
    Sums& sums = hosts_[host];
    sums.load += group.load;
    sums.slots += group.slots;
    ++sums.groups;
    host_of_[order_[next]] = host;
    return sums.load + smallest_[on_each_ - sums.groups] <= most_.load && sums.slots <= most_.slots;
}

bool GroupsOnHosts::fit(std::uint64_t effort) {
    effort_ = effort;
    return place(0);
}

bool GroupsOnHosts::place(std::size_t next) {
    if (next == order_.size() || effort_ == 0) return true;
    --effort_;
    for (std::uint32_t host = 0; host < hosts_.size(); ++host) {
        const Sums before = hosts_[host];
        // Of hosts that are alike, the first stands for all.
        const auto here = hosts_.begin() + static_cast<std::ptrdiff_t>(host);
        if (before.groups == on_each_ || std::find(hosts_.begin(), here, before) != here) continue;
        const bool found = put(next, host) && place(next + 1);
        hosts_[host] = before;
        if (found) return true;
    }
    return false;
}

Tokens GroupsOnHosts::least_cost(const Costs& costs, std::uint64_t effort) {
    costs_ = &costs;
    effort_ = effort;
    const std::size_t hosts = hosts_.size();
    rest_.assign(order_.size() + 1, 0);
    for (std::size_t next = order_.size(); next-- > 0;) {
        const auto first =
            costs.of_group.begin() + static_cast<std::ptrdiff_t>(std::size_t{order_[next]} * hosts);
        rest_[next] =
            rest_[next + 1] + *std::min_element(first, first + static_cast<std::ptrdiff_t>(hosts));
    }
    best_ = impossible;
    place_cheaply(0, 0);
    return effort_ == 0 ? rest_[0] : best_;
}

void GroupsOnHosts::place_cheaply(std::size_t next, Tokens cost) {
    if (effort_ == 0 || cost + rest_[next] >= best_) return;
    if (next == order_.size()) {
        best_ = std::min(best_, cost_of_all());
        return;
    }
    --effort_;
    for (std::uint32_t host = 0; host < hosts_.size(); ++host) {
        const Sums before = hosts_[host];
        if (before.groups == on_each_) continue;
        if (put(next, host))
            place_cheaply(
                next + 1,
                cost + costs_->of_group[std::size_t{order_[next]} * hosts_.size() + host]);
        hosts_[host] = before;
    }
}

Tokens GroupsOnHosts::cost_of_all() const {
    std::vector<Tokens> sums(hosts_.size(), 0);
    std::vector<std::uint32_t> at_home(hosts_.size(), 0);
    for (std::uint32_t group = 0; group < groups_.size(); ++group) {
        const std::uint32_t host = host_of_[group];
        sums[host] += costs_->of_group[std::size_t{group} * hosts_.size() + host];
        if (costs_->home[group] == host) ++at_home[host];
    }
    for (std::size_t host = 0; host < sums.size(); ++host)
        if (at_home[host] == on_each_) sums[host] = std::max(sums[host], costs_->of_host[host]);
    return std::accumulate(sums.begin(), sums.end(), Tokens{0});
}

}  // namespace equipoise::replication
