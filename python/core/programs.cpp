// Node programs that are Python classes, as algorithms of the library.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/given.hpp"
#include "equipoise/model/local/given_program.hpp"
#include "python/core/algorithm.hpp"
#include "python/core/callables.hpp"
#include "python/core/module.hpp"
#include "python/core/numbers.hpp"

namespace equipoise::python {

namespace {

using model::GivenMessage;
using model::GivenNode;

/// The parts of a program written in Python.
struct ProgramParts {
    std::string name;
    std::vector<std::string> kinds;
    py::object make;  ///< makes the object of a node, without arguments
};
using SharedProgram = std::shared_ptr<const ProgramParts>;

/// A node as the program's functions see it, while they run.
struct NodeHandle {
    GivenNode* node = nullptr;
    SharedProgram program;

    [[nodiscard]] GivenNode& at() const {
        if (node == nullptr)
            throw InputError(program->name +
                             ": a node can be asked only while its start, receive or timer runs");
        return *node;
    }
    [[nodiscard]] std::uint32_t kind(const py::object& named) const {
        const std::vector<std::string>& kinds = program->kinds;
        if (named.is_none()) return 0;
        const auto found =
            std::find(kinds.begin(), kinds.end(), py::str(named).cast<std::string>());
        if (found != kinds.end()) return static_cast<std::uint32_t>(found - kinds.begin());
        std::string all;
        for (const std::string& known : kinds)
            all += (all.empty() ? "" : ", ") + known;
        throw InputError(program->name + ": kind: expected one of the kinds (" + all + "), found " +
                         shown(named));
    }
    /// How errors of a call begin.
    [[nodiscard]] std::string call(const char* name) const { return program->name + ": " + name; }
    [[nodiscard]] Port port(const py::handle& given, const char* name) const {
        return whole_number<Port>(given, call(name) + ": port");
    }
    [[nodiscard]] Tokens tokens(const py::handle& given, const char* name) const {
        return whole_number<Tokens>(given, call(name) + ": tokens");
    }
};

struct MessageHandle {
    GivenMessage message;
    SharedProgram program;
};

/// `given`: a port, and the numbers of the message.
void send(const NodeHandle& here, const py::args& given, const py::kwargs& named) {
    if (given.empty()) throw InputError(here.call("send") + ": expected a port, found nothing");
    const std::size_t count = given.size() - 1;
    if (count > GivenMessage::fields_max)
        throw InputError(here.program->name + ": expected at most " +
                         std::to_string(GivenMessage::fields_max) +
                         " numbers in a message, found " + std::to_string(count));
    GivenMessage message = {};
    for (const auto& [key, value] : named) {
        const auto name = key.cast<std::string>();
        if (name == "kind") {
            message.kind = here.kind(py::reinterpret_borrow<py::object>(value));
        } else if (name == "tokens") {
            message.carried = here.tokens(value, "send");
        } else {
            throw py::type_error("send: expected kind or tokens, found " + name);
        }
    }
    message.field_count = static_cast<std::uint32_t>(count);
    for (std::size_t i = 0; i < count; ++i)
        message.fields[i] = whole_number<std::int64_t>(
            given[i + 1], here.call("send: number ") + std::to_string(i));
    here.at().send(here.port(given[0], "send"), message);
}

py::tuple fields_of(const MessageHandle& held) {
    py::tuple fields(held.message.field_count);
    for (std::size_t i = 0; i < held.message.field_count; ++i)
        fields[i] = py::int_(held.message.fields[i]);
    return fields;
}

/// One number of a message, indexed as in Python: negative indices count from the end.
std::int64_t field_of(const MessageHandle& held, const py::object& index) {
    const auto count = static_cast<std::int64_t>(held.message.field_count);
    const auto given = whole_number<std::int64_t>(index, held.program->name + ": message[i]");
    const std::int64_t at = given < 0 ? given + count : given;
    if (at < 0 || at >= count)
        throw py::index_error("message[" + std::to_string(given) + "]: expected one of its " +
                              std::to_string(count) + " numbers");
    return held.message.fields[static_cast<std::size_t>(at)];
}

/// The nodes of a run, each an object of its own.
class PythonNodes final : public model::GivenBehaviour {
  public:
    PythonNodes(SharedProgram program, NodeId count) : program_(std::move(program)) {
        const py::gil_scoped_acquire locked;
        for (NodeId node = 0; node < count; ++node)
            nodes_.push_back(program_->make());
    }
    ~PythonNodes() override {
        const py::gil_scoped_acquire locked;
        nodes_.clear();
    }

