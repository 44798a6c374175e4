// Writes pages of plans of experts into a folder, for the tests in a browser.

#include <cmath>
#include <string>
#include <utility>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/report/page/experts_page.hpp"

using namespace equipoise;
using report::ExpertsAtStep;
using report::ExpertsLevel;
using report::ExpertsStep;
using report::ExpertsSteps;

namespace {

ExpertsLevel level(double value, std::uint64_t layer) {
    return {value, value, layer};
}

/// Loads that drift for some steps; layers are numbered from 3 on.
ExpertsSteps drifting(std::uint64_t layers, std::uint64_t steps) {
    RandomStream draw(1, Purpose::sampling);
    const auto drawn = [&] { return static_cast<double>(draw.below(1000)) / 1000; };
    ExpertsSteps answer;
    answer.loads = "day.json";
    answer.experts = 256;
    answer.machines = {32, 9, 1, 0};
    for (std::uint64_t number = 0; number < steps; ++number) {
        ExpertsStep step;
        step.number = number;
        for (std::uint64_t layer = 3; layer < 3 + layers; ++layer) {
            ExpertsAtStep one;
            one.layer = layer;
            one.kept = 1.1 + 0.02 * static_cast<double>(number) + 0.2 * drawn();
            const double before = number == 0 ? one.kept : 1.02 + 0.1 * drawn();
            const double at_least = 1 + 0.01 * drawn();
            const bool copies = before > answer.bound * at_least;
            one.figures.layers = one.figures.within = 1;
            one.figures.before = level(before, layer);
            one.figures.at_least = level(at_least, layer);
            one.figures.after = level(copies ? 1.04 : before, layer);
            one.figures.slots = 288;
            one.figures.copied = copies ? 1 + draw.below(30) : 0;
            one.figures.copied_at_least = one.figures.copied / 2;
            one.figures.waves = static_cast<Step>((one.figures.copied + 9) / 10);
            step.layers.push_back(one);
        }
        answer.steps.push_back(std::move(step));
    }
    return answer;
}

/// One layer is above the bound; nothing was there before.
ExpertsSteps above() {
    ExpertsSteps answer = drifting(4, 1);
    for (ExpertsAtStep& layer : answer.steps[0].layers) {
        layer.kept = 0;
        layer.figures.before = {};
    }
    answer.steps[0].layers[2].figures.after = level(1.5, 5);
    answer.steps[0].layers[2].figures.within = 0;
    answer.reasons = {"Layer 5: expert 7 alone is as large as this."};
    return answer;
}

ExpertsSteps hostile() {
    ExpertsSteps answer = drifting(2, 3);
    answer.loads = "</script><script>window.attacked=1</script><img src=x onerror=attacked=1>";
    answer.notes = answer.reasons = {answer.loads, "{{data}}"};
    return answer;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    const std::string folder = std::string(arguments[1]) + "/";
    for (const auto& [name, answer] :
         {std::pair{"day", drifting(58, 24)}, std::pair{"one", drifting(58, 1)},
          std::pair{"long", drifting(3, 2000)}, std::pair{"above", above()},
          std::pair{"hostile", hostile()}, std::pair{"nothing", drifting(0, 1)}})
        write_file(folder + name + ".html", report::experts_page(answer));
    return 0;
}
