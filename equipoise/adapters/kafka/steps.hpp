#pragma once
// A bash script that carries a reassignment out with Kafka's own tools, and the files it needs.

#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/adapters/kafka/reassignment.hpp"
#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/file_set.hpp"

namespace equipoise::kafka {

/// Given steps.sh, that script and the files beside it: the waves (steps-0.json, ...), the way back
/// (steps-rollback-0.json, ...), the partitions that change as they end (steps-end.json), and those
/// whose leaders are elected (steps-leaders.json, steps-rollback-leaders.json). The script comes
/// last. It may be stopped at any moment and run again: it asks kafka-reassign-partitions --verify
/// how the partitions stand, and goes on. Throws InputError for a path that does not end in .sh and
/// for names that are not Kafka's.
[[nodiscard]] std::vector<NamedText> steps(const Reassignment& reassignment,
                                           const std::string& path);

/// Throws InputError for a path that does not end in .sh.
void expect_script_name(const std::string& path);

/// All files that may be written for that script, whatever the plan.
void add_files_of_steps(FileSet& files, const std::string& path);

/// Writes them, all or none (`write_files`); all may execute the script who may read it. Throws
/// InputError, also if there is a file of an earlier plan that would seem to be of this one.
void write_steps(const Reassignment& reassignment, const std::string& path);

/// The throttles of all waves, forward and back, one a line: forward or back, the number of the
/// wave, brokers or topics, the name, and for leaders and followers a rate in bytes a second or a
/// list of partition:broker, `-` for none. As Kafka's own tool does it, all replicas of before
/// count as leaders, since each may come to lead. Empty where no rates are known.
[[nodiscard]] std::string throttle_lines(const Reassignment& reassignment);

}  // namespace equipoise::kafka