    void start(GivenNode& node) override {
        call(node, [](const py::object& self, const py::object& here) {
            if (py::hasattr(self, "start")) self.attr("start")(here);
        });
    }
    void receive(GivenNode& node, Port port, const GivenMessage& message) override {
        call(node, [&](const py::object& self, const py::object& here) {
            self.attr("receive")(here, port, MessageHandle{message, program_});
        });
    }
    void timer(GivenNode& node) override {
        call(node, [](const py::object& self, const py::object& here) {
            if (py::hasattr(self, "timer")) self.attr("timer")(here);
        });
    }
    void restart(NodeId node) override {
        const py::gil_scoped_acquire locked;
        nodes_[node].attr("restart")();
    }

  private:
    template <class Call>
    void call(GivenNode& node, const Call& function) {
        const py::gil_scoped_acquire locked;
        const auto here = std::make_shared<NodeHandle>(NodeHandle{&node, program_});
        struct Closing {
            NodeHandle& handle;
            ~Closing() { handle.node = nullptr; }
        } const closing{*here};
        function(nodes_[node.number()], py::cast(here));
    }

    SharedProgram program_;
    std::vector<py::object> nodes_;
};

std::shared_ptr<catalogue::Algorithm> node_program(const std::string& name,
                                                   const std::vector<std::string>& kinds,
                                                   const std::string& acknowledgement,
                                                   bool restarts, const py::object& make) {
    const SharedProgram parts = shared_with_library(ProgramParts{name, kinds, make});
    model::GivenProgram program;
    program.name = name;
    program.kinds = kinds;
    program.supports_crashes = restarts;
    enum class Kind : std::uint32_t {};
    if (!acknowledgement.empty())
        program.acknowledgements = model::KindSet::of(
            static_cast<Kind>(NodeHandle{nullptr, parts}.kind(py::str(acknowledgement))));
    program.begin = [parts](NodeId count) { return std::make_unique<PythonNodes>(parts, count); };
    return std::make_shared<catalogue::Algorithm>(catalogue::given_algorithm(program));
}

}  // namespace

void add_programs(py::module_& module) {
    py::class_<NodeHandle, std::shared_ptr<NodeHandle>>(module, "Node")
        .def_property_readonly("degree", [](const NodeHandle& h) { return h.at().degree(); })
        .def_property_readonly("tokens", [](const NodeHandle& h) { return h.at().tokens(); })
        .def_property_readonly("speed", [](const NodeHandle& h) { return h.at().speed(); })
        .def("is_tail",
             [](const NodeHandle& h, const py::object& port) {
                 return h.at().link_end(h.port(port, "is_tail")) == model::LinkEnd::tail;
             })
        .def("random", [](const NodeHandle& h) { return h.at().random_word(); })
        .def("send", &send)
        .def("take_over",
             [](const NodeHandle& h, const py::object& port, const py::object& tokens) {
                 h.at().take_over(h.port(port, "take_over"), h.tokens(tokens, "take_over"));
             })
        .def("hand_over",
             [](const NodeHandle& h, const py::object& port, const py::object& tokens) {
                 h.at().hand_over(h.port(port, "hand_over"), h.tokens(tokens, "hand_over"));
             })
        .def("wake_after",
             [](const NodeHandle& h, const py::object& ticks) {
                 h.at().wake_after(whole_number<std::uint64_t>(ticks, h.call("wake_after: ticks")));
             })
        .def("end", [](const NodeHandle& h) { h.at().end(); })
        .def("__repr__", [](const NodeHandle& h) {
            return h.node == nullptr
                       ? std::string("<Node whose turn is over>")
                       : "<Node with " + std::to_string(h.node->tokens()) + " tokens and " +
                             std::to_string(h.node->degree()) + " ports>";
        });
    py::class_<MessageHandle>(module, "Message")
        .def_property_readonly(
            "kind", [](const MessageHandle& m) { return m.program->kinds[m.message.kind]; })
        .def_property_readonly("tokens", [](const MessageHandle& m) { return m.message.carried; })
        .def_property_readonly("fields", fields_of)
        .def("__getitem__", &field_of)
        .def("__len__", [](const MessageHandle& m) { return m.message.field_count; })
        .def("__repr__", [](const MessageHandle& m) {
            return "<Message " + m.program->kinds[m.message.kind] + " with " +
                   std::to_string(m.message.carried) + " tokens and numbers " +
                   py::repr(fields_of(m)).cast<std::string>() + '>';
        });
    module.def("node_program", node_program);
}

}  // namespace equipoise::python
