#include "equipoise/network/generators/generate.hpp"

#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_rows.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/network/generators/link_stream.hpp"
#include "equipoise/network/generators/size.hpp"
#include "equipoise/network/generators/table.hpp"
#include "equipoise/network/memory.hpp"

namespace equipoise::network {

namespace {

/// The approximate number of links of a network; a generator may draw more, or some of them twice.
UInt128 likely_links(const Spec& spec, const NetworkSize& size) {
    if (spec.name() != "gnp") return size.links_most;
    return static_cast<UInt128>(static_cast<double>(size.links_most) * spec.real("p", 0, 1));
}

/// Nothing for a spec that the generator refuses.
std::optional<LikelySize> likely_size_of(const Spec& spec) {
    try {
        const NetworkSize size = size_of(spec);
        const bool stored = spec.name() != "mesh" && spec.name() != "torus";
        return LikelySize{size.nodes, likely_links(spec, size), stored};
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// Throws InputError for a network that memory cannot hold, before any is taken. Other errors in a
/// spec are left to the generator.
void expect_to_fit(const Spec& spec) {
    const std::optional<LikelySize> size = likely_size_of(spec);
    if (size && size->stored)
        network::expect_to_fit(size->nodes, size->links, "network '" + spec.text() + '\'');
}

/// The generator of a spec; throws unless the spec has the generator's keys and no others.
const Generator& generator_of(const Spec& spec) {
    const Generator* const generator = find_row(generator_table(), spec.name());
    if (generator == nullptr) throw InputError(unknown_row("network", spec.text(), generators()));
    std::vector<std::string_view> keys = generator->keys;
    if (generator->info.random) keys.emplace_back("seed");
    spec.expect_only(keys, generator->keys.empty());
    return *generator;
}

std::uint64_t own_seed(const Spec& spec, std::uint64_t seed) {
    return spec.whole("seed", 0, ~std::uint64_t{0}, seed);
}

/// Runs an action that may refuse the spec, and makes its errors name the spec.
template <class Action>
auto naming(const Spec& spec, const Action& action) {
    try {
        return action();
    } catch (const InputError& error) {
        const std::string message = error.what();
        if (message.find(spec.text()) != std::string::npos) throw;
        throw InputError("network '" + spec.text() + "': " + message);
    }
}

}  // namespace

const std::vector<SpecInfo>& generators() {
    static const std::vector<SpecInfo> infos = infos_of(generator_table());
    return infos;
}

bool names_generator(std::string_view spec) {
    return find_row(generator_table(), spec.substr(0, spec.find(':'))) != nullptr;
}

std::optional<LikelySize> likely_size(std::string_view spec) {
    if (!names_generator(spec)) return std::nullopt;
    try {
        return likely_size_of(Spec::parse(spec));
    } catch (const InputError&) {
        return std::nullopt;
    }
}

AnyNetwork generate(std::string_view spec, std::uint64_t seed) {
    const Spec parsed = Spec::parse(spec);
    const Generator& generator = generator_of(parsed);
    expect_to_fit(parsed);
    Labels labels;
    labels.origin = parsed.text();
    if (generator.info.random) {
        seed = own_seed(parsed, seed);
        labels.seed = seed;
    }
    AnyNetwork network =
        naming(parsed, [&]() -> AnyNetwork { return generator.make(parsed, seed); });
    network.labels() = std::move(labels);
    return network;
}

LinkStream stream_links(std::string_view spec, std::uint64_t seed) {
    if (!names_generator(spec)) return stream_edge_list(std::string(spec));
    const Spec parsed = Spec::parse(spec);
    const Generator& generator = generator_of(parsed);
    if (generator.stream == nullptr) {
        std::vector<std::string> known;
        for (const Generator& other : generator_table())
            if (other.stream != nullptr) known.push_back(other.info.name);
        known.emplace_back("an edge list");
        throw UnsuitableError("cannot make the network '" + parsed.text() +
                              "' in pieces: expected " + listed(known, " or "));
    }
    if (generator.info.random) seed = own_seed(parsed, seed);
    return naming(parsed, [&] { return generator.stream(parsed, seed); });
}

}  // namespace equipoise::network
