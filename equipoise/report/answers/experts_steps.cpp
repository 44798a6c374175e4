#include "equipoise/report/answers/experts_steps.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "equipoise/report/tables/lines.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

std::string shown_level(double level) {
    return level > 0 ? fmt::format("{:.3f}", level) : "";
}

/// Levels of one layer are added to those of several; one of 0 is of a placement that is not there.
class LevelSum {
  public:
    void add(double level, std::uint64_t layer) {
        if (level <= 0) return;
        ++count_;
        sum_ += level;
        if (level <= level_.worst) return;
        level_.worst = level;
        level_.layer = layer;
    }
    [[nodiscard]] ExpertsLevel level() const {
        ExpertsLevel level = level_;
        if (count_ > 0) level.mean = sum_ / static_cast<double>(count_);
        return level;
    }

  private:
    std::uint64_t count_ = 0;
    double sum_ = 0;
    ExpertsLevel level_;
};

std::uint64_t layers_of_a_step(const ExpertsSteps& answer) {
    std::size_t most = 0;
    for (const ExpertsStep& step : answer.steps)
        most = std::max(most, step.layers.size());
    return most;
}

std::string level_with_worst(const ExpertsLevel& level) {
    return fmt::format("{:.3f}, worst {:.3f} in layer {}", level.mean, level.worst, level.layer);
}

std::string copied_at_steps(const ExpertsFigures& figures) {
    if (figures.before.mean <= 0) return "nothing was there: all slots are filled";
    return copied_words(figures) +
           (figures.copied == figures.copied_at_least
                ? "  (from where each step begins, no plan as level has fewer)"
                : fmt::format("  (from where each step begins, every plan as level has at "
                              "least {})",
                              grouped(figures.copied_at_least)));
}

std::string steps_table(const ExpertsSteps& answer, bool plain, std::size_t rows_max) {
    std::vector<std::vector<std::string>> rows;
    for (const ExpertsStep& step : answer.steps) {
        if (rows.size() == rows_max) break;
        const ExpertsSums sums = sums_of({&step, 1});
        const ExpertsFigures& figures = sums.figures;
        rows.push_back({grouped(step.number), shown_level(sums.kept.mean),
                        shown_level(figures.before.mean), shown_level(figures.after.mean),
                        shown_level(figures.at_least.mean), shown_level(figures.after.worst),
                        grouped(figures.copied), grouped(figures.copied_at_least),
                        grouped(std::uint64_t{figures.waves})});
    }
    std::string text = layout({{"step", Align::right},
                               {"had all\nstayed", Align::right},
                               {"before", Align::right},
                               {"after", Align::right},
                               {"at least", Align::right},
                               {"worst layer\nafter", Align::right},
                               {"copied", Align::right},
                               {"at least", Align::right},
                               {"waves", Align::right}},
                              rows, plain);
    if (answer.steps.size() > rows.size())
        text += fmt::format("({} in all; --csv lists them)\n",
                            counted(std::uint64_t{answer.steps.size()}, "step"));
    return text;
}

}  // namespace

bool ExpertsSteps::reached() const {
    return std::all_of(steps.begin(), steps.end(), [](const ExpertsStep& step) {
        return std::all_of(step.layers.begin(), step.layers.end(),
                           [](const ExpertsAtStep& layer) { return layer.figures.within > 0; });
    });
}

std::size_t ExpertsSteps::steps_with_copies() const {
    return static_cast<std::size_t>(
        std::count_if(steps.begin(), steps.end(), [](const ExpertsStep& step) {
            return std::any_of(step.layers.begin(), step.layers.end(),
                               [](const ExpertsAtStep& layer) { return layer.figures.copied > 0; });
        }));
}

ExpertsSums sums_of(std::span<const ExpertsStep> steps) {
    ExpertsSums sums;
    ExpertsFigures& all = sums.figures;
    LevelSum kept, before, after, at_least;
    for (const ExpertsStep& step : steps)
        for (const ExpertsAtStep& layer : step.layers) {
            const ExpertsFigures& one = layer.figures;
            kept.add(layer.kept, layer.layer);
            before.add(one.before.mean, layer.layer);
            after.add(one.after.mean, layer.layer);
            at_least.add(one.at_least.mean, layer.layer);
            all.layers += one.layers;
            all.within += one.within;
            all.slots += one.slots;
            all.copied += one.copied;
            all.copied_at_least += one.copied_at_least;
            all.waves += one.waves;
            all.waves_at_least += one.waves_at_least;
            all.across_hosts += one.across_hosts;
            all.twice += one.twice;
            all.missing += one.missing;
        }
    sums.kept = kept.level();
    all.before = before.level();
    all.after = after.level();
    all.at_least = at_least.level();
    return sums;
}

ExpertsStep experts_step(std::uint64_t number, std::span<const ExpertsLayer> layers,
                         const ExpertsMachines& machines) {
    ExpertsStep step;
    step.number = number;
    for (const ExpertsLayer& layer : layers) {
        if (!layer.planned) continue;
        ExpertsAtStep one{layer.number, experts_figures({&layer, 1}, machines), 0};
        // Where nothing was there, slots are filled, and nothing is copied from GPU to GPU.
        if (one.figures.before.mean <= 0) one.figures.copied = one.figures.copied_at_least = 0;
        step.layers.push_back(one);
        for (const replication::Transfer& transfer : layer.plan.transfers.list)
            step.transfers.push_back({layer.number, transfer});
    }
    return step;
}

