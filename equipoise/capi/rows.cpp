#include "equipoise/capi/rows.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "equipoise/balancer/room.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/capi/guarded.hpp"
#include "equipoise/capi/structs.hpp"

namespace equipoise::capi {

namespace {

void check_device_code(const char* function, int code) {
    if (code != 0)
        throw std::runtime_error(std::string(function) + " of a device returned " +
                                 std::to_string(code));
}

balancer::DeviceMemory memory_of(const equipoise_device& given) {
    check_size(given.struct_bytes, sizeof(equipoise_device), "EQUIPOISE_DEVICE_INIT");
    balancer::DeviceMemory memory;
    memory.stream = given.stream;
    memory.places_max = given.places_max;
    if (given.pack != nullptr)
        memory.pack = [call = given.pack](void* stream, const std::byte* rows, std::size_t stride,
                                          std::size_t row_bytes, std::span<const Tokens> places,
                                          std::byte* packed) {
            check_device_code("pack()", call(stream, rows, stride, row_bytes, places.data(),
                                             places.size(), packed));
        };
    if (given.unpack != nullptr)
        memory.unpack = [call = given.unpack](void* stream, const std::byte* packed,
                                              std::span<const Tokens> places, std::byte* rows,
                                              std::size_t stride, std::size_t row_bytes) {
            check_device_code("unpack()", call(stream, packed, places.data(), places.size(), rows,
                                               stride, row_bytes));
        };
    if (given.allocate != nullptr)
        memory.allocate = [call = given.allocate, stream = given.stream](std::size_t bytes) {
            return call(stream, bytes);
        };
    if (given.release != nullptr)
        memory.release = [call = given.release, stream = given.stream](void* buffer) {
            call(stream, buffer);
        };
    if (given.synchronise != nullptr)
        memory.synchronise = [call = given.synchronise](void* stream) {
            check_device_code("synchronise()", call(stream));
        };
    return memory;
}

/// The arrays of a caller, and their devices.
struct RowsOfCaller {
    std::vector<std::unique_ptr<const balancer::DeviceMemory>> devices;
    std::vector<balancer::Rows> rows;

    RowsOfCaller() = default;
    RowsOfCaller(const equipoise_rows* given, std::size_t count) {
        if (given == nullptr && count > 0) throw InputError("expected arrays, found NULL");
        for (const equipoise_rows& array : std::span(given, count)) {
            const balancer::DeviceMemory* device = nullptr;
            if (array.device != nullptr)
                device = devices
                             .emplace_back(std::make_unique<const balancer::DeviceMemory>(
                                 memory_of(*array.device)))
                             .get();
            rows.push_back({.data = static_cast<std::byte*>(array.data),
                            .held = array.held,
                            .room = array.room,
                            .row_bytes = array.row_bytes,
                            .stride = array.stride,
                            .device = device});
        }
    }
};

/// Rows on their way.
class RowsMoving final : public equipoise_moving {
  public:
    RowsMoving(balancer::Plan plan, const equipoise_rows* rows, std::size_t count)
        : plan_(std::move(plan)), given_(rows, count) {}

    void begin(engine::LocalFailure& failure) override {
        moving_.emplace(failure, plan_, given_.rows);
    }
    [[nodiscard]] balancer::Report end() override { return moving_->end(); }

  private:
    balancer::Plan plan_;
    RowsOfCaller given_;
    std::optional<balancer::Moving<balancer::RowsMove>> moving_;
};

}  // namespace

std::unique_ptr<equipoise_moving> move_rows(const balancer::Plan& plan, const equipoise_rows* rows,
                                            std::size_t count) {
    return std::make_unique<RowsMoving>(plan, rows, count);
}

}  // namespace equipoise::capi

using namespace equipoise::capi;

extern "C" {

int equipoise_rebalance_rows(MPI_Comm comm, equipoise_rows* rows, size_t count,
                             const equipoise_options* options, equipoise_report* report) {
    return guarded([&] {
        equipoise::engine::LocalFailure failure;
        RowsOfCaller given;
        equipoise::balancer::Options chosen;
        failure.guard([&] {
            check_report(report);
            given = RowsOfCaller(rows, count);
            const equipoise::Tokens held = count > 0 ? rows[0].held : 0;
            chosen = options_of(known_options(options), held);
        });
        write(equipoise::balancer::rebalance_rows(comm, given.rows, chosen, failure), report);
        for (std::size_t i = 0; i < count; ++i)
            rows[i].held = given.rows[i].held;
    });
}

int equipoise_plan_execute_rows(const equipoise_plan* plan, const equipoise_rows* rows,
                                size_t count, equipoise_report* report) {
    return execute(plan, report, [&](const auto& of) { return move_rows(of, rows, count); });
}

int equipoise_plan_begin_rows(const equipoise_plan* plan, const equipoise_rows* rows, size_t count,
                              equipoise_moving** moving) {
    return begin(plan, moving, [&](const auto& of) { return move_rows(of, rows, count); });
}

}  // extern "C"
