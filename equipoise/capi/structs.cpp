#include "equipoise/capi/structs.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <string_view>

#include "equipoise/base/error.hpp"

namespace equipoise::capi {

namespace {

std::atomic<NeighboursOnly>& neighbours_only() {
    static std::atomic<NeighboursOnly> made = nullptr;
    return made;
}

balancer::Options options_for(const equipoise_options& given) {
    balancer::Options options;
    if (given.policy != nullptr) options.policy = balancer::policy_from_word(given.policy);
    if (options.policy != balancer::Policy::neighbours_only) return options;
    const NeighboursOnly make = neighbours_only().load();
    if (make == nullptr)
        throw InputError("expected a call of equipoise_use_neighbours() before neighbours-only");
    return make(given.algorithm == nullptr ? "deal-agreement-2" : given.algorithm);
}

// One number, or several, for each item; empty for a null pointer. Numbers that make no sense are
// refused by the balancer, before it reads the span.
std::span<const double> numbers(const double* given, Tokens count, std::size_t per_item) {
    if (given == nullptr || count <= 0) return {};
    return {given, static_cast<std::size_t>(count) * std::min<std::size_t>(per_item, 64)};
}

template <class Number, class Spread>
Spread spread_of(const balancer::Spread<Number>& from) {
    return {from.least, from.most, from.average};
}
template <class Number, class Spread>
balancer::Spread<Number> spread_from(const Spread& given) {
    return {given.least, given.most, given.average};
}

bool is_known(std::size_t struct_bytes, std::size_t known) {
    return struct_bytes >= sizeof(std::size_t) && struct_bytes <= known;
}

}  // namespace

void check_size(std::size_t struct_bytes, std::size_t known, const char* made_with) {
    if (is_known(struct_bytes, known)) return;
    throw InputError(std::string("expected a struct made with ") + made_with +
                     " of this version of equipoise.h, found one of " +
                     std::to_string(struct_bytes) + " bytes");
}

std::optional<int> colour_of(std::int32_t given) {
    return given == EQUIPOISE_ASK_MPI ? std::nullopt : std::optional<int>(given);
}

void use_neighbours(NeighboursOnly make) noexcept {
    neighbours_only() = make;
}

equipoise_options known_options(const equipoise_options* given) {
    equipoise_options known = EQUIPOISE_OPTIONS_INIT;
    if (given == nullptr) return known;
    check_size(given->struct_bytes, sizeof known, "EQUIPOISE_OPTIONS_INIT");
    std::memcpy(&known, given, given->struct_bytes);
    return known;
}

balancer::Options options_of(const equipoise_options& given, Tokens count) {
    balancer::Options options = options_for(given);
    options.speed = given.speed;
    options.pinned = given.pinned;
    options.machine = colour_of(given.machine);
    options.socket = colour_of(given.socket);
    if (given.message_bytes_max != 0) options.message_bytes_max = given.message_bytes_max;
    options.weights_per_item = given.weights_per_item;
    options.tolerance = given.tolerance;
    options.machines_first = given.machines_first != 0;
    options.weights = numbers(given.weights, count, given.weights_per_item);
    options.sizes = numbers(given.sizes, count, 1);
    return options;
}

void check_report(const equipoise_report* report) {
    if (report != nullptr)
        check_size(report->struct_bytes, sizeof *report, "EQUIPOISE_REPORT_INIT");
}

void write(const balancer::Report& from, equipoise_report* report) noexcept {
    if (report == nullptr || !is_known(report->struct_bytes, sizeof *report)) return;
    equipoise_report all = EQUIPOISE_REPORT_INIT;
    all.struct_bytes = report->struct_bytes;
    all.policy = to_string(from.policy).data();
    all.ranks = from.ranks;
    all.moved = from.moved;
    all.minimum = from.minimum.value_or(-1);
    all.messages = static_cast<std::int64_t>(from.messages);
    all.rounds = static_cast<std::int64_t>(from.rounds);
    all.between_machines = from.between_machines;
    all.before = spread_of<Tokens, equipoise_spread>(from.before);
    all.after = spread_of<Tokens, equipoise_spread>(from.after);
    all.weight_before = spread_of<double, equipoise_weight_spread>(from.weight_before);
    all.weight_after = spread_of<double, equipoise_weight_spread>(from.weight_after);
    all.seconds_planning = from.seconds_planning;
    all.seconds_moving = from.seconds_moving;
    all.largest_before = from.largest_before;
    all.largest = from.largest;
    all.largest_at_least = from.largest_at_least;
    all.moved_at_least = from.moved_at_least;
    all.bytes_moved = from.bytes_moved;
    all.bytes_at_least = from.bytes_at_least;
    all.weights_per_item = static_cast<std::int64_t>(from.weights_per_item);
    all.by_bytes = from.by_bytes ? 1 : 0;
    all.machines_first = from.machines_first ? 1 : 0;
    std::memcpy(report, &all, all.struct_bytes);
}

balancer::Report report_of(const equipoise_report& given) {
    check_report(&given);
    equipoise_report all = EQUIPOISE_REPORT_INIT;
    std::memcpy(&all, &given, given.struct_bytes);
    balancer::Report report;
    // Includes the policy of plans to given ranks, which no caller can ask for by name.
    const std::string_view policy = all.policy == nullptr ? "" : all.policy;
    if (policy == to_string(balancer::Policy::given))
        report.policy = balancer::Policy::given;
    else if (!policy.empty())
        report.policy = balancer::policy_from_word(policy);
    report.ranks = static_cast<int>(all.ranks);
    report.moved = all.moved;
    report.minimum = all.minimum < 0 ? std::nullopt : std::optional(all.minimum);
    report.messages = static_cast<std::size_t>(all.messages);
    report.rounds = static_cast<std::size_t>(all.rounds);
    report.between_machines = all.between_machines;
    report.before = spread_from<Tokens>(all.before);
    report.after = spread_from<Tokens>(all.after);
    report.weight_before = spread_from<double>(all.weight_before);
    report.weight_after = spread_from<double>(all.weight_after);
    report.seconds_planning = all.seconds_planning;
    report.seconds_moving = all.seconds_moving;
    report.largest_before = all.largest_before;
    report.largest = all.largest;
    report.largest_at_least = all.largest_at_least;
    report.moved_at_least = all.moved_at_least;
    report.bytes_moved = all.bytes_moved;
    report.bytes_at_least = all.bytes_at_least;
    report.weights_per_item = static_cast<std::size_t>(all.weights_per_item);
    report.by_bytes = all.by_bytes != 0;
    report.machines_first = all.machines_first != 0;
    return report;
}

std::size_t write_text(const std::string& from, char* text, std::size_t room) noexcept {
    if (text != nullptr && room > 0) {
        const std::size_t length = std::min(from.size(), room - 1);
        std::copy_n(from.begin(), length, text);
        text[length] = '\0';
    }
    return from.size();
}

}  // namespace equipoise::capi
