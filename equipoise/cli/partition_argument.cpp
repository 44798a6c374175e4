#include "equipoise/cli/partition_argument.hpp"

#include "equipoise/base/error.hpp"

namespace equipoise::cli {

void PartitionArgument::add_to(Command& verb) {
    verb.add_option("--partition", word,
                    "how mpirun's ranks share the nodes: contiguous (default: consecutive nodes) "
                    "or metis (few links between ranks)");
}

catalogue::Sharing PartitionArgument::sharing() const {
    return given() ? catalogue::sharing_from_word(word) : catalogue::Sharing::contiguous;
}

std::optional<engine::Partition> PartitionArgument::make(const Ranks& ranks,
                                                         const network::AnyNetwork& network) const {
    if (!given()) return std::nullopt;
    const catalogue::Sharing wanted = sharing();
    if (ranks.fabric() == nullptr)
        throw InputError("--partition shares nodes out to ranks: expected mpirun with it");
    return catalogue::share_out(*ranks.fabric(), &network, wanted);
}

}  // namespace equipoise::cli
