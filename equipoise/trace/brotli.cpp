#include "equipoise/trace/brotli.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#ifdef EQUIPOISE_WITH_BROTLI
#include <brotli/decode.h>
#include <brotli/encode.h>
#endif

#include "equipoise/base/error.hpp"

namespace equipoise::trace {

#ifdef EQUIPOISE_WITH_BROTLI

bool has_brotli() {
    return true;
}

std::string decompressed(std::string_view bytes, const std::string& name) {
    constexpr std::size_t block = std::size_t{1} << 18U;
    const std::size_t most = std::min(
        std::size_t{1} << 32U, std::max(std::size_t{1} << 26U, std::size_t{1000} * bytes.size()));
    struct Closer {
        void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
    };
    const std::unique_ptr<BrotliDecoderState, Closer> state(
        BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
    if (state == nullptr) throw std::bad_alloc();
    std::size_t left = bytes.size();
    const auto* next = reinterpret_cast<const std::uint8_t*>(bytes.data());
    std::string text;
    while (true) {
        const std::size_t before = text.size();
        if (before > most)
            throw InputError(name + ": expected a trace of at most " + std::to_string(most) +
                             " bytes, found more once decompressed");
        text.resize(before + std::max(block, before / 2));
        std::size_t room = text.size() - before;
        auto* out = reinterpret_cast<std::uint8_t*>(text.data()) + before;
        const BrotliDecoderResult result =
            BrotliDecoderDecompressStream(state.get(), &left, &next, &room, &out, nullptr);
        text.resize(text.size() - room);
        if (result == BROTLI_DECODER_RESULT_SUCCESS) break;
        if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT)
            throw InputError(name + ": expected more compressed bytes, found the end of the file");
        if (result == BROTLI_DECODER_RESULT_ERROR)
            throw InputError(name + ": expected bytes that brotli compressed, found others");
    }
    if (left > 0)
        throw InputError(name + ": expected nothing after the compressed trace, found " +
                         std::to_string(left) + " bytes");
    return text;
}

std::string compressed(std::string_view text, const std::string& /*name*/) {
    constexpr int quality = 6;  // larger ones take many times as long for little
    std::size_t size = BrotliEncoderMaxCompressedSize(text.size());
    std::string bytes(size, '\0');
    if (size == 0 ||
        BrotliEncoderCompress(quality, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, text.size(),
                              reinterpret_cast<const std::uint8_t*>(text.data()), &size,
                              reinterpret_cast<std::uint8_t*>(bytes.data())) == BROTLI_FALSE)
        throw std::bad_alloc();
    bytes.resize(size);
    return bytes;
}

#else

namespace {

[[noreturn]] void refuse(const std::string& name) {
    throw UnsuitableError(name +
                          ": this program was built without brotli; decompress the trace first "
                          "(brotli -d), or build with libbrotli-dev");
}

}  // namespace

bool has_brotli() {
    return false;
}

std::string decompressed(std::string_view /*bytes*/, const std::string& name) {
    refuse(name);
}

std::string compressed(std::string_view /*text*/, const std::string& name) {
    refuse(name);
}

#endif

}  // namespace equipoise::trace
