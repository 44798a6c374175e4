#pragma once
// The words in which messages speak of machines, items and amounts.

#include <string>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// The amount in full, thousands separated: 1,200.5.
[[nodiscard]] std::string exact_amount(const Resource& resource, Int128 amount);

/// Two amounts as people read them (`amount_text`), or in full where they would look the same.
struct AmountWords {
    std::string amount;
    std::string limit;
};
[[nodiscard]] AmountWords amounts_words(const Resource& resource, Tokens amount, Tokens limit);

/// "machine b3"; "outside".
[[nodiscard]] std::string machine_words(const Problem& problem, MachineId machine);

/// Items with a value of a label: "2 copies of t-0" of the thing itself, "1 item of group web" of
/// other labels.
[[nodiscard]] std::string items_words(const Problem& problem, std::size_t label, ValueId value,
                                      Tokens count);

}  // namespace equipoise::reassign
