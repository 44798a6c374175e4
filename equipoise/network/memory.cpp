#include "equipoise/network/memory.hpp"

#include "equipoise/base/memory.hpp"

namespace equipoise::network {

namespace {

/// "12 nodes" or, from 2^64 on, "at least 2^64 nodes".
std::string counted(UInt128 number, const std::string& things) {
    constexpr std::uint64_t most = ~std::uint64_t{0};
    return (number >= most ? "at least 2^64" : std::to_string(static_cast<std::uint64_t>(number))) +
           ' ' + things;
}

}  // namespace

void expect_to_fit(UInt128 nodes, UInt128 links, const std::string& name) {
    // As Network stores them: both ends of every link, and a link and a neighbour at each end.
    constexpr unsigned bytes_a_link = 24;
    constexpr unsigned bytes_a_node = 8;
    expect_memory(links * bytes_a_link + nodes * bytes_a_node,
                  name + ": " + counted(nodes, "nodes") + " and " + counted(links, "links"));
}

}  // namespace equipoise::network
