#pragma once
// How many copies things are to have: those that are missing come from outside, those that are too
// many are dropped.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/load/items.hpp"
#include "equipoise/reassign/input/instance.hpp"

namespace equipoise::reassign {

/// What `--replicas` says.
struct AskedCopies {
    struct Of {
        std::string name;  ///< of a thing or a topic; empty: all that nothing else names
        std::uint32_t copies = 0;
    };
    std::vector<Of> all;
};

/// `N` or `NAME=N`, each in a text of its own. Throws InputError naming the option.
[[nodiscard]] AskedCopies asked_copies(const std::vector<std::string>& texts);

/// Adds the copies that are missing: items after all others, which are outside (`Problem::outside`)
/// and are otherwise like the item of their thing that leads or, where none does, the first. Rules,
/// aims and rates are set before; `given_ends` and `given_leaders` are not. Throws InputError for
/// names that the problem does not have, for more copies than there are machines that are not
/// drained, and for more items than `items_max` and `amounts_max` allow.
void add_copies(const AskedCopies& asked, Instance& instance);

/// Takes the copies out that are too many, and lists them as dropped. None goes that leads, unless
/// it must leave its machine and another copy of its thing may stay where it is: then the first
/// such copy leads in its place. Those of `given` go first, as far as they are not too many. Of the
/// others, one after the other and the largest things first: if possible none that is to stay; so
/// that the thing breaks rules of spread least; one that must leave its machine; none that leads;
/// and of the rest the one on the fullest machine, which is the one with the most of the first
/// resource to be level (or of `Problem::copied`) beside its speed, and the last of these. Cost
/// O(items log items + dropped times copies of a thing). Throws as `add_copies`.
void drop_copies(const AskedCopies& asked, std::span<const load::ItemDrop> given,
                 Instance& instance);

/// The items that lead in the place of copies that are dropped.
[[nodiscard]] std::vector<ItemId> successors(const Instance& instance);

/// The dropped copy that the line means, or the end of the list.
[[nodiscard]] std::vector<DroppedCopy>::iterator find_dropped(std::vector<DroppedCopy>& dropped,
                                                              const load::ItemDrop& line);
/// Why there is none: "t-0 is not to lose a copy on machine b1".
[[nodiscard]] std::string words_of_wrong_drop(const Problem& problem, const load::ItemDrop& line);

}  // namespace equipoise::reassign
