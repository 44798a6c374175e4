#include "equipoise/catalogue/studies/experts.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/studies/option_texts.hpp"
#include "equipoise/replication/plan.hpp"

namespace equipoise::catalogue {

namespace {

using experts::Form;
using experts::Numbering;
using replication::ItemId;
using Rows = std::vector<std::vector<ItemId>>;

constexpr std::uint64_t gpus_max = 1U << 16U;
constexpr std::uint64_t slots_max = 1U << 22U;      // of a layer
constexpr std::uint64_t all_slots_max = 1U << 28U;  // of all layers
constexpr unsigned planner_threads_max = 1024;
constexpr const char* trivial = "trivial";

void expect_number(const char* option, std::uint64_t number, std::uint64_t least,
                   std::uint64_t most) {
    if (number < least || number > most)
        throw InputError(std::string(option) + ": expected a whole number from " +
                         std::to_string(least) + " to " + std::to_string(most) + ", found " +
                         std::to_string(number));
}

/// N of `copies=N`.
std::optional<std::uint64_t> most_copied(const std::string& at_most) {
    if (at_most.empty()) return {};
    constexpr std::string_view name = "copies=";
    const auto number = at_most.starts_with(name)
                            ? whole_number(std::string_view(at_most).substr(name.size()))
                            : std::nullopt;
    if (!number)
        throw InputError(
            "--at-most: expected copies=N, how many experts may be copied in a layer, "
            "found \"" +
            at_most + '"');
    return number;
}

/// The form that `--format` names.
Form form_asked_for(const std::string& name) {
    try {
        return experts::form_named(name);
    } catch (const InputError& error) {
        throw InputError(std::string("--format: ") + error.what());
    }
}

bool any_load(const std::vector<double>& loads) {
    return std::any_of(loads.begin(), loads.end(), [](double load) { return load > 0; });
}

/// "3 layers (0, 2-3)", of increasing numbers.
std::string layers_with_numbers(const std::vector<std::uint64_t>& numbers) {
    constexpr std::size_t runs_max = 8;
    std::string text = with_noun(numbers.size(), "layer", "layers") + " (";
    std::size_t runs = 0;
    for (std::size_t first = 0, last = 0; first < numbers.size(); first = ++last) {
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        if (runs++ == runs_max) return text + ", ...)";
        text.append(first == 0 ? "" : ", ").append(std::to_string(numbers[first]));
        if (last > first) text += '-' + std::to_string(numbers[last]);
    }
    return text + ')';
}

/// The trivial placement of a layer.
std::vector<ItemId> trivial_slots(const ExpertsInput& input) {
    return experts::trivial_slots(input.machines.gpus * input.machines.slots,
                                  static_cast<std::uint32_t>(input.loads.experts()));
}

/// Brings loads, machines and the present placement together.
class InputMaker {
  public:
    explicit InputMaker(const ExpertsRequest& request) : request_(request) {}

    [[nodiscard]] ExpertsInput make() {
        input_.loads = experts::read_loads(text_of("loads", request_.loads), request_.loads);
        placement_ = request_.present;
        if (!placement_ && !request_.placement.empty() && !is_trivial())
            placement_ = experts::read_placement(text_of("placement", request_.placement),
                                                 request_.placement, record_to_begin_with());
        take_machines();
        take_layers();
        note_forms();
        return std::move(input_);
    }

  private:
    [[nodiscard]] std::string text_of(const char* option, const std::string& file) const {
        return option_text(request_.texts, option, file, experts::read_form);
    }
    [[nodiscard]] bool is_trivial() const {
        return request_.placement == trivial && !request_.texts.contains("placement") &&
               !request_.present;
    }

    /// The steps of a recording begin with the map of its first step, even if it is given as the
    /// present placement, which is that of its end.
    [[nodiscard]] experts::Record record_to_begin_with() const {
        const auto loads = request_.texts.find("loads");
        const auto placement = request_.texts.find("placement");
        const auto none = request_.texts.end();
        const bool same =
            loads == none && placement == none
                ? is_same_file(request_.loads, request_.placement)
                : loads != none && placement != none && loads->second == placement->second;
        return request_.each_step && same ? experts::Record::first : experts::Record::last;
    }

