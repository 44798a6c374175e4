#pragma once
// The independent re-check of a record: from its numbers alone, with neither the algorithms nor the
// engines that made it.

#include <string>
#include <vector>

#include "equipoise/model/run/record.hpp"

namespace equipoise::verify {

/// One thing that was checked.
struct Check {
    std::string name;  ///< "conservation"
    bool passed = false;
    std::string
        detail;  ///< what was compared, with numbers; on failure what was expected and found
};

/// All checks of a record, and the facts that they leave open.
struct Report {
    std::vector<Check> checks;
    std::vector<std::string> unchecked;  ///< what this record cannot show, fields first
    /// The keys of fields that could have other values as far as the record shows. Every other
    /// field is checked: if it alone had another value, a check would fail.
    std::vector<std::string> unchecked_fields;
    /// Whether every check passed.
    [[nodiscard]] bool passed() const;
};

/// Checks a record.
///
/// At every level: the links (or the generator's spec) give the recorded digest; no load is
/// negative (unless the record says that the algorithm allows it); initial + created - destroyed =
/// final tokens; discrepancies and local imbalance are those of the loads; the reason for the end
/// fits the final loads; if the end was reached, the guarantee is met. `sampled`: discrepancy,
/// potential and tokens of every sample. `full`: every transfer moves at least one token along a
/// link, in the order of steps, no node sends a token that it does not hold, single-port steps give
/// every node one partner at most and single-token ones one send and one receive, with churn
/// nothing moves at nodes or over links that are down, and a node that goes hands over all its
/// tokens to its lowest-numbered live neighbour; the transfers lead from the initial loads through
/// every sample to the final ones, and their sum is the count of exchanges.
///
/// Cost O(nodes + links + samples * nodes + transfers * log degree). Never throws because of what a
/// record claims; contradictions are failed checks.
[[nodiscard]] Report verify(const model::Record& record);

}  // namespace equipoise::verify
