// Rows in the memory of a GPU: the functions of balancer::DeviceMemory for CUDA.
// A test compiles it where nvcc is found; it has not been run on a GPU.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/room.hpp>

namespace balancer = equipoise::balancer;
using std::int64_t;
using std::size_t;

__global__ void gather(const char* rows, size_t stride, size_t bytes, const int64_t* places,
                       size_t n, char* packed) {
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n * bytes;
         i += size_t{gridDim.x} * blockDim.x)
        packed[i] = rows[places[i / bytes] * stride + i % bytes];
}
__global__ void scatter(const char* packed, const int64_t* places, size_t n, char* rows,
                        size_t stride, size_t bytes) {
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < n * bytes;
         i += size_t{gridDim.x} * blockDim.x)
        rows[places[i / bytes] * stride + i % bytes] = packed[i];
}
void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

balancer::DeviceMemory memory_of(cudaStream_t stream, int64_t* list, size_t list_places) {
    const auto copy = [=](std::span<const int64_t> places) {  // of the places, to the device
        check(cudaMemcpyAsync(list, places.data(), places.size_bytes(), cudaMemcpyHostToDevice,
                              stream));
    };
    balancer::DeviceMemory memory;
    memory.stream = stream;
    memory.places_max = list_places;
    memory.pack = [=](void*, const std::byte* rows, size_t stride, size_t bytes, auto places,
                      std::byte* packed) {
        copy(places);
        gather<<<1024, 256, 0, stream>>>((const char*)rows, stride, bytes, list, places.size(),
                                         (char*)packed);
        check(cudaGetLastError());
    };
    memory.unpack = [=](void*, const std::byte* packed, auto places, std::byte* rows, size_t stride,
                        size_t bytes) {
        copy(places);
        scatter<<<1024, 256, 0, stream>>>((const char*)packed, list, places.size(), (char*)rows,
                                          stride, bytes);
        check(cudaGetLastError());
    };
    memory.allocate = [](size_t bytes) {
        void* buffer = nullptr;
        check(cudaMalloc(&buffer, bytes));  // or cudaMallocHost, if MPI is not aware of CUDA
        return buffer;
    };
    memory.release = [](void* buffer) { cudaFree(buffer); };  // or cudaFreeHost
    memory.synchronise = [=](void* /*stream*/) { check(cudaStreamSynchronize(stream)); };
    return memory;
}

// Levels the first `held` values at `positions`, an address of the device with room for more.
void level(MPI_Comm communicator, double* positions, int64_t& held, int64_t room,
           cudaStream_t stream) {
    const size_t list_places = size_t{1} << 20;
    int64_t* list = nullptr;
    equipoise::engine::LocalFailure failure;  // of this rank: all throw it
    failure.guard([&] { check(cudaMalloc(&list, list_places * sizeof *list)); });
    const std::unique_ptr<int64_t, cudaError_t (*)(void*)> frees(list, cudaFree);
    const balancer::DeviceMemory memory = memory_of(stream, list, list_places);
    std::vector<balancer::Rows> rows = {balancer::rows_of(positions, held, room, sizeof(double))};
    rows[0].device = &memory;
    balancer::rebalance_rows(communicator, rows, {}, failure);
    held = rows[0].held;
}
