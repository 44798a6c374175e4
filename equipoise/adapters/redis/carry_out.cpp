#include "equipoise/adapters/redis/carry_out.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "equipoise/adapters/redis/open_slots.hpp"
#include "equipoise/adapters/redis/pace.hpp"
#include "equipoise/adapters/redis/schedule.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"

namespace equipoise::redis {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Connections of one thread to the masters, opened when they are first asked for.
class Connections {
  public:
    Connections(const Dial& dial, const Cluster& cluster)
        : dial_(dial),
          cluster_(cluster),
          open_(cluster.masters.size()),
          is_unreachable_(cluster.masters.size(), false) {}

    Server& to(MasterId master) {
        if (!open_[master]) open_[master] = dial_(cluster_.masters[master].address);
        return *open_[master];
    }

    /// Those of the others that can be reached.
    std::vector<Server*> to_others(MasterId from, MasterId target) {
        std::vector<Server*> others;
        for (MasterId master = 0; master < open_.size(); ++master) {
            if (master == from || master == target || is_unreachable_[master]) continue;
            try {
                others.push_back(&to(master));
            } catch (const ConnectionLost&) {
                is_unreachable_[master] = true;  // It hears of what moved by gossip.
            }
        }
        return others;
    }

    std::vector<Server*> to_all() {
        std::vector<Server*> all;
        for (MasterId master = 0; master < open_.size(); ++master)
            all.push_back(&to(master));
        return all;
    }

  private:
    const Dial& dial_;
    const Cluster& cluster_;
    std::vector<std::unique_ptr<Server>> open_;
    std::vector<bool> is_unreachable_;
};

/// Where a move is.
enum class State : std::uint8_t { waiting, done, left };

/// One reading of the cluster, and the moves that go while it stays as it was read.
class Round {
  public:
    Round(const Dial& dial, const Cluster& cluster, const std::vector<PlannedMove>& moves,
          std::vector<State>& states, const CarryOutOptions& options, CarriedOut& result,
          Clock::time_point begin)
        : dial_(dial),
          cluster_(cluster),
          moves_(moves),
          states_(states),
          options_(options),
          result_(result),
          begin_(begin),
          schedule_(cluster.masters.size(), std::max<std::uint64_t>(1, options.slots_at_once)),
          pace_(options.gives_a_second, options.takes_a_second) {}

    /// Returns why the cluster must be read again; nothing if all is done that can be, or what is
    /// left waits for another round (`has_waiting`).
    std::optional<std::string> play() {
        prepare();
        const std::size_t workers =
            std::clamp<std::size_t>(cluster_.masters.size(), 1, workers_max);
        {
            std::vector<std::jthread> threads;
            for (std::size_t at = 0; at < workers; ++at)
                threads.emplace_back([this] { work(); });
        }
        if (error_) std::rethrow_exception(error_);
        return disturbed_;
    }

    /// Whether slots are left that masters are to give which took some in this round.
    [[nodiscard]] bool has_waiting() const { return schedule_.has_waiting(); }

  private:
    static constexpr std::size_t workers_max = 32;

    void prepare() {
        lacking_.assign(moves_.size(), 0);
        followers_.assign(moves_.size(), {});
        for (const PlannedMove& move : moves_)
            bytes_all_ += move.bytes;
        for (std::uint32_t move = 0; move < moves_.size(); ++move) {
            if (states_[move] != State::waiting) continue;
            for (const std::uint32_t before : moves_[move].waits_for)
                if (states_[before] != State::done) {
                    ++lacking_[move];
                    followers_[before].push_back(move);
                }
            if (lacking_[move] == 0) make_ready(move);
        }
    }

    void make_ready(std::uint32_t move) {
        schedule_.add(move, moves_[move].from, moves_[move].to, moves_[move].bytes);
    }

