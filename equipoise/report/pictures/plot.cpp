#include "equipoise/report/pictures/plot.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/record_network.hpp"
#include "equipoise/report/runs/frames.hpp"
#include "equipoise/report/runs/summary.hpp"
#include "equipoise/report/runs/words.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using model::Record;

double as_tokens(const Record& record, double units) {
    return units / static_cast<double>(std::max<std::uint64_t>(1, record.load_scale));
}

double number(const std::string& decimal) {
    double value = 0;
    std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
    return value;
}

/// All steps of a short run; for a long one, some steps that are close together on either scale.
std::vector<Step> moments_of(Step last) {
    constexpr double linear = 300;
    constexpr double each_decade = 60;
    std::set<Step> moments = {0, last};
    if (static_cast<double>(last) <= linear)
        for (Step step = 1; step < last; ++step)
            moments.insert(step);
    const auto end = static_cast<double>(last);
    for (double k = 1; k < linear; ++k)
        moments.insert(static_cast<Step>(end * k / linear));
    for (double k = 0; std::pow(10, k / each_decade) < end; ++k)
        moments.insert(static_cast<Step>(std::pow(10, k / each_decade)));
    return {moments.begin(), moments.end()};
}

/// The quantity of a run at moments, in units, as far as the record holds it.
class Measured {
  public:
    Measured(const Record& record, Quantity quantity) : record_(&record), quantity_(quantity) {
        if (quantity == Quantity::local_imbalance) network_ = model::network_of(record);
        const std::vector<Event> events = events_of(record);
        if (!events.empty())
            measure_events(events);
        else
            measure_samples();
        if (points_.empty() || points_.back().first != record.costs.steps)
            points_.emplace_back(record.costs.steps, last());
    }

    [[nodiscard]] const std::vector<std::pair<Step, double>>& points() const { return points_; }

  private:
    [[nodiscard]] double of(std::span<const Tokens> loads) const {
        switch (quantity_) {
            case Quantity::discrepancy:
                return static_cast<double>(load::discrepancy(loads));
            case Quantity::potential:
                return number(load::to_decimal(load::potential(loads)));
            default:
                return static_cast<double>(network_.visit(
                    [&](const auto& network) { return load::local_imbalance(network, loads); }));
        }
    }
    [[nodiscard]] double last() const {
        if (quantity_ == Quantity::discrepancy)
            return static_cast<double>(record_->final_discrepancy);
        if (quantity_ == Quantity::moved) return static_cast<double>(record_->costs.exchanges);
        return of(record_->final_loads);
    }
    void measure_events(const std::vector<Event>& events) {
        std::size_t next = 0;
        double moved = 0;
        visit_moments(*record_, events, moments_of(record_->costs.steps),
                      [&](Step step, std::span<const Tokens> loads) {
                          for (; next < events.size() && events[next].step < step; ++next)
                              if (events[next].from != no_node && events[next].to != no_node)
                                  moved += static_cast<double>(events[next].tokens);
                          points_.emplace_back(step,
                                               quantity_ == Quantity::moved ? moved : of(loads));
                      });
    }
    void measure_samples() {
        if (record_->samples.empty())
            throw InputError("the record of " + record_->algorithm +
                             " holds no samples: expected one that is sampled or full");
        if (quantity_ == Quantity::moved && record_->costs.exchanges > 0)
            throw InputError("the record of " + record_->algorithm +
                             " does not say when tokens moved: expected one that is full");
        for (const model::Sample& sample : record_->samples) {
            if (quantity_ == Quantity::local_imbalance &&
                sample.loads.size() != record_->node_count)
                throw InputError("the record of " + record_->algorithm +
                                 " holds no loads at its samples: expected one that is sampled or "
                                 "full");
            points_.emplace_back(sample.step, of(sample));
        }
    }
    [[nodiscard]] double of(const model::Sample& sample) const {
        if (quantity_ == Quantity::discrepancy) return static_cast<double>(sample.discrepancy);
        if (quantity_ == Quantity::potential) return number(sample.potential);
        if (quantity_ == Quantity::moved) return 0;
        return of(sample.loads);
    }

    const Record* record_;
    Quantity quantity_;
    network::AnyNetwork network_;
    std::vector<std::pair<Step, double>> points_;
};

