#include "equipoise/trace/brotli.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#ifdef EQUIPOISE_WITH_BROTLI
#include <brotli/decode.h>
#include <brotli/encode.h>
#endif

#include "equipoise/base/error.hpp"

namespace equipoise::trace {

bool begins_an_object(std::string_view text) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && text[begin] == '{';
}

#ifdef EQUIPOISE_WITH_BROTLI

bool has_brotli() {
    return true;
}

namespace {

struct Closer {
    void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
};
using Decoder = std::unique_ptr<BrotliDecoderState, Closer>;

Decoder new_decoder() {
    Decoder decoder(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr));
    if (decoder == nullptr) throw std::bad_alloc();
    return decoder;
}

}  // namespace

bool may_be_compressed_object(std::string_view beginning) {
    constexpr std::size_t bytes_enough = 4096;
    std::size_t left = std::min(beginning.size(), bytes_enough);
    const auto* next = reinterpret_cast<const std::uint8_t*>(beginning.data());
    const Decoder decoder = new_decoder();
    std::array<std::uint8_t, 64> first{};  // of the text
    std::size_t room = first.size();
    std::uint8_t* out = first.data();
    const BrotliDecoderResult result =
        BrotliDecoderDecompressStream(decoder.get(), &left, &next, &room, &out, nullptr);
    if (result == BROTLI_DECODER_RESULT_ERROR) return false;
    const std::string_view text(reinterpret_cast<const char*>(first.data()), first.size() - room);
    return begins_an_object(text) ||
           (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT && text.empty());
}

struct Decompressor::State {
    Decoder decoder = new_decoder();
    std::size_t taken = 0;  ///< bytes
    std::string text;
    bool complete = false;
};

Decompressor::Decompressor(const std::string& name)
    : name_(name), state_(std::make_unique<State>()) {}

std::string_view Decompressor::follow(std::string_view bytes) {
    auto& [decoder, taken, text, complete] = *state_;
    constexpr std::size_t block = std::size_t{1} << 18U;
    taken += bytes.size();
    const std::size_t most =
        std::min(std::size_t{1} << 32U, std::max(std::size_t{1} << 26U, 1000 * taken));
    const std::size_t followed = text.size();
    std::size_t left = bytes.size();
    const auto* next = reinterpret_cast<const std::uint8_t*>(bytes.data());
    while (!complete) {
        const std::size_t before = text.size();
        if (before > most)
            throw InputError(name_ + ": expected a trace of at most " + std::to_string(most) +
                             " bytes, found more once decompressed");
        text.resize(before + std::max(block, before / 2));
        std::size_t room = text.size() - before;
        auto* out = reinterpret_cast<std::uint8_t*>(text.data()) + before;
        const BrotliDecoderResult result =
            BrotliDecoderDecompressStream(decoder.get(), &left, &next, &room, &out, nullptr);
        text.resize(text.size() - room);
        if (result == BROTLI_DECODER_RESULT_ERROR)
            throw InputError(name_ + ": expected bytes that brotli compressed, found others");
        if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT) break;
        complete = result == BROTLI_DECODER_RESULT_SUCCESS;
    }
    if (left > 0)
        throw InputError(name_ + ": expected nothing after the compressed trace, found more");
    return std::string_view(text).substr(followed);
}

std::string Decompressor::text() && {
    if (!state_->complete)
        throw InputError(name_ + ": expected more compressed bytes, found the end of the file");
    return std::move(state_->text);
}

std::string compressed(std::string_view text, const std::string& /*name*/) {
    constexpr int quality = 6;  // higher qualities take many times as long for little gain
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

bool may_be_compressed_object(std::string_view /*beginning*/) {
    return false;
}

struct Decompressor::State {};

Decompressor::Decompressor(const std::string& name) : name_(name) {
    refuse(name);
}

std::string_view Decompressor::follow(std::string_view /*bytes*/) {
    refuse(name_);
}

std::string Decompressor::text() && {
    refuse(name_);
}

std::string compressed(std::string_view /*text*/, const std::string& name) {
    refuse(name);
}

#endif

Decompressor::~Decompressor() = default;

}  // namespace equipoise::trace
