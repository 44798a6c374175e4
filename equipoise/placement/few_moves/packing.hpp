#pragma once
// Brings every rank under a level: sheds items and packs them where they fit.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/placement/few_moves/pool.hpp"
#include "equipoise/placement/few_moves/room_tree.hpp"

namespace equipoise::placement {

/// Packs the items of one pool at any number of levels.
class Packing {
  public:
    /// How many items beyond the necessary ones are shed, and smaller ones: none at 0, then more
    /// and more.
    static constexpr int generosity_max = 4;

    /// Cost O(items log items).
    Packing(const Pool& pool, const Capacity& capacity);

    /// Sheds and packs, from all items at home. Returns whether no rank is above the level;
    /// `found` is valid in any case. Cost O((items shed + ranks) log ranks); with bytes or several
    /// kinds O(items log items).
    bool fit(double level, int generosity, Assignment& found);

    /// The rank with the largest excess gives away its largest item that still fits somewhere, or
    /// the smallest that is enough; this is repeated. Returns as `fit` does. Cost O((items given +
    /// ranks) * log ranks + items passed over).
    bool give(double level, Assignment& found);

    /// Takes all items by falling size: home where there is room, otherwise to the rank with the
    /// most room. Returns as `fit` does. Cost O(items log items).
    bool home_first(double level, Assignment& found);

    /// Takes all items by falling size to the rank that is then lowest. Where ranks are alike, the
    /// parts then get the ranks that keep most items at home. With several kinds or unequal speeds,
    /// cost O(items * ranks).
    [[nodiscard]] Assignment longest_first() const;

  private:
    struct Shed {
        double use = 0;
        std::uint32_t item = 0;
    };

    void set_caps(double level);
    void shed_fewest(std::size_t rank, int generosity, Units room_max);
    void shed_by_use(std::size_t rank, int generosity, Units room_max);
    [[nodiscard]] double use_of(std::size_t item, std::span<const Units> excess) const;
    void arrange_rooms(const Assignment& found);
    void send_between_machines(Assignment& found);
    void pack(Assignment& found);
    bool place(std::size_t item, std::size_t first, std::size_t last, Assignment& found);
    bool exchange_in(std::size_t item, Assignment& found);
    void lift(std::size_t item, Assignment& found);
    void put(std::size_t item, std::size_t rank, Assignment& found) const;
    void list_items(const Assignment& found);
    [[nodiscard]] std::size_t lowest_with(std::size_t item, std::span<const Units> loads) const;
    [[nodiscard]] std::vector<std::uint32_t> all_by_size() const;
    void relabel(Assignment& found) const;
    [[nodiscard]] Units room(std::size_t rank, const Assignment& found) const;
    [[nodiscard]] std::span<const std::uint32_t> items_of(std::size_t rank) const;

    const Pool* pool_;
    const Capacity* capacity_;
    std::size_t ranks_;
    std::size_t kinds_;
    Assignment home_;
    std::vector<Units> sizes_;            // by item
    std::vector<std::uint32_t> sorted_;   // rank by rank, by falling size
    std::vector<std::size_t> begins_;     // of each rank in sorted_
    std::vector<std::uint32_t> falling_;  // all items by falling size, once they were needed
    std::vector<Units> caps_;             // rank by rank, kind by kind
    std::vector<std::uint32_t> shed_;
    std::vector<std::vector<std::uint32_t>> lists_;  // by rank, by rising size
    std::vector<Shed> uses_;
    RoomTree rooms_;
    std::vector<std::size_t> places_;         // by rank: its place in rooms_
    std::vector<std::size_t> rank_at_;        // by place
    std::vector<std::size_t> machine_first_;  // by rank: the places of its machine
    std::vector<std::size_t> machine_last_;
};

}  // namespace equipoise::placement
