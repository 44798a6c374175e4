#pragma once
// Moves items by a plan. Nothing is taken out of a vector before all ranks have agreed that it can
// be done, and all memory is allocated before that.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpi.h>

#include "equipoise/balancer/bytes.hpp"
#include "equipoise/balancer/plan.hpp"
#include "equipoise/balancer/row_buffers.hpp"
#include "equipoise/balancer/serialisers.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/mpi/messages.hpp"

namespace equipoise::balancer {

namespace detail {

/// Notes a failure if a vector does not have the planned size.
void expect_planned_size(const Plan& plan, std::size_t found, engine::LocalFailure& failure);

/// Items that stay on this rank during all rounds: places [first, first + count). Empty if those
/// that leave are scattered.
struct Stay {
    Tokens first = 0;
    Tokens count = 0;
};
[[nodiscard]] Stay stay(const Plan& plan);

/// Whether nothing comes to this rank or leaves it.
[[nodiscard]] bool keeps_all(const Plan& plan);

/// The most items that this rank holds if the items of all rounds are appended to its own.
[[nodiscard]] Tokens size_peak(std::span<const RankMoves> rounds);

/// Whether the items that stay need not be moved and nothing arrives where something leaves; the
/// vector can then simply be shortened or filled.
[[nodiscard]] bool moves_in_place(const RankMoves& moves);

/// All rounds combined into one, without naming the ranks that send and receive.
[[nodiscard]] RankMoves whole_trip(const Plan& plan);

/// The items that stay, by place, if the items of several rounds are appended.
[[nodiscard]] std::vector<placement::Run> kept_runs(const Plan& plan);

/// Which arrived item belongs at which place, by place.
struct Arrival {
    Tokens place = 0;
    std::size_t number = 0;
};
[[nodiscard]] std::vector<Arrival> arrivals(const Plan& plan, std::size_t items);

/// Whether the items that a rank holds after a round are its arrivals in their order, with those
/// that stay somewhere between two of them: a vector can then be made by appending alone.
[[nodiscard]] bool arrives_in_order(const RankMoves& moves);

/// How long a block to reserve for this many bytes, so that all of them can lie in large pages.
[[nodiscard]] std::size_t bytes_to_reserve(std::size_t bytes);
/// Prepares new memory of which items are about to fill the first bytes: large pages where they
/// fit.
void prepare_memory(void* memory, std::size_t reserved, std::size_t used);
/// The same for the part that is filled next.
void touch_memory(void* memory, std::size_t bytes);

/// "items of 8 bytes".
[[nodiscard]] std::string items_of(std::size_t bytes);

/// A new vector that is filled from its first place to its last: memory is touched piece by piece,
/// in large pages where they fit, while the caches hold the piece.
template <class T, class Allocator>
class FreshVector {
  public:
    /// The number of items in a piece.
    static constexpr std::size_t piece_items =
        std::max<std::size_t>(1, mpi::message_bytes_patient / sizeof(T));

    explicit FreshVector(std::vector<T, Allocator>& items) : items_(&items) {}

    /// Allocates room for this many items.
    void reserve(std::size_t items) {
        if constexpr (usual_memory) {
            const std::size_t bytes = items * sizeof(T);
            items_->reserve(std::max(items, bytes_to_reserve(bytes) / sizeof(T)));
            prepare_memory(items_->data(), items_->capacity() * sizeof(T), bytes);
        } else {
            items_->reserve(items);
        }
    }
    void append(const T* from, std::size_t count) {
        for_pieces(count, [&](std::size_t some) {
            items_->insert(items_->end(), from, from + some);
            from += some;
        });
    }
    void resize(std::size_t size) {
        if (size > items_->size())
            for_pieces(size - items_->size(),
                       [&](std::size_t some) { items_->resize(items_->size() + some); });
    }

  private:
    static constexpr bool usual_memory = std::same_as<Allocator, std::allocator<T>>;

    template <class Each>
    void for_pieces(std::size_t count, const Each& each) {
        while (count > 0) {
            const std::size_t some = std::min(count, piece_items);
            if constexpr (usual_memory)
                touch_memory(items_->data() + items_->size(), some * sizeof(T));
            each(some);
            count -= some;
        }
    }

    std::vector<T, Allocator>* items_;
};

}  // namespace detail

/// Trivially copyable items, sent from and received into the vectors directly. If `forms_early`,
/// all items that stay have their new places in the vector, and may be used there, once `start`
/// returns.
template <class T, class Allocator>
class DirectMove {
    static_assert(detail::travels_as_bytes<T>());