    void take_machines() {
        std::uint64_t slots = request_.slots;
        if (slots == 0) slots = slots_of_placement();
        report::ExpertsMachines& machines = input_.machines;
        machines.gpus = static_cast<std::uint32_t>(request_.gpus);
        machines.slots = static_cast<std::uint32_t>(slots);
        machines.hosts = static_cast<std::uint32_t>(request_.hosts);
        machines.groups = static_cast<std::uint32_t>(request_.groups);
        const std::uint64_t of_layer = request_.gpus * slots;
        const std::uint64_t layers = input_.loads.layers.back() + 1;
        if (of_layer > slots_max || of_layer * layers > all_slots_max)
            throw InputError("expected at most " + std::to_string(slots_max) +
                             " slots in a layer "
                             "and " +
                             std::to_string(all_slots_max) + " in all layers, found " +
                             std::to_string(of_layer) + " in each of " + std::to_string(layers));
        layer_problem(input_, std::vector<double>(input_.loads.experts(), 0)).check();
        if (placement_ && placement_->slots.front().size() != of_layer)
            throw InputError(request_.placement + ": expected " + std::to_string(of_layer) +
                             " slots in a layer (" + std::to_string(request_.gpus) + " GPUs of " +
                             std::to_string(slots) + "), found " +
                             std::to_string(placement_->slots.front().size()));
    }

    [[nodiscard]] std::uint64_t slots_of_placement() const {
        if (!placement_)
            throw InputError("--slots: expected the number of slots of a GPU, found none");
        const std::uint64_t slots = placement_->slots.front().size();
        if (slots % request_.gpus != 0)
            throw InputError(request_.placement + ": expected slots that " +
                             std::to_string(request_.gpus) + " GPUs share evenly, found " +
                             std::to_string(slots));
        return slots / request_.gpus;
    }

    void take_layers() {
        const experts::Loads& loads = input_.loads;
        std::vector<bool> loaded(loads.layers.size(), false);
        for (const auto& step : loads.steps)
            for (std::size_t layer = 0; layer < step.size(); ++layer)
                loaded[layer] = loaded[layer] || any_load(step[layer]);
        if (std::find(loaded.begin(), loaded.end(), true) == loaded.end())
            throw InputError(request_.loads + ": expected a load above 0, found none");
        experts::Placement& planned = input_.planned;
        planned.layers = loads.layers;
        planned.numbering = loads.numbering;
        planned.dense.assign(loaded.size(), false);
        if (loads.numbering == Numbering::of_model) {
            planned.dense = loaded;
            planned.dense.flip();
        }
        input_.present.resize(loads.layers.size());
        if (is_trivial()) input_.present.assign(loads.layers.size(), trivial_slots(input_));
        if (placement_) take_placement();
    }

    /// Finds the row of each layer: by number or, where one side counts only the layers that have
    /// experts, in their order.
    void take_placement() {
        const experts::Placement& placement = *placement_;
        experts::Placement& planned = input_.planned;
        const std::vector<std::uint64_t>& layers = planned.layers;
        std::vector<std::size_t> with_experts;
        for (std::size_t layer = 0; layer < layers.size(); ++layer)
            if (!planned.dense[layer]) with_experts.push_back(layer);
        if (placement.layers.empty()) {
            for (std::size_t layer = 0; layer < layers.size(); ++layer)
                take_row(layer, 0);
        } else if (placement.layers == layers || fits_by_number(placement, with_experts)) {
            for (std::size_t row = 0; row < placement.layers.size(); ++row)
                take_numbered_row(row);
        } else if (placement.layers.size() == with_experts.size() &&
                   (placement.numbering == Numbering::of_experts ||
                    planned.numbering == Numbering::of_experts)) {
            for (std::size_t row = 0; row < with_experts.size(); ++row)
                take_row(with_experts[row], row);
            if (placement.numbering == Numbering::of_model) {
                planned.layers = placement.layers;
                planned.numbering = Numbering::of_model;
            }
        } else {
            refuse_layers(with_experts);
        }
        planned.layer_updates = placement.layer_updates;
    }