    void work() {
        Connections connections(dial_, cluster_);
        while (const auto batch = next()) {
            std::vector<SlotOutcome> outcomes;
            std::string disturbed;
            try {
                outcomes = move(*batch, connections);
            } catch (const ConnectionLost& lost) {
                disturbed = lost.what();
            } catch (const ClusterChanged& changed) {
                disturbed = changed.what();
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (!error_) error_ = std::current_exception();
            }
            end(*batch, outcomes, disturbed);
        }
    }

    /// Waits for a batch that may go; nothing once none will.
    std::optional<Batch> next() {
        std::unique_lock lock(mutex_);
        while (true) {
            if (disturbed_ || error_ || !result_.stopped.empty() || options_.stop.stop_requested())
                return std::nullopt;
            if (std::optional<Batch> batch = schedule_.take()) return batch;
            if (schedule_.is_idle()) return std::nullopt;
            ended_.wait(lock);
        }
    }

    std::vector<SlotOutcome> move(const Batch& batch, Connections& connections) {
        MoveEnds ends;
        ends.source = &connections.to(batch.from);
        ends.target = &connections.to(batch.to);
        ends.others = connections.to_others(batch.from, batch.to);
        ends.source_master = &cluster_.masters[batch.from];
        ends.target_master = &cluster_.masters[batch.to];
        std::vector<std::uint16_t> slots;
        std::uint64_t keys = 0;
        std::uint64_t bytes = 0;
        for (const std::uint32_t number : batch.moves) {
            slots.push_back(moves_[number].slot);
            keys += moves_[number].keys;
            bytes += moves_[number].bytes;
        }
        const double bytes_a_key =
            static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(1, keys));
        MoveOptions options = options_.move;
        options.keys_at_once = keys_of(bytes_a_key);
        options.before_keys = [&](std::uint64_t sent) {
            pace_.wait(batch.from, batch.to, static_cast<double>(sent) * bytes_a_key);
        };
        return move_slots(ends, slots, options);
    }

    /// A MIGRATE stops both servers while it lasts, so it carries half a megabyte, or one key.
    [[nodiscard]] std::uint64_t keys_of(double bytes_a_key) const {
        constexpr double bytes_at_once = 5e5;
        const double keys = bytes_at_once / std::max(1.0, bytes_a_key);
        return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(keys), 1,
                                         options_.move.keys_at_once);
    }

    void end(const Batch& batch, const std::vector<SlotOutcome>& outcomes,
             const std::string& disturbed) {
        const std::lock_guard lock(mutex_);
        schedule_.end(batch);
        for (std::size_t at = 0; at < outcomes.size(); ++at) {
            const std::uint32_t move = batch.moves[at];
            result_.keys += outcomes[at].keys;
            if (!outcomes[at].left.empty()) {
                states_[move] = State::left;
                result_.left.push_back("slot " + std::to_string(moves_[move].slot) + ": " +
                                       outcomes[at].left);
                // Other slots would be left in the same way.
                if (outcomes[at].is_general) result_.stopped = result_.left.back();
                continue;
            }
            states_[move] = State::done;
            ++result_.slots;
            result_.bytes += moves_[move].bytes;
            for (const std::uint32_t follower : followers_[move])
                if (--lacking_[follower] == 0) make_ready(follower);
        }
        if (!disturbed.empty() && !disturbed_) disturbed_ = disturbed;
        if (options_.progress) options_.progress(progress());
        ended_.notify_all();
    }

    [[nodiscard]] CarryOutProgress progress() const {
        CarryOutProgress progress;
        progress.slots = result_.slots;
        progress.slots_all = moves_.size();
        progress.bytes = result_.bytes;
        progress.bytes_all = bytes_all_;
        progress.seconds = since(begin_);
        const auto [done, all] = progress.bytes_all > 0
                                     ? std::pair(progress.bytes, progress.bytes_all)
                                     : std::pair(progress.slots, progress.slots_all);
        if (done > 0)
            progress.seconds_left =
                progress.seconds * static_cast<double>(all - done) / static_cast<double>(done);
        return progress;
    }

    const Dial& dial_;
    const Cluster& cluster_;
    const std::vector<PlannedMove>& moves_;
    std::vector<State>& states_;
    const CarryOutOptions& options_;
    CarriedOut& result_;
    Clock::time_point begin_;
    // Under the mutex while threads work.
    std::mutex mutex_;
    std::condition_variable ended_;
    BatchSchedule schedule_;
    std::uint64_t bytes_all_ = 0;
    std::vector<std::size_t> lacking_;  ///< by move: how many it still waits for
    std::vector<std::vector<std::uint32_t>> followers_;
    std::optional<std::string> disturbed_;
    std::exception_ptr error_;
    Pace pace_;
};

