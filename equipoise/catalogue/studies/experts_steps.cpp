#include "equipoise/catalogue/studies/experts_steps.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace equipoise::catalogue {

namespace {

using Rows = std::vector<std::vector<replication::ItemId>>;

/// How the first placement stands under the loads of a step, by planned layer in their order.
void add_kept(report::ExpertsStep& step, const ExpertsInput& input,
              const std::vector<report::ExpertsLayer>& layers,
              const std::vector<std::vector<double>>& loads, const Rows& first) {
    auto at = step.layers.begin();
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        if (!layers[layer].planned) continue;
        const replication::Standing standing =
            replication::stand(layer_problem(input, loads[layer]), first[layer]);
        at->kept = report::over_mean(standing.largest, layers[layer].total, input.machines.gpus);
        ++at;
    }
}

}  // namespace

report::ExpertsSteps answer_experts_steps(const ExpertsRequest& request,
                                          const ExpertsControl& control) {
    ExpertsInput input = read_experts(request);
    report::ExpertsSteps answer;
    answer.loads = request.loads;
    answer.experts = static_cast<std::uint32_t>(input.loads.experts());
    answer.machines = input.machines;
    answer.bound = request.bound;
    const std::size_t steps = input.loads.steps.size();
    const std::uint64_t layers_of_all = std::uint64_t{steps} * input.loads.layers.size();
    Rows first = input.present;
    Rows present = std::move(input.present);
    for (std::size_t number = 0; number < steps; ++number) {
        const std::vector<std::vector<double>>& loads = input.loads.steps[number];
        ExpertsControl inner{control.stop, {}};
        if (control.progress)
            inner.progress = [&](std::uint64_t done, std::uint64_t) {
                control.progress(number * loads.size() + done, layers_of_all);
            };
        const std::vector<report::ExpertsLayer> layers =
            plan_layers(request, input, loads, present, inner);
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            if (!layers[layer].planned) continue;
            present[layer] = layers[layer].plan.placement;
            if (first[layer].empty()) first[layer] = present[layer];
        }
        answer.steps.push_back(report::experts_step(number, layers, input.machines));
        add_kept(answer.steps.back(), input, layers, loads, first);
    }
    answer.planned = placement_with(input, slots_after(input, {}, present));
    answer.notes = std::move(input.notes);
    return answer;
}

}  // namespace equipoise::catalogue
