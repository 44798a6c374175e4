#pragma once
// Leaders of many groups, levelled by the flow and by a greedy rule.

namespace equipoise::benchmarks {

/// Prints, for several sizes, how many groups change their leader and what machines lead above
/// their shares in the end, with the seconds that this takes.
void compare_leaders();

}  // namespace equipoise::benchmarks
