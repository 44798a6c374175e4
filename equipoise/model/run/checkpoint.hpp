#pragma once
// The file from which a run can be resumed: what was asked of it, its books, and what nodes and
// links hold between two steps.
//
// A line of JSON, a line with its digest, then one section after another: the loads by node, the
// states of nodes and those of links, in the order of their numbers, so that nothing depends on how
// many ranks wrote it. Every 65,536 values are followed by their digest, so that a rank can check
// the part that it reads without reading the rest.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/observer.hpp"

namespace equipoise::model {

/// The books of a synchronous run between two steps.
struct RunBooks {
    Costs costs;
    Tokens created = 0;              ///< tokens made so far
    Tokens destroyed = 0;            ///< tokens removed so far
    std::uint64_t steps_quiet = 0;   ///< consecutive steps without a token moved
    std::uint64_t steps_stable = 0;  ///< consecutive steps without a steep active link
    /// The smallest load so far, of rules under which loads may fall below 0.
    std::optional<Tokens> least_load = {};
    /// The first step such that the discrepancy after it and after every later step so far is the
    /// present one.
    std::optional<Step> level_since = {};
    friend bool operator==(const RunBooks&, const RunBooks&) = default;
};

/// Values of one kind, one for each node or link.
struct CheckpointSection {
    std::string name;  ///< "loads", "node states", "link states", "port states"
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;  ///< of one value
    friend bool operator==(const CheckpointSection&, const CheckpointSection&) = default;
};

struct Checkpoint {
    /// What was asked of the run, by name: "algorithm", "network", "seed", ...
    std::vector<std::pair<std::string, std::string>> run;
    RunBooks books;
    std::vector<CheckpointSection> sections;
    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

/// How many values share a digest.
inline constexpr std::uint64_t checkpoint_block = std::uint64_t{1} << 16U;

/// The digest of the first line, as the second line holds it.
[[nodiscard]] std::string checkpoint_digest(std::string_view line);

/// Writes the file piece by piece: the values of all sections in order.
class CheckpointWriter {
  public:
    using Sink = std::function<void(std::string_view bytes)>;
    CheckpointWriter(Sink sink, const Checkpoint& checkpoint);

    /// Writes the next values of the current section: a whole number of blocks, or all that are
    /// left.
    void write(std::span<const std::byte> values);

  private:
    Sink sink_;
    std::vector<CheckpointSection> sections_;
    std::size_t section_ = 0;
    std::uint64_t done_ = 0;  ///< values of the current section that are written
};

/// Reads such a file. Any fault in it is reported by an InputError that begins with its name.
class CheckpointReader {
  public:
    /// Reads the first lines and compares the length of the file with what they announce. The
    /// stream must outlive the reader.
    CheckpointReader(std::istream& stream, std::string name);

    [[nodiscard]] const Checkpoint& checkpoint() const { return checkpoint_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    /// The section of this name; throws InputError if it is missing or does not have this shape.
    [[nodiscard]] const CheckpointSection& expect_section(std::string_view section,
                                                          std::uint64_t count) const;
    /// Calls `use(first, values)` block by block for all blocks that hold values begin .. end-1 of
    /// a section. Throws InputError for a block whose digest differs.
    using Use = std::function<void(std::uint64_t first, std::span<const std::byte> values)>;
    void read(const CheckpointSection& section, std::uint64_t begin, std::uint64_t end,
              const Use& use);

  private:
    std::istream& stream_;
    std::string name_;
    Checkpoint checkpoint_;
    std::uint64_t first_byte_ = 0;  ///< of the first section
};

}  // namespace equipoise::model
