#pragma once
// The network of a record: as listed, or generated again.

#include "equipoise/model/run/record.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::model {

/// The network that a record lists or, if the record only names a generator's spec, the one that
/// the spec makes. Counts are compared before anything is made, the digest after. Throws InputError
/// naming what does not agree with the record. Cost O(nodes + links).
[[nodiscard]] network::AnyNetwork network_of(const Record& record);

/// Throws InputError unless the matchings, weights, tree and colouring that the record says the
/// caller gave fit its network.
void expect_given(const Record& record, const network::AnyNetwork& network);

}  // namespace equipoise::model
