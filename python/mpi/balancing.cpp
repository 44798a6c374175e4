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
#include <tuple>
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
#include "python/mpi/plan_on_comm.hpp"
#include "python/mpi/rows.hpp"

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
    dict["part_prices"] = numbers_of(found.part_prices);
    dict["rank_prices"] = numbers_of(found.rank_prices);
    return dict;
}

/// Of a result of `relabel`; the bytes between machines if they came first.
std::string describe_relabelling(Tokens bytes, Tokens moved, Tokens moved_by_identity,
                                 const std::optional<std::pair<Tokens, Tokens>>& between_machines) {
    balancer::Relabelled found;
    found.bytes = bytes;
    found.moved = moved;
    found.moved_by_identity = moved_by_identity;
    found.machines_first = between_machines.has_value();
    if (between_machines)
        std::tie(found.between_machines, found.between_machines_by_identity) = *between_machines;
    return found.describe();
}

/// Ends a move that was begun, or leaves it alone if MPI has ended before: then nothing arrives any
/// more.
template <class Move>
void abandon(std::unique_ptr<balancer::Moving<Move>>& moving) {
    int ended = 0;
    MPI_Finalized(&ended);
    if (ended != 0) {
        static_cast<void>(moving.release());  // NOLINT(bugprone-unused-return-value)
        return;
    }
    const py::gil_scoped_release released;
    moving.reset();
}

[[noreturn]] void refuse_to_end_twice() {
    throw InputError("expected a move that was begun, found one that has ended");
}

/// Rows of arrays under way.
class ArraysUnderWay {
  public:
    /// Begins to move the rows of arrays that are contiguous. `types` names the type of a row of
    /// each.
    ArraysUnderWay(const PlanOnComm& on, std::vector<py::buffer> arrays,
                   const std::vector<std::size_t>& row_bytes, const std::vector<std::string>& types,
                   const std::string& problem, bool no_memory)
        : on_(on), arrays_(std::move(arrays)) {
        engine::LocalFailure failure = failure_of(problem, no_memory);
        failure.guard([&] {
            for (std::size_t i = 0; i < arrays_.size(); ++i) {
                views_.push_back(arrays_[i].request());
                const py::buffer_info& view = views_.back();
                columns_.push_back({{static_cast<const std::byte*>(view.ptr),
                                     static_cast<std::size_t>(view.size * view.itemsize)},
                                    row_bytes[i],
                                    types[i]});
            }
            if (!balancer::detail::keeps_all(on_.plan)) return;
            for (std::size_t i = 0; i < columns_.size(); ++i)
                std::copy(columns_[i].rows.begin(), columns_[i].rows.end(),
                          allocate(columns_[i].rows.size()));
        });
        const py::gil_scoped_release released;
        moving_ = std::make_unique<balancer::Moving<balancer::ColumnsMove>>(
            failure, on_.plan, columns_,
            [this](std::size_t /*column*/, std::uint64_t bytes) { return allocate(bytes); });
    }
    ArraysUnderWay(const ArraysUnderWay&) = delete;
    ArraysUnderWay& operator=(const ArraysUnderWay&) = delete;
    ~ArraysUnderWay() { abandon(moving_); }

    /// New arrays as bytes (to be viewed as their types), copies if no row came or left; and the
    /// report.
    py::tuple end() {
        if (!moving_) refuse_to_end_twice();
        balancer::Report report;
        {
            const py::gil_scoped_release released;
            report = std::exchange(moving_, nullptr)->end();
        }
        py::list result;
        for (auto& array : arrived_)
            result.append(std::move(array));
        return py::make_tuple(result, dict_of(report, AsPython()));
    }

  private:
    std::byte* allocate(std::uint64_t bytes) {
        const py::gil_scoped_acquire acquired;
        try {
            arrived_.emplace_back(static_cast<py::ssize_t>(bytes));
        } catch (py::error_already_set& error) {
            if (error.matches(PyExc_MemoryError)) throw std::bad_alloc();
            throw;
        }
        return reinterpret_cast<std::byte*>(arrived_.back().mutable_data());
    }

    PlanOnComm on_;
    std::vector<py::buffer> arrays_;
    std::vector<py::buffer_info> views_;
    std::vector<balancer::Column> columns_;
    std::vector<py::array_t<std::uint8_t>> arrived_;
    std::unique_ptr<balancer::Moving<balancer::ColumnsMove>> moving_;
};

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
    py::list* objects_;
    py::function dumps_;
    py::function loads_;
};

/// Objects of a list under way.
class ObjectsUnderWay {
  public:
    /// Begins to move; `dumps` and `loads` are those of pickle.
    ObjectsUnderWay(const PlanOnComm& on, const py::list& given, py::function dumps,
                    py::function loads, const std::string& problem, bool no_memory)
        : on_(on), serialiser_(objects_, std::move(dumps), std::move(loads)) {
        engine::LocalFailure failure = failure_of(problem, no_memory);
        failure.guard([&] {
            for (const py::handle object : given) {
                places_.push_back(objects_.size());
                objects_.append(object);
            }
        });
        const py::gil_scoped_release released;
        moving_ = std::make_unique<balancer::Moving<Move>>(failure, on_.plan, places_, serialiser_);
    }
    ObjectsUnderWay(const ObjectsUnderWay&) = delete;
    ObjectsUnderWay& operator=(const ObjectsUnderWay&) = delete;
    ~ObjectsUnderWay() { abandon(moving_); }

