#include "equipoise/reassign/bounds/phrases.hpp"

#include <algorithm>

#include "equipoise/base/figures.hpp"
#include "equipoise/reassign/checks/words.hpp"

namespace equipoise::reassign {

namespace {

/// As many as are named one by one.
constexpr std::size_t named_most = 4;

std::string others(std::size_t number) {
    return counted(std::uint64_t{number}, "other");
}

}  // namespace

std::string amount_words(const Problem& problem, std::size_t resource, Int128 amount) {
    const auto tokens = static_cast<Tokens>(amount);
    if (resource == items_resource) return counted(tokens, "item");
    const Resource& kind = problem.resources[resource];
    return amount_text(kind, amount) + " of " + kind.name;
}

std::string some_machines(const Problem& problem, std::span<const MachineId> machines) {
    std::string text;
    const std::size_t named =
        machines.size() <= named_most + 1 ? machines.size() : std::size_t{named_most};
    for (std::size_t i = 0; i < named; ++i) {
        const bool is_last = i + 1 == machines.size();
        if (i > 0) text += is_last ? " and " : ", ";
        text += problem.machine_name(machines[i]);
    }
    if (named < machines.size()) text += " and " + others(machines.size() - named);
    return text;
}

std::string shares_words(const Problem& problem, std::size_t resource,
                         std::vector<std::pair<MachineId, Int128>> amounts) {
    std::stable_sort(amounts.begin(), amounts.end(),
                     [](const auto& one, const auto& other) { return one.second > other.second; });
    std::string text;
    const std::size_t named =
        amounts.size() <= named_most + 1 ? amounts.size() : std::size_t{named_most};
    for (std::size_t i = 0; i < named; ++i)
        text += (i > 0 ? ", " : "") + problem.machine_name(amounts[i].first) + " " +
                amount_words(problem, resource, amounts[i].second) +
                (problem.drained[amounts[i].first] ? " (drained)" : "");
    Int128 rest = 0;
    for (std::size_t i = named; i < amounts.size(); ++i)
        rest += amounts[i].second;
    if (named < amounts.size())
        text += ", " + others(amounts.size() - named) + " " + amount_words(problem, resource, rest);
    return text;
}

void add_reason(std::string& reasons, const std::string& reason) {
    if (reason.empty()) return;
    if (!reasons.empty()) reasons += "; ";
    reasons += reason;
}

}  // namespace equipoise::reassign
