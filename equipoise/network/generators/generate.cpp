#include "equipoise/network/generators/generate.hpp"

#include <array>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_meant.hpp"
#include "equipoise/base/spec_rows.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/network/generators/link_stream.hpp"
#include "equipoise/network/generators/meant.hpp"
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

SpecForm form_of(const Generator& generator) {
    return {generator.info.name, generator.keys, generator.keys.empty(), generator.info.example};
}

/// A spec and its generator.
struct Named {
    Spec spec;
    const Generator* generator;
};

/// Throws InputError, with the spec that was probably meant, unless the spec has the generator's
/// keys and no others.
Named named_by(std::string_view text) {
    const Generator* const generator = find_row(generator_table(), text.substr(0, text.find(':')));
    if (generator == nullptr) {
        static_cast<void>(Spec::parse(text));
        throw InputError(unknown_row("network", text, generators()));
    }
    std::vector<std::string_view> keys = generator->keys;
    if (generator->info.random) keys.emplace_back("seed");
    try {
        Named named = {Spec::parse(text), generator};
        named.spec.expect_only(keys, generator->keys.empty());
        return named;
    } catch (const InputError& error) {
        throw InputError(error.what() + remedy(text, form_of(*generator)));
    }
}

std::uint64_t own_seed(const Spec& spec, std::uint64_t seed) {
    return spec.whole("seed", 0, ~std::uint64_t{0}, seed);
}

/// Runs an action that may refuse the spec, and makes its errors name the spec and, if values are
/// missing or are no sides, one that was probably meant.
template <class Action>
auto naming(const Named& named, const Action& action) {
    const Spec& spec = named.spec;
    try {
        return action();
    } catch (const InputError& error) {
        const std::string message = error.what();
        const std::string better = remedy(spec.text(), form_of(*named.generator));
        if (message.find(spec.text()) != std::string::npos) {
            if (better.empty()) throw;
            throw InputError(message + better);
        }
        throw InputError("network '" + spec.text() + "': " + message + better);
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

std::string meant_network(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> others = {
        {{"grid", "mesh"},
         {"ring", "cycle"},
         {"line", "path"},
         {"chain", "path"},
         {"clique", "complete"},
         {"cube", "hypercube"},
         {"binary-tree", "tree"},
         {"regular", "random-regular"},
         {"erdos-renyi", "gnp"}}};
    std::vector<SpecForm> forms;
    for (const Generator& generator : generator_table())
        forms.push_back(form_of(generator));
    return did_you_mean_spec(meant_spec(text, forms, others));
}

AnyNetwork generate(std::string_view spec, std::uint64_t seed) {
    const Named named = named_by(spec);
    const Spec& parsed = named.spec;
    const Generator& generator = *named.generator;
    expect_to_fit(parsed);
    Labels labels;
    labels.origin = parsed.text();
    if (generator.info.random) {
        seed = own_seed(parsed, seed);
        labels.seed = seed;
    }
    AnyNetwork network =
        naming(named, [&]() -> AnyNetwork { return generator.make(parsed, seed); });
    network.labels() = std::move(labels);
    return network;
}

LinkStream stream_links(std::string_view spec, std::uint64_t seed) {
    if (!names_generator(spec)) return stream_edge_list(std::string(spec));
    const Named named = named_by(spec);
    const Spec& parsed = named.spec;
    const Generator& generator = *named.generator;
    if (generator.stream == nullptr) {
        std::vector<std::string> known;
        for (const Generator& other : generator_table())
            if (other.stream != nullptr) known.push_back(other.info.name);
        known.emplace_back("an edge list");
        throw UnsuitableError("cannot make the network '" + parsed.text() +
                              "' in pieces: expected " + listed(known, " or "));
    }
    if (generator.info.random) seed = own_seed(parsed, seed);
    return naming(named, [&] { return generator.stream(parsed, seed); });
}

}  // namespace equipoise::network
