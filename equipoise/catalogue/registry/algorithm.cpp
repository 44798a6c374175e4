#include "equipoise/catalogue/registry/algorithm.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/registry/entries/entries.hpp"

namespace equipoise::catalogue {

namespace {

/// The entries in the order of help. If several follow the same entry, those that no other entry
/// follows come first; otherwise they are ordered by name.
std::vector<Algorithm> in_order(const std::vector<Algorithm>& entries) {
    std::multimap<std::string, const Algorithm*> behind;
    for (const Algorithm& entry : entries)
        behind.emplace(entry.after, &entry);
    std::vector<Algorithm> ordered;
    const std::function<void(const std::string&)> place = [&](const std::string& name) {
        const auto [begin, end] = behind.equal_range(name);
        for (const bool last : {true, false})
            for (auto entry = begin; entry != end; ++entry) {
                if (behind.contains(entry->second->name) == last) continue;
                ordered.push_back(*entry->second);
                place(entry->second->name);
            }
    };
    place("");
    EQUIPOISE_ASSERT(ordered.size() == entries.size());
    return ordered;
}

}  // namespace

std::string to_string(StepModel model) {
    switch (model) {
        case StepModel::single_port:
            return "single-port";
        case StepModel::single_token:
            return "single-token";
        case StepModel::multi_port:
            return "multi-port";
        case StepModel::asynchronous:
            return "asynchronous";
    }
    return "unknown";
}

void expect_connected(const Task& task) {
    if (!task.facts.connected())
        throw UnsuitableError(
            "the network is not connected: expected one component (--largest-component keeps the "
            "largest)");
}

model::Guarantee promise_nothing(const Task& /*task*/) {
    return {};
}

DefaultStop stop_by_itself(const Task& /*task*/) {
    return {};
}

bool moves_single_tokens(const Algorithm& algorithm) {
    return algorithm.model == StepModel::single_token ||
           (algorithm.model == StepModel::single_port && algorithm.one_token_a_link);
}

const std::vector<Algorithm>& algorithms() {
    static const std::vector<Algorithm> table = in_order(entries::all());
    return table;
}

const Algorithm& find_algorithm(std::string_view name) {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms()) {
        const std::vector<std::string>& former = algorithm.former_names;
        if (algorithm.name == name || std::find(former.begin(), former.end(), name) != former.end())
            return algorithm;
        names.push_back(algorithm.name);
    }
    const std::string near = did_you_mean(name, names);
    throw InputError("unknown algorithm \"" + std::string(name) + '"' +
                     (near.empty() ? ": expected one that equipoise algorithms lists" : near));
}

}  // namespace equipoise::catalogue