  public:
    DirectMove(const Plan& plan, std::vector<T, Allocator>& items, bool forms_early = false)
        : plan_(plan),
          items_(&items),
          fresh_(items.get_allocator()),
          messages_(plan.communicator(), plan.message_bytes_max(), mpi::Within::directly),
          forms_early_(forms_early) {}
    DirectMove(const DirectMove&) = delete;
    DirectMove& operator=(const DirectMove&) = delete;
    ~DirectMove() = default;

    [[nodiscard]] const Plan& plan() const { return plan_; }
    /// What moves; the same on all ranks.
    [[nodiscard]] static std::string describe() { return detail::items_of(sizeof(T)); }

    void begin(engine::LocalFailure& failure) {
        prepare(failure);
        plan_.agree_to_move(failure, describe);
        start();
    }
    /// The part of `begin` that can fail: the other ranks must agree to it before `start`.
    void prepare(engine::LocalFailure& failure) {
        detail::expect_planned_size(plan_, items_->size(), failure);
        failure.guard([&] { take_memory(); });
    }
    void start() {
        if (!plan_.rounds().empty()) begin_round(plan_.rounds().front());
    }

    void end() {
        bool first = true;
        for (const RankMoves& moves : plan_.rounds()) {
            if (!first) begin_round(moves);
            messages_.wait();
            end_round(moves);
            first = false;
        }
    }

  private:
    using Fresh = detail::FreshVector<T, Allocator>;
    /// Items of which a single one is longer than a piece are not appended piece by piece.
    static constexpr std::size_t piece_items = Fresh::piece_items;

    void take_memory() {
        const std::span<const RankMoves> rounds = plan_.rounds();
        if (rounds.empty()) return;
        // A vector that must grow gets its copy after the agreement, while messages travel.
        const RankMoves& first = rounds.front();
        const auto peak = static_cast<std::size_t>(detail::size_peak(rounds));
        packs_ = first.scattered() ||
                 (forms_early_ && rounds.size() == 1 && !detail::moves_in_place(first));
        in_place_ = rounds.size() > 1 ||
                    (packs_ ? static_cast<std::size_t>(std::max(
                                  first.size_before, first.size_after)) <= items_->capacity()
                            : detail::moves_in_place(first) && peak <= items_->capacity());
        if (packs_) buffers_.take_memory(first, sizeof(T), false);
        if (in_place_) {
            items_->reserve(peak);
        } else {
            Fresh(fresh_).reserve(static_cast<std::size_t>(first.size_after));
        }
        appends_ = !packs_ && rounds.size() == 1 && sizeof(T) <= mpi::direct_bytes_min &&
                   plan_.message_bytes_max() >= mpi::direct_bytes_min && !first.receives.empty() &&
                   detail::arrives_in_order(first);
        if (appends_) take_rooms(first);
        for (const RankMoves& moves : rounds) {
            for (const Parcel& parcel : moves.sends)
                messages_.expect(bytes_of(parcel));
            for (const Parcel& parcel : moves.receives)
                messages_.expect(bytes_of(parcel));
        }
    }

