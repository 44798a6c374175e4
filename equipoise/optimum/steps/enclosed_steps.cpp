#include "equipoise/optimum/steps/enclosed_steps.hpp"

#include <utility>

namespace equipoise::optimum {

void EnclosedSteps::raise(Step steps, Certificate proof) {
    at_least = steps;
    certificate = std::move(proof);
    cut.reset();
}

void EnclosedSteps::raise(Step steps, CutOverTime proof) {
    at_least = steps;
    certificate = {};
    cut = std::move(proof);
}

void EnclosedSteps::lower(Step steps_enough, std::vector<FatStep> proof) {
    at_most = steps_enough;
    steps = std::move(proof);
    flow.reset();
}

void EnclosedSteps::lower(Step steps_enough, FlowOverTime proof) {
    at_most = steps_enough;
    steps.clear();
    flow = std::move(proof);
}

}  // namespace equipoise::optimum