    /// Whether there are rows for all layers that have loads, and none behind the last layer of the
    /// loads: those would be of a larger model. A table may leave out layers before it.
    [[nodiscard]] bool fits_by_number(const experts::Placement& placement,
                                      const std::vector<std::size_t>& with_experts) const {
        const std::vector<std::uint64_t>& layers = input_.planned.layers;
        return placement.numbering == input_.planned.numbering &&
               placement.layers.back() <= layers.back() &&
               std::all_of(with_experts.begin(), with_experts.end(), [&](std::size_t layer) {
                   return std::binary_search(placement.layers.begin(), placement.layers.end(),
                                             layers[layer]);
               });
    }

    /// Takes a row for the layer of its number. SGLang's files have rows of dense layers too, the
    /// others only of layers with experts.
    void take_numbered_row(std::size_t row) {
        const std::uint64_t number = placement_->layers[row];
        const bool may_be_dense = placement_->form == Form::sglang;
        experts::Placement& planned = input_.planned;
        const auto at = std::lower_bound(planned.layers.begin(), planned.layers.end(), number);
        const auto layer = static_cast<std::size_t>(at - planned.layers.begin());
        if (at != planned.layers.end() && *at == number) {
            take_row(layer, row);
            if (!may_be_dense) planned.dense[layer] = false;
        } else {
            input_.others.layers.push_back(number);
            input_.others.slots.push_back(slots_of(row));
            input_.others.dense.push_back(may_be_dense);
        }
    }

    void take_row(std::size_t layer, std::size_t row) { input_.present[layer] = slots_of(row); }

    [[nodiscard]] const std::vector<ItemId>& slots_of(std::size_t row) const {
        const std::vector<ItemId>& slots = placement_->slots[row];
        const ItemId largest = *std::max_element(slots.begin(), slots.end());
        if (largest >= input_.loads.experts())
            throw InputError(
                request_.placement + ": layer " +
                std::to_string(placement_->layers.empty() ? 0 : placement_->layers[row]) +
                ": expected experts from 0 to " + std::to_string(input_.loads.experts() - 1) +
                ", as in " + request_.loads + ", found " + std::to_string(largest));
        return slots;
    }

    [[noreturn]] void refuse_layers(const std::vector<std::size_t>& with_experts) const {
        const std::vector<std::uint64_t>& all = input_.planned.layers;
        std::vector<std::uint64_t> numbers;
        numbers.reserve(with_experts.size());
        for (const std::size_t layer : with_experts)
            numbers.push_back(all[layer]);
        std::string expected = layers_with_numbers(numbers);
        if (numbers.size() < all.size())
            expected = "the " + expected + " that have loads, or all " +
                       std::to_string(all.size()) + " layers";
        throw InputError(request_.placement + ": expected " + expected + ", as in " +
                         request_.loads + ", found " + layers_with_numbers(placement_->layers));
    }

    void note_forms() {
        experts::Placement& planned = input_.planned;
        if (!request_.format.empty()) {
            planned.form = form_asked_for(request_.format);
        } else if (placement_) {
            planned.form = placement_->form;
        }
        const bool counts_all = planned.form == Form::sglang || planned.form == Form::tensorrt_llm;
        if (counts_all && planned.numbering == Numbering::of_experts)
            input_.notes.emplace_back(
                "layers are numbered from 0 in the order of those that have experts, since the "
                "files do not say which layers of the model these are");
        if (input_.loads.steps.size() > 1 && !request_.each_step)
            input_.notes.push_back("the " + std::to_string(input_.loads.steps.size()) +
                                   " steps of " + request_.loads + " are added up");
    }

