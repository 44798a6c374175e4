// A plan as lists, for programs in C that move their items themselves.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/balancer/plan.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/capi/arrays.hpp"
#include "equipoise/capi/equipoise.h"
#include "equipoise/capi/guarded.hpp"
#include "equipoise/capi/plan_handle.hpp"

namespace equipoise::capi {

namespace {

static_assert(std::is_same_v<Tokens, std::int64_t>, "places are those of C");

/// An exchange of C, and the lists that it shows.
struct Lists : equipoise_exchange {
    balancer::Exchange<std::int64_t> wide;
    std::vector<int> narrow;  ///< counts and offsets of both directions, one after the other
    std::vector<equipoise_run> runs;
};

void narrow_lists(Lists& lists) {
    const std::size_t ranks = lists.wide.send_counts.size();
    lists.narrow.reserve(4 * ranks);
    for (const auto& [wide, narrow] :
         {std::pair(&lists.wide.send_counts, &lists.send_counts),
          std::pair(&lists.wide.send_offsets, &lists.send_offsets),
          std::pair(&lists.wide.receive_counts, &lists.receive_counts),
          std::pair(&lists.wide.receive_offsets, &lists.receive_offsets)}) {
        *narrow = lists.narrow.data() + lists.narrow.size();
        lists.narrow.insert(lists.narrow.end(), wide->begin(), wide->end());
    }
}

void show(Lists& lists) {
    const balancer::Exchange<std::int64_t>& wide = lists.wide;
    for (const placement::Run& run : wide.kept)
        lists.runs.push_back({run.from, run.to, run.items});
    lists.ranks = std::ssize(wide.send_counts);
    lists.sent = std::ssize(wide.send_order);
    lists.received = std::ssize(wide.receive_places);
    lists.kept_runs = std::ssize(lists.runs);
    lists.send_counts64 = wide.send_counts.data();
    lists.send_offsets64 = wide.send_offsets.data();
    lists.receive_counts64 = wide.receive_counts.data();
    lists.receive_offsets64 = wide.receive_offsets.data();
    lists.send_order = wide.send_order.data();
    lists.receive_places = wide.receive_places.data();
    lists.kept = lists.runs.data();
}

void make_exchange(const equipoise_plan* plan, bool narrow, equipoise_exchange** exchange) {
    if (exchange == nullptr) throw InputError("expected the address of an exchange, found NULL");
    *exchange = nullptr;
    const balancer::Plan& of = plan_of(plan);
    const placement::Routes routes = of.routes();
    if (narrow) placement::expect_counts_up_to(std::numeric_limits<int>::max(), routes.most);
    auto lists = std::make_unique<Lists>();
    lists->wide = placement::exchange_of<std::int64_t>(routes, of.communicator().size());
    if (narrow) narrow_lists(*lists);
    show(*lists);
    *exchange = lists.release();
}

}  // namespace

}  // namespace equipoise::capi

using equipoise::capi::guarded;

extern "C" {

int equipoise_plan_destinations(const equipoise_plan* plan, int* ranks) {
    return guarded([&] {
        const equipoise::balancer::Plan& of = equipoise::capi::plan_of(plan);
        static_cast<void>(equipoise::capi::bytes_of(ranks, of.size_before(), sizeof(int)));
        const std::vector<int> destinations = of.destinations();
        std::copy(destinations.begin(), destinations.end(), ranks);
    });
}

int equipoise_plan_exchange(const equipoise_plan* plan, equipoise_exchange** exchange) {
    return guarded([&] { equipoise::capi::make_exchange(plan, true, exchange); });
}

int equipoise_plan_exchange64(const equipoise_plan* plan, equipoise_exchange** exchange) {
    return guarded([&] { equipoise::capi::make_exchange(plan, false, exchange); });
}

void equipoise_exchange_free(equipoise_exchange** exchange) {
    if (exchange == nullptr) return;
    delete static_cast<equipoise::capi::Lists*>(*exchange);
    *exchange = nullptr;
}

}  // extern "C"
