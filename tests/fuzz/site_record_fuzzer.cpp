#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/agent_targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    equipoise::fuzz::feed_site_record(text);
    return 0;
}
