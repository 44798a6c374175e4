#include "equipoise/balancer/plan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "equipoise/balancer/alike.hpp"
#include "equipoise/balancer/order_planner.hpp"
#include "equipoise/balancer/plan_data.hpp"
#include "equipoise/balancer/planner.hpp"
#include "equipoise/balancer/weight_planner.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/mpi/messages.hpp"
#include "equipoise/mpi/topology.hpp"
#include "equipoise/placement/few_moves.hpp"

namespace equipoise::balancer {

namespace {

std::string real_text(double value) {
    std::array<char, 32> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.6g", value);
    return {text.data(), static_cast<std::size_t>(length)};
}

// A digest of what must be the same on all ranks: the purpose of the plan, and options.
std::uint64_t digest_of(const Options& options, std::string_view what) {
    Digest digest;
    digest.add(mpi::digest_of(what));
    add_alike(options, digest);
    return digest.value();
}

bool good_figure(double figure) {
    return std::isfinite(figure) && figure >= 0;
}

[[noreturn]] void refuse(const char* expected, const std::string& found) {
    std::string text = "expected ";
    text += expected;
    text += ", found ";
    text += found;
    throw InputError(text);
}

void check_each(std::span<const double> numbers, const char* expected) {
    bool good = true;  // without branches: there may be many
    for (const double number : numbers)
        good &= number >= 0 && number <= std::numeric_limits<double>::max();
    if (good) return;
    const auto bad = std::find_if_not(numbers.begin(), numbers.end(), good_figure);
    if (bad != numbers.end()) refuse(expected, real_text(*bad));
}

void check_weights(Tokens count, const Options& options) {
    const auto items = static_cast<std::size_t>(count);
    const bool may_have =
        options.policy == Policy::weighted || options.policy == Policy::keep_order;
    if (!may_have) {
        if (!options.weights.empty()) throw InputError("weights are for weighted and keep-order");
        if (options.tolerance != 0) throw InputError("a tolerance is for weighted and keep-order");
        if (options.weights_per_item != 1)
            throw InputError("several weights an item are for weighted and keep-order");
    }
    if (!options.sizes.empty() && options.policy != Policy::weighted &&
        (options.policy != Policy::keep_order || options.weights.empty()))
        throw InputError("sizes are for weighted, and with weights for keep-order");
    if (!may_have || (options.policy == Policy::keep_order && options.weights.empty())) return;
    if (!good_figure(options.tolerance))
        refuse("a tolerance that is finite and at least 0", real_text(options.tolerance));
    const std::size_t kinds = options.weights_per_item;
    if (kinds < 1 || kinds > placement::weights_per_item_max)
        refuse(("1 to " + std::to_string(placement::weights_per_item_max) + " weights an item")
                   .c_str(),
               std::to_string(kinds));
    if (options.weights.size() / kinds != items || options.weights.size() % kinds != 0) {
        std::string expected = kinds == 1 ? "one weight" : counted(std::uint64_t{kinds}, "weight");
        expected += " for each of " + counted(count, "item");
        expected += " (weights move with the items where rebalance is given their vector)";
        refuse(expected.c_str(),
               counted(static_cast<std::uint64_t>(options.weights.size()), "weight"));
    }
    if (!options.sizes.empty() && options.sizes.size() != items)
        refuse(("one size for each of " + counted(count, "item")).c_str(),
               counted(static_cast<std::uint64_t>(options.sizes.size()), "size"));
}

// The weights as doubles: `room` is for copies of those that are of another type. Their number has
// been checked.
View<double> read_weights(const Options& options, std::vector<double>& room) {
    const View<double> weights = options.weights.read(room, "weights");
    check_each(weights, "weights that are finite and at least 0");
    return weights;
}

void check_neighbours_only(const mpi::Communicator& communicator, const Options& options) {
    if (options.pinned != 0)
        throw InputError("neighbours-only cannot pin items: they would be in the way of others");
    if (options.neighbour_planner == nullptr)
        throw InputError(
            "neighbours-only plans with an algorithm: expected options made by neighbours_only()");
    options.neighbour_planner->expect_known(options.algorithm);
    mpi::expect_topology(communicator);
}

void check_room(Tokens count, const Options& options) {
    if (options.policy != Policy::minimum_moves && options.policy != Policy::hierarchical &&
        options.policy != Policy::keep_order && options.policy != Policy::weighted)
        throw InputError("items_max is for minimum-moves, hierarchical, keep-order and weighted");
    if (options.policy == Policy::keep_order && options.machines_first && count > 0 &&
        options.weights.empty())
        throw InputError("items_max with machines_first needs weights");
    if (*options.items_max < options.pinned)
        refuse(("room for at least the " + counted(options.pinned, "pinned item")).c_str(),
               "items_max of " + std::to_string(*options.items_max));
}

constexpr const char* bytes_need_weights =
    "bytes_max is for weighted, and with weights for keep-order (weights of 1 level numbers of "
    "items)";

void check_room_for_bytes(Tokens count, const Options& options) {
    const double most = *options.bytes_max;
    if (options.policy != Policy::weighted &&
        (options.policy != Policy::keep_order || (count > 0 && options.weights.empty())))
        throw InputError(bytes_need_weights);
    if (!(most >= 0)) refuse("a bytes_max of at least 0", real_text(most));
    if (count > 0 && options.sizes.empty())
        throw InputError("expected sizes beside bytes_max, found none");
}

// The sizes as doubles, as those of `read_weights`.
View<double> read_sizes(const Options& options, std::vector<double>& room) {
    const View<double> sizes = options.sizes.read(room, "sizes");
    check_each(sizes, "sizes that are finite and at least 0");
    if (!options.bytes_max) return sizes;
    const auto pinned = static_cast<std::ptrdiff_t>(options.pinned);
    const double bytes = std::accumulate(sizes.begin(), sizes.begin() + pinned, 0.0);
    if (*options.bytes_max < bytes)
        refuse(("room for at least the " + real_text(bytes) + " bytes of pinned items").c_str(),
               "bytes_max of " + real_text(*options.bytes_max));
    return sizes;
}

// All but weights and sizes themselves: no memory is taken for as many as are refused here.
void check_options(const mpi::Communicator& communicator, Tokens count, const Options& options) {
    expect_count(count, options.policy);
    if (!good_figure(options.speed))
        refuse("a speed that is finite and at least 0", real_text(options.speed));
    if (options.pinned < 0 || options.pinned > count)
        refuse("at least 0 pinned items and no more than there are",
               std::to_string(options.pinned));
    if (options.items_max) check_room(count, options);
    if (options.policy == Policy::given)
        throw InputError("expected a policy that plans, found given, which is for plan_to() alone");
    if (options.policy == Policy::keep_order && options.pinned != 0)
        throw InputError("keep-order cannot pin items: those between them would have no way out");
    if (options.policy == Policy::random_pairs && (options.pinned != 0 || options.speed != 1))
        throw InputError(
            "random-pairs levels numbers of items: it takes no pinned items or speeds");
    if (options.policy == Policy::neighbours_only) check_neighbours_only(communicator, options);
    check_weights(count, options);
    if (options.bytes_max) check_room_for_bytes(count, options);
    if (options.machines_first && options.policy != Policy::weighted &&
        options.policy != Policy::keep_order)
        throw InputError("machines_first is for weighted and keep-order");
    if (options.socket && !options.machine)
        throw InputError("a socket colour needs a machine colour");
    if (options.message_bytes_max < 1 || options.message_bytes_max > mpi::message_bytes_limit)
        refuse("messages of 1 to 2^31 - 1 bytes", std::to_string(options.message_bytes_max));
}

// Bits whose order is that of the numbers, if these are not negative.
std::int64_t ordered_bits(double figure) {
    if (!good_figure(figure))
        refuse("figures of the cost model that are finite and at least 0", real_text(figure));
    return std::bit_cast<std::int64_t>(figure + 0.0);
}

// The seconds that a unit of each kind of weights takes in a step.
std::vector<double> seconds_by_kind(const CostModel& costs, std::size_t kinds) {
    if (kinds == 1 && costs.seconds_by_kind.empty()) return {costs.seconds_per_item};
    if (costs.seconds_per_item != 0)
        throw InputError(
            "expected either seconds_per_item or, with several weights an item, seconds_by_kind");
    if (costs.seconds_by_kind.size() != kinds) {
        std::string expected = "seconds_by_kind with " + counted(std::uint64_t{kinds}, "figure");
        expected += ", one for each weight of an item (0 for what takes no time)";
        refuse(expected.c_str(),
               counted(static_cast<std::uint64_t>(costs.seconds_by_kind.size()), "figure"));
    }
    for (const double figure : costs.seconds_by_kind)
        ordered_bits(figure);
    return costs.seconds_by_kind;
}

// Replaces every figure by its largest value on any rank. Collective; nothing can fail on one rank
// alone.
void take_largest(const mpi::Communicator& communicator, std::span<double> figures) {
    using Tally = mpi::Communicator::Tally;
    constexpr std::size_t at_once = std::tuple_size_v<decltype(Tally::maxima)>;
    while (!figures.empty()) {
        const std::span<double> some = figures.first(std::min(at_once, figures.size()));
        Tally tally;
        std::transform(some.begin(), some.end(), tally.maxima.begin(),
                       [](double figure) { return std::bit_cast<std::int64_t>(figure + 0.0); });
        tally = communicator.reduce(tally);
        for (std::size_t i = 0; i < some.size(); ++i)
            some[i] = std::bit_cast<double>(tally.maxima[i]);
        figures = figures.subspan(some.size());
    }
}

// A rank of speed 0 that keeps work makes steps infinitely long, before and after.
double seconds_saved(const Plan::Data& plan, std::span<const double> seconds_by_kind,
                     double steps) {
    double saved = 0;
    for (std::size_t kind = 0; kind < seconds_by_kind.size(); ++kind) {
        const double before = plan.slowest_before[kind];
        const double after = plan.slowest_after[kind];
        const double seconds = seconds_by_kind[kind] * steps;
        if (seconds > 0 && before != after) saved += seconds * (before - after);
    }
    return saved;
}

// The first vote has told whether some ranks gave weights, and whether some have items without.
void agree_on_weights(const mpi::Communicator& communicator, const Options& options, Tokens count,
                      bool some_have, bool some_lack, bool limits_bytes) {
    engine::LocalFailure failure;
    if (some_have && some_lack) {
        failure.guard([&] {
            if (count > 0 && options.weights.empty())
                throw InputError(
                    "expected weights on all ranks that have items or on none, found none");
        });
    } else if (!some_have && limits_bytes) {
        failure.guard([] { throw InputError(bytes_need_weights); });
    } else if (!some_have && (options.tolerance != 0 || options.weights_per_item != 1)) {
        failure.guard([] {
            throw InputError(
                "a tolerance and several weights an item are for items with weights, found none");
        });
    } else {
        return;
    }
    mpi::agree(communicator, failure, "weights for keep-order");
}

// The transfers that undo others: the last round first, but in each the order as it was, since it
// says where parcels lie.
void undo(std::vector<Transfer>& transfers, std::vector<std::size_t>& round_ends) {
    for (Transfer& transfer : transfers)
        std::swap(transfer.from, transfer.to);
    if (round_ends.empty()) return;
    std::vector<Transfer> undone;
    undone.reserve(transfers.size());
    std::vector<std::size_t> ends;
    ends.reserve(round_ends.size());
    for (std::size_t round = round_ends.size(); round-- > 0;) {
        const auto begin = static_cast<std::ptrdiff_t>(round == 0 ? 0 : round_ends[round - 1]);
        const auto end = static_cast<std::ptrdiff_t>(round_ends[round]);
        undone.insert(undone.end(), transfers.begin() + begin, transfers.begin() + end);
        ends.push_back(undone.size());
    }
    transfers = std::move(undone);
    round_ends = std::move(ends);
}

}  // namespace

void expect_count(Tokens count, Policy policy) {
    if (count < 0 || count > tokens_max)
        refuse("a number of items between 0 and 2^61", std::to_string(count));
    if (policy == Policy::weighted) placement::expect_countable(static_cast<std::uint64_t>(count));
}

Plan begin_plan(MPI_Comm callers, Tokens count, const Options& given, engine::LocalFailure& failure,
                std::string_view what) {
    const double started = MPI_Wtime();
    const mpi::Communicator communicator(callers);
    Plan plan;
    std::optional<CountPlanner> by_count;
    std::optional<WeightPlanner> by_weight;
    std::optional<OrderPlanner> in_order;
    Options options;  // with weights that are doubles
    std::vector<double> weights;
    std::vector<double> sizes;
    failure.guard([&] {
        options = given;
        check_options(communicator, count, options);
        options.sizes = read_sizes(options, sizes);
        options.weights = read_weights(options, weights);
        plan.data_ = std::make_shared<Plan::Data>(communicator);
        plan.data_->message_bytes_max = options.message_bytes_max;
        plan.data_->size_before = count;
        plan.data_->report.policy = options.policy;
        plan.data_->report.ranks = communicator.size();
        plan.data_->report.machines_first = options.machines_first;
        if (options.policy == Policy::weighted)
            by_weight.emplace(communicator, options);
        else if (options.policy == Policy::keep_order && (count == 0 || !options.weights.empty()))
            in_order.emplace(communicator, options);
        if (options.policy != Policy::weighted) by_count.emplace(communicator, count, options);
    });
    // The sum cannot overflow; it is exact if loads are level, or else too large to be accepted.
    const Tokens counted_here = std::min(count, tokens_max / communicator.size() + 1);
    // Level loads hide no errors: what must be the same is compared before loads are looked at.
    const engine::Ballot votes =
        mpi::agree(communicator, failure,
                   {digest_of(options, what),
                    {count, -count, options.pinned != 0 ? 1 : 0, options.speed != 1 ? 1 : 0},
                    counted_here,
                    [&] { return std::string(what) + alike_in_words(options, real_text); },
                    {options.weights.empty() ? 0 : 1, options.weights.empty() && count > 0 ? 1 : 0,
                     options.items_max ? 1 : 0, options.bytes_max ? 1 : 0}},
                   by_count ? by_count->first_words() : std::span<const std::int64_t>());
    const Census census = {-votes.maxima[1],     votes.maxima[0],    votes.sum,
                           votes.maxima[2] != 0, votes.sums[2] != 0, votes.maxima[3] != 0};
    const bool any_weights = votes.sums[0] != 0;
    if (options.policy == Policy::keep_order && census.most > 0)
        agree_on_weights(communicator, options, count, any_weights, votes.sums[1] != 0,
                         votes.sums[3] != 0);
    Plan::Data& data = *plan.data_;
    if (by_weight) {
        by_weight->plan(data, failure);
    } else if (options.policy == Policy::keep_order && any_weights) {
        in_order->plan(data, failure);
    } else if (census.most - census.least <= 1 && !census.any_speed && !census.any_limited) {
        by_count->settle(census, data, failure);
    } else {
        by_count->plan(census, data, failure);
    }
    data.report.seconds_planning = MPI_Wtime() - started;
    return plan;
}

Plan make_plan(MPI_Comm callers, Tokens count, const Options& options, engine::LocalFailure failure,
               std::string_view what) {
    Plan plan = begin_plan(callers, count, options, failure, what);
    if (!plan.settled()) plan.agree(failure, "a plan");
    return plan;
}

Plan Plan::of(std::shared_ptr<Data> data) {
    Plan plan;
    plan.data_ = std::move(data);
    return plan;
}

Plan Plan::inverse() const {
    auto data = std::make_shared<Data>(*data_);
    data->size_before = size_after();
    undo(data->transfers, data->round_ends);
    std::reverse(data->rounds.begin(), data->rounds.end());
    for (RankMoves& moves : data->rounds)
        moves = placement::inverse(std::move(moves));
    Report& report = data->report;
    std::swap(report.before, report.after);
    std::swap(report.weight_before, report.weight_after);
    std::swap(report.largest_before, report.largest);
    report.largest_at_least = std::min(report.largest_at_least, report.largest);
    // A plan may be as uneven as the present loads without any move.
    report.moved_at_least = 0;
    report.bytes_at_least = 0;
    data->least_of_rank = {};
    std::swap(data->slowest_before, data->slowest_after);
    report.seconds_planning = 0;
    return of(std::move(data));
}

std::span<const Transfer> Plan::transfers() const {
    return data_->transfers;
}
const Report& Plan::report() const {
    return data_->report;
}
Tokens Plan::size_before() const {
    return data_->size_before;
}
Tokens Plan::size_after() const {
    return data_->rounds.empty() ? data_->size_before : data_->rounds.back().size_after;
}
std::span<const RankMoves> Plan::rounds() const {
    return data_->rounds;
}
bool Plan::settled() const {
    return data_->settled;
}
const mpi::Communicator& Plan::communicator() const {
    return data_->communicator;
}
std::size_t Plan::message_bytes_max() const {
    return data_->message_bytes_max;
}

std::string Plan::describe(std::size_t lines_max) const {
    std::string text = report().describe();
    const std::size_t shown = std::min(lines_max, transfers().size());
    for (const Transfer& transfer : transfers().first(shown)) {
        text += "  rank " + std::to_string(transfer.from);
        text += " -> rank " + std::to_string(transfer.to);
        text += ": " + counted(transfer.items, "item") + "\n";
    }
    if (shown < transfers().size())
        text += "  and " + grouped(std::uint64_t{transfers().size() - shown}) + " more\n";
    return text;
}

Verdict Plan::worth_it(const CostModel& costs, engine::LocalFailure failure) const {
    const std::size_t kinds = report().weights_per_item;
    engine::Ballot ballot;
    constexpr const char* call = "worth_it() of a plan";
    ballot.must_be_equal = mpi::digest_of(call);
    ballot.describe = [] { return std::string(call); };
    std::vector<double> by_kind;
    std::vector<double> seconds;  // that each rank sends and receives
    failure.guard([&] {
        seconds.resize(static_cast<std::size_t>(communicator().size()));
        by_kind = seconds_by_kind(costs, kinds);
        ballot.maxima = {ordered_bits(costs.steps), ordered_bits(costs.seconds_per_item_moved),
                         ordered_bits(costs.seconds_per_message), ordered_bits(by_kind.front())};
    });
    ballot = mpi::agree(communicator(), failure, ballot);
    const auto agreed = [&](std::size_t i) { return std::bit_cast<double>(ballot.maxima[i]); };
    by_kind.front() = agreed(3);
    take_largest(communicator(), std::span(by_kind).subspan(1));

    Verdict verdict;
    if (transfers().empty()) return verdict;
    for (const Transfer& transfer : transfers()) {
        const double each = static_cast<double>(transfer.items) * agreed(1) + agreed(2);
        seconds[static_cast<std::size_t>(transfer.from)] += each;
        seconds[static_cast<std::size_t>(transfer.to)] += each;
    }
    verdict.seconds_spent = *std::max_element(seconds.begin(), seconds.end());
    verdict.seconds_saved = seconds_saved(*data_, by_kind, agreed(0));
    verdict.worth = verdict.seconds_saved > verdict.seconds_spent;
    return verdict;
}

void Plan::agree(const engine::LocalFailure& failure, std::string_view call) const {
    engine::Ballot ballot;
    ballot.must_be_equal = mpi::digest_of(call);
    ballot.describe = [&] { return std::string(call); };
    agree(failure, ballot);
}

// Completes the report at the first agreement: nobody has seen it before.
void Plan::agree(const engine::LocalFailure& failure, engine::Ballot ballot) const {
    Data::LeastOfRank& least = data_->least_of_rank;
    ballot.sums = {least.items, least.bytes};
    ballot = mpi::agree(communicator(), failure, ballot);
    if (!least.lacking) return;
    Report& report = data_->report;
    report.moved_at_least += ballot.sums[0];
    report.bytes_at_least =
        std::min(report.bytes_at_least + static_cast<double>(ballot.sums[1]) * least.unit,
                 report.bytes_moved);
    least = {};
}

void Plan::agree_to_move(const engine::LocalFailure& failure,
                         const std::function<std::string()>& describe) const {
    engine::LocalFailure mine = failure;
    engine::Ballot ballot;
    mine.guard([&] {
        Digest digest;
        for (const Transfer& transfer : transfers()) {
            digest.add(static_cast<std::uint64_t>(transfer.from));
            digest.add(static_cast<std::uint64_t>(transfer.to));
            digest.add(static_cast<std::uint64_t>(transfer.items));
        }
        digest.add(mpi::digest_of(describe()));
        ballot.must_be_equal = digest.value();
    });
    ballot.describe = describe;
    agree(mine, ballot);
    if (moved() > 0) communicator().find_direct_partners();
}

}  // namespace equipoise::balancer
