#include "equipoise/balancer/room.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/balancer/columns.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/mpi/agreement.hpp"

namespace equipoise::balancer {

namespace {

const DeviceMemory& memory_of(const Rows& rows) {
    return rows.device == nullptr ? host_memory() : *rows.device;
}

std::size_t stride_of(const Rows& rows) {
    return rows.stride == 0 ? rows.row_bytes : rows.stride;
}

std::size_t bytes_of(const Rows& rows, Tokens count) {
    return static_cast<std::size_t>(count) * rows.row_bytes;
}

Tokens items_of(std::span<const Parcel> parcels) {
    Tokens items = 0;
    for (const Parcel& parcel : parcels)
        items += parcel.items;
    return items;
}

// Calls `each(rank, first, rows)` for every partner; the rows of the packed array from `first` on
// go to it or come from it.
template <class Each>
void for_partners(std::span<const Parcel> parcels, const Each& each) {
    Tokens first = 0;
    for (auto parcel = parcels.begin(); parcel != parcels.end();) {
        const int rank = parcel->rank;
        Tokens rows = 0;
        for (; parcel != parcels.end() && parcel->rank == rank; ++parcel)
            rows += parcel->items;
        each(rank, first, rows);
        first += rows;
    }
}

void check_device(const DeviceMemory& device) {
    if (!device.pack || !device.unpack)
        throw InputError("expected functions pack and unpack of a device, found none");
    if (bool(device.allocate) != bool(device.release))
        throw InputError(
            "expected functions allocate and release of a device, or neither, found one of them");
    if (device.places_max == 0)
        throw InputError("expected a device that takes at least 1 place, found places_max of 0");
}

// What does not depend on a plan.
void check(const Rows& rows) {
    if (rows.row_bytes == 0)
        throw InputError("expected rows of at least 1 byte, found rows of 0 bytes");
    if (stride_of(rows) < rows.row_bytes)
        throw InputError("expected a stride of at least " +
                         counted(std::uint64_t{rows.row_bytes}, "byte") + ", found " +
                         grouped(std::uint64_t{rows.stride}));
    if (rows.held < 0) throw InputError("expected at least 0 rows, found " + grouped(rows.held));
    if (rows.room < rows.held)
        throw InputError("expected room for the " + counted(rows.held, "row") +
                         " of an array, found room for " + grouped(rows.room));
    if (static_cast<std::uint64_t>(rows.room) > PTRDIFF_MAX / stride_of(rows))
        throw InputError("expected room within memory, found room for " +
                         counted(rows.room, "row") + ", " +
                         counted(std::uint64_t{stride_of(rows)}, "byte") + " apart");
    if (rows.data == nullptr && rows.room > 0)
        throw InputError("expected an array with room for " + counted(rows.room, "row") +
                         ", found a null pointer");
    if (rows.device != nullptr) check_device(*rows.device);
}

std::size_t address_of(const Rows& rows) {
    return reinterpret_cast<std::uintptr_t>(rows.data);
}

// Behind the last row that there is room for.
std::size_t end_of(const Rows& rows) {
    return address_of(rows) + static_cast<std::size_t>(rows.room - 1) * stride_of(rows) +
           rows.row_bytes;
}

// Whether a byte of one array is a byte of the other, which has room and does not begin before the
// first. Its rows lie on those of the first in the same way again and again, so that one period of
// them is looked at.
bool overlap_in_order(const Rows& first, const Rows& other) {
    const std::size_t stride = stride_of(first);
    const std::size_t period = stride / std::gcd(stride, stride_of(other));
    std::size_t row = address_of(other) - address_of(first);  // where it begins
    const std::size_t rows = std::min(static_cast<std::size_t>(other.room), period);
    for (std::size_t i = 0; i < rows && row < end_of(first) - address_of(first); ++i) {
        if (row % stride < first.row_bytes) return true;
        const std::size_t next = (row / stride + 1) * stride;  // row of the first array
        if (next < row + other.row_bytes && next < end_of(first) - address_of(first)) return true;
        row += stride_of(other);
    }
    return false;
}

bool overlap(const Rows& one, const Rows& other) {
    if (one.room == 0 || other.room == 0) return false;
    return address_of(one) <= address_of(other) ? overlap_in_order(one, other)
                                                : overlap_in_order(other, one);
}

void check(std::span<const Rows> rows) {
    for (const Rows& array : rows) {
        check(array);
        const auto earlier = rows.first(static_cast<std::size_t>(&array - rows.data()));
        for (const Rows& other : earlier) {
            const auto number = [&](const Rows& which) {
                return std::to_string(&which - rows.data());
            };
            if (overlap(array, other))
                throw InputError("expected arrays that share no bytes, found that array " +
                                 number(array) + " shares some with array " + number(other));
        }
    }
}

bool on_device(std::span<const Rows> rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](const Rows& array) { return array.device != nullptr; });
}

}  // namespace

