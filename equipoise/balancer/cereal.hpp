#pragma once
// Items that cereal can archive need no serialiser of their own: include this header, which needs
// cereal.
//
//     rebalance(communicator, tasks, {}, CerealSerialiser<Task>());

#include <istream>
#include <ostream>

#include <cereal/archives/binary.hpp>

#include "equipoise/balancer/byte_streams.hpp"
#include "equipoise/balancer/bytes.hpp"

namespace equipoise::balancer {

/// A serialiser over a pair of cereal archives that write to and read from standard streams.
/// Items must be default constructible, as cereal loads into them.
template <class T, class OutputArchive = cereal::BinaryOutputArchive,
          class InputArchive = cereal::BinaryInputArchive>
struct CerealSerialiser {
    static void save(const T& item, ByteWriter& out) {
        detail::WriterBuffer buffer(out);
        std::ostream stream(&buffer);
        OutputArchive archive(stream);
        archive(item);
    }

    [[nodiscard]] static T load(ByteReader& in) {
        T item;
        detail::ReaderBuffer buffer(in);
        std::istream stream(&buffer);
        InputArchive archive(stream);
        archive(item);
        return item;
    }
};

}  // namespace equipoise::balancer