/// What a unit on the axis means: potentials are squares.
double scaled(const Record& record, Quantity quantity, double units) {
    const double tokens = as_tokens(record, units);
    return quantity == Quantity::potential ? as_tokens(record, tokens) : tokens;
}

std::string axis_title(Quantity quantity) {
    switch (quantity) {
        case Quantity::discrepancy:
            return "discrepancy (tokens)";
        case Quantity::potential:
            return "potential n·Σx² − T²  (n nodes, loads x, T tokens)";
        case Quantity::local_imbalance:
            return "local imbalance (tokens)";
        default:
            return "tokens moved across links";
    }
}

double rounds_per_step(const Record& record, Over over) {
    if (over == Over::steps || record.costs.steps == 0) return 1;
    return static_cast<double>(record.costs.rounds) / static_cast<double>(record.costs.steps);
}

/// The parameters for which other runs of the algorithm have another value or none.
std::string telling_parameters(const Record& record, std::span<const Record> records) {
    std::string text;
    for (const auto& parameter : record.parameters) {
        const bool tells = std::any_of(records.begin(), records.end(), [&](const Record& other) {
            const auto found = other.parameters.find(parameter.first);
            return other.algorithm == record.algorithm &&
                   (found == other.parameters.end() || found->second != parameter.second);
        });
        if (tells) text += ' ' + parameter.first + '=' + parameter.second;
    }
    return text;
}

/// Names that distinguish the runs, as short as possible.
std::vector<std::string> names_of(std::span<const Record> records) {
    std::vector<std::string> names;
    for (const Record& record : records)
        names.push_back(record.algorithm);
    const auto extend = [&](const auto& more) {
        const std::vector<std::string> before = names;
        for (std::size_t i = 0; i < records.size(); ++i) {
            std::set<std::string> told;
            for (std::size_t k = 0; k < records.size(); ++k)
                if (before[k] == before[i]) told.insert(more(records[k]));
            if (told.size() > 1) names[i] += more(records[i]);
        }
    };
    extend([&](const Record& record) { return telling_parameters(record, records); });
    for (const auto& [word, member] : {std::pair{" delays=", &model::Asynchrony::delays},
                                       std::pair{" adversary=", &model::Asynchrony::adversary},
                                       std::pair{" faults=", &model::Asynchrony::faults},
                                       std::pair{" ports=", &model::Asynchrony::ports}})
        extend([word = word, member = member](const Record& record) {
            const bool none = !record.asynchrony || ((*record.asynchrony).*member).empty();
            return none ? std::string() : word + (*record.asynchrony).*member;
        });
    extend([](const Record& record) { return record.speeds.empty() ? "" : " with speeds"; });
    extend([](const Record& record) {
        return record.arrivals.empty() ? "" : " arrivals=" + record.arrivals;
    });
    const bool one_network = std::all_of(records.begin(), records.end(), [&](const Record& record) {
        return record.network_digest == records.front().network_digest;
    });
    for (std::size_t i = 0; i < records.size() && !one_network; ++i)
        names[i] += " on " + network_name(records[i]);
    extend([](const Record& record) { return " seed=" + std::to_string(record.seed); });
    return names;
}

std::string title_of(std::span<const Record> records) {
    std::string title = heading(records.front());
    title.pop_back();  // the line's end
    for (const Record& record : records) {
        if (record.network_digest != records.front().network_digest)
            return "Runs on several networks";
        if (heading(record) != heading(records.front()))
            return network_name(record) + ": runs from different loads";
    }
    return title;
}

