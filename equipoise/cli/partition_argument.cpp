#include "equipoise/cli/partition_argument.hpp"

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::cli {

void PartitionArgument::add_to(Command& verb) {
    verb.add_option("--partition", word,
                    "how mpirun's ranks share the nodes: contiguous (default: consecutive nodes) "
                    "or metis (few links between ranks)")
        ->offers({"contiguous", "metis"});
}

catalogue::PartitionMethod PartitionArgument::method() const {
    return given() ? catalogue::partition_method_from_word(word)
                   : catalogue::PartitionMethod::contiguous;
}

void PartitionArgument::tell_if_few(const Ranks& ranks, const network::AnyNetwork& network) const {
    if (given() || ranks.fabric() == nullptr ||
        !catalogue::few_for_ranks(network.node_count(), ranks.fabric()->ranks()))
        return;
    note(report::counted(std::uint64_t{network.node_count()}, "node") + " are too few for " +
         report::counted(std::int64_t{ranks.fabric()->ranks()}, "rank") +
         ", which would mostly wait for each other: rank 0 plays the rounds alone (--partition "
         "contiguous divides the nodes anyway)");
}

std::optional<engine::Partition> PartitionArgument::make(const Ranks& ranks,
                                                         const network::AnyNetwork& network) const {
    if (!given()) return std::nullopt;
    const catalogue::PartitionMethod wanted = method();
    if (ranks.fabric() == nullptr)
        throw InputError(
            "--partition divides nodes among ranks: expected more than one rank (run it under "
            "mpirun)");
    return catalogue::make_partition(*ranks.fabric(), &network, wanted);
}

}  // namespace equipoise::cli
