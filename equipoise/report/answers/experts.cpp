#include "equipoise/report/answers/experts.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "equipoise/report/tables/lines.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

void add_level(ExpertsLevel& level, double value, std::uint64_t layer, std::uint64_t layers) {
    level.mean += (value - level.mean) / static_cast<double>(layers);
    if (value <= level.worst) return;
    level.worst = value;
    level.layer = layer;
}

std::uint64_t transfers_across(const replication::Transfers& transfers,
                               const ExpertsMachines& machines) {
    const std::uint32_t gpus = machines.gpus / machines.hosts;  // of a host
    return static_cast<std::uint64_t>(std::count_if(
        transfers.list.begin(), transfers.list.end(),
        [&](const auto& transfer) { return transfer.from / gpus != transfer.to / gpus; }));
}

std::string over_mean_text(double value) {
    return fmt::format("{:.3f}", value);
}

std::vector<std::string> level_row(const char* name, const ExpertsLevel& level) {
    return {name, over_mean_text(level.mean), over_mean_text(level.worst),
            std::to_string(level.layer)};
}

std::string experts_title(const ExpertsAnswer& answer, const ExpertsFigures& figures) {
    const ExpertsMachines& machines = answer.machines;
    std::string text =
        fmt::format("{}: {} of {} on {} of {}", answer.loads, counted(figures.layers, "layer"),
                    counted(std::uint64_t{answer.experts}, "expert"),
                    counted(std::uint64_t{machines.gpus}, "GPU"),
                    counted(std::uint64_t{machines.slots}, "slot"));
    if (machines.hosts > 1)
        text += fmt::format(", on {}", counted(std::uint64_t{machines.hosts}, "host"));
    if (machines.groups > 0)
        text += fmt::format("; {} of experts, each whole on a host",
                            counted(std::uint64_t{machines.groups}, "group"));
    return hanging(text, 2, 80, 0) + '\n';
}

std::string levels_text(const ExpertsAnswer& answer, const ExpertsFigures& figures, bool plain) {
    std::vector<std::vector<std::string>> rows;
    if (!answer.placement.empty()) rows.push_back(level_row("before", figures.before));
    rows.push_back(level_row("after", figures.after));
    rows.push_back(level_row("no placement is below", figures.at_least));
    return layout({{"largest GPU over\nthe mean of all GPUs"},
                   {"mean over\nlayers", Align::right},
                   {"worst\nlayer", Align::right},
                   {"its\nnumber", Align::right}},
                  rows, plain);
}

std::string bound_words(const ExpertsAnswer& answer, const ExpertsFigures& figures) {
    std::string text = fmt::format("{:g} times the best possible: ", answer.bound);
    if (figures.within == figures.layers) return text + "kept by all layers, for certain";
    return text + fmt::format("kept by {} of {} for certain", grouped(figures.within),
                              counted(figures.layers, "layer"));
}

std::string copied_and_bound(const ExpertsAnswer& answer, const ExpertsFigures& figures) {
    if (answer.placement.empty()) return "no present placement: all slots are filled";
    return copied_words(figures) +
           (figures.copied == figures.copied_at_least
                ? "  (no placement as level has fewer)"
                : fmt::format("  (every placement as level has at least {})",
                              grouped(figures.copied_at_least)));
}

/// "3 layers (0, 1, 2), which keep what is there"; empty if all layers have loads.
std::string without_loads_words(const ExpertsAnswer& answer) {
    constexpr std::size_t shown_max = 8;
    std::string numbers;
    std::size_t count = 0;
    for (const ExpertsLayer& layer : answer.layers) {
        if (layer.planned) continue;
        if (++count <= shown_max)
            numbers += (count == 1 ? "" : ", ") + std::to_string(layer.number);
    }
    if (count == 0) return "";
    const bool one = count == 1;
    return counted(std::uint64_t{count}, "layer") + " (" + numbers +
           (count > shown_max ? ", ...), which " : "), which ") +
           (answer.placement.empty()
                ? (one ? "gets slots in the order of experts" : "get slots in the order of experts")
                : (one ? "keeps what is there" : "keep what is there"));
}

std::string waves_words(const ExpertsFigures& figures) {
    const auto waves = static_cast<std::uint64_t>(figures.waves);
    return grouped(waves) + ", layer after layer" +
           (figures.waves == figures.waves_at_least
                ? "  (no way there has fewer)"
                : fmt::format("  (every way there has at least {})",
                              grouped(static_cast<std::uint64_t>(figures.waves_at_least))));
}

}  // namespace

