// Rules that are Python functions, as algorithms of the library.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/given.hpp"
#include "equipoise/model/local/bulk_rule.hpp"
#include "python/core/algorithm.hpp"
#include "python/core/callables.hpp"
#include "python/core/module.hpp"
#include "python/core/views.hpp"

namespace equipoise::python {

namespace {

using model::BulkLinks;
using model::BulkNodes;
using model::BulkSurroundings;
using model::LinkEnd;

using NamedFields = std::vector<std::pair<std::string, bool>>;

/// The parts of a rule written in Python; functions that it lacks are None.
struct RuleParts {
    std::string name;
    StateFields node_fields;
    StateFields link_fields;
    py::object decide;
    py::object accept;
    py::object start;
    py::object after;
};
using SharedParts = std::shared_ptr<const RuleParts>;

std::string at_step(const RuleParts& parts, const model::BulkView& view) {
    return parts.name + ": step " + std::to_string(view.info().step);
}

void call_on_nodes(const RuleParts& parts, const py::object& function, BulkNodes& nodes) {
    const py::gil_scoped_acquire locked;
    function(node_view(nodes, parts.node_fields), moment(nodes));
}

model::BulkStates states_of(const SharedParts& parts) {
    model::BulkStates states;
    states.node_fields = parts->node_fields.size();
    if (!parts->start.is_none())
        states.start_nodes = [parts](BulkNodes& nodes) {
            call_on_nodes(*parts, parts->start, nodes);
        };
    if (!parts->after.is_none())
        states.after_step = [parts](BulkNodes& nodes) {
            call_on_nodes(*parts, parts->after, nodes);
        };
    return states;
}

void evaluate(const RuleParts& parts, BulkLinks& links, std::span<Tokens> flows) {
    const py::gil_scoped_acquire locked;
    const py::object returned = parts.decide(end_view(links, LinkEnd::tail, parts.node_fields),
                                             end_view(links, LinkEnd::head, parts.node_fields),
                                             link_view(links, parts.link_fields), moment(links));
    take_result(returned, flows, at_step(parts, links), "flow for each active link");
}

void propose(const RuleParts& parts, BulkSurroundings& here, std::span<Tokens> out) {
    const py::gil_scoped_acquire locked;
    const py::object returned =
        parts.decide(node_view(here, parts.node_fields), port_view(here), moment(here));
    take_result(returned, out, at_step(parts, here), "proposal for each port");
}

void accept(const RuleParts& parts, BulkSurroundings& here, std::span<const Tokens> offered,
            std::span<Tokens> taken) {
    const py::gil_scoped_acquire locked;
    const py::object returned = parts.accept(node_view(here, parts.node_fields), port_view(here),
                                             read_only(offered), moment(here));
    take_result(returned, taken, at_step(parts, here), "number of tokens taken for each port");
}

AlgorithmHandle edge_rule(const std::string& name, const std::string& links,
                          const NamedFields& node_fields, const NamedFields& link_fields,
                          bool may_owe, const py::object& decide, const py::object& start,
                          const py::object& after) {
    const SharedParts parts =
        shared_with_library(RuleParts{name, state_fields(node_fields), state_fields(link_fields),
                                      decide, py::none(), start, after});
    model::BulkEdgeRule rule;
    rule.name = name;
    rule.nodes = states_of(parts);
    rule.link_fields = link_fields.size();
    rule.may_owe = may_owe;
    rule.evaluate = [parts](BulkLinks& some, std::span<Tokens> flows) {
        evaluate(*parts, some, flows);
    };
    return std::make_shared<const catalogue::Algorithm>(
        catalogue::given_algorithm(rule, catalogue::given_links_from_word(links)));
}

AlgorithmHandle deal_rule(const std::string& name, const NamedFields& node_fields, bool may_owe,
                          const py::object& decide, const py::object& accepts,
                          const py::object& start, const py::object& after) {
    const SharedParts parts = shared_with_library(
        RuleParts{name, state_fields(node_fields), {}, decide, accepts, start, after});
    model::BulkDealRule rule;
    rule.name = name;
    rule.nodes = states_of(parts);
    rule.may_owe = may_owe;
    rule.propose = [parts](BulkSurroundings& here, std::span<Tokens> out) {
        propose(*parts, here, out);
    };
    if (!accepts.is_none())
        rule.accept = [parts](BulkSurroundings& here, std::span<const Tokens> offered,
                              std::span<Tokens> taken) { accept(*parts, here, offered, taken); };
    return std::make_shared<const catalogue::Algorithm>(catalogue::given_algorithm(rule));
}

}  // namespace

AlgorithmHandle algorithm_of(const py::object& named) {
    // Entries of the catalogue live for ever.
    if (py::isinstance<py::str>(named))
        return {AlgorithmHandle(), &catalogue::find_algorithm(named.cast<std::string>())};
    if (py::hasattr(named, "_equipoise_algorithm"))
        return std::const_pointer_cast<const catalogue::Algorithm>(
            named.attr("_equipoise_algorithm")().cast<std::shared_ptr<catalogue::Algorithm>>());
    throw InputError(
        "expected the name of an algorithm or a rule made with edge_rule, deal_rule or "
        "node_program, found " +
        py::repr(named).cast<std::string>());
}

void add_rules(py::module_& module) {
    add_views(module);
    py::class_<catalogue::Algorithm, std::shared_ptr<catalogue::Algorithm>>(module, "Algorithm")
        .def_readonly("name", &catalogue::Algorithm::name);
    const auto handed = [](const AlgorithmHandle& algorithm) {
        return std::const_pointer_cast<catalogue::Algorithm>(algorithm);
    };
    module.def("edge_rule", [handed](const std::string& name, const std::string& links,
                                     const NamedFields& node_fields, const NamedFields& link_fields,
                                     bool may_owe, const py::object& decide,
                                     const py::object& start, const py::object& after) {
        return handed(
            edge_rule(name, links, node_fields, link_fields, may_owe, decide, start, after));
    });
    module.def(
        "deal_rule", [handed](const std::string& name, const NamedFields& node_fields, bool may_owe,
                              const py::object& decide, const py::object& accepts,
                              const py::object& start, const py::object& after) {
            return handed(deal_rule(name, node_fields, may_owe, decide, accepts, start, after));
        });
}

}  // namespace equipoise::python
