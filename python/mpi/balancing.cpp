// The extension equipoise._mpi: the balancer on the communicators of mpi4py. Anything that fails on
// one rank alone is passed to the balancer, which turns it into the same error on all ranks.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <mpi4py/mpi4py.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "equipoise/balancer/advisor.hpp"
#include "equipoise/balancer/balancer.hpp"
#include "equipoise/balancer/columns.hpp"
#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "equipoise/balancer/relabel.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/mpi/error.hpp"
#include "python/core/errors.hpp"
#include "python/mpi/fields.hpp"

namespace equipoise::python {

namespace {

namespace py = pybind11;

using balancer::Options;
using balancer::Plan;
using balancer::Policy;

MPI_Comm communicator_of(const py::object& comm) {
    MPI_Comm* const found = PyMPIComm_Get(comm.ptr());
    if (found == nullptr) throw py::error_already_set();
    return *found;
}

/// An error that occurred in Python before the call; empty: none.
engine::LocalFailure failure_of(const std::string& problem) {
    engine::LocalFailure failure;
    if (!problem.empty()) failure.note(engine::LocalFailure::Kind::input, problem);
    return failure;
}

Options options_of(const Request& request, const std::optional<std::span<const double>>& weights,
                   const std::optional<std::span<const double>>& sizes) {
    Options options;
    if (request.policy) options.policy = balancer::policy_from_word(*request.policy);
    if (options.policy == Policy::neighbours_only)
        options = balancer::neighbours_only(request.algorithm.value_or(""));
    take(request, options);
    if (sizes) options.sizes = *sizes;
    return weights ? by_weight(options, *weights) : options;
}

/// A plan, and its communicator, which must live as long.
struct PlanOnComm {
    py::object comm;
    Plan plan;
};

using Weights = py::array_t<double, py::array::c_style | py::array::forcecast>;

PlanOnComm make_plan(const py::object& comm, Tokens count, const std::optional<Weights>& weights,
                     const std::optional<Weights>& sizes, const Request& request,
                     const std::string& problem) {
    MPI_Comm const raw = communicator_of(comm);
    std::optional<std::span<const double>> given;
    if (weights) given = {weights->data(), static_cast<std::size_t>(weights->size())};
    std::optional<std::span<const double>> bytes;
    if (sizes) bytes = {sizes->data(), static_cast<std::size_t>(sizes->size())};
    std::optional<Plan> plan;
    {
        const py::gil_scoped_release released;
        engine::LocalFailure failure = failure_of(problem);
        Options options;
        failure.guard([&] { options = options_of(request, given, bytes); });
        plan = balancer::make_plan(raw, count, options, failure);
    }
    return {comm, *std::move(plan)};
}

using Ints = py::array_t<int, py::array::c_style | py::array::forcecast>;
using Sizes = py::array_t<Tokens, py::array::c_style | py::array::forcecast>;

template <class Array>
auto span_of(const Array& array) {
    return std::span(array.data(), static_cast<std::size_t>(array.size()));
}

/// The plan by which item i goes to rank `ranks[i]`.
PlanOnComm plan_to(const py::object& comm, const Ints& ranks, const std::string& problem) {
    MPI_Comm const raw = communicator_of(comm);
    std::optional<Plan> plan;
    {
        const py::gil_scoped_release released;
        plan = balancer::plan_to(raw, span_of(ranks), Options().message_bytes_max,
                                 failure_of(problem));
    }
    return {comm, *std::move(plan)};
}

/// A whole number of any length.
py::int_ number_of(Int128 value) {
    const py::int_ high(static_cast<std::int64_t>(value >> 64));
    const py::int_ low(static_cast<std::uint64_t>(value));
    return py::int_((high << py::int_(64)) | low);
}

py::list numbers_of(const std::vector<Int128>& values) {
    py::list numbers;
    for (const Int128 value : values)
        numbers.append(number_of(value));
    return numbers;
}

py::dict relabel(const py::object& comm, const Ints& new_part, const std::optional<Sizes>& bytes,
                 const balancer::RelabelOptions& options, const std::string& problem) {
    MPI_Comm const raw = communicator_of(comm);
    balancer::Relabelled found;
    {
        const py::gil_scoped_release released;
        found = balancer::relabel(raw, span_of(new_part),
                                  bytes ? span_of(*bytes) : std::span<const Tokens>(), options,
                                  failure_of(problem));
    }
    py::dict dict;
    dict["rank_of_part"] =
        py::array(static_cast<py::ssize_t>(found.rank_of_part.size()), found.rank_of_part.data());
    dict["bytes"] = found.bytes;
    dict["moved"] = found.moved;
    dict["moved_by_identity"] = found.moved_by_identity;
    if (options.machines_first) {
        dict["between_machines"] = found.between_machines;
        dict["between_machines_by_identity"] = found.between_machines_by_identity;
    }
    dict["part_prices"] = numbers_of(found.prices.part);
    dict["rank_prices"] = numbers_of(found.prices.rank);
    return dict;
}

/// Moves the rows of arrays that are contiguous. `types` names the type of a row of each. Returns
/// new arrays as bytes (to be viewed as their types), or copies if no row came or left.
py::list move_arrays(const PlanOnComm& on, const std::vector<py::buffer>& arrays,
                     const std::vector<std::size_t>& row_bytes,
                     const std::vector<std::string>& types, const std::string& problem) {
    engine::LocalFailure failure = failure_of(problem);
    std::vector<py::buffer_info> views;
    std::vector<balancer::Column> columns;
    std::vector<py::array_t<std::uint8_t>> arrived;
    const auto allocate = [&](std::size_t /*column*/, std::uint64_t bytes) {
        const py::gil_scoped_acquire acquired;
        try {
            arrived.emplace_back(static_cast<py::ssize_t>(bytes));
        } catch (py::error_already_set& error) {
            if (error.matches(PyExc_MemoryError)) throw std::bad_alloc();
            throw;
        }
        return reinterpret_cast<std::byte*>(arrived.back().mutable_data());
    };
    failure.guard([&] {
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            views.push_back(arrays[i].request());
            const auto bytes = static_cast<std::size_t>(views.back().size * views.back().itemsize);
            columns.push_back(
                {{static_cast<const std::byte*>(views.back().ptr), bytes}, row_bytes[i], types[i]});
        }
        if (!balancer::detail::keeps_all(on.plan)) return;
        for (std::size_t i = 0; i < columns.size(); ++i)
            std::copy(columns[i].rows.begin(), columns[i].rows.end(),
                      allocate(i, columns[i].rows.size()));
    });
    {
        const py::gil_scoped_release released;
        static_cast<void>(move_columns(on.plan, columns, allocate, failure));
    }
    py::list result;
    for (auto& array : arrived)
        result.append(std::move(array));
    return result;
}

/// Turns the objects of a list, known by their places in it, into bytes and back. Arrivals are
/// appended to the list.
class ObjectSerialiser {
  public:
    ObjectSerialiser(py::list& objects, py::function dumps, py::function loads)
        : objects_(&objects), dumps_(std::move(dumps)), loads_(std::move(loads)) {}

