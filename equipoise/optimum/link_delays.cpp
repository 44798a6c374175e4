#include "equipoise/optimum/link_delays.hpp"

#include <string_view>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/network/node_names.hpp"

namespace equipoise::optimum {

std::vector<Step> read_link_delays(const std::string& path, const network::AnyNetwork& network) {
    constexpr std::uint64_t steps_most = 1'000'000;
    const network::NodeNames names(network);
    std::vector<Step> delays(network.link_count(), 1);
    std::vector<bool> named(network.link_count(), false);
    LineSource source(path);
    bool header_read = false;
    std::string_view line;
    while (source.next(line)) {
        if (line.empty()) continue;
        const auto fields = csv_fields(line);
        if (!header_read) {
            if (!fields || *fields != std::vector<std::string>{"from", "to", "steps"})
                source.fail("the header \"from,to,steps\"", line);
            header_read = true;
            continue;
        }
        if (!fields || fields->size() != 3) source.fail("three fields, from,to,steps", line);
        const auto from = names.find((*fields)[0]);
        if (!from) source.fail(names.expected(), (*fields)[0]);
        const auto to = names.find((*fields)[1]);
        if (!to) source.fail(names.expected(), (*fields)[1]);
        const auto port = network::port_to(network, *from, *to);
        if (!port) source.fail("two nodes that a link joins", line);
        const LinkId link = network.link(*from, *port);
        if (named[link]) source.fail("every link once", line);
        named[link] = true;
        const auto steps = whole_number((*fields)[2], steps_most);
        if (!steps || *steps == 0)
            source.fail("a whole number of steps (1 to " + std::to_string(steps_most) + ")",
                        (*fields)[2]);
        delays[link] = *steps;
    }
    if (!header_read) source.fail("the header \"from,to,steps\"", "");
    return delays;
}

}  // namespace equipoise::optimum
