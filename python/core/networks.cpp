#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/network/io/write.hpp"
#include "python/core/module.hpp"
#include "python/core/network.hpp"
#include "python/core/working.hpp"

namespace equipoise::python {

namespace {

NetworkHandle handle_of(network::AnyNetwork made) {
    return {std::make_shared<const network::AnyNetwork>(std::move(made))};
}

NetworkHandle from_text(const std::string& text, const std::string& format, bool simplify,
                        bool largest_component, std::uint64_t seed) {
    catalogue::NetworkRequest request;
    request.spec = text;
    if (!format.empty()) request.format = network::format_from_word(format);
    request.simplify = simplify;
    request.largest_component = largest_component;
    request.seed = seed;
    NetworkHandle handle;
    Work().run([&] { handle = handle_of(catalogue::make_network(request)); });
    return handle;
}

}  // namespace

void add_networks(py::module_& module) {
    py::class_<NetworkHandle>(module, "Network")
        .def_property_readonly("node_count",
                               [](const NetworkHandle& self) { return self->node_count(); })
        .def_property_readonly("link_count",
                               [](const NetworkHandle& self) { return self->link_count(); })
        .def("name", [](const NetworkHandle& self, NodeId node) { return self->name(node); });
    module.def("network_from_text", &from_text);
}

}  // namespace equipoise::python