    void save(std::size_t place, balancer::ByteWriter& out) const {
        const py::gil_scoped_acquire acquired;
        with_text([&] {
            const py::bytes bytes = dumps_((*objects_)[place]);
            out.put(static_cast<std::string>(bytes));
        });
    }
    [[nodiscard]] std::size_t load(balancer::ByteReader& in) const {
        const std::string text = in.get_string();
        const py::gil_scoped_acquire acquired;
        with_text([&] { objects_->append(loads_(py::bytes(text))); });
        return objects_->size() - 1;
    }

  private:
    /// Python's errors as texts, which can be sent to other ranks.
    template <class Act>
    static void with_text(const Act& act) {
        try {
            act();
        } catch (const py::error_already_set& error) {
            const std::string kind = py::str(error.type().attr("__name__"));
            const std::string text = py::str(error.value());
            throw std::runtime_error(kind + ": " + text);
        }
    }

    py::list* objects_;
    py::function dumps_;
    py::function loads_;
};

/// Moves the objects of a list; `dumps` and `loads` are those of pickle.
py::list move_objects(const PlanOnComm& on, const py::list& given, const py::function& dumps,
                      const py::function& loads, const std::string& problem) {
    engine::LocalFailure failure = failure_of(problem);
    py::list objects;
    std::vector<std::size_t> places;
    failure.guard([&] {
        for (const py::handle object : given) {
            places.push_back(objects.size());
            objects.append(object);
        }
    });
    const ObjectSerialiser serialiser(objects, dumps, loads);
    {
        const py::gil_scoped_release released;
        using Move =
            balancer::SerialisedMove<std::size_t, std::allocator<std::size_t>, ObjectSerialiser>;
        static_cast<void>(balancer::Moving<Move>(failure, on.plan, places, serialiser).end());
    }
    py::list result(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        result[i] = objects[places[i]];
    return result;
}

struct AsPython {
    template <class Figure>
    const Figure& operator()(const Figure& figure) const {
        return figure;
    }
    std::string operator()(Policy policy) const { return std::string(to_string(policy)); }
    template <class Number>
    py::dict operator()(const balancer::Spread<Number>& spread) const {
        py::dict dict;
        dict["least"] = spread.least;
        dict["most"] = spread.most;
        dict["average"] = spread.average;
        return dict;
    }
};

py::dict report_of(const PlanOnComm& on) {
    return dict_of(on.plan.report(), AsPython());
}

/// Rows of (from, to, items).
py::array_t<std::int64_t> transfers_of(const PlanOnComm& on) {
    const std::span<const balancer::Transfer> transfers = on.plan.transfers();
    py::array_t<std::int64_t> rows({static_cast<py::ssize_t>(transfers.size()), py::ssize_t{3}});
    auto at = rows.mutable_unchecked<2>();
    for (py::ssize_t i = 0; i < at.shape(0); ++i) {
        const balancer::Transfer& transfer = transfers[static_cast<std::size_t>(i)];
        at(i, 0) = transfer.from;
        at(i, 1) = transfer.to;
        at(i, 2) = transfer.items;
    }
    return rows;
}

py::tuple worth_it(const PlanOnComm& on, double seconds_per_item, double steps,
                   double seconds_per_item_moved, double seconds_per_message,
                   std::vector<double> seconds_by_kind) {
    balancer::Verdict verdict;
    {
        const py::gil_scoped_release released;
        verdict = on.plan.worth_it({seconds_per_item, steps, seconds_per_item_moved,
                                    seconds_per_message, std::move(seconds_by_kind)});
    }
    return py::make_tuple(verdict.worth, verdict.seconds_saved, verdict.seconds_spent);
}

/// An advisor, and its communicator, which must live as long.
struct AdvisorOnComm {
    py::object comm;
    balancer::Advisor advisor;

    void step(double seconds) {
        const py::gil_scoped_release released;
        advisor.step(seconds);
    }
    [[nodiscard]] py::tuple worth_it() const {
        const balancer::Advice advice = advisor.worth_it();
        return py::make_tuple(advice.worth_it, advice.gain, advice.cost, advice.break_even_step);
    }
};

AdvisorOnComm make_advisor(const py::object& comm) {
    MPI_Comm const raw = communicator_of(comm);
    const py::gil_scoped_release released;
    return {comm, balancer::Advisor(raw)};
}

void translate(std::exception_ptr error) {
    try {
        if (error) std::rethrow_exception(error);
    } catch (const mpi::CollectiveError& failure) {
        set_error_of(failure.failure(), failure.what());
    } catch (const InputError& input) {
        set_error("InputError", input.what());
    } catch (const mpi::MpiError& failed) {
        set_error(PyExc_RuntimeError, failed.what());
    }
}

}  // namespace

}  // namespace equipoise::python

