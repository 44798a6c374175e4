#include "equipoise/engine/parts/thread_fabric.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <deque>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/engine/ranks/transport.hpp"

namespace equipoise::engine {

namespace {

/// What a rank meets that waits for one that is no longer there.
class LeftAlone : public std::logic_error {
  public:
    LeftAlone() : std::logic_error("a rank has left the others") {}
};

/// Where ranks meet. A collective is: every rank lays something down, all wait for each other, look
/// at what the others have laid down, and wait once more before they take it away.
class Meeting {
  public:
    explicit Meeting(int ranks) : ranks_(ranks), places_(static_cast<std::size_t>(ranks)) {}

    /// What a rank has laid down.
    struct Place {
        Fabric::Tally tally;
        std::span<const std::byte> bytes;
        std::vector<Fabric::Outgoing> out;
        std::mutex mutex;
        std::deque<Parcel> parcels;  ///< under the mutex
    };

    [[nodiscard]] int ranks() const { return ranks_; }
    [[nodiscard]] Place& place(int rank) { return places_[static_cast<std::size_t>(rank)]; }

    /// Throws LeftAlone where a rank has left.
    void wait_for_all() {
        std::unique_lock lock(mutex_);
        const std::uint64_t round = round_;
        if (++waiting_ == ranks_) {
            waiting_ = 0;
            ++round_;
            all_are_here_.notify_all();
            return;
        }
        all_are_here_.wait(lock, [&] { return round_ != round || broken_; });
        if (round_ == round) throw LeftAlone();
    }
    void leave() {
        const std::lock_guard lock(mutex_);
        broken_ = true;
        all_are_here_.notify_all();
    }

  private:
    int ranks_;
    std::vector<Place> places_;
    std::mutex mutex_;
    std::condition_variable all_are_here_;
    int waiting_ = 0;
    std::uint64_t round_ = 0;
    bool broken_ = false;
};

class ThreadTransport final : public Transport {
  public:
    ThreadTransport(Meeting& meeting, int rank, Fabric& fabric)
        : meeting_(meeting), rank_(rank), fabric_(fabric) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return meeting_.ranks(); }
    void send(int to, std::vector<std::byte> bytes) override {
        Meeting::Place& place = meeting_.place(to);
        const std::lock_guard lock(place.mutex);
        place.parcels.push_back({rank_, std::move(bytes)});
    }
    [[nodiscard]] bool takes(int /*to*/) override { return true; }
    bool receive(Parcel& parcel) override {
        Meeting::Place& place = meeting_.place(rank_);
        {
            const std::lock_guard lock(place.mutex);
            if (!place.parcels.empty()) {
                parcel = std::move(place.parcels.front());
                place.parcels.pop_front();
                return true;
            }
        }
        std::this_thread::yield();
        return false;
    }
    void agree(const std::exception_ptr& mine) override { fabric_.agree(mine); }

  private:
    Meeting& meeting_;
    int rank_;
    Fabric& fabric_;
};

class ThreadFabric final : public Fabric {
  public:
    ThreadFabric(Meeting& meeting, int rank)
        : meeting_(meeting), rank_(rank), transport_(meeting, rank, *this) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return meeting_.ranks(); }

    [[nodiscard]] Tally reduce(const Tally& mine) override {
        own().tally = mine;
        meeting_.wait_for_all();
        Tally all = meeting_.place(0).tally;
        for (int rank = 1; rank < ranks(); ++rank)
            all += meeting_.place(rank).tally;
        meeting_.wait_for_all();
        return all;
    }

    void begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) override {
        own().out.assign(out.begin(), out.end());
        in_.assign(in.begin(), in.end());
    }
    void finish_exchange() override {
        meeting_.wait_for_all();
        std::vector<std::size_t> seen(static_cast<std::size_t>(ranks()), 0);
        for (const Incoming& message : in_) {
            const std::vector<Outgoing>& sent = meeting_.place(message.from).out;
            std::size_t& next = seen[static_cast<std::size_t>(message.from)];
            while (sent[next].to != rank_)
                ++next;
            EQUIPOISE_ASSERT(sent[next].bytes.size() == message.bytes.size());
            std::copy(sent[next].bytes.begin(), sent[next].bytes.end(), message.bytes.begin());
            ++next;
        }
        meeting_.wait_for_all();
    }

    [[nodiscard]] std::vector<std::byte> gather(std::span<const std::byte> mine) override {
        own().bytes = mine;
        meeting_.wait_for_all();
        std::vector<std::byte> all;
        if (rank_ == 0)
            for (int rank = 0; rank < ranks(); ++rank) {
                const std::span<const std::byte> bytes = meeting_.place(rank).bytes;
                all.insert(all.end(), bytes.begin(), bytes.end());
            }
        meeting_.wait_for_all();
        return all;
    }

    void broadcast(std::span<std::byte> bytes, int from) override {
        own().bytes = bytes;
        meeting_.wait_for_all();
        const std::span<const std::byte> said = meeting_.place(from).bytes;
        EQUIPOISE_ASSERT(said.size() == bytes.size());
        if (rank_ != from) std::copy(said.begin(), said.end(), bytes.begin());
        meeting_.wait_for_all();
    }

    [[nodiscard]] Transport* transport() override { return &transport_; }

  private:
    [[nodiscard]] Meeting::Place& own() { return meeting_.place(rank_); }

    Meeting& meeting_;
    int rank_;
    ThreadTransport transport_;
    std::vector<Incoming> in_;
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
        meeting.leave();
    };
    {
        std::vector<std::jthread> threads;
        for (int rank = 1; rank < ranks; ++rank)
            threads.emplace_back(run, rank);
        run(0);
    }
    for (const auto* found : {&failures, &left_alone})
        for (const std::exception_ptr& failure : *found)
            if (failure) std::rethrow_exception(failure);
}

}  // namespace equipoise::engine
