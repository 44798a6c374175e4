// A serialiser makes the items that it loads.
// expected: expected a serialiser of the items with `void save(const T& item, ByteWriter& out)
// expected: `T load(ByteReader& in) const`
#include <string>
#include <vector>

#include "equipoise/balancer/balancer.hpp"

namespace {

struct AsText {
    static void save(const std::string& text, equipoise::balancer::ByteWriter& out) {
        out.put(text);
    }
#if defined(MISTAKE)
    static void load(std::string& text, equipoise::balancer::ByteReader& in) {
        text = in.get_string();
    }
#else
    static std::string load(equipoise::balancer::ByteReader& in) { return in.get_string(); }
#endif
};

[[maybe_unused]] void level(std::vector<std::string>& texts) {
    equipoise::balancer::rebalance(MPI_COMM_WORLD, texts, {}, AsText());
}

}  // namespace
