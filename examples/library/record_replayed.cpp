// A record: written, read, verified without any algorithm, played again; and a forged one is found.
// Build: the target example_record_replayed, or as examples/README.md says.
// Look at what is promised of records: anyone can check what a run claims, from its numbers alone.

#include <iostream>

#include <equipoise/equipoise.hpp>
#include <equipoise/model/run/record_json.hpp>
#include <equipoise/verify/verify.hpp>

namespace model = equipoise::model;

int main() {
    const auto network = equipoise::network::generate("random-tree:n=40", 7);
    const auto loads = equipoise::load::make_loads("zipf:tokens=2000", network, 7);
    equipoise::RunOptions options;
    options.seed = 7;
    options.record_level = model::RecordLevel::full;
    equipoise::run("coin-averaging", network, loads, options).write("run.json");

    model::Record record = model::read_record("run.json");
    std::cout << record.algorithm << ": " << record.transfers.size() << " transfers, discrepancy "
              << record.initial_discrepancy << " to " << record.final_discrepancy << '\n';
    const auto report = equipoise::verify::verify(record);
    std::cout << report.checks.size() << " checks " << (report.passed() ? "passed" : "failed")
              << '\n';
    const auto replay = equipoise::catalogue::replay(record);
    std::cout << "played again: " << (replay.same ? "the same, " : "not the same, ")
              << replay.detail << '\n';

    record.transfers[5].tokens += 1;  // a small lie
    for (const auto& check : equipoise::verify::verify(record).checks)
        if (!check.passed) std::cout << "forged: " << check.name << ": " << check.detail << '\n';
}
