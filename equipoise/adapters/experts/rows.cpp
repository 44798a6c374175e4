#include "equipoise/adapters/experts/rows.hpp"

#include <cmath>
#include <numeric>
#include <string>

#include <nlohmann/json.hpp>

#include "equipoise/adapters/experts/forms.hpp"

namespace equipoise::experts {

namespace {

/// The length of a row, a list that messages call `what`. Throws InputError if it is empty.
std::size_t length_of(const JsonValue& row, const char* what) {
    const std::size_t length = row.size(what);
    if (length == 0) row.fail("expected at least one number, found none");
    return length;
}

std::vector<double> load_row(const JsonValue& row) {
    std::vector<double> loads;
    loads.reserve(length_of(row, "a list of loads"));
    row.for_each([&](const JsonValue& value) {
        const double load = value.json().is_number() ? value.json().get<double>() : -1.0;
        if (!(load >= 0) || !std::isfinite(load)) value.refuse("a load (a number, 0 or more)");
        loads.push_back(load);
    });
    return loads;
}

/// The rows of a list, which messages call `what`, each read by `read`.
template <class Row, class Read>
std::vector<Row> rows_of(const JsonValue& rows, const char* what, const Read& read) {
    const std::size_t count = rows.size(what);
    if (count == 0) rows.refuse(what);
    if (count > layers_max)
        rows.fail("expected at most " + std::to_string(layers_max) + " layers, found " +
                  std::to_string(count));
    std::vector<Row> list;
    list.reserve(count);
    rows.for_each([&](const JsonValue& row) {
        list.push_back(read(row));
        expect_as_long(row, list.back().size(), list.front().size());
        row.json() = nullptr;  // frees its memory
    });
    return list;
}

}  // namespace

bool is_list_of_lists(const JsonValue& value) {
    return value.is_list() && value.size() > 0 && value.at(std::size_t{0}).is_list();
}

LoadRows load_rows(const JsonValue& rows) {
    return rows_of<std::vector<double>>(rows, "a list of loads for each layer", load_row);
}

SlotRows slot_rows(const JsonValue& rows) {
    return rows_of<std::vector<replication::ItemId>>(rows, "a list of experts for each layer",
                                                     slot_row);
}

std::vector<replication::ItemId> slot_row(const JsonValue& row) {
    std::vector<replication::ItemId> slots;
    slots.reserve(length_of(row, "a list of experts"));
    row.for_each([&](const JsonValue& value) {
        constexpr replication::ItemId experts_max = (1U << 31U) - 1;
        slots.push_back(value.whole<replication::ItemId>(0, experts_max));
    });
    return slots;
}

void expect_as_long(const JsonValue& where, std::size_t found, std::size_t expected) {
    if (found != expected)
        where.fail("expected " + std::to_string(expected) +
                   " numbers, as in the first layer, found " + std::to_string(found));
}

std::vector<std::uint64_t> numbered(std::size_t layers) {
    std::vector<std::uint64_t> numbers(layers);
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
    return numbers;
}

}  // namespace equipoise::experts
