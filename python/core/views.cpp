#include "python/core/views.hpp"

#include <algorithm>
#include <utility>

#include <pybind11/stl.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "python/core/numbers.hpp"

namespace equipoise::python {

namespace {

using model::BulkLinks;
using model::BulkNodes;
using model::BulkSurroundings;
using model::BulkView;
using model::LinkEnd;

/// Owns the view, so that arrays stay valid memory if a function keeps them.
template <class View>
std::shared_ptr<View> shared(View& view) {
    return std::static_pointer_cast<View>(view.shared_from_this());
}

template <class T, class View>
py::array array_on(std::span<T> values, const std::shared_ptr<View>& view, bool writable,
                   const py::dtype& type) {
    py::array array(type, {static_cast<py::ssize_t>(values.size())},
                    {static_cast<py::ssize_t>(sizeof(T))}, values.data(),
                    py::cast(std::static_pointer_cast<BulkView>(
                        std::const_pointer_cast<std::remove_const_t<View>>(view))));
    if (!writable)
        py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return array;
}

template <class T, class View>
py::array numbers(std::span<const T> values, const std::shared_ptr<View>& view) {
    return array_on(std::span(const_cast<T*>(values.data()), values.size()), view, false,
                    py::dtype::of<T>());
}

std::size_t field_of(const StateFields& fields, const std::string& name) {
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].name == name) return i;
    std::vector<std::string> names;
    std::string all;
    for (const StateField& field : fields) {
        names.push_back(field.name);
        all += (all.empty() ? "" : ", ") + field.name;
    }
    const std::string expected =
        all.empty() ? "a field declared in node_state (for nodes) or link_state (for links)"
                    : "one of " + all;
    throw InputError("state: expected " + expected + ", found \"" + name + '"' +
                     suggestion(name, names));
}

/// The states of nodes or links, by the name of a field.
class StateView {
  public:
    using Look = std::function<std::span<model::StateWord>(std::size_t field)>;

    StateView(std::shared_ptr<BulkView> view, const StateFields& fields, bool writable, Look look)
        : view_(std::move(view)), fields_(fields), writable_(writable), look_(std::move(look)) {}

    [[nodiscard]] py::array get(const py::object& name) const {
        if (!py::isinstance<py::str>(name))
            throw InputError("state: expected the name of a field, found " + shown(name));
        const std::size_t field = field_of(fields_, name.cast<std::string>());
        return array_on(
            look_(field), view_, writable_,
            fields_[field].is_real ? py::dtype::of<double>() : py::dtype::of<std::int64_t>());
    }
    void set(const py::object& name, const py::object& values) const {
        const py::array to = get(name);
        py::module_::import("numpy").attr("copyto")(to, values);
    }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const StateField& field : fields_)
            names.push_back(field.name);
        return names;
    }

  private:
    std::shared_ptr<BulkView> view_;
    StateFields fields_;
    bool writable_;
    Look look_;
};

struct EndView {
    std::shared_ptr<BulkLinks> links;
    LinkEnd end;
    StateFields fields;

    [[nodiscard]] StateView state() const {
        return {links, fields, false, [*this](std::size_t field) {
                    const auto values = links->node_state(end, field);
                    return std::span(const_cast<model::StateWord*>(values.data()), values.size());
                }};
    }
};

struct LinkView {
    std::shared_ptr<BulkLinks> links;
    StateFields fields;

    [[nodiscard]] StateView state() const {
        return {links, fields, true,
                [links = links](std::size_t field) { return links->link_state(field); }};
    }
};

struct NodeView {
    std::shared_ptr<BulkNodes> nodes;
    StateFields fields;

    [[nodiscard]] StateView state() const {
        return {nodes, fields, true,
                [nodes = nodes](std::size_t field) { return nodes->state(field); }};
    }
};

struct PortView {
    std::shared_ptr<BulkSurroundings> here;
};

struct Moment {
    Step step = 0;
    std::uint64_t seed = 0;
};

/// "<Links: 12>" while a function runs, "<Links that are over>" afterwards.
template <class Count>
std::string text_of(const char* name, const Count& count) {
    try {
        return '<' + std::string(name) + ": " + std::to_string(count()) + '>';
    } catch (const InputError&) {
        return '<' + std::string(name) + " that are over>";
    }
}

std::string shape_of(const py::array& array) {
    return py::str(py::tuple(array.attr("shape"))).cast<std::string>();
}

void add_links(py::module_& module) {
    py::class_<EndView>(module, "Ends")
        .def("__len__", [](const EndView& of) { return of.links->count(); })
        .def("__repr__",
             [](const EndView& of) { return text_of("Ends", [&] { return of.links->count(); }); })
        .def_property_readonly(
            "load", [](const EndView& of) { return numbers(of.links->loads(of.end), of.links); })
        .def_property_readonly(
            "degree",
            [](const EndView& of) { return numbers(of.links->degrees(of.end), of.links); })
        .def_property_readonly(
            "speed", [](const EndView& of) { return numbers(of.links->speeds(of.end), of.links); })
        .def_property_readonly("state", &EndView::state);
    py::class_<LinkView>(module, "Links")
        .def("__len__", [](const LinkView& of) { return of.links->count(); })
        .def("__repr__",
             [](const LinkView& of) { return text_of("Links", [&] { return of.links->count(); }); })
        .def_property_readonly(
            "slot", [](const LinkView& of) { return numbers(of.links->slots(), of.links); })
        .def(
            "random",
            [](const LinkView& of, const py::object& index) {
                const auto which = whole_number<std::uint64_t>(index, "random: index");
                return numbers(of.links->random(which), of.links);
            },
            py::arg("index") = 0)
        .def_property_readonly("state", &LinkView::state);
}

