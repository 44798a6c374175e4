#pragma once
// Plans of items that move between machines in waves, as the command line and Python ask for them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/adapters/kafka/partition_waves.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/optimum/waves/check.hpp"
#include "equipoise/optimum/waves/planner.hpp"
#include "equipoise/optimum/waves/problem.hpp"
#include "equipoise/report/answers/waves.hpp"

namespace equipoise::catalogue {

/// The options of plans for items, named as on the command line, where --help describes them.
struct WavesRequest {
    std::string sizes;     ///< a CSV file item,node,size, or what Kafka's tools print of partitions
    std::string loads;     ///< in its place a CSV file node,tokens: items without names
    std::string log_dirs;  ///< the output of kafka-log-dirs --describe
    std::vector<std::string> nodes = {};  ///< names of nodes that hold nothing yet
    std::vector<std::string> drain = {};
    std::vector<std::string> pinned = {};
    /// `floor-ceil`, `at-most:SIZE`, `exact:DELTA`, `speeds:FILE.csv` or `places:FILE`.
    std::string target = "floor-ceil";
    std::optional<double> tolerance = {};
    std::string rates;
    std::string capacities;
    std::optional<std::uint64_t> at_once = {};  ///< nothing: 1 or, with rates, no limit
    /// A CSV file of the moves that are done, the file of Kafka's last wave that is done, or what
    /// kafka-reassign-partitions --verify or --list printed.
    std::string resume;
    /// Texts in place of files, by option: "sizes", "log-dirs", "target", ... The value of the
    /// option (in the target, what follows `places:` or `speeds:`) is then the name of the text in
    /// messages.
    std::map<std::string, std::string> texts = {};

    /// Throws InputError unless there are items, the numbers are in range and the files are there.
    void check() const;
};

using report::ItemsInstance;
using report::PlannedItems;

/// A schedule that was judged.
struct JudgedItems {
    ItemsInstance instance;
    optimum::WaveVerdict verdict;
    report::JudgedWords words;
};

/// Throws InputError as the readers of files do.
[[nodiscard]] ItemsInstance make_items(const WavesRequest& request);

/// Finds a plan (optimum::plan_waves). Throws as it does, and as `make_items`.
[[nodiscard]] PlannedItems plan_items(const WavesRequest& request);

/// Judges the schedule of a file, or of the text "check"; given a file of one of Kafka's waves,
/// that file and all that follow it. Throws as `make_items`, and InputError for invalid lines.
[[nodiscard]] JudgedItems judge_items(const WavesRequest& request, const std::string& schedule);

/// How messages call the instance's nodes and items. The instance outlives it.
class ItemNames : public optimum::WaveNames {
  public:
    explicit ItemNames(const load::Items& items) : items_(items) {}
    [[nodiscard]] std::string node(NodeId node) const override { return items_.node_name(node); }
    [[nodiscard]] std::string item(optimum::ItemId item) const override {
        return items_.thing.empty() ? "number " + std::to_string(item) : items_.name(item);
    }

  private:
    const load::Items& items_;
};

}  // namespace equipoise::catalogue
