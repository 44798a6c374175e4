#pragma once
// Items that cereal can archive need no serialiser of their own: include this header, which needs
// cereal.
//
//     rebalance(communicator, tasks, {}, CerealSerialiser<Task>());

#include <istream>
#include <ostream>
#include <streambuf>

#include <cereal/archives/binary.hpp>

#include "equipoise/balancer/bytes.hpp"

namespace equipoise::balancer {

/// A serialiser over a pair of cereal archives that write to and read from standard streams.
/// Items must be default constructible, as cereal loads into them.
template <class T, class OutputArchive = cereal::BinaryOutputArchive,
          class InputArchive = cereal::BinaryInputArchive>
struct CerealSerialiser {
    static void save(const T& item, ByteWriter& out) {
        WriterBuffer buffer(out);
        std::ostream stream(&buffer);
        OutputArchive archive(stream);
        archive(item);
    }

    [[nodiscard]] static T load(ByteReader& in) {
        T item;
        ReaderBuffer buffer(in.take_bytes(in.left()));
        std::istream stream(&buffer);
        InputArchive archive(stream);
        archive(item);
        return item;
    }

  private:
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

    class ReaderBuffer : public std::streambuf {
      public:
        explicit ReaderBuffer(std::span<const std::byte> bytes) {
            // A stream buffer that is only read from does not write to its memory.
            auto* first = const_cast<char*>(  // NOLINT(cppcoreguidelines-pro-type-const-cast)
                reinterpret_cast<const char*>(bytes.data()));
            setg(first, first, first + bytes.size());
        }
    };
};

}  // namespace equipoise::balancer
