#include "python/mpi/rows.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "equipoise/balancer/room.hpp"
#include "python/mpi/fields.hpp"
#include "python/mpi/plan_on_comm.hpp"

namespace equipoise::python {

namespace {

namespace py = pybind11;

std::uintptr_t address_of(const void* place) {
    return reinterpret_cast<std::uintptr_t>(place);
}

/// The functions of a Device of Python. Made, used and destroyed without the interpreter's lock,
/// except where they say so.
class DeviceOfPython {
  public:
    /// Needs the lock.
    explicit DeviceOfPython(const py::object& device)
        : pack_(device.attr("pack")),
          unpack_(device.attr("unpack")),
          allocate_(device.attr("allocate")),
          release_(device.attr("release")),
          synchronise_(device.attr("synchronise")) {
        memory_.places_max = py::cast<std::size_t>(device.attr("places_max"));
        memory_.pack = [this](void* /*stream*/, const std::byte* rows, std::size_t stride,
                              std::size_t row_bytes, std::span<const Tokens> places,
                              std::byte* packed) {
            call([&] {
                pack_(address_of(rows), stride, row_bytes, list_of(places), address_of(packed));
            });
        };
        memory_.unpack = [this](void* /*stream*/, const std::byte* packed,
                                std::span<const Tokens> places, std::byte* rows, std::size_t stride,
                                std::size_t row_bytes) {
            call([&] {
                unpack_(address_of(packed), list_of(places), address_of(rows), stride, row_bytes);
            });
        };
        // Always there: the lists of places live until then.
        memory_.synchronise = [this](void* /*stream*/) {
            call([&] {
                if (!synchronise_.is_none()) synchronise_();
                lists_ = py::list();
            });
        };
        if (!allocate_.is_none())
            memory_.allocate = [this](std::size_t bytes) {
                std::uintptr_t address = 0;
                call([&] {
                    try {
                        address = py::cast<std::uintptr_t>(allocate_(bytes));
                    } catch (py::error_already_set& error) {
                        if (error.matches(PyExc_MemoryError)) throw std::bad_alloc();
                        throw;
                    }
                });
                return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
            };
        if (!release_.is_none())
            memory_.release = [this](void* buffer) {
                const py::gil_scoped_acquire acquired;
                try {
                    release_(address_of(buffer));
                } catch (py::error_already_set& error) {
                    error.discard_as_unraisable("release() of a device");
                }
            };
    }
    DeviceOfPython(const DeviceOfPython&) = delete;
    DeviceOfPython& operator=(const DeviceOfPython&) = delete;
    ~DeviceOfPython() = default;

    [[nodiscard]] const balancer::DeviceMemory& memory() const { return memory_; }

  private:
    template <class Act>
    static void call(const Act& act) {
        const py::gil_scoped_acquire acquired;
        with_text(act);
    }
    // A copy that stays until the device has done its work, and longer if Python keeps it.
    py::array_t<Tokens> list_of(std::span<const Tokens> places) {
        py::array_t<Tokens> list(static_cast<py::ssize_t>(places.size()), places.data());
        lists_.append(list);
        return list;
    }

    py::object pack_;
    py::object unpack_;
    py::object allocate_;
    py::object release_;
    py::object synchronise_;
    py::list lists_;
    balancer::DeviceMemory memory_;
};

/// Address, room, bytes of a row, bytes from one row to the next, type, whether on the device.
using Room = std::tuple<std::uintptr_t, Tokens, std::size_t, std::size_t, std::string, bool>;

/// Moves rows within arrays, which Python keeps alive. Returns the figures of the report.
py::dict move_rows(const PlanOnComm& on, const std::vector<Room>& rooms, const py::object& device,
                   const std::string& problem) {
    engine::LocalFailure failure = failure_of(problem);
    std::vector<balancer::Rows> rows;
    std::optional<DeviceOfPython> there;
    failure.guard([&] {
        if (!device.is_none()) with_text([&] { there.emplace(device); });
        for (const auto& [address, room, row_bytes, stride, type, on_device] : rooms)
            rows.push_back(
                // NOLINTNEXTLINE(performance-no-int-to-ptr): that is how Python has it
                {.data = room > 0 ? reinterpret_cast<std::byte*>(address) : nullptr,
                 .held = on.plan.size_before(),
                 .room = room,
                 .row_bytes = row_bytes,
                 .stride = stride,
                 .type = type,
                 .device = on_device && there ? &there->memory() : nullptr});
    });
    balancer::Report report;
    {
        const py::gil_scoped_release released;
        report = balancer::move_rows(on.plan, rows, failure);
    }
    return dict_of(report, AsPython());
}

}  // namespace

void bind_rows(py::module_& module) {
    module.def("move_rows", &move_rows);
}

}  // namespace equipoise::python