    // Allocates room for the short messages, each with room of its own, and for a piece of a long
    // one.
    void take_rooms(const RankMoves& moves) {
        std::size_t items = piece_items;
        for (const Parcel& parcel : moves.receives)
            if (bytes_of(parcel) < mpi::direct_bytes_min)
                items += static_cast<std::size_t>(parcel.items);
        rooms_ = std::make_unique_for_overwrite<T[]>(items);
        take_ = [this](std::span<const std::byte> bytes) {
            if (kept_waits_ && static_cast<Tokens>(arrivals_->size()) == kept_->kept_to)
                append_kept();
            append(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
        };
    }

    // Whether all arrivals can be taken piece by piece.
    [[nodiscard]] bool can_append(const RankMoves& moves) const {
        return appends_ &&
               std::all_of(moves.receives.begin(), moves.receives.end(), [&](const Parcel& parcel) {
                   const std::uint64_t bytes = bytes_of(parcel);
                   return bytes < mpi::direct_bytes_min || messages_.directly(parcel.rank, bytes);
               });
    }

    // Problem: a vector that is resized in advance writes zeros to memory that it has never
    // touched, which costs more than copying items there.
    // Method: every piece that arrives is appended while caches hold it; the items that stay are
    // appended when it is their turn.
    void begin_appending(const RankMoves& moves) {
        kept_ = &moves;
        kept_waits_ = !in_place_ && moves.kept > 0;
        arrivals_ = in_place_ ? items_ : &fresh_;
        if (kept_waits_ && moves.kept_to == 0) append_kept();
        // The old memory is no longer needed: it is freed while messages travel.
        if (!in_place_ && !kept_waits_ && moves.sends.empty()) {
            *items_ = std::move(fresh_);
            arrivals_ = items_;
        }
        std::size_t short_ones = piece_items;
        for (const Parcel& parcel : moves.receives) {
            std::span<T> room(rooms_.get(), piece_items);
            if (bytes_of(parcel) < mpi::direct_bytes_min) {
                room = {rooms_.get() + short_ones, static_cast<std::size_t>(parcel.items)};
                short_ones += room.size();
            }
            messages_.receive(parcel.rank, bytes_of(parcel), std::as_writable_bytes(room), take_);
        }
    }
    void append_kept() {
        kept_waits_ = false;
        append(items_->data() + kept_->kept_from, static_cast<std::size_t>(kept_->kept));
    }
    // Within the vector's allocated memory.
    void append(const T* items, std::size_t count) { Fresh(*arrivals_).append(items, count); }
    void end_appending() {
        if (kept_waits_) append_kept();
        if (arrivals_ == &fresh_) *items_ = std::move(fresh_);
    }

    // Arrivals go behind all items while some of these are still leaving. Sends begin first, so
    // that the items that stay are copied while others leave; no vector outgrows its allocated
    // memory.
    void begin_round(const RankMoves& moves) {
        if (packs_) return begin_packed(moves);
        const auto kept_to = static_cast<std::size_t>(moves.kept_to);
        std::size_t shift = 0;
        std::vector<T, Allocator>* arrivals = items_;
        for (const Parcel& parcel : moves.sends)
            messages_.send(parcel.rank, std::as_bytes(stretch(*items_, parcel, 0)));
        appends_ = can_append(moves);
        if (appends_) return begin_appending(moves);
        if (in_place_) {
            shift = static_cast<std::size_t>(moves.sent());
            items_->resize(items_->size() + static_cast<std::size_t>(moves.received()));
        } else {
            Fresh fresh(fresh_);
            fresh.resize(moves.kept == 0 ? 0 : kept_to);
            fresh.append(items_->data() + moves.kept_from, static_cast<std::size_t>(moves.kept));
            fresh.resize(static_cast<std::size_t>(moves.size_after));
            // The old memory is no longer needed: it is freed while messages travel.
            if (moves.sends.empty())
                *items_ = std::move(fresh_);
            else
                arrivals = &fresh_;
        }
        for (const Parcel& parcel : moves.receives)
            messages_.receive(parcel.rank,
                              std::as_writable_bytes(stretch(*arrivals, parcel, shift)));
    }

    // Once the items that leave are packed, the vector takes its new form while messages travel.
    void begin_packed(const RankMoves& moves) {
        buffers_.send(bytes_of(*items_), messages_);
        const auto size_after = static_cast<std::size_t>(moves.size_after);
        if (in_place_) {
            if (items_->size() < size_after) items_->resize(size_after);
            buffers_.shift_kept(bytes_of(*items_));
            items_->resize(size_after);
        } else {
            Fresh fresh(fresh_);
            for (const placement::Run& run : buffers_.kept()) {
                fresh.resize(static_cast<std::size_t>(run.to));
                fresh.append(items_->data() + run.from, static_cast<std::size_t>(run.items));
            }
            fresh.resize(size_after);
            *items_ = std::move(fresh_);
        }
        buffers_.receive(bytes_of(*items_), messages_);
    }

    void end_round(const RankMoves& moves) {
        if (appends_) {
            end_appending();
        } else if (packs_) {
            buffers_.unpack(bytes_of(*items_));
        } else if (in_place_) {
            const auto kept = items_->begin() + moves.kept_from;
            items_->erase(kept + moves.kept, items_->begin() + moves.size_before);
            items_->erase(items_->begin(), items_->begin() + moves.kept_from);
        } else if (!moves.sends.empty()) {
            *items_ = std::move(fresh_);
        }
    }

    static std::span<T> stretch(std::vector<T, Allocator>& items, const Parcel& parcel,
                                std::size_t shift) {
        return std::span<T>(items).subspan(static_cast<std::size_t>(parcel.first) + shift,
                                           static_cast<std::size_t>(parcel.items));
    }
    static std::uint64_t bytes_of(const Parcel& parcel) {
        return static_cast<std::uint64_t>(parcel.items) * sizeof(T);
    }
    static std::byte* bytes_of(std::vector<T, Allocator>& items) {
        return std::as_writable_bytes(std::span<T>(items)).data();
    }

    Plan plan_;
    std::vector<T, Allocator>* items_;
    std::vector<T, Allocator> fresh_;
    RowBuffers buffers_;
    std::unique_ptr<T[]> rooms_;
    mpi::TakeBytes take_;
    const RankMoves* kept_ = nullptr;                ///< has what is appended later
    std::vector<T, Allocator>* arrivals_ = nullptr;  ///< what is appended to
    bool kept_waits_ = false;
    bool appends_ = false;
    mpi::Messages messages_;
    bool forms_early_;
    bool packs_ = false;
    bool in_place_ = true;
};

/// Packed items on their way: the bytes of each, one after the other. Items that travel on in a
/// later round do so as the same bytes.
class PackedItems {
  public:
    explicit PackedItems(const Plan& plan);

