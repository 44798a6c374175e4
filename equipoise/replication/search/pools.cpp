#include "equipoise/replication/search/pools.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise::replication {

namespace {

/// How good an assignment of groups to hosts is; less is better.
struct Fit {
    Tokens largest = 0;       ///< of the hosts' loads, or the limit if that is more
    std::uint64_t lacks = 0;  ///< copies, in units of 1 / (groups of a host)
    friend auto operator<=>(const Fit&, const Fit&) = default;
};

/// Assigns groups to hosts, the group of most load first: all ways in depth-first order, until too
/// many steps are used up; then exchanges of two groups while one helps. What it finds need not be
/// the best; `GroupsOnHosts`, which bounds stand on, is apart on purpose.
class GroupSearch {
  public:
    GroupSearch(const Problem& problem, Tokens limit)
        : groups_(problem.groups),
          hosts_(problem.hosts),
          room_(problem.groups / problem.hosts),
          loads_(groups_, 0),
          lacks_(std::size_t{groups_} * hosts_, 0),
          kind_(hosts_, 0),
          order_(groups_),
          held_(hosts_, 0),
          count_(hosts_, 0),
          host_(groups_, 0) {
        for (ItemId item = 0; item < problem.items(); ++item)
            loads_[problem.group_of(item)] += problem.loads[item];
        const Tokens machines = problem.machines / problem.hosts;
        limit_ = limit > tokens_max / machines ? tokens_max : limit * machines;
        if (!problem.placement.empty()) count_lacks(problem);
        find_kinds();
        std::iota(order_.begin(), order_.end(), 0U);
        std::stable_sort(order_.begin(), order_.end(),
                         [&](auto a, auto b) { return loads_[a] > loads_[b]; });
    }

    std::vector<std::uint32_t> run() {
        assign(0, {limit_, 0});
        if (steps_ >= most_steps) exchange();
        return best_host_;
    }

  private:
    static constexpr std::uint64_t most_steps = 20'000;

    /// Of each group, the items that a host lacks, or the copies that it lacks for an even share of
    /// the slots, whichever is more.
    void count_lacks(const Problem& problem) {
        const std::uint64_t host_slots = problem.all_slots() / hosts_;
        std::vector<std::uint64_t> items(lacks_.size(), 0);
        std::vector<std::uint64_t> pairs(lacks_.size(), 0);
        std::vector<std::uint32_t> on_host(std::size_t{problem.items()} * hosts_, 0);
        std::vector<MachineId> last(problem.items(), problem.machines);
        for (std::uint32_t slot = 0; slot < problem.all_slots(); ++slot) {
            const ItemId item = problem.placement[slot];
            const MachineId machine = slot / problem.slots;
            if (std::exchange(last[item], machine) == machine) continue;
            const std::uint32_t host = problem.host_of(machine);
            const std::size_t at = std::size_t{problem.group_of(item)} * hosts_ + host;
            ++pairs[at];
            if (on_host[std::size_t{item} * hosts_ + host]++ == 0) ++items[at];
        }
        const std::uint64_t size = problem.items() / groups_;
        for (std::size_t at = 0; at < lacks_.size(); ++at)
            lacks_[at] = std::max((size - items[at]) * room_,
                                  host_slots - std::min(host_slots, pairs[at] * room_));
    }

    /// Hosts that lack as much of every group are of one kind, which has the number of the first.
    void find_kinds() {
        for (std::uint32_t host = 0; host < hosts_; ++host)
            for (kind_[host] = 0; kind_[host] < host; ++kind_[host]) {
                bool alike = true;
                for (std::size_t group = 0; alike && group < groups_; ++group)
                    alike = lacks_[group * hosts_ + host] == lacks_[group * hosts_ + kind_[host]];
                if (alike) break;
            }
    }

    /// Whether another empty host that lacks as much of everything was tried already.
    [[nodiscard]] bool is_like_an_earlier(std::uint32_t host) const {
        if (count_[host] != 0) return false;
        for (std::uint32_t other = 0; other < host; ++other)
            if (count_[other] == 0 && kind_[other] == kind_[host]) return true;
        return false;
    }

