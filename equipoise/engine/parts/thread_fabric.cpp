#include "equipoise/engine/parts/thread_fabric.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"

namespace equipoise::engine {

namespace {

/// Thrown on a rank that waits for one that has ended.
class LeftAlone : public std::logic_error {
  public:
    LeftAlone() : std::logic_error("a rank has left the others") {}
};

/// What a rank shows to the others, in two places used in turn. By the time a rank stores its
/// second value after this one, all ranks have come to the next meeting, and so have read this
/// value.
template <class T>
class InTurn {
  public:
    [[nodiscard]] T& at(std::uint64_t turn) { return places_[turn % 2]; }

  private:
    std::array<T, 2> places_;
};

struct Message {
    int to = 0;
    std::size_t begin = 0;
    std::size_t size = 0;
};
struct Mail {
    std::vector<Message> messages;
    std::vector<std::byte> bytes;
};

struct Place {
    InTurn<Fabric::Tally> tally;
    InTurn<std::vector<std::byte>> told;
    InTurn<Mail> mail;
    std::mutex mutex;
    std::deque<Parcel> parcels;  ///< guarded by the mutex
};

/// Where ranks meet. A collective works like this: every rank shows something, all wait for each
/// other, and each looks at what the others have shown.
class Meeting {
  public:
    explicit Meeting(int ranks) : ranks_(ranks), places_(static_cast<std::size_t>(ranks)) {}

    [[nodiscard]] int ranks() const { return ranks_; }
    [[nodiscard]] Place& place(int rank) { return places_[static_cast<std::size_t>(rank)]; }

    /// Returns when every rank has come; if one has left, throws LeftAlone on all that have come.
    void wait_for_all() {
        std::unique_lock lock(mutex_);
        const std::uint64_t round = round_;
        ++waiting_;
        // Sleeps: if processors are few, a sleeping thread is woken in time, while one that
        // yields is scheduled after all others.
        if (!begin_next_round()) all_are_here_.wait(lock, [&] { return round_ != round; });
        if (round >= first_broken_round_) throw LeftAlone();
    }
    /// Whether no more parcels will come, or only ones that cannot be relied on.
    [[nodiscard]] bool no_more_parcels() {
        const std::lock_guard lock(mutex_);
        return failed_ || left_ == ranks_ - 1;
    }
    void leave(bool failed) {
        const std::lock_guard lock(mutex_);
        ++left_;
        failed_ = failed_ || failed;
        static_cast<void>(begin_next_round());
    }

  private:
    bool begin_next_round() {
        if (waiting_ == 0 || waiting_ + left_ < ranks_) return false;
        if (left_ > 0) first_broken_round_ = std::min(first_broken_round_, round_);
        waiting_ = 0;
        ++round_;
        all_are_here_.notify_all();
        return true;
    }

    int ranks_;
    std::vector<Place> places_;
    std::mutex mutex_;  ///< guards all that follows
    std::condition_variable all_are_here_;
    std::uint64_t round_ = 0;
    int waiting_ = 0;
    int left_ = 0;
    bool failed_ = false;                                   ///< a rank has left by an exception
    std::uint64_t first_broken_round_ = ~std::uint64_t{0};  ///< that not all came to
};

class ThreadFabric final : public Fabric {
  public:
    ThreadFabric(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return meeting_.ranks(); }

    [[nodiscard]] Tally reduce(const Tally& mine) override {
        const std::uint64_t turn = reductions_++;
        own().tally.at(turn) = mine;
        meeting_.wait_for_all();
        Tally all = meeting_.place(0).tally.at(turn);
        for (int rank = 1; rank < ranks(); ++rank)
            all += meeting_.place(rank).tally.at(turn);
        return all;
    }

    void broadcast(std::span<std::byte> bytes, int from) override {
        const std::uint64_t turn = broadcasts_++;
        if (rank_ == from) own().told.at(turn).assign(bytes.begin(), bytes.end());
        meeting_.wait_for_all();
        if (rank_ != from) copy(meeting_.place(from).told.at(turn), bytes);
    }

