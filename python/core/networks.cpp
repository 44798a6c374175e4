#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/io/link_list.hpp"
#include "equipoise/network/io/write.hpp"
#include "equipoise/report/runs/reading.hpp"
#include "python/core/module.hpp"
#include "python/core/network.hpp"
#include "python/core/requests.hpp"
#include "python/core/working.hpp"

namespace equipoise::python {

namespace {

using Positions = py::array_t<double, py::array::c_style | py::array::forcecast>;
/// A network, and remarks on how it was read or made.
using Made = std::pair<NetworkHandle, std::string>;

NetworkHandle handle_of(network::AnyNetwork made) {
    return {std::make_shared<const network::AnyNetwork>(std::move(made))};
}

Made from_text(const std::string& text, const std::string& format, std::optional<bool> header,
               bool simplify, bool largest_component, std::uint64_t seed) {
    catalogue::NetworkRequest request;
    request.spec = text;
    if (!format.empty()) request.format = network::format_from_word(format);
    request.header = header;
    request.simplify = simplify;
    request.largest_component = largest_component;
    request.seed = seed;
    Made made;
    network::ReadReport report;
    Work().run([&] { made.first = handle_of(catalogue::make_network(request, &report)); });
    made.second = report::reading_text(report);
    return made;
}

/// The number of nodes that the largest number in use requires.
NodeId nodes_of(const std::vector<Ends>& links) {
    NodeId largest = 0;
    for (const Ends& ends : links)
        largest = std::max({largest, ends.tail, ends.head});
    if (links.empty()) throw InputError("links: expected at least one, or the number of nodes n");
    if (largest >= network::node_count_most(links.size()))
        throw InputError("links: found node " + std::to_string(largest) + " among " +
                         std::to_string(links.size()) +
                         " links: expected smaller numbers, or the number of nodes n");
    return largest + 1;
}

std::vector<std::optional<network::Position>> positions_from(const Positions& array) {
    std::vector<std::optional<network::Position>> positions(static_cast<std::size_t>(array.size()) /
                                                            2);
    const double* at = array.data();
    for (auto& position : positions) {
        if (std::isfinite(at[0]) && std::isfinite(at[1])) position = {at[0], at[1]};
        at += 2;
    }
    return positions;
}

Made from_links(const Whole& links, std::optional<std::uint64_t> nodes,
                std::vector<std::string> names, const std::optional<Positions>& positions,
                const py::dict& options) {
    network::RawNetwork raw;
    raw.names = std::move(names);
    raw.both_directions = option(options, "both_directions", false);
    raw.directed = option(options, "directed", false);
    raw.first_number = option<NodeId>(options, "first_number", 0);
    raw.positions_unusable = option<std::uint64_t>(options, "positions_unusable", 0);
    if (positions) raw.positions = positions_from(*positions);
    const auto origin = option<std::string>(options, "origin", "network");
    const network::ReadOptions read = {network::Format::automatic,
                                       option(options, "simplify", false),
                                       option(options, "largest_component", false)};
    if (nodes && *nodes >= no_node)
        throw InputError("network: expected at most " + std::to_string(no_node - 1) +
                         " nodes, found " + std::to_string(*nodes));
    Made made;
    network::ReadReport report;
    Work().run([&] {
        raw.links = pairs_from(links);
        raw.node_count = nodes ? static_cast<NodeId>(*nodes) : nodes_of(raw.links);
        made.first = handle_of(network::network_of_links(std::move(raw), origin, read, &report));
    });
    made.second = report::reading_text(report);
    return made;
}

py::array_t<std::int64_t> links_of(const NetworkHandle& self) {
    py::array_t<std::int64_t> links({static_cast<py::ssize_t>(self->link_count()), py::ssize_t{2}});
    std::int64_t* at = links.mutable_data();
    for (LinkId link = 0; link < self->link_count(); ++link) {
        const Ends ends = self->ends(link);
        *at++ = ends.tail;
        *at++ = ends.head;
    }
    return links;
}

/// The numbers of links by their ends; -1 where there is none.
py::array_t<std::int64_t> link_numbers(const NetworkHandle& self, const Whole& pairs) {
    const std::vector<Ends> ends = pairs_from(pairs);
    py::array_t<std::int64_t> numbers(static_cast<py::ssize_t>(ends.size()));
    std::int64_t* at = numbers.mutable_data();
    for (const auto& [tail, head] : ends) {
        *at = -1;
        if (std::max(tail, head) < self->node_count())
            if (const auto port = network::port_to(*self, tail, head))
                *at = static_cast<std::int64_t>(self->link(tail, *port));
        ++at;
    }
    return numbers;
}

std::optional<py::array_t<double>> positions_of(const NetworkHandle& self) {
    const auto& known = self->labels().positions;
    if (known.empty()) return std::nullopt;
    py::array_t<double> positions({static_cast<py::ssize_t>(known.size()), py::ssize_t{2}});
    double* at = positions.mutable_data();
    for (const auto& [x, y] : known) {
        *at++ = x;
        *at++ = y;
    }
    return positions;
}

}  // namespace

void add_networks(py::module_& module) {
    py::class_<NetworkHandle>(module, "Network")
        .def_property_readonly("node_count", [](const NetworkHandle& n) { return n->node_count(); })
        .def_property_readonly("link_count", [](const NetworkHandle& n) { return n->link_count(); })
        .def_property_readonly("names", [](const NetworkHandle& n) { return n->labels().names; })
        .def_property_readonly("first_number",
                               [](const NetworkHandle& n) { return n->labels().first_number; })
        .def_property_readonly("origin", [](const NetworkHandle& n) { return n->labels().origin; })
        .def_property_readonly("positions", &positions_of)
        .def("links", &links_of)
        .def("link_numbers", &link_numbers)
        .def("write",
             [](const NetworkHandle& n, const std::string& path) { network::write(*n, path); });
    module.def("names_generator", &network::names_generator);
    module.def("network_from_text", &from_text);
    module.def("network_from_links", &from_links);
}

}  // namespace equipoise::python
