#include "python/core/requests.hpp"

#include <cstddef>

#include <pybind11/stl.h>

#include "equipoise/base/error.hpp"

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

catalogue::RunRequest run_request(const py::dict& options) {
    catalogue::RunRequest request;
    request.seed = option<std::uint64_t>(options, "seed", 0);
    request.threads = option(options, "threads", 1);
    request.reorder = option<std::string>(options, "reorder", "");
    if (options.contains("max_steps")) request.steps_max = options["max_steps"].cast<Step>();
    request.stop = option<std::string>(options, "stop", "");
    request.parameters = option<catalogue::ParameterTexts>(options, "param", {});
    request.speeds = loads_from(option(options, "speeds"));
    request.matchings = matchings_from(option(options, "matchings"));
    request.matrix = weights_from(option(options, "matrix"));
    if (const py::object tree = option(options, "tree"); py::isinstance<py::str>(tree)) {
        request.tree.text = tree.cast<std::string>();
    } else if (!tree.is_none()) {
        request.tree.value = pairs_from(tree.cast<Whole>());
    }
    request.colouring = matchings_from(option(options, "colouring"));
    request.deviation = option(options, "deviation", false);
    request.asynchrony.delays = option<std::string>(options, "delays", "");
    request.asynchrony.adversary = option<std::string>(options, "adversary", "");
    request.asynchrony.faults = option<std::string>(options, "faults", "");
    request.asynchrony.ports = option<std::string>(options, "ports", "");
    request.arrivals = option<std::string>(options, "arrivals", "");
    request.churn = option<std::string>(options, "churn", "");
    request.extremes = option(options, "extremes", false);
    request.recovery = option(options, "recovery", false);
    return request;
}

}  // namespace equipoise::python
