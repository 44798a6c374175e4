#include "equipoise/mpi/run_program.hpp"

#include "equipoise/base/digest.hpp"
#include "equipoise/mpi/agreement.hpp"

namespace equipoise::mpi::detail {

void expect_alike(const RankTransport& transport, const network::Network& network,
                  std::size_t lists, const ProgramOptions& options) {
    const auto [begin, end] = nodes_of_rank(network, transport.rank(), transport.ranks());
    LocalFailure failure;
    failure.guard(Failure::input, [&, begin = begin, end = end] {
        if (lists != end - begin)
            throw InputError("expected a load, or a list of items, for each of " +
                             std::to_string(end - begin) + " nodes, found " +
                             std::to_string(lists));
        if (!options.speeds.empty() && options.speeds.size() != network.node_count())
            throw InputError("expected a speed for each of " +
                             std::to_string(network.node_count()) + " nodes, found " +
                             std::to_string(options.speeds.size()));
    });
    Digest digest;
    digest.add(network::digest(network));
    digest.add(options.seed);
    digest.add(options.keeps_order ? 1 : 0);
    for (const Tokens speed : options.speeds)
        digest.add(static_cast<std::uint64_t>(speed));
    Ballot mine;
    mine.must_be_equal = digest.value();
    mine.describe = [&] {
        return "a network of " + std::to_string(network.node_count()) + " nodes and " +
               std::to_string(network.link_count()) + " links, seed " +
               std::to_string(options.seed);
    };
    static_cast<void>(agree(transport.communicator(), failure, mine));
}

}  // namespace equipoise::mpi::detail