class CarryingOut {
  public:
    CarryingOut(const Dial& dial, Cluster cluster, std::vector<PlannedMove> moves,
                CarryOutOptions options)
        : dial_(dial),
          cluster_(std::move(cluster)),
          moves_(std::move(moves)),
          states_(moves_.size(), State::waiting),
          options_(std::move(options)) {}

    CarriedOut run() {
        constexpr int attempts_max = 5;
        for (int attempts = 0;;) {
            const std::uint64_t before = result_.slots + result_.finished + result_.closed;
            const std::optional<std::string> disturbed = play();
            if (!result_.stopped.empty()) break;
            if (!disturbed) {
                if (!has_waiting_ || options_.stop.stop_requested() || !read_again()) break;
                continue;
            }
            attempts =
                result_.slots + result_.finished + result_.closed > before ? 0 : attempts + 1;
            if (attempts == attempts_max) {
                result_.stopped = *disturbed;
                break;
            }
            note(*disturbed + "; reading the cluster again");
            if (!read_again()) break;
        }
        result_.interrupted = options_.stop.stop_requested() && !is_over();
        leave_the_rest();
        result_.seconds = since(begin_);
        return std::move(result_);
    }

  private:
    void note(const std::string& text) const {
        if (options_.note) options_.note(text);
    }

    [[nodiscard]] bool is_over() const {
        return std::find(states_.begin(), states_.end(), State::waiting) == states_.end();
    }

    /// Why the cluster must be read again; nothing if all is done that can be.
    std::optional<std::string> play() {
        try {
            heal_open();
        } catch (const ConnectionLost& lost) {
            return lost.what();
        } catch (const ClusterChanged& changed) {
            return changed.what();
        }
        has_waiting_ = false;
        if (!result_.stopped.empty() || options_.stop.stop_requested()) return std::nullopt;
        Round round(dial_, cluster_, moves_, states_, options_, result_, begin_);
        std::optional<std::string> disturbed = round.play();
        has_waiting_ = round.has_waiting();
        return disturbed;
    }

    /// Closes or finishes what is open, and sees what of the plan is done by that. `stopped` says
    /// why if the cluster cannot be read then.
    void heal_open() {
        for (bool again = true; again && !cluster_.open.empty();) {
            Connections connections(dial_, cluster_);
            const Healed healed = heal(cluster_, connections.to_all(), options_.move);
            again = healed.again;
            result_.closed += healed.closed;
            result_.finished += healed.finished;
            result_.keys += healed.keys;
            for (const std::string& left : healed.left)
                if (std::find(result_.left.begin(), result_.left.end(), left) == result_.left.end())
                    result_.left.push_back(left);
            if (!read_again()) return;
        }
        for (std::size_t move = 0; move < moves_.size(); ++move)
            if (states_[move] == State::waiting && is_open(moves_[move].slot))
                states_[move] = State::left;
    }

    [[nodiscard]] bool is_open(std::uint16_t slot) const {
        return std::any_of(cluster_.open.begin(), cluster_.open.end(),
                           [&](const OpenSlot& open) { return open.slot == slot; });
    }