PYBIND11_MODULE(_mpi, module) {
    using namespace equipoise::python;
    if (import_mpi4py() < 0) throw py::error_already_set();
    module.doc() = "The C++ balancer behind equipoise.mpi; internal.";
    py::register_local_exception_translator(&translate);
    bind_request(module);
    py::class_<PlanOnComm>(module, "Plan")
        .def_property_readonly("moved", [](const PlanOnComm& on) { return on.plan.moved(); })
        .def_property_readonly("size_before",
                               [](const PlanOnComm& on) { return on.plan.size_before(); })
        .def_property_readonly("size_after",
                               [](const PlanOnComm& on) { return on.plan.size_after(); })
        .def("describe", [](const PlanOnComm& on) { return on.plan.describe(); })
        .def("report", &report_of)
        .def("transfers", &transfers_of)
        .def("worth_it", &worth_it)
        .def("inverse",
             [](const PlanOnComm& on) {
                 return PlanOnComm{on.comm, on.plan.inverse()};
             })
        .def("move_arrays", &move_arrays)
        .def("move_objects", &move_objects);
    module.def("make_plan", &make_plan);
    module.def("plan_to", &plan_to);
    using equipoise::balancer::RelabelOptions;
    py::class_<RelabelOptions>(module, "RelabelOptions")
        .def(py::init<>())
        .def_readwrite("parts", &RelabelOptions::parts)
        .def_readwrite("parts_a_rank", &RelabelOptions::parts_a_rank)
        .def_readwrite("machines_first", &RelabelOptions::machines_first)
        .def_readwrite("machine", &RelabelOptions::machine);
    module.def("relabel", &relabel);
    py::class_<AdvisorOnComm>(module, "Advisor")
        .def(py::init(&make_advisor))
        .def("step", &AdvisorOnComm::step)
        .def("balanced", [](AdvisorOnComm& on, double seconds) { on.advisor.balanced(seconds); })
        .def("worth_it", &AdvisorOnComm::worth_it)
        .def_property_readonly("steps", [](const AdvisorOnComm& on) { return on.advisor.steps(); })
        .def_property_readonly("balances",
                               [](const AdvisorOnComm& on) { return on.advisor.balances(); });
}
