#pragma once
// Things that callers know by numbers. Fortran copies handles whenever it likes: a number can be
// copied, too, and what has been freed is found by none of its copies.

#include <cstdint>
#include <mutex>

namespace equipoise::capi {

/// What a register has in its list.
struct Numbered {
    std::int64_t number = 0;
    Numbered* next = nullptr;
};

/// The things of a kind that are alive. Allocates nothing, so that no rank can fail alone. For
/// threads; cost of a call: O(things).
template <class Thing>
class Register {
  public:
    /// Gives a thing its number, which no other has had; null: 0.
    [[nodiscard]] std::int64_t add(Thing* thing) noexcept {
        if (thing == nullptr) return 0;
        const std::scoped_lock lock(mutex_);
        thing->number = ++last_;
        thing->next = first_;
        first_ = thing;
        return thing->number;
    }
    /// The thing of this number; null if there is none (any more).
    [[nodiscard]] Thing* find(std::int64_t number) noexcept {
        const std::scoped_lock lock(mutex_);
        return static_cast<Thing*>(*place_of(number));
    }
    /// The same, and forgets it.
    [[nodiscard]] Thing* take(std::int64_t number) noexcept {
        const std::scoped_lock lock(mutex_);
        Numbered** const place = place_of(number);
        Numbered* const thing = *place;
        if (thing != nullptr) *place = thing->next;
        return static_cast<Thing*>(thing);
    }

  private:
    Numbered** place_of(std::int64_t number) noexcept {
        Numbered** place = &first_;
        while (*place != nullptr && (*place)->number != number)
            place = &(*place)->next;
        return place;
    }

    std::mutex mutex_;
    Numbered* first_ = nullptr;
    std::int64_t last_ = 0;
};

}  // namespace equipoise::capi