    void assign(std::uint32_t depth, Fit fit) {
        if (!best_host_.empty() && (fit >= best_ || steps_ >= most_steps)) return;
        ++steps_;
        if (depth == groups_) {
            best_ = fit;
            best_host_ = host_;
            return;
        }
        const std::uint32_t group = order_[depth];
        std::vector<std::pair<Fit, std::uint32_t>> ways;
        for (std::uint32_t host = 0; host < hosts_; ++host) {
            if (count_[host] == room_ || is_like_an_earlier(host)) continue;
            ways.emplace_back(Fit{std::max(fit.largest, held_[host] + loads_[group]),
                                  fit.lacks + lacks_[std::size_t{group} * hosts_ + host]},
                              host);
        }
        std::stable_sort(ways.begin(), ways.end(), [&](const auto& a, const auto& b) {
            return a.first != b.first ? a.first < b.first : held_[a.second] < held_[b.second];
        });
        for (const auto& [next, host] : ways) {
            held_[host] += loads_[group];
            ++count_[host];
            host_[group] = host;
            assign(depth + 1, next);
            held_[host] -= loads_[group];
            --count_[host];
        }
    }

    [[nodiscard]] Fit fit_of(const std::vector<std::uint32_t>& host_of) const {
        std::vector<Tokens> held(hosts_, 0);
        Fit fit{limit_, 0};
        for (std::size_t group = 0; group < groups_; ++group) {
            held[host_of[group]] += loads_[group];
            fit.lacks += lacks_[group * hosts_ + host_of[group]];
        }
        fit.largest = std::max(fit.largest, *std::max_element(held.begin(), held.end()));
        return fit;
    }

    void exchange() {
        constexpr std::uint64_t most_looks = 20'000;
        std::uint64_t looks = 0;
        bool again = true;
        while (again) {
            again = false;
            for (std::uint32_t a = 0; a < groups_; ++a)
                for (std::uint32_t b = 0; b < a; ++b) {
                    if (best_host_[a] == best_host_[b]) continue;
                    if (++looks > most_looks) return;
                    std::swap(best_host_[a], best_host_[b]);
                    if (const Fit fit = fit_of(best_host_); fit < best_) {
                        best_ = fit;
                        again = true;
                    } else {
                        std::swap(best_host_[a], best_host_[b]);
                    }
                }
        }
    }

    std::uint32_t groups_, hosts_, room_;
    std::vector<Tokens> loads_;         // by group
    std::vector<std::uint64_t> lacks_;  // by group and host
    std::vector<std::uint32_t> kind_;   // by host
    std::vector<std::uint32_t> order_;
    Tokens limit_ = 0;  // of a host
    std::vector<Tokens> held_;
    std::vector<std::uint32_t> count_;
    std::vector<std::uint32_t> host_;
    Fit best_;
    std::vector<std::uint32_t> best_host_;
    std::uint64_t steps_ = 0;
};

}  // namespace

void refuse_unsuitable(const Problem& problem) {
    if (problem.groups == 0 || problem.slots <= problem.items() / problem.hosts) return;
    throw UnsuitableError("expected at most as many slots on a GPU as a host has experts (" +
                          std::to_string(problem.items() / problem.hosts) + "), found " +
                          std::to_string(problem.slots));
}

std::vector<Pool> pools_of(const Problem& problem, std::span<const std::uint32_t> host_of_group) {
    const std::uint32_t count = host_of_group.empty() ? 1 : problem.hosts;
    std::vector<Pool> pools(count);
    for (std::uint32_t pool = 0; pool < count; ++pool) {
        pools[pool].machines = problem.machines / count;
        pools[pool].first = pool * pools[pool].machines;
    }
    for (ItemId item = 0; item < problem.items(); ++item)
        pools[host_of_group.empty() ? 0 : host_of_group[problem.group_of(item)]].items.push_back(
            item);
    return pools;
}

std::vector<std::uint32_t> hosts_of_groups(const Problem& problem, Tokens limit) {
    if (problem.groups == 0) return {};
    return GroupSearch(problem, limit).run();
}

}  // namespace equipoise::replication
