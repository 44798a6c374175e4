#pragma once
// `--partition`: which rank of mpirun holds which node.

#include <optional>
#include <string>

#include "equipoise/catalogue/runner/pieces.hpp"
#include "equipoise/cli/command.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::cli {

struct PartitionArgument {
    std::string word;

    void add_to(Command& verb);
    [[nodiscard]] bool given() const { return !word.empty(); }
    /// Throws InputError.
    [[nodiscard]] catalogue::PartitionMethod method() const;
    /// The partition of a network that every rank holds; nothing for consecutive nodes. Collective.
    /// Throws InputError, also if there is a single process without ranks.
    [[nodiscard]] std::optional<engine::Partition> make(const Ranks& ranks,
                                                        const network::AnyNetwork& network) const;
    /// Says on standard error if the network is too small for its ranks to play together.
    void tell_if_few(const Ranks& ranks, const network::AnyNetwork& network) const;
};

}  // namespace equipoise::cli
