#pragma once
// Records as JSON text: the file format that `verify`, replays, reports and other programs read.
//
// One object. Top-level keys are on lines of their own, and long lists have one entry per line if
// the entries are lists, so that files can be compared by line. Token counts and steps are
// integers; potentials, which may exceed 64 bits, are decimal strings; digests are 16 hexadecimal
// digits. Schema version 2; records of version 1 are read. Every key of a version is required; what
// does not apply to a run is null.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/model/run/record.hpp"

namespace equipoise::model {

/// The record as JSON. `record_from_json(to_json(r))` equals r in every field, except that bytes of
/// names which are not UTF-8 become replacement characters. Cost O(nodes + links + samples * nodes
/// + transfers). Throws InputError for a record of version 1 that lacks what later ones must hold.
[[nodiscard]] std::string to_json(const Record& record);

/// Parses a record; `name` stands for the text in messages. Checks form only (kinds, ranges of
/// numbers, no missing or unknown key); `verify` checks whether the numbers are true. Throws
/// InputError naming `name`, the line or the place in the object, what was expected and what was
/// found.
[[nodiscard]] Record record_from_json(std::string_view text, const std::string& name);

/// Writes a record to a temporary file that is then renamed. Throws InputError when it cannot.
void write_record(const Record& record, const std::string& path);

/// Reads a record from a file. Throws InputError as `record_from_json`, or when it cannot be read.
[[nodiscard]] Record read_record(const std::string& path);
/// The records of several files, in the order of `paths`. Throws as `read_record`.
[[nodiscard]] std::vector<Record> read_records(std::span<const std::string> paths);

}  // namespace equipoise::model
