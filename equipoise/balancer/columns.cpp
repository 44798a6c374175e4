#include "equipoise/balancer/columns.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise::balancer {

namespace {

std::uint64_t bytes_of(Tokens rows, std::size_t row_bytes) {
    return static_cast<std::uint64_t>(rows) * row_bytes;
}

template <class Byte>
std::span<Byte> rows_of(std::span<Byte> all, Tokens first, Tokens rows, std::size_t row_bytes) {
    return all.subspan(bytes_of(first, row_bytes), bytes_of(rows, row_bytes));
}

void copy(std::span<const std::byte> from, std::span<std::byte> to) {
    if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

}  // namespace

ColumnsMove::ColumnsMove(const Plan& plan, std::span<const Column> columns, AllocateColumn allocate)
    : plan_(plan),
      columns_(columns),
      allocate_(std::move(allocate)),
      messages_(plan.communicator(), plan.message_bytes_max()) {}

void ColumnsMove::take_memory(std::span<const Column> columns) {
    const std::span<const Layout> rounds = plan_.rounds();
    for (const Column& column : columns) {
        Journey journey;
        journey.given = column.rows;
        journey.row_bytes = column.row_bytes;
        const std::uint64_t bytes = bytes_of(plan_.size_after(), column.row_bytes);
        journey.arrived = {allocate_(journeys_.size(), bytes), bytes};
        for (std::size_t round = 0; round < rounds.size(); ++round) {
            if (round + 1 < rounds.size()) {
                std::vector<std::byte>& room = journey.between[round % 2];
                room.resize(std::max<std::uint64_t>(
                    room.size(), bytes_of(rounds[round].size_after, column.row_bytes)));
            }
            for (const auto* parcels : {&rounds[round].sends, &rounds[round].receives})
                for (const Parcel& parcel : *parcels)
                    messages_.expect(bytes_of(parcel.items, column.row_bytes));
        }
        journeys_.push_back(std::move(journey));
    }
}

void ColumnsMove::begin(engine::LocalFailure& failure) {
    std::vector<std::size_t> row_bytes;
    failure.guard([&] {
        for (const Column& column : columns_) {
            if (column.row_bytes == 0)
                throw InputError("expected rows of at least 1 byte, found rows of 0 bytes");
            row_bytes.push_back(column.row_bytes);
        }
    });
    for (const Column& column : columns_)
        if (!failure.failed())
            detail::expect_planned_size(plan_, column.rows.size() / column.row_bytes, failure);
    if (!failure.failed()) failure.guard([&] { take_memory(columns_); });
    plan_.agree_to_move(failure, row_bytes, false);
    if (!plan_.rounds().empty()) begin_round(0);
}

void ColumnsMove::begin_round(std::size_t number) {
    const std::span<const Layout> rounds = plan_.rounds();
    const Layout& layout = rounds[number];
    for (Journey& journey : journeys_) {
        const std::span<const std::byte> from =
            number == 0 ? journey.given
                        : std::span<const std::byte>(journey.between[(number - 1) % 2]);
        const std::span<std::byte> to = number + 1 == rounds.size()
                                            ? journey.arrived
                                            : std::span<std::byte>(journey.between[number % 2]);
        const std::size_t bytes = journey.row_bytes;
        for (const Parcel& parcel : layout.receives)
            messages_.receive(parcel.rank, rows_of(to, parcel.first, parcel.items, bytes));
        for (const Parcel& parcel : layout.sends)
            messages_.send(parcel.rank, rows_of(from, parcel.first, parcel.items, bytes));
        copy(rows_of(from, layout.kept_from, layout.kept, bytes),
             rows_of(to, layout.kept_to, layout.kept, bytes));
    }
}

void ColumnsMove::end() {
    const std::size_t rounds = plan_.rounds().size();
    for (std::size_t number = 0; number < rounds; ++number) {
        if (number > 0) begin_round(number);
        messages_.wait();
    }
    if (rounds > 0) return;
    for (const Journey& journey : journeys_)
        copy(journey.given, journey.arrived);
}

Report move_columns(const Plan& plan, std::span<const Column> columns,
                    const AllocateColumn& allocate) {
    engine::LocalFailure failure;
    return Moving<ColumnsMove>(failure, plan, columns, allocate).end();
}

Report rebalance_columns(MPI_Comm communicator, Tokens rows, std::span<const Column> columns,
                         const AllocateColumn& allocate, const Options& options) {
    engine::LocalFailure failure;
    const Plan plan = begin_plan(communicator, rows, options, failure);
    return Moving<ColumnsMove>(failure, plan, columns, allocate).end();
}

}  // namespace equipoise::balancer