    const ExpertsRequest& request_;
    ExpertsInput input_;
    std::optional<experts::Placement> placement_;
};

/// Plans layers on several threads: each takes the next one until none is left.
class LayerPlanner {
  public:
    LayerPlanner(const ExpertsRequest& request, const ExpertsInput& input,
                 const std::vector<std::vector<double>>& loads, const Rows& present,
                 const ExpertsControl& control)
        : input_(input), loads_(loads), present_(present), control_(control) {
        options_.bound = request.bound;
        options_.most_copied = most_copied(request.at_most);
        options_.effort = request.effort;
        options_.seed = request.seed;
        options_.at_once = static_cast<Tokens>(request.at_once);
        options_.stop = control.stop;
        threads_ = std::min<std::size_t>(request.threads, loads.size());
        layers_.resize(loads.size());
        errors_.resize(loads.size());
    }

    [[nodiscard]] std::vector<report::ExpertsLayer> plan() {
        {
            std::vector<std::jthread> workers;
            for (std::size_t thread = 1; thread < threads_; ++thread)
                workers.emplace_back([this] { work(); });
            work();
        }
        if (control_.stop.stop_requested())
            throw InputError("experts: interrupted; nothing was written");
        for (const std::exception_ptr& error : errors_)
            if (error) std::rethrow_exception(error);
        return std::move(layers_);
    }

  private:
    void work() {
        while (!control_.stop.stop_requested()) {
            const std::size_t layer = next_++;
            if (layer >= layers_.size()) return;
            try {
                plan(layer);
            } catch (...) {
                errors_[layer] = std::current_exception();
            }
            const std::scoped_lock lock(telling_);
            ++done_;
            if (control_.progress) control_.progress(done_, layers_.size());
        }
    }

    void plan(std::size_t number) {
        report::ExpertsLayer& layer = layers_[number];
        layer.number = input_.planned.layers[number];
        if (!any_load(loads_[number])) return;
        replication::Problem problem = layer_problem(input_, loads_[number]);
        problem.placement = present_[number];
        const std::string name = "layer " + std::to_string(layer.number) + ": ";
        try {
            layer.plan = make_plan(problem, options_);
        } catch (const UnsuitableError& error) {
            throw UnsuitableError(name + error.what());
        } catch (const InputError& error) {
            throw InputError(name + error.what());
        }
        layer.planned = true;
        for (const Tokens load : problem.loads)
            layer.total += load;
    }

