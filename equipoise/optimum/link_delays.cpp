#include "equipoise/optimum/link_delays.hpp"

#include "equipoise/base/line_source.hpp"
#include "equipoise/base/table_reader.hpp"
#include "equipoise/network/node_names.hpp"

namespace equipoise::optimum {

std::vector<Step> read_link_delays(const std::string& path, const network::AnyNetwork& network) {
    constexpr std::uint64_t steps_most = 1'000'000;
    const network::NodeNames names(network);
    std::vector<Step> delays(network.link_count(), 1);
    std::vector<bool> named(network.link_count(), false);
    LineSource source(path);
    TableReader lines(source, {"from,to,steps"});
    std::vector<std::string> fields;
    while (lines.next(fields)) {
        const auto from = names.find(fields[0]);
        if (!from) source.fail(names.expected(), fields[0]);
        const auto to = names.find(fields[1]);
        if (!to) source.fail(names.expected(), fields[1]);
        const auto port = network::port_to(network, *from, *to);
        if (!port) source.fail("two nodes that a link joins", fields[0] + ',' + fields[1]);
        const LinkId link = network.link(*from, *port);
        if (named[link]) source.fail("every link once", fields[0] + ',' + fields[1]);
        named[link] = true;
        const auto steps = whole_number(fields[2], steps_most);
        if (!steps || *steps == 0)
            source.fail("a whole number of steps (1 to " + std::to_string(steps_most) + ")",
                        fields[2]);
        delays[link] = *steps;
    }
    return delays;
}

}  // namespace equipoise::optimum
