#include "equipoise/engine/rounds/edge_play.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::engine {

EdgePlay::EdgePlay(LoadedPart&& loaded, AnySchedule&& schedule, const RoundOptions& options,
                   bool may_owe)
    : RoundPlay(std::move(loaded), options, std::max<Step>(1, schedule.period), may_owe),
      schedule_(std::move(schedule)) {}

EdgePlay::~EdgePlay() = default;

void EdgePlay::start() {
    const LoadRange levels = open_range();
    const EdgeSetting setting{part_,
                              schedule_,
                              loads(),
                              levels.least,
                              levels.most,
                              wants_transfers_,
                              options_.environment != nullptr,
                              live_.has_value(),
                              !options_.speeds.empty(),
                              keeps_links(),
                              unwatched()};
    std::size_t body = 0;
    guard([&] { body = first_body(setting); });
    // Later bodies serve more runs, so the latest body that any rank has chosen serves on all of
    // them.
    body = static_cast<std::size_t>(largest(static_cast<std::int64_t>(body)));
    guard([&] { take_body(body, setting); });
    if (part_.whole())
        start_whole();
    else
        start_part();
    take_up_states();
}

// The slots, and the numbers of their states here, in ascending order; only slots whose tail is an
// own node, or all.
std::vector<EdgePlay::SlotState> EdgePlay::slot_states(bool only_of_own_tails) const {
    std::vector<SlotState> slots;
    for (const StepPlan& plan : plans_)
        for (const ActiveLinks& links : {plan.inner(), plan.cut()})
            links.for_each([&](const Ends& ends, std::uint64_t slot, std::uint64_t state) {
                if (!only_of_own_tails || part_.owns(ends.tail)) slots.push_back({slot, state});
            });
    std::sort(slots.begin(), slots.end(),
              [](const SlotState& a, const SlotState& b) { return a.slot < b.slot; });
    return slots;
}

std::optional<KeptValues> EdgePlay::kept_links() {
    const Values values = link_memory();
    if (values.size == 0 || !keeps_links()) return std::nullopt;
    KeptValues kept{"link states", schedule_.slot_count, values.size, 0, schedule_.slot_count};
    const std::size_t size = values.size;
    std::byte* const bytes = values.bytes.data();
    if (part_.whole()) {  // states by slot
        kept.in_order = true;
        kept.give = [=](std::uint64_t begin, std::uint64_t end, KeptValues::Own& own) {
            own.bytes.insert(own.bytes.end(), bytes + begin * size, bytes + end * size);
        };
        kept.take = [=](std::uint64_t first, std::span<const std::byte> from, std::size_t) {
            std::copy(from.begin(), from.end(), bytes + first * size);
        };
        return kept;
    }
    const auto visit = [](const std::vector<SlotState>& slots, std::uint64_t begin,
                          std::uint64_t end, const auto& use) {
        auto at = std::lower_bound(
            slots.begin(), slots.end(), begin,
            [](const SlotState& one, std::uint64_t slot) { return one.slot < slot; });
        for (; at != slots.end() && at->slot < end; ++at)
            use(*at);
    };
    kept.give = [=, slots = slot_states(true)](std::uint64_t begin, std::uint64_t end,
                                               KeptValues::Own& own) {
        visit(slots, begin, end, [&](const SlotState& one) {
            own.numbers.push_back(one.slot);
            const std::byte* const state = bytes + one.state * size;
            own.bytes.insert(own.bytes.end(), state, state + size);
        });
    };
    kept.take = [=, slots = slot_states(false)](std::uint64_t first,
                                                std::span<const std::byte> from, std::size_t) {
        visit(slots, first, first + from.size() / size, [&](const SlotState& one) {
            std::copy_n(from.data() + (one.slot - first) * size, size, bytes + one.state * size);
        });
    };
    return kept;
}

void EdgePlay::start_whole() {
    make_room();
    if (keeps_links()) renew_links(schedule_.slot_count);
    start_nodes();
    if (!starts_links()) return;
    for (Step step = 0; step < schedule_.period; ++step)
        start_links(links_of_whole(schedule_, step));
}

void EdgePlay::start_part() {
    guard([&] {
        std::uint64_t states = 0;
        for (Step step = 0; step < schedule_.period; ++step) {
            if (needs_links() || starts_links())
                plans_.emplace_back(schedule_, step, part_, states);
            else
                plans_.emplace_back(part_);
            states = plans_.back().states_end();
        }
        make_room();
        renew_links(states);
        start_nodes();
    });
    agree();
    if (!starts_links()) return;
    for (const StepPlan& plan : plans_) {
        exchange_halo(plan.halo());
        guard([&] {
            start_links(plan.inner());
            start_links(plan.cut());
        });
    }
}

StepTotals EdgePlay::play(Step now) {
    return part_.whole() ? play_whole(now) : play_part(now);
}

StepTotals EdgePlay::play_whole(Step now) {
    if (schedule_.prepare) schedule_.prepare(now, loads_);
    wake(now);
    const ActiveLinks links = live_ ? live_links(now) : links_of_whole(schedule_, now);
    if (!keeps_links()) renew_links(links.ends.size());
    StepTotals totals;
    exchange(links, Reach::inner, now, totals);
    settle(now, totals);
    return totals;
}

StepTotals EdgePlay::play_part(Step now) {
    if (!keeps_links()) {
        const std::span<const Tokens> seen =
            schedule_.reads_loads ? all_loads() : std::span<const Tokens>{};
        guard([&] {
            if (schedule_.prepare) schedule_.prepare(now, seen);
            passing_ = StepPlan(schedule_, now, part_, 0);
            make_room();
            renew_links(passing_.states_end());
        });
        agree();
    }
    const StepPlan& plan = keeps_links() ? plans_[now % schedule_.period] : passing_;
    StepTotals totals;
    guard([&] { wake(now); });
    begin_halo(plan.halo());
    guard([&] { exchange(plan.inner(), Reach::inner, now, totals); });
    finish_halo(plan.halo());
    guard([&] {
        exchange(plan.cut(), Reach::cut, now, totals);
        settle(now, totals);
    });
    return totals;
}

// The live links of a step. The states of all other slots are reset.
ActiveLinks EdgePlay::live_links(Step now) {
    live_ends_.clear();
    live_slots_.clear();
    std::vector<Ends> down;
    std::vector<std::uint64_t> down_slots;
    links_of_whole(schedule_, now)
        .for_each([&](const Ends& ends, std::uint64_t slot, std::uint64_t /*state*/) {
            const bool is_live = live_->live(ends.tail, ends.head);
            (is_live ? live_ends_ : down).push_back(ends);
            (is_live ? live_slots_ : down_slots).push_back(slot);
        });
    const auto listed = [&](const std::vector<Ends>& ends,
                            const std::vector<std::uint64_t>& slots) {
        ActiveLinks links;
        links.ends = ends;
        links.slots = slots;
        links.states_by_slot = keeps_links();
        return links;
    };
    if (keeps_links()) start_links(listed(down, down_slots));
    return listed(live_ends_, live_slots_);
}

}  // namespace equipoise::engine