ExpertsSteps as_one_step(const ExpertsAnswer& answer) {
    ExpertsSteps steps;
    steps.loads = answer.loads;
    steps.experts = answer.experts;
    steps.machines = answer.machines;
    steps.bound = answer.bound;
    steps.steps.push_back(experts_step(0, answer.layers, answer.machines));
    for (ExpertsAtStep& layer : steps.steps[0].layers)
        layer.kept = layer.figures.before.mean;
    steps.planned = answer.planned;
    steps.notes = answer.notes;
    const std::uint64_t worst = sums_of(steps.steps).figures.after.layer;
    for (const ExpertsLayer& layer : answer.layers) {
        if (!layer.planned || layer.number != worst) continue;
        const replication::Plan& plan = layer.plan;
        for (const std::string& reason :
             {plan.largest.reason, plan.copied.reason, plan.transfers.reason})
            if (!reason.empty())
                steps.reasons.push_back(fmt::format("Layer {}: {}", layer.number, reason));
    }
    return steps;
}

std::string experts_steps_title(const ExpertsSteps& answer) {
    const std::string steps = answer.steps.size() == 1
                                  ? ""
                                  : counted(std::uint64_t{answer.steps.size()}, "step") + " of ";
    return fmt::format("{}: {}{}, {} on {} of {}", answer.loads, steps,
                       counted(layers_of_a_step(answer), "layer"),
                       counted(std::uint64_t{answer.experts}, "expert"),
                       counted(std::uint64_t{answer.machines.gpus}, "GPU"),
                       counted(std::uint64_t{answer.machines.slots}, "slot"));
}

std::vector<std::pair<std::string, std::string>> experts_steps_lines(const ExpertsSteps& answer) {
    const ExpertsSums sums = sums_of(answer.steps);
    const ExpertsFigures& figures = sums.figures;
    std::vector<std::pair<std::string, std::string>> lines;
    if (sums.kept.mean > 0) lines.emplace_back("had all stayed", level_with_worst(sums.kept));
    if (figures.before.mean > 0) lines.emplace_back("before", level_with_worst(figures.before));
    lines.emplace_back("after", level_with_worst(figures.after));
    lines.emplace_back("at least", level_with_worst(figures.at_least) + ": no placement is below");
    lines.emplace_back(
        "bound", figures.within == figures.layers
                     ? fmt::format("{:g} times the best possible: kept by all layers at all steps, "
                                   "for certain",
                                   answer.bound)
                     : fmt::format("{:g} times the best possible: kept by {} of {} for certain "
                                   "(each layer at each step is one)",
                                   answer.bound, grouped(figures.within), grouped(figures.layers)));
    lines.emplace_back("copied", copied_at_steps(figures));
    if (figures.missing > 0) lines.emplace_back("missing", missing_words(figures));
    lines.emplace_back("steps", fmt::format("{} of {} copy experts", answer.steps_with_copies(),
                                            answer.steps.size()));
    lines.emplace_back("waves", grouped(std::uint64_t{figures.waves}) + ", layer after layer");
    return lines;
}

std::string experts_text(const ExpertsSteps& answer, const ExpertsFiles& files, bool plain,
                         std::size_t rows_max) {
    std::string text = hanging(experts_steps_title(answer), 2, 80, 0) + '\n';
    text += "\nThe largest GPU over the mean of all GPUs, means over layers:\n";
    text += steps_table(answer, plain, rows_max) + "\nAll steps:\n";
    const auto line = [&](const std::string& name, const std::string& value) {
        constexpr std::size_t value_column = 18;
        text += fmt::format("  {:<16}", name) + hanging(value, value_column, 80) + '\n';
    };
    for (const auto& [name, value] : experts_steps_lines(answer))
        line(name, value);
    if (!files.placement.empty())
        line("placement", "of the last step, written to " + files.placement);
    if (!files.transfers.empty()) line("transfers", "written to " + files.transfers);
    return text;
}

std::string experts_csv(const ExpertsSteps& answer) {
    std::string text =
        "step,layers,kept,kept_worst,before,before_worst,after,after_worst,at_least,"
        "at_least_worst,within,copied,copied_at_least,waves,waves_at_least\n";
    const auto level = [](double value) { return value > 0 ? fmt::format("{}", value) : ""; };
    for (const ExpertsStep& step : answer.steps) {
        const ExpertsSums sums = sums_of({&step, 1});
        const ExpertsFigures& figures = sums.figures;
        text += fmt::format("{},{}", step.number, figures.layers);
        for (const ExpertsLevel& one : {sums.kept, figures.before, figures.after, figures.at_least})
            text += fmt::format(",{},{}", level(one.mean), level(one.worst));
        text += fmt::format(",{},{},{},{},{}\n", figures.within, figures.copied,
                            figures.copied_at_least, figures.waves, figures.waves_at_least);
    }
    return text;
}

std::string transfers_csv(const ExpertsSteps& answer) {
    std::string text = "step,layer,wave,expert,from,to\n";
    for (const ExpertsStep& step : answer.steps)
        for (const auto& [layer, transfer] : step.transfers)
            text += fmt::format("{},{},{},{},{},{}\n", step.number, layer, transfer.wave,
                                transfer.item, transfer.from, transfer.to);
    return text;
}

}  // namespace equipoise::report
