#pragma once
// The bytes of an item as standard streams, for archives that know nothing else.

#include <cstddef>
#include <ios>
#include <span>
#include <streambuf>

#include "equipoise/balancer/bytes.hpp"

namespace equipoise::balancer::detail {

/// A stream buffer that appends to a writer, which must live as long.
class WriterBuffer : public std::streambuf {
  public:
    explicit WriterBuffer(ByteWriter& out) : out_(&out) {}

  protected:
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        out_->put_bytes(std::as_bytes(std::span(text, static_cast<std::size_t>(count))));
        return count;
    }
    int_type overflow(int_type character) override {
        if (traits_type::eq_int_type(character, traits_type::eof())) return 0;
        out_->put(traits_type::to_char_type(character));
        return character;
    }

  private:
    ByteWriter* out_;
};

/// A stream buffer over all that is left of a reader, which is empty then.
class ReaderBuffer : public std::streambuf {
  public:
    explicit ReaderBuffer(ByteReader& in) {
        const std::span<const std::byte> bytes = in.take_bytes(in.left());
        // A stream buffer that is only read from does not write to its memory.
        auto* first = const_cast<char*>(  // NOLINT(cppcoreguidelines-pro-type-const-cast)
            reinterpret_cast<const char*>(bytes.data()));
        setg(first, first, first + bytes.size());
    }
};

}  // namespace equipoise::balancer::detail