    /// Packs the items that leave in some round: `save(place, out)` appends the bytes of the item
    /// at this place. Allocates the memory that exchanging sizes will need.
    template <class Save>
    void pack(const Save& save) {
        const auto pack = [&](Tokens place) {
            const std::size_t before = bytes_.size();
            ByteWriter writer(bytes_);
            save(place, writer);
            sizes_.push_back(bytes_.size() - before);
        };
        const std::span<const RankMoves> rounds = plan_.rounds();
        if (!rounds.empty() && !rounds.front().leaving.empty()) {
            std::for_each(rounds.front().leaving.begin(), rounds.front().leaving.end(), pack);
        } else {
            for (Tokens place = 0; place < plan_.size_before(); ++place)
                if (place < stay_.first || place >= stay_.first + stay_.count) pack(place);
        }
        take_memory();
    }
    /// Begins the first round. Collective; throws CollectiveError if a rank has no memory.
    void begin();
    /// Plays the other rounds too, and returns once all items have arrived. Collective, likewise.
    void end();

    /// Calls `each(bytes)` for every item held at the end.
    template <class Each>
    void unpack(Each&& each) const {
        std::span<const std::byte> rest(bytes_);
        for (const std::uint64_t size : sizes_) {
            each(rest.first(static_cast<std::size_t>(size)));
            rest = rest.subspan(static_cast<std::size_t>(size));
        }
    }
    [[nodiscard]] std::size_t items() const { return sizes_.size(); }

  private:
    void take_memory();
    void exchange_sizes(const RankMoves& moves);
    void make_room();
    void begin_round(const RankMoves& moves);
    void send_and_receive(const RankMoves& moves);
    void end_round(const RankMoves& moves);

    Plan plan_;
    detail::Stay stay_;
    std::vector<std::byte> bytes_;
    std::vector<std::uint64_t> sizes_;
    std::vector<std::byte> arriving_bytes_;
    std::vector<std::uint64_t> arriving_sizes_;
    mpi::Messages messages_;
};

/// Items that a serialiser turns into bytes and back. The originals stay until all ranks have
/// unpacked.
template <class T, class Allocator, class Serialiser>
class SerialisedMove {
    static_assert(detail::serialises<Serialiser, T>());

  public:
    SerialisedMove(const Plan& plan, std::vector<T, Allocator>& items, const Serialiser& serialiser)
        : plan_(plan), items_(&items), serialiser_(&serialiser), packed_(plan) {}

    [[nodiscard]] const Plan& plan() const { return plan_; }
    /// What moves; the same on all ranks.
    [[nodiscard]] static std::string describe() {
        return "serialised " + detail::items_of(sizeof(T));
    }

    void begin(engine::LocalFailure& failure) {
        prepare(failure);
        plan_.agree_to_move(failure, describe);
        start();
    }
    /// The part that can fail before the other ranks agree.
    void prepare(engine::LocalFailure& failure) {
        detail::expect_planned_size(plan_, items_->size(), failure);
        failure.guard([&] {
            packed_.pack([&](Tokens place, ByteWriter& out) {
                serialiser_->save((*items_)[static_cast<std::size_t>(place)], out);
            });
            kept_ = detail::kept_runs(plan_);
        });
    }
    /// Collective; throws on all ranks if one has no memory for its arrivals.
    void start() { packed_.begin(); }

    void end() {
        packed_.end();
        engine::LocalFailure failure;
        failure.guard([&] { unpack(); });
        mpi::agree(plan_.communicator(), failure, "unpacking what has arrived");
        if (!plan_.rounds().empty()) put_together();
    }

