#pragma once
// Sweeps into files of the tests' own.

#include <cstdint>
#include <cstdio>
#include <map>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/catalogue/studies/sweep.hpp"

namespace equipoise::test {

class SweepTest : public testing::Test {
  protected:
    std::string csv_ = testing::TempDir() + "equipoise_sweep_" +
                       testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() +
                       testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
    void TearDown() override {
        std::remove(csv_.c_str());
        std::remove((csv_ + ".partial").c_str());
    }
    [[nodiscard]] catalogue::SweepOptions options(int threads = 1) const {
        catalogue::SweepOptions options;
        options.csv = csv_;
        options.threads = threads;
        return options;
    }
    /// Begins a sweep that is asked to end after a number of rows.
    void end_after(std::uint64_t rows, const catalogue::Scenario& scenario) const {
        std::stop_source source;
        catalogue::SweepOptions some = options();
        some.interrupt = source.get_token();
        some.progress = [&](std::uint64_t done, std::uint64_t /*all*/) {
            if (done == rows) source.request_stop();
        };
        EXPECT_EQ(sweep(scenario, some).ran, rows);
    }
};

/// The rows of a CSV file by the names of their fields.
inline std::vector<std::map<std::string, std::string>> rows_of(const std::string& csv) {
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> names = csv_fields(line).value();
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(lines, line)) {
        const std::vector<std::string> fields = csv_fields(line).value();
        EXPECT_EQ(fields.size(), names.size()) << line;
        rows.emplace_back();
        for (std::size_t i = 0; i < names.size(); ++i)
            rows.back()[names[i]] = fields[i];
    }
    return rows;
}

}  // namespace equipoise::test
