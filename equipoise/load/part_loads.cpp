#include "equipoise/load/part_loads.hpp"

#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/spec.hpp"

namespace equipoise::load {

Loads make_part_loads(std::string_view spec, NodeId node_count, NodeId first, NodeId last,
                      std::uint64_t seed) {
    const Spec parsed = Spec::parse(spec);
    const auto tokens = [&](std::uint64_t most) { return parsed.whole("tokens", 0, most); };
    Loads loads(last - first, 0);
    const auto add = [&](std::uint64_t node, std::uint64_t count) {
        if (first <= node && node < last) loads[node - first] += static_cast<Tokens>(count);
    };
    if (parsed.name() == "spike") {
        const std::uint64_t node = parsed.whole("node", 0, node_count - 1, 0);
        add(node, tokens(static_cast<std::uint64_t>(tokens_max)));
    } else if (parsed.name() == "uniform") {
        // Every rank draws all tokens, and keeps its own.
        constexpr std::uint64_t drawn_most = std::uint64_t{1} << 30U;
        RandomStream random(parsed.whole("seed", 0, ~std::uint64_t{0}, seed), Purpose::loads);
        for (std::uint64_t left = tokens(drawn_most); left > 0; --left)
            add(random.below(node_count), 1);
    } else {
        throw UnsuitableError("cannot make the loads '" + std::string(spec) +
                              "' in pieces: expected spike or uniform");
    }
    parsed.expect_done();
    return loads;
}

}  // namespace equipoise::load
