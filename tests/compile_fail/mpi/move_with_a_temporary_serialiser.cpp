// A move that has begun needs its serialiser until it ends.
// expected: deleted
// expected: begin
#include <string>
#include <vector>

#include "equipoise/balancer/moving.hpp"

namespace {

struct AsText {
    static void save(const std::string& text, equipoise::balancer::ByteWriter& out) {
        out.put(text);
    }
    static std::string load(equipoise::balancer::ByteReader& in) { return in.get_string(); }
};

[[maybe_unused]] void move(const equipoise::balancer::Plan& plan, std::vector<std::string>& texts) {
    const AsText serialiser;
#if defined(MISTAKE)
    auto moving = plan.begin(texts, AsText());
#else
    auto moving = plan.begin(texts, serialiser);
    plan.execute(texts, AsText());  // is over before the temporary is
#endif
    moving.end();
}

}  // namespace
