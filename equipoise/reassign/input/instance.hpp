#pragma once
// A problem with what was said about it when it was read.

#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

struct Instance {
    std::string origin;  ///< the file of items
    Problem problem;     ///< after the moves that are done
    /// Whether nobody asked for a level, so that the file's columns decided.
    bool level_by_default = false;
    bool are_partitions = false;  ///< whether the items are Kafka's, `topic-partition` on brokers
    std::uint64_t resumed = 0;    ///< moves that are done
    Step resumed_waves = 0;       ///< waves that are done, in part or whole
    std::vector<std::string> notes;  ///< for people: unused columns, what was decided, ...
};

}  // namespace equipoise::reassign
