#pragma once
// Made from equipoise/balancer/faces.toml by tools/make_faces.py: do not edit.
// clang-format off
// Between structs and codes of equipoise.h and those of C++.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "equipoise/capi/structs.hpp"
#include "equipoise/mpi/error.hpp"

namespace equipoise::capi {

/// What can be taken from the options as it is.
inline void take(const equipoise_options& given, balancer::Options& options) {
    options.speed = given.speed;
    options.pinned = given.pinned;
    options.machine = colour_of(given.machine);
    options.socket = colour_of(given.socket);
    if (given.message_bytes_max != 0) options.message_bytes_max = given.message_bytes_max;
    options.weights_per_item = given.weights_per_item;
    options.tolerance = given.tolerance;
    options.machines_first = given.machines_first != 0;
    options.items_max = room_of(given.items_max);
    options.bytes_max = limit_of(given.bytes_max);
}

template <class To, class From>
To spread_as(const From& from) {
    return {from.least, from.most, from.average};
}

/// All figures of a report.
inline void put(const balancer::Report& from, equipoise_report& to) {
    to.policy = to_string(from.policy).data();
    to.ranks = from.ranks;
    to.moved = from.moved;
    to.minimum = from.minimum.value_or(-1);
    to.messages = static_cast<std::int64_t>(from.messages);
    to.rounds = static_cast<std::int64_t>(from.rounds);
    to.between_machines = from.between_machines;
    to.before = spread_as<equipoise_spread>(from.before);
    to.after = spread_as<equipoise_spread>(from.after);
    to.weight_before = spread_as<equipoise_weight_spread>(from.weight_before);
    to.weight_after = spread_as<equipoise_weight_spread>(from.weight_after);
    to.seconds_planning = from.seconds_planning;
    to.seconds_moving = from.seconds_moving;
    to.largest_before = from.largest_before;
    to.largest = from.largest;
    to.largest_at_least = from.largest_at_least;
    to.moved_at_least = from.moved_at_least;
    to.bytes_moved = from.bytes_moved;
    to.bytes_at_least = from.bytes_at_least;
    to.weights_per_item = static_cast<std::int64_t>(from.weights_per_item);
    to.by_bytes = from.by_bytes ? 1 : 0;
    to.machines_first = from.machines_first ? 1 : 0;
    to.by_weight = from.by_weight ? 1 : 0;
}

/// The same back; `policy_of` turns words into policies.
template <class PolicyOf>
balancer::Report report_from(const equipoise_report& given, const PolicyOf& policy_of) {
    balancer::Report report;
    report.policy = policy_of(given.policy);
    report.ranks = static_cast<int>(given.ranks);
    report.moved = given.moved;
    report.minimum = std::nullopt;
    if (given.minimum != -1) report.minimum = given.minimum;
    report.messages = static_cast<std::size_t>(given.messages);
    report.rounds = static_cast<std::size_t>(given.rounds);
    report.between_machines = given.between_machines;
    report.before = spread_as<balancer::Spread<Tokens>>(given.before);
    report.after = spread_as<balancer::Spread<Tokens>>(given.after);
    report.weight_before = spread_as<balancer::Spread<double>>(given.weight_before);
    report.weight_after = spread_as<balancer::Spread<double>>(given.weight_after);
    report.seconds_planning = given.seconds_planning;
    report.seconds_moving = given.seconds_moving;
    report.largest_before = given.largest_before;
    report.largest = given.largest;
    report.largest_at_least = given.largest_at_least;
    report.moved_at_least = given.moved_at_least;
    report.bytes_moved = given.bytes_moved;
    report.bytes_at_least = given.bytes_at_least;
    report.weights_per_item = static_cast<std::size_t>(given.weights_per_item);
    report.by_bytes = given.by_bytes != 0;
    report.machines_first = given.machines_first != 0;
    report.by_weight = given.by_weight != 0;
    return report;
}

/// What ranks have agreed on, as a code; what is no failure is EQUIPOISE_OK.
inline int code_of(mpi::Failure failure) {
    switch (failure) {
        case mpi::Failure::none:
            return EQUIPOISE_OK;
        case mpi::Failure::input:
            return EQUIPOISE_BAD_INPUT;
        case mpi::Failure::differing:
            return EQUIPOISE_DIFFERENT_CALLS;
        case mpi::Failure::memory:
            return EQUIPOISE_NO_MEMORY;
        case mpi::Failure::user_code:
            return EQUIPOISE_CALLBACK_FAILED;
    }
    return EQUIPOISE_CALLBACK_FAILED;
}

}  // namespace equipoise::capi