    /// A new list and the report.
    py::tuple end() {
        if (!moving_) refuse_to_end_twice();
        balancer::Report report;
        {
            const py::gil_scoped_release released;
            report = std::exchange(moving_, nullptr)->end();
        }
        py::list result(places_.size());
        for (std::size_t i = 0; i < places_.size(); ++i)
            result[i] = objects_[places_[i]];
        return py::make_tuple(result, dict_of(report, AsPython()));
    }

  private:
    using Move =
        balancer::SerialisedMove<std::size_t, std::allocator<std::size_t>, ObjectSerialiser>;

    PlanOnComm on_;
    py::list objects_;
    std::vector<std::size_t> places_;
    ObjectSerialiser serialiser_;
    std::unique_ptr<balancer::Moving<Move>> moving_;
};

/// The figures of a Report of Python, with its spreads as dicts.
class FromPython {
  public:
    explicit FromPython(const py::dict& figures) : figures_(figures) {}

    template <class Figure>
    void operator()(const char* name, std::optional<Figure>& figure) const {
        figure = figures_[name].template cast<std::optional<Figure>>();
    }
    /// None stands for what does not apply.
    template <class Figure>
    void operator()(const char* name, Figure& figure) const {
        const py::object given = figures_[name];
        if (!given.is_none()) read(given, figure);
    }

  private:
    static void read(const py::object& given, Policy& policy) {
        const auto word = given.cast<std::string>();
        policy =
            word == to_string(Policy::given) ? Policy::given : balancer::policy_from_word(word);
    }
    template <class Number>
    static void read(const py::object& given, balancer::Spread<Number>& spread) {
        spread = {given["least"].cast<Number>(), given["most"].cast<Number>(),
                  given["average"].cast<double>()};
    }
    template <class Figure>
    static void read(const py::object& given, Figure& figure) {
        figure = given.cast<Figure>();
    }

    const py::dict& figures_;
};

std::string describe(const py::dict& figures) {
    return report_from(FromPython(figures)).describe();
}

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

template <class Number>
py::array_t<Number> array_of(const std::vector<Number>& numbers) {
    return py::array_t<Number>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
}

py::array_t<int> destinations_of(const PlanOnComm& on) {
    return array_of(on.plan.destinations());
}

/// The fields of an Exchange, with counts of this type.
template <class Count>
py::dict exchange_of(const PlanOnComm& on) {
    const balancer::Exchange<Count> lists = on.plan.exchange<Count>();
    std::vector<Tokens> kept_from;
    std::vector<Tokens> kept_to;
    for (const placement::Run& run : lists.kept)
        for (Tokens i = 0; i < run.items; ++i) {
            kept_from.push_back(run.from + i);
            kept_to.push_back(run.to + i);
        }
    py::dict dict;
    dict["send_counts"] = array_of(lists.send_counts);
    dict["send_offsets"] = array_of(lists.send_offsets);
    dict["receive_counts"] = array_of(lists.receive_counts);
    dict["receive_offsets"] = array_of(lists.receive_offsets);
    dict["send_order"] = array_of(lists.send_order);
    dict["receive_places"] = array_of(lists.receive_places);
    dict["kept_from"] = array_of(kept_from);
    dict["kept_to"] = array_of(kept_to);
    return dict;
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
        .def_property_readonly("by_weight",
                               [](const PlanOnComm& on) { return on.plan.report().by_weight; })
        .def("describe", [](const PlanOnComm& on) { return on.plan.describe(); })
        .def("report", &report_of)
        .def("transfers", &transfers_of)
        .def("destinations", &destinations_of)
        .def("exchange", &exchange_of<int>)
        .def("exchange64", &exchange_of<std::int64_t>)
        .def("worth_it", &worth_it)
        .def("inverse", [](const PlanOnComm& on) {
            return PlanOnComm{on.comm, on.plan.inverse()};
        });
    py::class_<ArraysUnderWay>(module, "ArraysUnderWay")
        .def(py::init<const PlanOnComm&, std::vector<py::buffer>, const std::vector<std::size_t>&,
                      const std::vector<std::string>&, const std::string&, bool>())
        .def("end", &ArraysUnderWay::end);
    py::class_<ObjectsUnderWay>(module, "ObjectsUnderWay")
        .def(py::init<const PlanOnComm&, const py::list&, py::function, py::function,
                      const std::string&, bool>())
        .def("end", &ObjectsUnderWay::end);
    bind_rows(module);
    module.def("describe", &describe);
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
    module.def("describe_relabelling", &describe_relabelling);
    py::class_<AdvisorOnComm>(module, "Advisor")
        .def(py::init(&make_advisor))
        .def("step", &AdvisorOnComm::step)
        .def("balanced", [](AdvisorOnComm& on, double seconds) { on.advisor.balanced(seconds); })
        .def("worth_it", &AdvisorOnComm::worth_it)
        .def_property_readonly("steps", [](const AdvisorOnComm& on) { return on.advisor.steps(); })
        .def_property_readonly("balances",
                               [](const AdvisorOnComm& on) { return on.advisor.balances(); });
}
