#pragma once
// Items that Boost.Serialization can archive need no serialiser of their own: include this header,
// which needs Boost, and link with boost_serialization.
//
//     rebalance(communicator, tasks, {}, BoostSerialiser<Task>());

#include <istream>
#include <ostream>

#include <boost/archive/basic_archive.hpp>
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>

#include "equipoise/balancer/byte_streams.hpp"
#include "equipoise/balancer/bytes.hpp"

namespace equipoise::balancer {

/// A serialiser over a pair of Boost archives that write to and read from standard streams. Every
/// item is an archive of its own, without a header: pointers that two items share become two
/// objects. Items must be default constructible, as Boost loads into them. An item that Boost
/// cannot save or load fails on all ranks, as with any other serialiser.
template <class T, class OutputArchive = boost::archive::binary_oarchive,
          class InputArchive = boost::archive::binary_iarchive>
struct BoostSerialiser {
    static void save(const T& item, ByteWriter& out) {
        detail::WriterBuffer buffer(out);
        std::ostream stream(&buffer);
        OutputArchive archive(stream, flags);
        archive << item;
    }

    [[nodiscard]] static T load(ByteReader& in) {
        T item;
        detail::ReaderBuffer buffer(in);
        std::istream stream(&buffer);
        InputArchive archive(stream, flags);
        archive >> item;
        return item;
    }

  private:
    static constexpr unsigned flags = boost::archive::no_header | boost::archive::no_codecvt;
};

}  // namespace equipoise::balancer
