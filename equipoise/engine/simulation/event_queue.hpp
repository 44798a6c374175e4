#pragma once
// Events in the order in which they happen.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"

namespace equipoise::engine {

/// Events whose times never decrease from push to push: a ring. Cost O(1), memory in sequence.
template <class Event>
class EventRing {
  public:
    [[nodiscard]] bool empty() const { return first_ == last_; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
    [[nodiscard]] const Event& front() const { return ring_[first_ & mask_]; }
    /// The event `ahead` places behind the first; ahead < size().
    [[nodiscard]] const Event& peek(std::size_t ahead) const {
        return ring_[(first_ + ahead) & mask_];
    }
    void push(const Event& event) {
        if (size() == ring_.size()) grow();
        ring_[last_++ & mask_] = event;
    }
    void pop() { ++first_; }

  private:
    void grow() {
        std::vector<Event> larger(ring_.empty() ? 1024 : 2 * ring_.size());
        const std::size_t count = size();
        for (std::size_t i = 0; i < count; ++i)
            larger[i] = peek(i);
        ring_ = std::move(larger);
        mask_ = ring_.size() - 1;
        first_ = 0;
        last_ = count;
    }

    std::vector<Event> ring_;
    std::uint64_t mask_ = 0;
    std::uint64_t first_ = 0;
    std::uint64_t last_ = 0;
};

/// Events by (time, order of pushing): a binary heap of keys over a slab. Cost O(log events).
template <class Event>
class EventHeap {
  public:
    [[nodiscard]] bool empty() const { return keys_.empty(); }
    [[nodiscard]] const Event& front() const { return events_[keys_.front().slot]; }
    void push(std::uint64_t time, const Event& event) {
        std::uint32_t slot = 0;
        if (free_.empty()) {
            slot = static_cast<std::uint32_t>(events_.size());
            EQUIPOISE_ASSERT(events_.size() < ~std::uint32_t{0});
            events_.push_back(event);
        } else {
            slot = free_.back();
            free_.pop_back();
            events_[slot] = event;
        }
        keys_.push_back({time, pushed_++, slot});
        std::push_heap(keys_.begin(), keys_.end(), later);
    }
    void pop() {
        free_.push_back(keys_.front().slot);
        std::pop_heap(keys_.begin(), keys_.end(), later);
        keys_.pop_back();
    }
    /// Removes all events of which `drops(event)` holds. Cost O(events).
    template <class Drops>
    void erase_if(Drops drops) {
        std::erase_if(keys_, [&](const Key& key) {
            if (!drops(events_[key.slot])) return false;
            free_.push_back(key.slot);
            return true;
        });
        std::make_heap(keys_.begin(), keys_.end(), later);
    }
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Key& key : keys_)
            visit(events_[key.slot]);
    }

  private:
    struct Key {
        std::uint64_t time;
        std::uint64_t order;
        std::uint32_t slot;
    };
    static bool later(const Key& a, const Key& b) {
        return a.time != b.time ? a.time > b.time : a.order > b.order;
    }

    std::vector<Key> keys_;
    std::vector<Event> events_;
    std::vector<std::uint32_t> free_;
    std::uint64_t pushed_ = 0;
};

}  // namespace equipoise::engine