bool ExpertsAnswer::reached() const {
    return std::all_of(layers.begin(), layers.end(), [](const ExpertsLayer& layer) {
        return !layer.planned || layer.plan.within();
    });
}

double over_mean(Tokens load, Tokens total, std::uint32_t gpus) {
    // In this order, a load of the mean or more is never below 1.
    return static_cast<double>(load) * static_cast<double>(gpus) / static_cast<double>(total);
}

std::string copied_words(const ExpertsFigures& figures) {
    return fmt::format(
        "{} for {} ({:.1f} %)", counted(figures.copied, "expert"), counted(figures.slots, "slot"),
        100 * static_cast<double>(figures.copied) / static_cast<double>(figures.slots));
}

std::string missing_words(const ExpertsFigures& figures) {
    return counted(figures.missing, "expert") + (figures.missing == 1 ? " was" : " were") +
           " in no slot: copied from storage, in no wave, and left out of the levels before";
}

ExpertsFigures experts_figures(std::span<const ExpertsLayer> layers,
                               const ExpertsMachines& machines) {
    ExpertsFigures figures;
    for (const ExpertsLayer& layer : layers) {
        if (!layer.planned) continue;
        const replication::Plan& plan = layer.plan;
        ++figures.layers;
        if (plan.within()) ++figures.within;
        const auto add = [&](ExpertsLevel& level, Tokens load) {
            add_level(level, over_mean(load, layer.total, machines.gpus), layer.number,
                      figures.layers);
        };
        add(figures.before, plan.before.largest);
        add(figures.after, plan.after.largest);
        add(figures.at_least, plan.largest.at_least);
        figures.slots += std::uint64_t{machines.gpus} * machines.slots;
        figures.copied += plan.after.copied;
        figures.copied_at_least += static_cast<std::uint64_t>(plan.copied.at_least);
        figures.waves += plan.transfers.waves;
        figures.waves_at_least += plan.transfers.waves_at_least;
        figures.across_hosts += transfers_across(plan.transfers, machines);
        figures.twice += plan.before.twice;
        figures.missing += plan.before.missing;
    }
    return figures;
}

std::string experts_text(const ExpertsAnswer& answer, const ExpertsFiles& files, bool plain) {
    const ExpertsFigures figures = experts_figures(answer.layers, answer.machines);
    std::string text =
        experts_title(answer, figures) + '\n' + levels_text(answer, figures, plain) + '\n';
    const auto line = [&](const char* name, const std::string& value) {
        constexpr std::size_t value_column = 13;
        text += fmt::format("  {:<11}", name) + hanging(value, value_column, 80) + '\n';
    };
    line("bound", bound_words(answer, figures));
    line("copied", copied_and_bound(answer, figures));
    if (!answer.placement.empty()) {
        line("waves", waves_words(figures));
        if (answer.machines.hosts > 1)
            line("across", counted(figures.across_hosts, "transfer") + " between hosts");
        if (figures.twice > 0)
            line("twice", counted(figures.twice, "slot") +
                              " held an expert that the same GPU had in another one");
        if (figures.missing > 0) line("missing", missing_words(figures));
    }
    if (const std::string without = without_loads_words(answer); !without.empty())
        line("no loads", without);
    if (!files.placement.empty())
        line("placement",
             "written to " + files.placement + " (" + name_of(answer.planned.form) + ')');
    if (!files.transfers.empty()) line("transfers", "written to " + files.transfers);
    return text;
}

std::string experts_csv(const ExpertsAnswer& answer) {
    std::string text =
        "layer,before,after,at_least,within,copied,copied_at_least,waves,waves_at_least,"
        "across_hosts\n";
    for (const ExpertsLayer& layer : answer.layers) {
        if (!layer.planned) continue;
        const ExpertsFigures figures = experts_figures({&layer, 1}, answer.machines);
        text +=
            fmt::format("{},{},{},{},{},{},{},{},{},{}\n", layer.number,
                        answer.placement.empty() ? "" : fmt::format("{}", figures.before.mean),
                        figures.after.mean, figures.at_least.mean,
                        figures.within > 0 ? "yes" : "no", figures.copied, figures.copied_at_least,
                        figures.waves, figures.waves_at_least, figures.across_hosts);
    }
    return text;
}

std::string transfers_csv(const ExpertsAnswer& answer) {
    std::string text = "layer,wave,expert,from,to\n";
    for (const ExpertsLayer& layer : answer.layers)
        for (const replication::Transfer& transfer : layer.plan.transfers.list)
            text += fmt::format("{},{},{},{},{}\n", layer.number, transfer.wave, transfer.item,
                                transfer.from, transfer.to);
    return text;
}

}  // namespace equipoise::report