    const ExpertsInput& input_;
    const std::vector<std::vector<double>>& loads_;
    const Rows& present_;
    const ExpertsControl& control_;
    replication::Options options_;
    std::size_t threads_ = 1;
    std::vector<report::ExpertsLayer> layers_;
    std::vector<std::exception_ptr> errors_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex telling_;
    std::uint64_t done_ = 0;
};

}  // namespace

void ExpertsRequest::check() const {
    if (loads.empty()) throw InputError("--loads: expected a file of loads, found none");
    if (gpus == 0) throw InputError("--gpus: expected the number of GPUs, found none");
    expect_number("--gpus", gpus, 1, gpus_max);
    if (slots != 0) expect_number("--slots", slots, 1, slots_max);
    expect_number("--hosts", hosts, 1, gpus_max);
    if (groups != 0) expect_number("--groups", groups, 1, slots_max);
    if (!std::isfinite(bound) || bound < 1)
        throw InputError("--bound: expected a number, 1 or more, found " + std::to_string(bound));
    expect_number("--at-once", at_once, 1, slots_max);
    expect_number("--threads", threads, 1, planner_threads_max);
    if (most_copied(at_most) && placement.empty())
        throw InputError("--at-most: expected a present placement (--placement), found none");
    if (!format.empty()) static_cast<void>(form_asked_for(format));
    if (!texts.contains("loads")) expect_file_there(loads);
    if (!placement.empty() && placement != trivial && !texts.contains("placement") && !present)
        expect_file_there(placement);
}

ExpertsInput read_experts(const ExpertsRequest& request) {
    request.check();
    return InputMaker(request).make();
}

std::vector<std::vector<double>> loads_of_all_steps(const experts::Loads& loads) {
    std::vector<std::vector<double>> sums = loads.steps.front();
    for (std::size_t step = 1; step < loads.steps.size(); ++step)
        for (std::size_t layer = 0; layer < sums.size(); ++layer)
            for (std::size_t expert = 0; expert < sums[layer].size(); ++expert)
                sums[layer][expert] += loads.steps[step][layer][expert];
    for (const std::vector<double>& layer : sums)
        if (!std::all_of(layer.begin(), layer.end(), [](double sum) { return std::isfinite(sum); }))
            throw InputError("expected loads with a finite sum over all steps, found larger ones");
    return sums;
}

replication::Problem layer_problem(const ExpertsInput& input, const std::vector<double>& loads) {
    replication::Problem problem;
    problem.loads = experts::in_small_units(loads);
    problem.machines = input.machines.gpus;
    problem.slots = input.machines.slots;
    problem.hosts = input.machines.hosts;
    problem.groups = input.machines.groups;
    return problem;
}

std::vector<report::ExpertsLayer> plan_layers(const ExpertsRequest& request,
                                              const ExpertsInput& input,
                                              const std::vector<std::vector<double>>& loads,
                                              const Rows& present, const ExpertsControl& control) {
    return LayerPlanner(request, input, loads, present, control).plan();
}

Rows slots_after(const ExpertsInput& input, const std::vector<report::ExpertsLayer>& layers,
                 const Rows& present) {
    Rows after = present;
    for (std::size_t layer = 0; layer < after.size(); ++layer) {
        if (layer < layers.size() && layers[layer].planned) {
            after[layer] = layers[layer].plan.placement;
        } else if (after[layer].empty()) {
            after[layer] = trivial_slots(input);
        }
    }
    return after;
}

experts::Placement placement_with(const ExpertsInput& input, Rows slots) {
    const experts::Placement& planned = input.planned;
    const experts::Placement& others = input.others;
    experts::Placement whole = planned;
    whole.layers.clear();
    whole.dense.clear();
    const auto add = [&](const experts::Placement& from, std::size_t row,
                         std::vector<ItemId> held) {
        whole.layers.push_back(from.layers[row]);
        whole.dense.push_back(from.dense[row]);
        whole.slots.push_back(std::move(held));
    };
    std::size_t other = 0;  // all others come before the last layer of the loads
    for (std::size_t layer = 0; layer < slots.size(); ++layer) {
        for (; other < others.layers.size() && others.layers[other] < planned.layers[layer];
             ++other)
            add(others, other, others.slots[other]);
        add(planned, layer, std::move(slots[layer]));
    }
    return whole;
}

ExpertsAnswer answer_experts(const ExpertsRequest& request, const ExpertsControl& control) {
    ExpertsInput input = read_experts(request);
    ExpertsAnswer answer;
    answer.loads = request.loads;
    answer.placement = request.placement;
    answer.experts = static_cast<std::uint32_t>(input.loads.experts());
    answer.machines = input.machines;
    answer.bound = request.bound;
    answer.layers =
        plan_layers(request, input, loads_of_all_steps(input.loads), input.present, control);
    answer.planned = placement_with(input, slots_after(input, answer.layers, input.present));
    const auto of_loads = static_cast<std::ptrdiff_t>(answer.layers.size());
    for (const std::uint64_t number : input.others.layers)
        answer.layers.emplace_back().number = number;
    std::inplace_merge(answer.layers.begin(), answer.layers.begin() + of_loads, answer.layers.end(),
                       [](const auto& a, const auto& b) { return a.number < b.number; });
    answer.notes = std::move(input.notes);
    return answer;
}

}  // namespace equipoise::catalogue