    /// Reads the cluster from any of its masters; `stopped` says why if that fails.
    bool read_again() {
        constexpr double patience_each = 0.5;
        const Clock::time_point begin = Clock::now();
        std::string last;
        do {
            for (const Master& master : cluster_.masters) {
                try {
                    take(read_cluster(dial_, master.address, patience_each));
                    return true;
                } catch (const InputError& error) {
                    last = error.what();
                }
            }
        } while (since(begin) < options_.patience && !options_.stop.stop_requested());
        result_.stopped = last;
        return false;
    }

    /// The master that a former one is now: itself, or its replica that took over.
    [[nodiscard]] static MasterId successor(const Master& former, const Cluster& now) {
        const MasterId same = now.find(former.id);
        if (same != no_master) return same;
        for (const std::string& replica : former.replicas) {
            const MasterId promoted = now.find(replica);
            if (promoted != no_master) return promoted;
        }
        return no_master;
    }

    void take(Cluster now) {
        std::vector<MasterId> is_now;
        is_now.reserve(cluster_.masters.size());
        for (const Master& former : cluster_.masters)
            is_now.push_back(successor(former, now));
        std::uint64_t elsewhere = 0;
        for (std::size_t number = 0; number < moves_.size(); ++number) {
            PlannedMove& move = moves_[number];
            if (move.from != no_master) move.from = is_now[move.from];
            if (move.to != no_master) move.to = is_now[move.to];
            if (states_[number] != State::waiting) continue;
            const MasterId owner = now.owners[move.slot];
            if (owner == move.to) {
                states_[number] = State::done;
                ++result_.slots;
                result_.bytes += move.bytes;
            } else if (owner != move.from || move.to == no_master) {
                states_[number] = State::left;
                ++elsewhere;
            }
        }
        if (elsewhere > 0) {
            const std::string words = counted(elsewhere, "slot") +
                                      " left out, since others changed the cluster: plan "
                                      "again";
            result_.left.push_back(words);
            note(words);
        }
        rearrange(is_now, now);
        cluster_ = std::move(now);
    }

    /// Rates are by master.
    void rearrange(const std::vector<MasterId>& is_now, const Cluster& now) {
        for (std::vector<double>* rates : {&options_.gives_a_second, &options_.takes_a_second}) {
            if (rates->empty()) continue;
            std::vector<double> renumbered(now.masters.size(), 0);
            for (std::size_t former = 0; former < is_now.size(); ++former)
                if (is_now[former] != no_master) renumbered[is_now[former]] = (*rates)[former];
            *rates = std::move(renumbered);
        }
    }

    /// Moves that wait for others which were left.
    void leave_the_rest() {
        if (result_.interrupted || !result_.stopped.empty()) return;
        const auto rest =
            static_cast<std::uint64_t>(std::count(states_.begin(), states_.end(), State::waiting));
        if (rest > 0)
            result_.left.push_back(counted(rest, "slot") + " not moved: " +
                                   (rest == 1 ? "it waits" : "they wait") + " for those above");
    }

    const Dial& dial_;
    Cluster cluster_;
    std::vector<PlannedMove> moves_;
    std::vector<State> states_;
    CarryOutOptions options_;
    CarriedOut result_;
    bool has_waiting_ = false;
    Clock::time_point begin_ = Clock::now();
};

}  // namespace

void CarriedOut::add(const CarriedOut& before) {
    slots += before.slots;
    keys += before.keys;
    bytes += before.bytes;
    closed += before.closed;
    finished += before.finished;
    left.insert(left.begin(), before.left.begin(), before.left.end());
    seconds += before.seconds;
    interrupted = interrupted || before.interrupted;
    if (stopped.empty()) stopped = before.stopped;
}

CarriedOut carry_out(const Dial& dial, const Cluster& cluster,
                     const std::vector<PlannedMove>& moves, const CarryOutOptions& options) {
    return CarryingOut(dial, cluster, moves, options).run();
}

}  // namespace equipoise::redis
