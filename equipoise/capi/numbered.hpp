#pragma once
// Things that callers know by numbers. Fortran copies handles whenever it likes: numbers may be
// copied as well, and once a thing is freed none of the copies of its number finds it.

#include <cstdint>
#include <mutex>

namespace equipoise::capi {

/// The members by which a register keeps a thing in its list.
struct Numbered {
    std::int64_t number = 0;
    Numbered* next = nullptr;
};

/// The living things of one kind. Allocates nothing, so that no rank can fail alone. Thread-safe;
/// cost of a call: O(things).
template <class Thing>
class Register {
  public:
    /// Gives a thing a number that no other thing has had; null gets 0.
    [[nodiscard]] std::int64_t add(Thing* thing) noexcept {
        if (thing == nullptr) return 0;
        const std::scoped_lock lock(mutex_);
        thing->number = ++last_;
        thing->next = first_;
        first_ = thing;
        return thing->number;
    }
    /// The thing with this number; null if there is none, or none any more.
    [[nodiscard]] Thing* find(std::int64_t number) noexcept {
        const std::scoped_lock lock(mutex_);
        return static_cast<Thing*>(*place_of(number));
    }
    /// The same; removes it from the register.
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
