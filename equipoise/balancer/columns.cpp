#include "equipoise/balancer/columns.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"

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

std::string describe(std::span<const Column> columns) {
    std::string text = columns.empty() ? "no arrays" : "arrays of ";
    for (const Column& column : columns) {
        if (&column != columns.data()) text += " and of ";
        text += counted(std::uint64_t{column.row_bytes}, "byte");
        text += " a row";
        if (!column.type.empty()) text.append(" (").append(column.type).append(")");
    }
    return text;
}

ColumnsMove::ColumnsMove(const Plan& plan, View<Column> columns, AllocateColumn allocate)
    : plan_(plan),
      columns_(columns),
      allocate_(std::move(allocate)),
      messages_(plan.communicator(), plan.message_bytes_max(), mpi::Within::directly) {}

void ColumnsMove::check_columns() const {
    for (const Column& column : columns_) {
        if (column.row_bytes == 0)
            throw InputError("expected rows of at least 1 byte, found rows of 0 bytes");
        if (column.rows.size() != bytes_of(plan_.size_before(), column.row_bytes))
            throw InputError("expected arrays of the planned size " +
                             std::to_string(plan_.size_before()) + ", found " +
                             std::to_string(column.rows.size() / column.row_bytes));
    }
}

void ColumnsMove::take_memory() {
    const std::span<const RankMoves> rounds = plan_.rounds();
    if (detail::keeps_all(plan_)) return;
    for (const Column& column : columns_) {
        Journey journey;
        const std::uint64_t bytes = bytes_of(plan_.size_after(), column.row_bytes);
        journey.arrived = {allocate_(journeys_.size(), bytes), bytes};
        detail::prepare_memory(journey.arrived.data(), journey.arrived.size(),
                               journey.arrived.size());
        if (rounds.front().scattered())
            journey.buffers.take_memory(rounds.front(), column.row_bytes, true);
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
    prepare(failure);
    plan_.agree_to_move(failure, [&] { return describe(columns_); });
    start();
}

void ColumnsMove::prepare(engine::LocalFailure& failure) {
    failure.guard([&] {
        check_columns();
        take_memory();
    });
}

void ColumnsMove::start() {
    if (journeys_.empty()) return;
    if (plan_.rounds().front().scattered())
        begin_scattered();
    else
        begin_round(0);
}

void ColumnsMove::begin_scattered() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const Journey& journey = journeys_[i];
        journey.buffers.receive(journey.arrived.data(), messages_);
        journey.buffers.send(columns_[i].rows.data(), messages_);
        for (const placement::Run& run : journey.buffers.kept())
            copy(rows_of(columns_[i].rows, run.from, run.items, columns_[i].row_bytes),
                 rows_of(journey.arrived, run.to, run.items, columns_[i].row_bytes));
    }
}

void ColumnsMove::begin_round(std::size_t number) {
    const std::span<const RankMoves> rounds = plan_.rounds();
    const RankMoves& moves = rounds[number];
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        Journey& journey = journeys_[i];
        const std::size_t bytes = columns_[i].row_bytes;
        const View<std::byte> from =
            number == 0 ? columns_[i].rows : View<std::byte>(journey.between[(number - 1) % 2]);
        const std::span<std::byte> to = number + 1 == rounds.size()
                                            ? journey.arrived
                                            : std::span<std::byte>(journey.between[number % 2]);
        for (const Parcel& parcel : moves.receives)
            messages_.receive(parcel.rank, rows_of(to, parcel.first, parcel.items, bytes));
        for (const Parcel& parcel : moves.sends)
            messages_.send(parcel.rank, rows_of(from, parcel.first, parcel.items, bytes));
        copy(rows_of(from, moves.kept_from, moves.kept, bytes),
             rows_of(to, moves.kept_to, moves.kept, bytes));
    }
}

void ColumnsMove::end() {
    if (journeys_.empty()) return;
    for (std::size_t number = 0; number < plan_.rounds().size(); ++number) {
        if (number > 0) begin_round(number);
        messages_.wait();
    }
    if (plan_.rounds().front().scattered())
        for (const Journey& journey : journeys_)
            journey.buffers.unpack(journey.arrived.data());
}

Report move_columns(const Plan& plan, std::span<const Column> columns,
                    const AllocateColumn& allocate, engine::LocalFailure failure) {
    return Moving<ColumnsMove>(failure, plan, columns, allocate).end();
}

}  // namespace equipoise::balancer