/// Adds the promises and the best possible for a run.
void add_limits(const Record& record, const std::string& name, std::size_t look,
                const PlotOptions& options, std::vector<Limit>& limits) {
    const model::Guarantee& promise = record.guarantee;
    if (promise.discrepancy && options.quantity == Quantity::discrepancy) {
        const std::string value = in_tokens(record, *promise.discrepancy);
        limits.push_back(
            {LimitKind::promise,
             false,
             as_tokens(record, static_cast<double>(*promise.discrepancy)),
             "≤ " + value,
             name + " is promised a discrepancy of at most " + value + " (beyond the axis)",
             {look}});
    }
    if (promise.steps && options.over == Over::steps) {
        const std::string value = counted(*promise.steps, "step");
        limits.push_back({LimitKind::promise,
                          true,
                          static_cast<double>(*promise.steps),
                          "≤ " + value,
                          name + " is promised to take at most " + value + " (beyond the axis)",
                          {look}});
    }
    if (!record.optimum) return;
    if (record.optimum->steps && options.over == Over::steps) {
        const std::string value = counted(std::uint64_t{*record.optimum->steps}, "step");
        limits.push_back({LimitKind::best,
                          true,
                          static_cast<double>(*record.optimum->steps),
                          value,
                          "best possible: " + value + " (beyond the axis)",
                          {}});
    }
    if (options.quantity == Quantity::moved) {
        const std::string value = counted(record.optimum->exchanges, "exchange");
        limits.push_back({LimitKind::best,
                          false,
                          static_cast<double>(record.optimum->exchanges),
                          value,
                          "best possible: " + value + " (beyond the axis)",
                          {}});
    }
}

Series series_of(const Record& record, const std::string& name, std::size_t look,
                 const PlotOptions& options) {
    Series series{name, look, {}, true, !record.reached};
    const double rounds = rounds_per_step(record, options.over);
    const Measured found(record, options.quantity);
    for (const auto& [step, value] : found.points())
        series.points.push_back(
            {rounds * static_cast<double>(step), scaled(record, options.quantity, value)});
    return series;
}

}  // namespace

const std::vector<std::string>& quantity_words() {
    static const std::vector<std::string> words = {"discrepancy", "potential", "local-imbalance",
                                                   "moved"};
    return words;
}

const std::vector<std::string>& over_words() {
    static const std::vector<std::string> words = {"steps", "rounds"};
    return words;
}

const std::vector<std::string>& axes_words() {
    static const std::vector<std::string> words = {"log-log", "linear", "log-x", "log-y"};
    return words;
}

Quantity quantity_from_word(std::string_view word) {
    return static_cast<Quantity>(place_of_word(word, quantity_words(), "--quantity"));
}

Over over_from_word(std::string_view word) {
    return static_cast<Over>(place_of_word(word, over_words(), "--over"));
}

void set_axes(PlotOptions& options, std::string_view word) {
    set_axes(options.x, options.y, word);
}

void set_axes(Scale& x, Scale& y, std::string_view word) {
    const std::size_t place = place_of_word(word, axes_words(), "--axes");
    x = place == 0 || place == 2 ? Scale::logarithmic : Scale::linear;
    y = place == 0 || place == 3 ? Scale::logarithmic : Scale::linear;
}

Chart plot_chart(std::span<const Record> records, const PlotOptions& options) {
    if (records.empty()) throw InputError("expected at least one record to plot, found none");
    const std::vector<std::string> names = names_of(records);
    Chart chart{title_of(records), {}, {}};
    std::vector<std::string> models;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        auto panel = static_cast<std::size_t>(
            std::find(models.begin(), models.end(), record.model) - models.begin());
        if (panel == models.size()) {
            models.push_back(record.model);
            const std::string& over = over_words().at(static_cast<std::size_t>(options.over));
            chart.panels.push_back({{record.model.empty() ? over : over + " (" + record.model + ")",
                                     options.x, 1, true},
                                    {axis_title(options.quantity), options.y},
                                    {},
                                    {},
                                    {}});
        }
        chart.panels[panel].series.push_back(series_of(record, names[i], i, options));
        add_limits(record, names[i], i, options, chart.panels[panel].limits);
    }
    return chart;
}

std::string plot_csv(const Chart& chart, const PlotOptions& options) {
    const auto word = [](const std::vector<std::string>& words, auto place) {
        std::string name = words.at(static_cast<std::size_t>(place));
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    };
    std::string out = "run," + word(over_words(), options.over) + ',' +
                      word(quantity_words(), options.quantity) + '\n';
    for (const ChartPanel& panel : chart.panels)
        for (const Series& series : panel.series)
            for (const svg::Point& point : series.points)
                out += fmt::format("{},{},{}\n", csv_field(series.name), point.x, point.y);
    return out;
}

std::string plot_svg(std::span<const Record> records, const PlotOptions& options) {
    return chart_svg(plot_chart(records, options));
}

}  // namespace equipoise::report