std::string describe(std::span<const Rows> rows) {
    std::vector<Column> columns;
    for (const Rows& array : rows) {
        Column column{.row_bytes = array.row_bytes, .type = array.type};
        if (array.device != nullptr) {
            if (!column.type.empty()) column.type += ", ";
            column.type += "on a device";
        }
        columns.push_back(std::move(column));
    }
    return "in place, " + describe(columns);
}

RowsMove::RowsMove(const Plan& plan, std::span<const Rows> rows)
    : plan_(plan),
      rows_(rows),
      host_messages_(plan.communicator(), plan.message_bytes_max(), mpi::Within::directly),
      // Another process cannot read a device's memory, nor may it have to.
      device_messages_(plan.communicator(), plan.message_bytes_max(), mpi::Within::through_mpi) {}

void RowsMove::check_rows() const {
    check(rows_);
    for (const Rows& rows : rows_) {
        if (rows.held != plan_.size_before())
            throw InputError("expected arrays of the planned size " +
                             std::to_string(plan_.size_before()) + ", found " +
                             std::to_string(rows.held));
        if (rows.room < plan_.size_after())
            throw InputError("expected room for " + counted(plan_.size_after(), "item") +
                             ", found room for " + grouped(rows.room));
    }
}

void RowsMove::take_memory() {
    routes_ = plan_.routes();
    leaving_ = items_of(routes_.sends);
    arriving_ = items_of(routes_.receives);
    Tokens last = 0;
    for (const placement::Run& run : routes_.kept) {
        keeps_order_ = keeps_order_ && run.to >= last;
        last = run.to;
        if (run.from == run.to) continue;
        old_places_.push_back({0, run.from, run.items});
        new_places_.push_back({0, run.to, run.items});
        shifted_ += run.items;
    }
    std::size_t longest = 0;
    buffers_.reserve(rows_.size());
    for (const Rows& rows : rows_) {
        const DeviceMemory& memory = memory_of(rows);
        const auto some = [&](Tokens count) {
            return std::min(static_cast<std::size_t>(count), memory.places_max);
        };
        const Tokens staying = keeps_order_ ? static_cast<Tokens>(some(shifted_)) : shifted_;
        Buffers& buffers = buffers_.emplace_back();
        buffers.leaving = DeviceBuffer(memory, bytes_of(rows, leaving_));
        buffers.arriving = DeviceBuffer(memory, bytes_of(rows, arriving_));
        buffers.staying = DeviceBuffer(memory, bytes_of(rows, staying));
        longest = std::max(longest, some(std::max({leaving_, arriving_, shifted_})));
        const auto expect = [&](int /*rank*/, Tokens /*first*/, Tokens count) {
            messages_of(rows).expect(bytes_of(rows, count));
        };
        for_partners(routes_.sends, expect);
        for_partners(routes_.receives, expect);
    }
    places_.resize(longest);
    if (shifted_ > 0) others_.resize(longest);
}

// Calls `each(places, row)`: rows of the packed array from `row` on are at these places.
template <class Each>
void RowsMove::for_pieces(std::span<const Parcel> parcels, std::span<const Tokens> scattered,
                          std::size_t places_max, const Each& each) {
    const std::size_t most = std::min(places_max, places_.size());
    std::size_t count = 0;
    Tokens row = 0;
    const auto finish = [&] {
        if (count == 0) return;
        each(std::span<const Tokens>(places_).first(count), row);
        row += static_cast<Tokens>(count);
        count = 0;
    };
    for (const Parcel& parcel : parcels) {
        for (Tokens i = parcel.first; i < parcel.first + parcel.items; ++i) {
            places_[count++] = scattered.empty() ? i : scattered[static_cast<std::size_t>(i)];
            if (count == most) finish();
        }
    }
    finish();
}

// The lists of places are written anew after each of these.
void RowsMove::pack(const Rows& rows, std::span<const Tokens> places, std::byte* packed) const {
    const DeviceMemory& memory = memory_of(rows);
    memory.pack(memory.stream, rows.data, stride_of(rows), rows.row_bytes, places, packed);
    if (memory.synchronise) memory.synchronise(memory.stream);
}

void RowsMove::unpack(const Rows& rows, const std::byte* packed,
                      std::span<const Tokens> places) const {
    const DeviceMemory& memory = memory_of(rows);
    memory.unpack(memory.stream, packed, places, rows.data, stride_of(rows), rows.row_bytes);
    if (memory.synchronise) memory.synchronise(memory.stream);
}

void RowsMove::pack_leaving() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Rows& rows = rows_[i];
        for_pieces(routes_.sends, routes_.leaving, memory_of(rows).places_max,
                   [&](std::span<const Tokens> places, Tokens row) {
                       pack(rows, places, buffers_[i].leaving.data() + bytes_of(rows, row));
                   });
    }
}

