#include "benchmarks/placement/instances.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/random.hpp"

namespace equipoise::benchmarks {

namespace {

/// A draw of mean 0 and deviation 1 (Box and Muller).
double normal(RandomStream& random) {
    const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
    return radius * std::cos(2 * std::numbers::pi * random.unit());
}

/// Steps whose weights are about 1 / items_per_rank, so that a rank has about a second.
Trace even(const std::string& name, std::size_t ranks, std::size_t items_per_rank,
           std::size_t steps, RandomStream& random) {
    Trace trace{name, {}, {}, {}, {}};
    std::vector<double> weights;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        for (std::size_t i = 0; i < items_per_rank; ++i) {
            trace.rank.push_back(static_cast<int>(rank));
            weights.push_back((0.5 + random.unit()) / static_cast<double>(items_per_rank));
            trace.bytes.push_back(static_cast<double>(1000 + random.below(9000)));
        }
    }
    trace.weights.assign(steps, weights);
    trace.fixed.assign(steps, std::vector<double>(ranks, 0));
    return trace;
}

}  // namespace

Trace read_vt(const std::string& folder, const std::string& name) {
    std::map<std::int64_t, std::filesystem::path> files;  // by rank
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string stem = entry.path().stem().string();
        if (entry.path().extension() == ".json")
            files[std::stoll(stem.substr(stem.rfind('.') + 1))] = entry.path();
    }
    std::map<std::int64_t, std::size_t> item_of;  // by id
    Trace trace{name, {}, {}, {}, {}};
    std::size_t rank = 0;
    bool sizes = true;
    for (const auto& [number, path] : files) {
        const nlohmann::json json = parse_json(read_json_text(path.string()), path.string());
        std::size_t step = 0;
        for (const auto& phase : json.at("phases")) {
            if (trace.weights.size() <= step) {
                trace.weights.emplace_back(item_of.size(), 0);
                trace.fixed.emplace_back(files.size(), 0);
            }
            for (const auto& task : phase.at("tasks")) {
                const auto& entity = task.at("entity");
                const double time = task.at("time");
                if (!entity.at("migratable")) {
                    trace.fixed[step][rank] += time;
                    continue;
                }
                const auto [found, is_new] = item_of.emplace(entity.at("id"), item_of.size());
                if (is_new) {
                    trace.rank.push_back(static_cast<int>(rank));
                    const auto user = task.find("user_defined");
                    const bool sized =
                        user != task.end() && user->contains("task_serialized_bytes");
                    sizes = sizes && sized;
                    trace.bytes.push_back(sized ? user->at("task_serialized_bytes").get<double>()
                                                : 0);
                }
                for (auto& weights : trace.weights)
                    weights.resize(item_of.size(), 0);
                trace.weights[step][found->second] += time;
            }
            ++step;
        }
        ++rank;
    }
    if (trace.weights.empty()) throw InputError(folder + ": expected traces, found none");
    if (!sizes) trace.bytes.clear();
    return trace;
}

Trace steps_of(const Trace& trace, const std::string& name, const std::vector<std::size_t>& steps) {
    Trace chosen{name, trace.rank, trace.bytes, {}, {}};
    for (const std::size_t step : steps) {
        chosen.weights.push_back(trace.weights[step]);
        chosen.fixed.push_back(trace.fixed[step]);
    }
    return chosen;
}

Trace zipf(std::size_t ranks, std::size_t items_per_rank, std::uint64_t seed) {
    RandomStream random(seed, Purpose::loads, 1);
    Trace trace = even("Zipf", ranks, items_per_rank, 1, random);
    std::vector<double>& weights = trace.weights[0];
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i)
        sum += weights[i] = 1 / static_cast<double>(i + 1);
    for (std::size_t i = weights.size(); i > 1; --i)
        std::swap(weights[i - 1], weights[random.below(i)]);
    for (double& weight : weights)
        weight *= static_cast<double>(ranks) / sum;
    return trace;
}

Trace bimodal(std::size_t ranks, std::size_t items_per_rank, std::uint64_t seed) {
    RandomStream random(seed, Purpose::loads, 2);
    Trace trace = even("bimodal", ranks, items_per_rank, 1, random);
    std::vector<double> heavy(ranks);  // how many of ten items
    for (double& each : heavy)
        each = 0.2 * random.unit();
    for (std::size_t i = 0; i < trace.rank.size(); ++i) {
        if (random.unit() < heavy[static_cast<std::size_t>(trace.rank[i])])
            trace.weights[0][i] *= 10;
    }
    return trace;
}

Trace walk(std::size_t ranks, std::size_t items_per_rank, std::size_t steps, double s,
           std::uint64_t seed) {
    RandomStream random(seed, Purpose::loads, 3);
    Trace trace = even("drift: walk", ranks, items_per_rank, steps, random);
    for (std::size_t step = 1; step < steps; ++step) {
        trace.weights[step] = trace.weights[step - 1];
        for (double& weight : trace.weights[step])
            weight *= std::exp(s * normal(random));
    }
    return trace;
}

Trace growth(std::size_t ranks, std::size_t items_per_rank, std::size_t steps, double rate,
             std::uint64_t seed) {
    RandomStream random(seed, Purpose::loads, 4);
    Trace trace = even("drift: growth", ranks, items_per_rank, steps, random);
    std::vector<double> rates(ranks);
    for (double& each : rates)
        each = rate * random.unit();
    for (std::size_t step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < trace.rank.size(); ++i)
            trace.weights[step][i] *=
                1 + static_cast<double>(step) * rates[static_cast<std::size_t>(trace.rank[i])];
    }
    return trace;
}

Trace hot_spot(std::size_t ranks, std::size_t items_per_rank, std::size_t steps, double speed,
               std::uint64_t seed) {
    RandomStream random(seed, Purpose::loads, 5);
    Trace trace = even("drift: hot spot", ranks, items_per_rank, steps, random);
    const auto size = static_cast<double>(ranks);
    for (std::size_t step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < trace.rank.size(); ++i) {
            const double place = static_cast<double>(i) / static_cast<double>(items_per_rank);
            double distance = std::fmod(place - speed * static_cast<double>(step), size);
            distance = std::remainder(distance, size) / 3;
            trace.weights[step][i] *= 1 + 3 * std::exp(-distance * distance);
        }
    }
    return trace;
}

Trace spikes(std::size_t ranks, std::size_t items_per_rank, std::size_t steps, double length,
             std::uint64_t seed) {
    RandomStream random(seed, Purpose::loads, 6);
    Trace trace = even("spikes", ranks, items_per_rank, steps, random);
    std::size_t step = 10;
    while (step < steps) {
        const auto hit = static_cast<int>(random.below(ranks));
        do {
            for (std::size_t i = 0; i < trace.rank.size(); ++i) {
                if (trace.rank[i] == hit) trace.weights[step][i] *= 4;
            }
            ++step;
        } while (step < steps && random.unit() >= 1 / length);
        step += 5 + random.below(20);
    }
    return trace;
}

Trace noise(std::size_t ranks, std::size_t items_per_rank, std::size_t steps, double s,
            bool whole_ranks, std::uint64_t seed) {
    RandomStream random(seed, Purpose::loads, 7);
    Trace trace = even(whole_ranks ? "noise of ranks" : "noise of items", ranks, items_per_rank,
                       steps, random);
    for (auto& weights : trace.weights) {
        double factor = 1;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            if (!whole_ranks || i % items_per_rank == 0) factor = std::exp(s * normal(random));
            weights[i] *= factor;
        }
    }
    return trace;
}

}  // namespace equipoise::benchmarks
