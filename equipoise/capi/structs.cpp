#include "equipoise/capi/structs.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <string_view>

#include "equipoise/base/error.hpp"
#include "equipoise/capi/fields.hpp"
#include "equipoise/placement/few_moves.hpp"

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
// refused by the balancer, before it reads the view.
NumbersView numbers(const void* given, std::int32_t type, Tokens count, std::size_t per_item) {
    const std::size_t numbers =
        given == nullptr || count <= 0
            ? 0
            : static_cast<std::size_t>(count) * std::min(per_item, placement::weights_per_item_max);
    return numbers_at(given, type, numbers);
}

// Includes the policy of plans to given ranks, which no caller can ask for by name.
balancer::Policy policy_of(const char* word) {
    if (word == nullptr || *word == '\0') return balancer::Policy::minimum_moves;
    return word == to_string(balancer::Policy::given) ? balancer::Policy::given
                                                      : balancer::policy_from_word(word);
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

std::optional<Tokens> room_of(std::int64_t given) {
    return given == EQUIPOISE_NO_LIMIT ? std::nullopt : std::optional<Tokens>(given);
}

std::optional<double> limit_of(double given) {
    return given == EQUIPOISE_NO_LIMIT ? std::nullopt : std::optional<double>(given);
}

void refuse_type(std::int32_t type) {
    throw InputError(
        "expected EQUIPOISE_DOUBLE, EQUIPOISE_FLOAT, EQUIPOISE_INT32 or EQUIPOISE_INT64 as the "
        "type of weights, found " +
        std::to_string(type));
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
    take(given, options);
    options.weights = numbers(given.weights, given.weights_type, count, given.weights_per_item);
    options.sizes = numbers(given.sizes, EQUIPOISE_DOUBLE, count, 1);
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
    put(from, all);
    std::memcpy(report, &all, all.struct_bytes);
}

balancer::Report report_of(const equipoise_report& given) {
    check_report(&given);
    equipoise_report all = EQUIPOISE_REPORT_INIT;
    std::memcpy(&all, &given, given.struct_bytes);
    return report_from(all, policy_of);
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
