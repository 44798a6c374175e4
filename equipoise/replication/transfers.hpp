#pragma once
// From which machine each copy comes, and in which wave.

#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/replication/problem.hpp"

namespace equipoise::replication {

/// A copy of an item goes from one machine to another in a wave (counted from 0).
struct Transfer {
    Step wave = 0;
    ItemId item = 0;
    MachineId from = 0;
    MachineId to = 0;
    friend bool operator==(const Transfer&, const Transfer&) = default;
};

struct Transfers {
    std::vector<Transfer> list;  ///< in the order of waves
    Step waves = 0;
    Step waves_at_least = 0;  ///< of any way to the placement
    std::string reason;       ///< of the bound, in words
};

/// The transfers that make `placement` of the present one, in few waves: in a wave a machine gives
/// at most `at_once` copies and takes at most as many; it gives what it had in the beginning or got
/// in an earlier wave. New copies wait beside the slots until all have arrived, so what is there
/// stays readable all the while. No transfer brings an item that no machine had in the beginning:
/// it comes from where the items are stored. `at_once` is at least 1.
[[nodiscard]] Transfers plan_transfers(const Problem& problem, const std::vector<ItemId>& placement,
                                       Tokens at_once);

/// Replays transfers by these rules; empty if they hold and lead to `placement`, otherwise the
/// first that does not, in words.
[[nodiscard]] std::string fault_of(const Problem& problem, const std::vector<ItemId>& placement,
                                   const Transfers& transfers, Tokens at_once);

}  // namespace equipoise::replication