void add_nodes(py::module_& module) {
    py::class_<NodeView>(module, "Nodes")
        .def("__len__", [](const NodeView& of) { return of.nodes->count(); })
        .def("__repr__",
             [](const NodeView& of) { return text_of("Nodes", [&] { return of.nodes->count(); }); })
        .def_property_readonly(
            "load", [](const NodeView& of) { return numbers(of.nodes->loads(), of.nodes); })
        .def_property_readonly(
            "old_load", [](const NodeView& of) { return numbers(of.nodes->old_loads(), of.nodes); })
        .def_property_readonly(
            "degree", [](const NodeView& of) { return numbers(of.nodes->degrees(), of.nodes); })
        .def_property_readonly(
            "speed", [](const NodeView& of) { return numbers(of.nodes->speeds(), of.nodes); })
        .def(
            "random",
            [](const NodeView& of, const py::object& index, const py::object& set) {
                const auto which = whole_number<std::uint64_t>(index, "random: index");
                const auto of_set = whole_number<std::uint32_t>(set, "random: set");
                return numbers(of.nodes->random(of_set, which), of.nodes);
            },
            py::arg("index") = 0, py::arg("set") = 0)
        .def_property_readonly("state", &NodeView::state);
    py::class_<PortView>(module, "Ports")
        .def("__len__", [](const PortView& of) { return of.here->owners().size(); })
        .def("__repr__",
             [](const PortView& of) {
                 return text_of("Ports", [&] { return of.here->owners().size(); });
             })
        .def_property_readonly(
            "first", [](const PortView& of) { return numbers(of.here->first_ports(), of.here); })
        .def_property_readonly(
            "node", [](const PortView& of) { return numbers(of.here->owners(), of.here); })
        .def_property_readonly(
            "load", [](const PortView& of) { return numbers(of.here->neighbour_loads(), of.here); })
        .def_property_readonly(
            "degree",
            [](const PortView& of) { return numbers(of.here->neighbour_degrees(), of.here); })
        .def_property_readonly("speed", [](const PortView& of) {
            return numbers(of.here->neighbour_speeds(), of.here);
        });
}

}  // namespace

StateFields state_fields(const std::vector<std::pair<std::string, bool>>& named) {
    StateFields fields;
    for (const auto& [name, is_real] : named)
        fields.push_back({name, is_real});
    return fields;
}

void add_views(py::module_& module) {
    py::class_<BulkView, std::shared_ptr<BulkView>>(module, "BulkView");
    py::class_<StateView>(module, "State")
        .def("__getitem__", &StateView::get)
        .def("__setitem__", &StateView::set)
        .def("__len__", [](const StateView& state) { return state.names().size(); })
        .def("keys", &StateView::names)
        .def("__iter__", [](const StateView& state) { return py::iter(py::cast(state.names())); })
        .def("__repr__", [](const StateView& state) {
            return "<State of fields " + py::repr(py::cast(state.names())).cast<std::string>() +
                   '>';
        });
    add_links(module);
    add_nodes(module);
    py::class_<Moment>(module, "Moment")
        .def_readonly("step", &Moment::step)
        .def_readonly("seed", &Moment::seed)
        .def("__repr__", [](const Moment& now) {
            return "<Moment: step " + std::to_string(now.step) + ", seed " +
                   std::to_string(now.seed) + '>';
        });
}

py::object end_view(BulkLinks& links, LinkEnd end, const StateFields& fields) {
    return py::cast(EndView{shared(links), end, fields});
}

py::object link_view(BulkLinks& links, const StateFields& fields) {
    return py::cast(LinkView{shared(links), fields});
}

py::object node_view(BulkNodes& nodes, const StateFields& fields) {
    return py::cast(NodeView{shared(nodes), fields});
}

py::object port_view(BulkSurroundings& here) {
    return py::cast(PortView{shared(here)});
}

py::object moment(const BulkView& view) {
    return py::cast(Moment{view.info().step, view.info().seed});
}

py::object read_only(std::span<const Tokens> values) {
    py::array_t<Tokens> copy(static_cast<py::ssize_t>(values.size()), values.data());
    copy.attr("setflags")(py::arg("write") = false);
    return copy;
}

void take_result(const py::object& result, std::span<Tokens> out, const std::string& where,
                 const char* what) {
    const auto fail = [&](const std::string& found) {
        throw InputError(where + ": expected one " + what + ", " + std::to_string(out.size()) +
                         " whole numbers in an array, found " + found);
    };
    if (result.is_none()) fail("None (return is missing?)");
    const py::array array = py::array::ensure(result);
    if (!array) {
        PyErr_Clear();
        fail(py::str(py::type::of(result).attr("__name__")).cast<std::string>());
    }
    if (py::hasattr(result, "mask")) fail("a masked array (fill it, as in flow.filled(0))");
    const char kind = array.dtype().kind();
    if (array.ndim() != 1 || array.shape(0) != static_cast<py::ssize_t>(out.size()))
        fail("shape " + shape_of(array));
    const bool fits =
        kind == 'i' || kind == 'b' || (kind == 'u' && array.itemsize() < py::ssize_t{8});
    if (!fits) {
        const std::string type = py::str(array.dtype()).cast<std::string>();
        fail(type + (kind == 'f' ? " (round it, as in np.floor(flow).astype(int))" : ""));
    }
    const auto flows =
        py::array_t<Tokens, py::array::c_style | py::array::forcecast>::ensure(array);
    std::copy_n(flows.data(), out.size(), out.begin());
}

}  // namespace equipoise::python
