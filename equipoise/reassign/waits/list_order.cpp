#include "equipoise/reassign/waits/list_order.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <queue>
#include <utility>

#include "equipoise/base/random.hpp"
#include "equipoise/reassign/checks/machine_ends.hpp"
#include "equipoise/reassign/schedule/wave_list.hpp"
#include "equipoise/reassign/waits/partial_order.hpp"
#include "equipoise/reassign/waits/waits_builder.hpp"

namespace equipoise::reassign {

namespace {

/// A try to begin a move, in looks at moves.
constexpr std::uint64_t looks_a_try = 50;
/// Items are sorted again when one in so many has begun to move.
constexpr std::size_t begun_part = 20;
/// The most that is drawn on top of how urgent an item is, as a part of it.
constexpr double most_drawn = 0.6;

class ListOrder {
  public:
    ListOrder(const Problem& problem, std::span<const Move> moves, const ListOptions& options)
        : problem_(problem),
          options_(options),
          machine_ends_(problem),
          list_(problem, routes_of(problem, moves)),
          waits_(problem, moves),
          left_(moves.size()),
          free_at_(machine_ends_.count(), 0),
          done_at_(problem.item_count(), 0),
          factor_(problem.item_count(), 1) {
        RandomStream random(options.number, Purpose::schedule, 2);
        if (options.number > 0)
            for (double& factor : factor_)
                factor += most_drawn * random.unit();
        std::vector<bool> is_in(problem.item_count(), false);
        for (const Move& move : moves) {
            if (!is_in[move.item]) items_.push_back(move.item);
            is_in[move.item] = true;
        }
    }

    bool run() {
        while (left_ > 0) {
            if (options_.stop.stop_requested()) return false;
            sort_by_work();
            ended_at_once_ = false;
            for (const ItemId item : items_) {
                if (++looks_ > options_.effort) return false;
                if (may_begin(item)) begin(item);
            }
            if (ended_at_once_) continue;
            while (!ends_.empty() && ends_.top() <= now_)
                ends_.pop();
            if (ends_.empty()) return left_ == 0;
            now_ = ends_.top();
        }
        return true;
    }

    [[nodiscard]] std::vector<Move> moves() const { return list_.moves(); }
    [[nodiscard]] std::uint64_t looks() const { return looks_; }

  private:
    [[nodiscard]] bool ends_are_free(MachineId giver, MachineId to) const {
        return (giver == problem_.outside || free_at_[machine_ends_.giving(giver)] <= now_) &&
               free_at_[machine_ends_.taking(to)] <= now_;
    }
    [[nodiscard]] bool has_moves(ItemId item) const {
        return list_.next_stop(item) != list_.builder().place(item);
    }
    [[nodiscard]] bool may_begin(ItemId item) const {
        return done_at_[item] <= now_ && has_moves(item) &&
               ends_are_free(list_.builder().giver(item), list_.next_stop(item));
    }

    /// Items whose machines have most left to do, first.
    void sort_by_work() {
        if (sorted_at_ > 0 && left_ > sorted_at_ - sorted_at_ / begun_part) return;
        std::erase_if(items_, [&](ItemId item) { return !has_moves(item); });
        std::vector<double> work(free_at_.size(), 0);
        const auto ends_of = [&](ItemId item) {
            const MachineId giver = list_.builder().giver(item);
            return std::pair(giver == problem_.outside ? work.size() : machine_ends_.giving(giver),
                             machine_ends_.taking(list_.next_stop(item)));
        };
        const auto amount = [&](ItemId item) { return problem_.amount(item, problem_.copied); };
        for (const ItemId item : items_) {
            const auto [gives, takes] = ends_of(item);
            if (gives < work.size()) work[gives] += machine_ends_.seconds(gives, amount(item));
            work[takes] += machine_ends_.seconds(takes, amount(item));
        }
        std::vector<std::pair<std::pair<double, double>, ItemId>> keys;
        for (const ItemId item : items_) {
            const auto [gives, takes] = ends_of(item);
            const double give = gives < work.size() ? work[gives] : 0;
            keys.push_back({{-factor_[item] * std::max(give, work[takes]),
                             -factor_[item] * std::min(give, work[takes])},
                            item});
        }
        std::stable_sort(keys.begin(), keys.end(), [&](const auto& a, const auto& b) {
            return std::pair(a.first, -amount(a.second)) < std::pair(b.first, -amount(b.second));
        });
        for (std::size_t i = 0; i < keys.size(); ++i)
            items_[i] = keys[i].second;
        sorted_at_ = left_;
    }

    /// Begins the item's next move, and those that it needs, if they need wait for nothing.
    void begin(ItemId item) {
        looks_ += looks_a_try;
        if (!list_.add(item, list_.next_stop(item))) return;
        const std::vector<Move> wave(list_.builder().wave().begin(), list_.builder().wave().end());
        std::vector<MachineId> givers;
        bool ready = true;
        for (const Move& move : wave) {
            givers.push_back(waits_.giver(move));
            ready = ready && done_at_[move.item] <= now_ && ends_are_free(givers.back(), move.to);
        }
        // Of lists that are not reduced, each move's own is enough.
        const WaitsFor lists = ready ? waits_.next_waits(wave) : WaitsFor();
        for (const std::vector<std::uint32_t>& list : lists)
            for (const std::uint32_t first : list)
                ready = ready && done_[first] <= now_;
        list_.end_wave();
        if (!ready) return list_.take_wave_back();
        waits_.add(wave);
        const std::vector<double> seconds = seconds_of_moves(problem_, wave, givers);
        for (std::size_t at = 0; at < wave.size(); ++at) {
            const double end = now_ + seconds[at];
            done_.push_back(end);
            done_at_[wave[at].item] = end;
            if (givers[at] != problem_.outside) hold(machine_ends_.giving(givers[at]), end);
            hold(machine_ends_.taking(wave[at].to), end);
            ends_.push(end);
            if (end <= now_) ended_at_once_ = true;
        }
        left_ -= wave.size();
    }

    void hold(std::size_t end, double until) { free_at_[end] = std::max(free_at_[end], until); }

    const Problem& problem_;
    const ListOptions& options_;
    MachineEnds machine_ends_;
    WaveList list_;
    WaitsBuilder waits_;
    std::size_t left_;  ///< moves that have not begun
    std::uint64_t looks_ = 0;
    double now_ = 0;
    bool ended_at_once_ = false;   ///< whether a move that has just begun takes no time
    std::vector<double> free_at_;  ///< by end of `machine_ends_`
    std::vector<double> done_at_;  ///< by item
    std::vector<double> factor_;   ///< by item, of its urgency
    std::vector<double> done_;     ///< by move
    std::vector<ItemId> items_;    ///< with moves left, the most urgent ones first
    std::size_t sorted_at_ = 0;    ///< how many moves were left when they were sorted
    std::priority_queue<double, std::vector<double>, std::greater<>> ends_;
};

}  // namespace

std::optional<std::vector<Move>> list_order(const Problem& problem, std::span<const Move> moves,
                                            ListOptions& options) {
    ListOrder order(problem, moves, options);
    const bool is_complete = order.run();
    options.effort -= std::min(order.looks(), options.effort);
    if (!is_complete) return std::nullopt;
    return order.moves();
}

}  // namespace equipoise::reassign
