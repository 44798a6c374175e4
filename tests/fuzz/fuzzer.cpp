// The libFuzzer program of the target that EQUIPOISE_FUZZ_TARGET names.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto& feed = equipoise::fuzz::targets().at(EQUIPOISE_FUZZ_TARGET);
    feed({reinterpret_cast<const char*>(data), size});
    return 0;
}
