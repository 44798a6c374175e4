#pragma once
// Memory of a device that is not there: the host cannot touch it, "kernels" can.

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "equipoise/balancer/device_memory.hpp"

namespace equipoise::test {

/// The same pages at two addresses: at one any touch faults, at the other they can be read and
/// written.
class FakeDeviceArray {
  public:
    explicit FakeDeviceArray(std::size_t bytes) : bytes_(bytes > 0 ? bytes : 1) {
        const int file = memfd_create("device", 0);
        if (file < 0 || ftruncate(file, static_cast<off_t>(bytes_)) != 0) throw std::bad_alloc();
        device_ = map(PROT_NONE, file);
        alias_ = map(PROT_READ | PROT_WRITE, file);
        close(file);
    }
    FakeDeviceArray(const FakeDeviceArray&) = delete;
    FakeDeviceArray& operator=(const FakeDeviceArray&) = delete;
    ~FakeDeviceArray() {
        munmap(device_, bytes_);
        munmap(alias_, bytes_);
    }

    /// The address that the library is given.
    [[nodiscard]] std::byte* device() const { return device_; }
    /// The address that kernels use, and tests to see what is there.
    [[nodiscard]] std::byte* alias() const { return alias_; }
    [[nodiscard]] bool has(const std::byte* address) const {
        return std::greater_equal<>()(address, device_) && std::less<>()(address, device_ + bytes_);
    }

  private:
    [[nodiscard]] std::byte* map(int protection, int file) const {
        void* const pages = mmap(nullptr, bytes_, protection, MAP_SHARED, file, 0);
        if (pages == MAP_FAILED) throw std::bad_alloc();
        return static_cast<std::byte*>(pages);
    }

    std::size_t bytes_;
    std::byte* device_ = nullptr;
    std::byte* alias_ = nullptr;
};

/// A device with some arrays and one stream.
class FakeDevice {
  public:
    /// What a device is like, and which of its functions fails.
    struct Form {
        bool lazy = false;     ///< work is done when the host waits for it, and not before
        bool buffers = false;  ///< it allocates buffers, which MPI can read
        std::size_t places_max = std::size_t{1} << 20U;
    };
    enum class Fault { none, pack, unpack, allocate, null, synchronise };

    explicit FakeDevice(Form form) : form_(form) {
        work_.reserve(16);
        memory_.stream = this;
        memory_.places_max = form.places_max;
        memory_.pack = [](void* stream, const std::byte* rows, std::size_t stride,
                          std::size_t row_bytes, std::span<const Tokens> places,
                          std::byte* packed) {
            of(stream).fail_if(Fault::pack);
            of(stream).begin({rows, stride, row_bytes, places, packed, false});
        };
        memory_.unpack = [](void* stream, const std::byte* packed, std::span<const Tokens> places,
                            std::byte* rows, std::size_t stride, std::size_t row_bytes) {
            of(stream).fail_if(Fault::unpack);
            of(stream).begin(
                {rows, stride, row_bytes, places,
                 const_cast<std::byte*>(packed),  // NOLINT(cppcoreguidelines-pro-type-const-cast)
                 true});
        };
        if (form.lazy || form.buffers)
            memory_.synchronise = [](void* stream) {
                of(stream).fail_if(Fault::synchronise);
                of(stream).finish();
            };
        if (!form.buffers) return;
        memory_.allocate = [this](std::size_t bytes) -> void* {
            fail_if(Fault::allocate);
            if (fault_ == Fault::null) return nullptr;
            ++buffers_;
            return std::malloc(bytes);  // NOLINT(cppcoreguidelines-no-malloc)
        };
        memory_.release = [this](void* buffer) {
            --buffers_;
            std::free(buffer);  // NOLINT(cppcoreguidelines-no-malloc)
        };
    }

    [[nodiscard]] FakeDeviceArray& add(std::size_t bytes) {
        return *arrays_.emplace_back(std::make_unique<FakeDeviceArray>(bytes));
    }
    [[nodiscard]] const balancer::DeviceMemory& memory() const { return memory_; }
    void fails_in(Fault fault) { fault_ = fault; }
    /// Buffers that have not been given back.
    [[nodiscard]] int buffers() const { return buffers_; }
    /// The most places of any call.
    [[nodiscard]] std::size_t most_places() const { return most_places_; }
    [[nodiscard]] bool idle() const { return work_.empty(); }

  private:
    struct Kernel {
        const std::byte* rows;
        std::size_t stride;
        std::size_t row_bytes;
        std::span<const Tokens> places;
        std::byte* packed;
        bool unpacks;
    };

    static FakeDevice& of(void* stream) { return *static_cast<FakeDevice*>(stream); }
    void fail_if(Fault fault) const {
        if (fault_ == fault) throw std::runtime_error("the device has failed");
    }
    void begin(const Kernel& kernel) {
        most_places_ = std::max(most_places_, kernel.places.size());
        work_.push_back(kernel);
        if (!form_.lazy) finish();
    }
    void finish() {
        for (const Kernel& kernel : work_)
            run(kernel);
        work_.clear();
    }
    void run(const Kernel& kernel) const {
        std::byte* rows = nullptr;
        for (const auto& array : arrays_)
            if (array->has(kernel.rows)) rows = array->alias() + (kernel.rows - array->device());
        if (rows == nullptr) throw std::logic_error("these rows are not on the device");
        std::byte* packed = kernel.packed;
        for (const Tokens place : kernel.places) {
            std::byte* const row = rows + static_cast<std::size_t>(place) * kernel.stride;
            std::memcpy(kernel.unpacks ? row : packed, kernel.unpacks ? packed : row,
                        kernel.row_bytes);
            packed += kernel.row_bytes;
        }
    }

    Form form_;
    Fault fault_ = Fault::none;
    balancer::DeviceMemory memory_;
    std::vector<std::unique_ptr<FakeDeviceArray>> arrays_;
    std::vector<Kernel> work_;
    int buffers_ = 0;
    std::size_t most_places_ = 0;
};

namespace detail {

inline sigjmp_buf after_fault;  // NOLINT(*-avoid-non-const-global-variables): a handler needs it

}  // namespace detail

/// Whether reading this byte faults.
inline bool faults(const std::byte* address) {
    struct sigaction before = {};
    struct sigaction noted = {};
    noted.sa_handler = [](int) { siglongjmp(detail::after_fault, 1); };
    sigaction(SIGSEGV, &noted, &before);
    volatile bool faulted = true;
    if (sigsetjmp(detail::after_fault, 1) == 0) {
        static_cast<void>(*static_cast<const volatile std::byte*>(address));
        faulted = false;
    }
    sigaction(SIGSEGV, &before, nullptr);
    return faulted;
}

}  // namespace equipoise::test