    void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override {
        Mail& mail = own().mail.at(exchanges_);
        mail.messages.clear();
        mail.bytes.clear();
        for (const auto& [to, bytes] : out) {
            mail.messages.push_back({to, mail.bytes.size(), bytes.size()});
            mail.bytes.insert(mail.bytes.end(), bytes.begin(), bytes.end());
        }
        in_.assign(in.begin(), in.end());
        seen_.assign(static_cast<std::size_t>(ranks()), 0);
    }
    void finish_exchange() override {
        const std::uint64_t turn = exchanges_++;
        meeting_.wait_for_all();
        for (const Incoming& message : in_)
            copy(next_of(meeting_.place(message.from).mail.at(turn), message.from), message.bytes);
    }

    void send(int to, std::vector<std::byte> bytes) override {
        EQUIPOISE_ASSERT(to != rank_ && bytes.size() <= parcel_bytes_max);
        Place& place = meeting_.place(to);
        const std::lock_guard lock(place.mutex);
        place.parcels.push_back({rank_, std::move(bytes)});
    }
    // Otherwise nodes that repeat their messages would send faster than the others receive, without
    // bound.
    [[nodiscard]] bool takes(int to) override {
        constexpr std::ptrdiff_t untaken_max = 8;
        Place& place = meeting_.place(to);
        const std::lock_guard lock(place.mutex);
        return std::count_if(place.parcels.begin(), place.parcels.end(), [&](const Parcel& parcel) {
                   return parcel.from == rank_;
               }) < untaken_max;
    }
    bool receive(Parcel& parcel) override {
        if (take_parcel(parcel)) return true;
        if (ranks() == 1) return false;
        if (!meeting_.no_more_parcels()) return false;
        if (!take_parcel(parcel)) throw LeftAlone();
        return true;
    }

  private:
    [[nodiscard]] Place& own() { return meeting_.place(rank_); }
    [[nodiscard]] bool take_parcel(Parcel& parcel) {
        const std::lock_guard lock(own().mutex);
        if (own().parcels.empty()) return false;
        parcel = std::move(own().parcels.front());
        own().parcels.pop_front();
        return true;
    }
    /// The next message for this rank from a given rank.
    [[nodiscard]] std::span<const std::byte> next_of(const Mail& mail, int from) {
        std::size_t& next = seen_[static_cast<std::size_t>(from)];
        while (next < mail.messages.size() && mail.messages[next].to != rank_)
            ++next;
        if (next == mail.messages.size())
            throw std::logic_error("expected a message that nobody sends");
        const Message& message = mail.messages[next++];
        return std::span(mail.bytes).subspan(message.begin, message.size);
    }
    static void copy(std::span<const std::byte> sent, std::span<std::byte> room) {
        if (sent.size() != room.size())
            throw std::logic_error("expected a message of " + std::to_string(room.size()) +
                                   " bytes, found one of " + std::to_string(sent.size()));
        std::copy(sent.begin(), sent.end(), room.begin());
    }

    Meeting& meeting_;
    int rank_;
    std::uint64_t reductions_ = 0;  ///< so far
    std::uint64_t broadcasts_ = 0;
    std::uint64_t exchanges_ = 0;
    std::vector<Incoming> in_;
    std::vector<std::size_t> seen_;  ///< by rank: how many of its messages were looked at
};

}  // namespace

void run_as_threads(int ranks, const std::function<void(Fabric&)>& play) {
    EQUIPOISE_ASSERT(ranks >= 1);
    Meeting meeting(ranks);
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranks));
    std::vector<std::exception_ptr> left_alone = failures;
    const auto run = [&](int rank) {
        std::exception_ptr& failure = failures[static_cast<std::size_t>(rank)];
        try {
            ThreadFabric fabric(meeting, rank);
            play(fabric);
        } catch (const LeftAlone&) {
            left_alone[static_cast<std::size_t>(rank)] = std::current_exception();
        } catch (...) {
            failure = std::current_exception();
        }
        meeting.leave(failure != nullptr || left_alone[static_cast<std::size_t>(rank)] != nullptr);
    };
    std::exception_ptr no_threads;
    {
        std::vector<std::jthread> threads;
        int rank = 1;
        no_threads = failure_of([&] {
            for (; rank < ranks; ++rank)
                threads.emplace_back(run, rank);
        });
        if (!no_threads) run(0);
        for (int missing = no_threads ? rank - 1 : ranks; missing < ranks; ++missing)
            meeting.leave(true);  // rank 0 and those without a thread
    }
    if (no_threads) std::rethrow_exception(no_threads);
    for (const auto* found : {&failures, &left_alone})
        for (const std::exception_ptr& failure : *found)
            if (failure) std::rethrow_exception(failure);
}

}  // namespace equipoise::engine
