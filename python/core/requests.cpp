#include "python/core/requests.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>
#include <variant>

#include <pybind11/stl.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/catalogue/runner/run_option.hpp"

namespace equipoise::python {

catalogue::TextOr<load::Loads> loads_from(const py::object& given) {
    catalogue::TextOr<load::Loads> loads;
    if (given.is_none()) return loads;
    if (py::isinstance<py::str>(given)) {
        loads.text = given.cast<std::string>();
        return loads;
    }
    const auto array = given.cast<Whole>();
    loads.value.emplace(array.data(), array.data() + array.size());
    return loads;
}

std::vector<Ends> pairs_from(const Whole& array) {
    std::vector<Ends> pairs(static_cast<std::size_t>(array.size()) / 2);
    const std::int64_t* at = array.data();
    constexpr auto most = static_cast<std::int64_t>(no_node) - 1;
    for (Ends& pair : pairs) {
        const std::int64_t tail = *at++;
        const std::int64_t head = *at++;
        for (const std::int64_t end : {tail, head})
            if (end < 0 || end > most)
                throw InputError("links: expected numbers of nodes, 0 to " + std::to_string(most) +
                                 ", found " + std::to_string(end));
        pair = {static_cast<NodeId>(tail), static_cast<NodeId>(head)};
    }
    return pairs;
}

catalogue::TextOr<network::MatchingSequence> matchings_from(const py::object& given) {
    catalogue::TextOr<network::MatchingSequence> matchings;
    if (given.is_none()) return matchings;
    if (py::isinstance<py::str>(given)) {
        matchings.text = given.cast<std::string>();
        return matchings;
    }
    matchings.value.emplace();
    for (const py::handle one : given)
        matchings.value->push_back(pairs_from(one.cast<Whole>()));
    return matchings;
}

catalogue::TextOr<network::RoundWeights> weights_from(const py::object& given) {
    catalogue::TextOr<network::RoundWeights> weights;
    if (given.is_none()) return weights;
    if (py::isinstance<py::str>(given)) {
        weights.text = given.cast<std::string>();
        return weights;
    }
    const auto [numerators, denominators] = given.cast<std::pair<Whole, Whole>>();
    weights.value.emplace();
    for (py::ssize_t link = 0; link < numerators.size(); ++link)
        weights.value->push_back({numerators.data()[link], denominators.data()[link]});
    return weights;
}

namespace {

using network::MatchingSequence;
using network::RoundWeights;

/// The name of an option in Python.
std::string keyword(const catalogue::OptionInfo& info) {
    std::string name(info.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// Sets the value of an option to what the package's Python code has made of it.
struct SetFromPython {
    const py::object& given;

    template <class T>
    void operator()(T* value) const {
        *value = given.cast<T>();
    }
    void operator()(catalogue::TextOr<load::Loads>* value) const { *value = loads_from(given); }
    void operator()(catalogue::TextOr<MatchingSequence>* value) const {
        *value = matchings_from(given);
    }
    void operator()(catalogue::TextOr<RoundWeights>* value) const { *value = weights_from(given); }
    void operator()(catalogue::TextOr<std::vector<Ends>>* value) const {
        if (py::isinstance<py::str>(given))
            value->text = given.cast<std::string>();
        else
            value->value = pairs_from(given.cast<Whole>());
    }
};

/// The kind that tells the package's Python code how to convert the value of an option.
struct KindOf {
    const catalogue::OptionInfo& info;

    std::string operator()(const bool* /*value*/) const { return "flag"; }
    std::string operator()(const int* /*value*/) const { return "whole"; }
    std::string operator()(const std::uint64_t* /*value*/) const { return "whole"; }
    std::string operator()(const std::optional<Step>* /*value*/) const { return "whole or none"; }
    std::string operator()(const std::string* /*value*/) const {
        const std::vector<std::string> words =
            info.words == nullptr ? std::vector<std::string>() : info.words();
        const bool has_number = std::any_of(words.begin(), words.end(), [](const auto& word) {
            return equipoise::whole_number(word).has_value();
        });
        return has_number ? "text or number" : "text";
    }
    std::string operator()(const catalogue::ParameterTexts* /*value*/) const {
        return "parameters";
    }
    std::string operator()(const catalogue::TextOr<load::Loads>* /*value*/) const {
        return "speeds";
    }
    std::string operator()(const catalogue::TextOr<MatchingSequence>* /*value*/) const {
        return "matchings";
    }
    std::string operator()(const catalogue::TextOr<RoundWeights>* /*value*/) const {
        return "matrix";
    }
    std::string operator()(const catalogue::TextOr<std::vector<Ends>>* /*value*/) const {
        return "tree";
    }
};

/// The value of an option that is not given.
struct DefaultOf {
    template <class T>
    py::object operator()(const T* value) const {
        if constexpr (std::is_arithmetic_v<T>) return py::cast(*value);
        return py::none();
    }
};

py::list options_of_runs() {
    py::list rows;
    for (const catalogue::RunOption& option : catalogue::options_of_runs()) {
        const catalogue::OptionInfo& info = option.info;
        catalogue::RunRequest unasked;
        const catalogue::OptionValue value = option.value(unasked);
        const std::uint64_t most = std::holds_alternative<int*>(value)
                                       ? info.most
                                       : std::numeric_limits<std::uint64_t>::max();
        const std::string own = info.in_python.text();
        py::dict row;
        row["name"] = keyword(info);
        row["help"] = own.empty() ? info.help.text() : own;
        row["kind"] = std::visit(KindOf{info}, value);
        row["default"] = std::visit(DefaultOf(), value);
        row["least"] = info.least;
        row["most"] = most;
        row["in_compare"] = option.in_compare;
        rows.append(row);
    }
    return rows;
}

}  // namespace

catalogue::RunRequest run_request(const py::dict& options) {
    catalogue::RunRequest request;
    for (const catalogue::RunOption& row : catalogue::options_of_runs())
        if (const std::string name = keyword(row.info); options.contains(name.c_str()))
            std::visit(SetFromPython{options[name.c_str()]}, row.value(request));
    return request;
}

void add_options(py::module_& module) {
    module.def("options_of_runs", &options_of_runs);
}

}  // namespace equipoise::python
