#include <cstddef>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/report/answers/experts_steps.hpp"

namespace equipoise::report {

namespace {

using ExpertsJson = nlohmann::ordered_json;

/// What was asked for, and whether it was reached.
template <class Answer>
void add_setting(ExpertsJson& object, const Answer& answer) {
    const ExpertsMachines& machines = answer.machines;
    object["experts"] = answer.experts;
    object["gpus"] = machines.gpus;
    object["slots"] = machines.slots;
    object["hosts"] = machines.hosts;
    object["groups"] = machines.groups;
    object["bound"] = answer.bound;
    object["reached"] = answer.reached();
}

/// Figures of the present placement are null where there is none.
ExpertsJson levels_json(const ExpertsAnswer& answer, double before, double after, double at_least) {
    ExpertsJson object;
    object["before"] = answer.placement.empty() ? ExpertsJson(nullptr) : ExpertsJson(before);
    object["after"] = after;
    object["at_least"] = at_least;
    return object;
}

ExpertsJson transfers_json(const ExpertsFigures& figures) {
    return {{"experts", figures.copied},
            {"at_least", figures.copied_at_least},
            {"waves", figures.waves},
            {"waves_at_least", figures.waves_at_least},
            {"across_hosts", figures.across_hosts}};
}

std::string layer_text(const ExpertsAnswer& answer, const ExpertsLayer& layer) {
    const ExpertsFigures figures = experts_figures({&layer, 1}, answer.machines);
    const replication::Plan& plan = layer.plan;
    const ExpertsJson object = {{"layer", layer.number},
                                {"largest", levels_json(answer, figures.before.mean,
                                                        figures.after.mean, figures.at_least.mean)},
                                {"within", figures.within > 0},
                                {"transfers", transfers_json(figures)},
                                {"reasons",
                                 {{"largest", plan.largest.reason},
                                  {"experts", plan.copied.reason},
                                  {"waves", plan.transfers.reason}}}};
    return json_text(object);
}

ExpertsJson level_or_null(double level) {
    return level > 0 ? ExpertsJson(level) : ExpertsJson(nullptr);
}

ExpertsJson step_levels_json(double kept, double before, double after, double at_least) {
    return {{"kept", level_or_null(kept)},
            {"before", level_or_null(before)},
            {"after", level_or_null(after)},
            {"at_least", level_or_null(at_least)}};
}

ExpertsJson step_sums_json(const ExpertsSums& sums) {
    const ExpertsFigures& figures = sums.figures;
    ExpertsJson object;
    object["largest"] = step_levels_json(sums.kept.mean, figures.before.mean, figures.after.mean,
                                         figures.at_least.mean);
    object["worst"] = step_levels_json(sums.kept.worst, figures.before.worst, figures.after.worst,
                                       figures.at_least.worst);
    object["within"] = figures.within;
    object["all_slots"] = figures.slots;
    object["missing"] = figures.missing;
    object["transfers"] = transfers_json(figures);
    return object;
}

ExpertsJson step_layer_json(const ExpertsAtStep& layer) {
    const ExpertsFigures& figures = layer.figures;
    return {{"layer", layer.layer},
            {"largest", step_levels_json(layer.kept, figures.before.mean, figures.after.mean,
                                         figures.at_least.mean)},
            {"within", figures.within > 0},
            {"transfers", transfers_json(figures)}};
}

std::string experts_step_text(const ExpertsStep& step) {
    ExpertsJson object;
    object["step"] = step.number;
    object.update(step_sums_json(sums_of({&step, 1})));
    ExpertsJson layers = ExpertsJson::array();
    for (const ExpertsAtStep& layer : step.layers)
        layers.push_back(step_layer_json(layer));
    object["layers"] = std::move(layers);
    return json_text(object);
}

}  // namespace

std::string experts_json(const ExpertsAnswer& answer) {
    const ExpertsFigures figures = experts_figures(answer.layers, answer.machines);
    ExpertsJson object = object_of_schema("equipoise-experts");
    object["loads"] = answer.loads;
    object["placement"] =
        answer.placement.empty() ? ExpertsJson(nullptr) : ExpertsJson(answer.placement);
    add_setting(object, answer);
    object["largest"] =
        levels_json(answer, figures.before.mean, figures.after.mean, figures.at_least.mean);
    object["worst"] =
        levels_json(answer, figures.before.worst, figures.after.worst, figures.at_least.worst);
    object["within"] = figures.within;
    object["all_slots"] = figures.slots;
    object["twice"] = figures.twice;
    object["missing"] = figures.missing;
    object["transfers"] = transfers_json(figures);
    object["format"] = name_of(answer.planned.form);
    ExpertsJson without = ExpertsJson::array();
    std::vector<const ExpertsLayer*> planned;
    for (const ExpertsLayer& layer : answer.layers)
        if (layer.planned) {
            planned.push_back(&layer);
        } else {
            without.push_back(layer.number);
        }
    object["without_loads"] = std::move(without);
    object["notes"] = answer.notes;
    std::string text = json_text(object, 2);
    append_list(text, "layers", planned.size(),
                [&](std::size_t at) { return layer_text(answer, *planned[at]); });
    return text + '\n';
}

std::string experts_json(const ExpertsSteps& answer) {
    ExpertsJson object = object_of_schema("equipoise-experts-steps");
    object["loads"] = answer.loads;
    add_setting(object, answer);
    object.update(step_sums_json(sums_of(answer.steps)));
    object["steps_with_copies"] = answer.steps_with_copies();
    object["format"] = name_of(answer.planned.form);
    object["notes"] = answer.notes;
    std::string text = json_text(object, 2);
    append_list(text, "steps", answer.steps.size(),
                [&](std::size_t at) { return experts_step_text(answer.steps[at]); });
    return text + '\n';
}

}  // namespace equipoise::report