  private:
    void unpack() {
        arrived_.reserve(packed_.items());
        packed_.unpack([&](std::span<const std::byte> bytes) {
            ByteReader reader(bytes);
            arrived_.push_back(serialiser_->load(reader));
            if (reader.left() != 0)
                throw InputError("load() leaves bytes of an item that save() wrote");
        });
        arrivals_ = detail::arrivals(plan_, arrived_.size());
        items_->reserve(static_cast<std::size_t>(plan_.size_after()));
    }

    // The items that stay close up at the front, after the vector has grown if it must; then
    // arrivals come to their places, the last first. Nothing here throws.
    void put_together() {
        auto end = items_->begin();
        for (const placement::Run& run : kept_) {
            const auto first = items_->begin() + run.from;
            end = first == end ? first + run.items : std::move(first, first + run.items, end);
        }
        items_->erase(end, items_->end());
        if (arrivals_.empty()) return;
        const std::size_t kept = items_->size();
        const std::size_t size = kept + arrivals_.size();
        // Place p holds an arrival, or the item that stays and has p - (arrivals before p) such
        // items before it.
        auto arrival = std::lower_bound(arrivals_.begin(), arrivals_.end(), kept,
                                        [](const detail::Arrival& one, std::size_t place) {
                                            return static_cast<std::size_t>(one.place) < place;
                                        });
        std::size_t before = static_cast<std::size_t>(arrival - arrivals_.begin());
        const std::size_t first = before;
        for (std::size_t place = kept; place < size; ++place) {
            if (arrives_at(place, before))
                items_->push_back(std::move(arrived_[arrivals_[before++].number]));
            else
                items_->push_back(std::move((*items_)[place - before]));
        }
        before = first;
        for (std::size_t place = kept; before > 0;) {
            --place;
            if (arrives_at(place, before - 1))
                (*items_)[place] = std::move(arrived_[arrivals_[--before].number]);
            else
                (*items_)[place] = std::move((*items_)[place - before]);
        }
    }
    [[nodiscard]] bool arrives_at(std::size_t place, std::size_t arrival) const {
        return arrival < arrivals_.size() &&
               static_cast<std::size_t>(arrivals_[arrival].place) == place;
    }

    Plan plan_;
    std::vector<T, Allocator>* items_;
    const Serialiser* serialiser_;
    PackedItems packed_;
    std::vector<placement::Run> kept_;
    std::vector<T> arrived_;
    std::vector<detail::Arrival> arrivals_;
};

/// Items under way between `Plan::begin` and `end`. If `end` is not called, the destructor calls it
/// and ignores errors.
template <class Move>
class Moving {
  public:
    /// Begins to move. `failure` is any earlier failure of this rank.
    template <class... Arguments>
    explicit Moving(engine::LocalFailure& failure, Arguments&&... arguments)
        : started_(MPI_Wtime()), move_(std::forward<Arguments>(arguments)...) {
        move_.begin(failure);
        seconds_ = MPI_Wtime() - started_;
    }
    Moving(const Moving&) = delete;
    Moving& operator=(const Moving&) = delete;
    ~Moving() {
        if (ended_) return;
        try {
            end();
        } catch (...) {  // a destructor cannot report it
        }
    }

    /// Completes the move. Collective.
    Report end() {
        started_ = MPI_Wtime();
        ended_ = true;
        move_.end();
        Report report = move_.plan().report();
        report.seconds_moving = seconds_ + MPI_Wtime() - started_;
        return report;
    }

  private:
    double started_;
    double seconds_ = 0;
    bool ended_ = false;
    Move move_;
};

template <class T, class Allocator>
auto Plan::begin(std::vector<T, Allocator>& items) const {
    engine::LocalFailure failure;
    return Moving<DirectMove<T, Allocator>>(failure, *this, items);
}

template <class T, class Allocator, class Serialiser>
auto Plan::begin(std::vector<T, Allocator>& items, const Serialiser& serialiser) const {
    engine::LocalFailure failure;
    return Moving<SerialisedMove<T, Allocator, Serialiser>>(failure, *this, items, serialiser);
}

template <class T, class Allocator>
Report Plan::execute(std::vector<T, Allocator>& items) const {
    return begin(items).end();
}

template <class T, class Allocator, class Serialiser>
Report Plan::execute(std::vector<T, Allocator>& items, const Serialiser& serialiser) const {
    return begin(items, serialiser).end();
}

}  // namespace equipoise::balancer
