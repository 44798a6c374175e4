#include "equipoise/catalogue/registry/common/send.hpp"

#include <algorithm>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/protocols/send.hpp"

namespace equipoise::catalogue {

namespace {

std::string degrees(Tokens times) {
    return times == 1 ? "the largest degree" : std::to_string(times) + " times the largest degree";
}

Tokens given(const Task& task) {
    return static_cast<Tokens>(task.parameters.whole("divisor"));
}

}  // namespace

Parameter divisor_parameter(Tokens times_degree) {
    return whole_parameter(
        "divisor", "0", {0, static_cast<double>(protocols::Send::divisor_max)},
        "D: the load divided by D goes through every port; 0: " + degrees(times_degree));
}

Tokens largest_degree(const Task& task) {
    return std::max<Tokens>(1, task.facts.network().degree_max());
}

Tokens divisor_of(const Task& task, Tokens times_degree) {
    const Tokens divisor = given(task);
    return divisor == 0 ? times_degree * largest_degree(task) : divisor;
}

void expect_divisor(const Task& task, Tokens times_degree) {
    expect_connected(task);
    const Tokens least = times_degree * largest_degree(task);
    const Tokens divisor = given(task);
    if (divisor != 0 && divisor < least)
        throw UnsuitableError("with divisor=" + std::to_string(divisor) +
                              " a node may send more than it has: expected 0, or " +
                              std::to_string(least) + " or more (" + degrees(times_degree) + ")");
    if (divisor_of(task, times_degree) > protocols::Send::divisor_max)
        throw UnsuitableError("the largest degree is " + std::to_string(largest_degree(task)) +
                              ": expected at most " +
                              std::to_string(protocols::Send::divisor_max / times_degree));
}

}  // namespace equipoise::catalogue