void RowsMove::begin(engine::LocalFailure& failure) {
    prepare(failure);
    plan_.agree_to_move(failure, [&] { return describe(rows_); });
    start();
}

void RowsMove::prepare(engine::LocalFailure& failure) {
    failure.guard([&] {
        check_rows();
        take_memory();
        pack_leaving();
    });
}

void RowsMove::start() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Rows& rows = rows_[i];
        mpi::Messages& messages = messages_of(rows);
        for_partners(routes_.receives, [&](int rank, Tokens first, Tokens count) {
            messages.receive(
                rank, {buffers_[i].arriving.data() + bytes_of(rows, first), bytes_of(rows, count)});
        });
        for_partners(routes_.sends, [&](int rank, Tokens first, Tokens count) {
            messages.send(
                rank, {buffers_[i].leaving.data() + bytes_of(rows, first), bytes_of(rows, count)});
        });
    }
    // While they travel:
    late_.guard([&] {
        if (shifted_ == 0) return;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            keeps_order_ ? close_up(rows_[i], buffers_[i]) : reorder(rows_[i], buffers_[i]);
    });
}

// As `shift` (row_buffers.hpp) does it, some rows at a time: those that move to the front from the
// first to the last, and then those that move to the end from the last to the first.
void RowsMove::close_up(const Rows& rows, const Buffers& buffers) {
    const std::size_t most = std::min(memory_of(rows).places_max, places_.size());
    const std::span<Tokens> from = std::span(places_).first(most);
    const std::span<Tokens> to = std::span(others_).first(most);
    std::byte* const packed = buffers.staying.data();
    std::size_t count = 0;
    const auto note = [&](std::size_t run, Tokens row, std::size_t number) {
        from[number] = old_places_[run].first + row;
        to[number] = new_places_[run].first + row;
    };
    const auto finish = [&](std::size_t first) {
        if (count == 0) return;
        pack(rows, from.subspan(first, count), packed);
        unpack(rows, packed, to.subspan(first, count));
        count = 0;
    };
    for (std::size_t run = 0; run < old_places_.size(); ++run) {
        if (new_places_[run].first > old_places_[run].first) continue;
        for (Tokens row = 0; row < old_places_[run].items; ++row) {
            note(run, row, count++);
            if (count == most) finish(0);
        }
    }
    finish(0);
    for (std::size_t run = old_places_.size(); run-- > 0;) {
        if (new_places_[run].first < old_places_[run].first) continue;
        for (Tokens row = old_places_[run].items; row-- > 0;) {
            note(run, row, most - ++count);
            if (count == most) finish(0);
        }
    }
    finish(most - count);
}

void RowsMove::reorder(const Rows& rows, const Buffers& buffers) {
    const std::size_t most = memory_of(rows).places_max;
    for_pieces(old_places_, {}, most, [&](std::span<const Tokens> places, Tokens row) {
        pack(rows, places, buffers.staying.data() + bytes_of(rows, row));
    });
    for_pieces(new_places_, {}, most, [&](std::span<const Tokens> places, Tokens row) {
        unpack(rows, buffers.staying.data() + bytes_of(rows, row), places);
    });
}

void RowsMove::end() {
    host_messages_.wait();
    device_messages_.wait();
    late_.guard([&] {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const Rows& rows = rows_[i];
            for_pieces(routes_.receives, routes_.arriving, memory_of(rows).places_max,
                       [&](std::span<const Tokens> places, Tokens row) {
                           unpack(rows, buffers_[i].arriving.data() + bytes_of(rows, row), places);
                       });
        }
    });
    buffers_.clear();
    if (on_device(rows_) && plan_.moved() > 0)
        mpi::agree(plan_.communicator(), late_, "unpacking rows on a device");
}

Report move_rows(const Plan& plan, std::span<const Rows> rows, engine::LocalFailure failure) {
    return Moving<RowsMove>(failure, plan, rows).end();
}

Moving<RowsMove> begin_rows(const Plan& plan, std::span<const Rows> rows) {
    engine::LocalFailure failure;
    return Moving<RowsMove>(failure, plan, rows);
}

Report rebalance_rows(MPI_Comm communicator, std::span<Rows> rows, const Options& options,
                      engine::LocalFailure failure) {
    Tokens held = 0;
    std::string what;
    failure.guard([&] {
        if (rows.empty()) throw InputError("expected at least one array, found none");
        check(rows);
        held = rows.front().held;
        for (const Rows& array : rows)
            if (array.held != held)
                throw InputError("expected arrays that hold as many rows as each other, found " +
                                 grouped(held) + " and " + counted(array.held, "row"));
        what = describe(rows);
    });
    const Plan plan = begin_plan(communicator, held, options, failure, what);
    if (plan.settled()) return plan.report();
    const Report report = move_rows(plan, rows, failure);
    for (Rows& array : rows)
        array.held = plan.size_after();
    return report;
}

}  // namespace equipoise::balancer
