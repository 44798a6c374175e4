#include "equipoise/agent/carrier.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::agent {

Carrier::Carrier(const Login& login, std::string id_head, Put put,
                 std::function<void(bool)> changed)
    : id_head_(std::move(id_head)), put_(std::move(put)) {
    connection_ = std::make_unique<Connection>(
        login,
        Connection::Calls{
            .changed =
                [this, changed = std::move(changed)](bool there, const std::string& server_id) {
                    put_task([this, changed, there, server_id] {
                        change(there, server_id);
                        changed(there);
                    });
                },
            .stored =
                [this](const Stored& stored) { put_task([this, stored] { hear(stored); }); }});
    connection_->revive();
}

void Carrier::put_task(std::function<void()> task) {
    put_([lives = std::weak_ptr<const bool>(lives_), task = std::move(task)] {
        if (!lives.expired()) task();
    });
}

void Carrier::change(bool there, const std::string& server_id) {
    there_ = there;
    if (!there) return;
    // A server that starts knows only the ids of the jobs that it still has.
    const bool restarted = !server_id_.empty() && server_id != server_id_;
    server_id_ = server_id;
    for (auto& [origin, moving] : moving_) {
        if (!moving.refused) moving.due = 0;
        if (restarted && moving.in_doubt) moving.forgettable = true;
    }
}

void Carrier::add(Job job, unsigned generation, bool begun) {
    const JobOrigin origin = job.origin();
    moving_[origin] = {.job = std::move(job),
                       .generation = generation,
                       .in_doubt = begun,
                       .again = begun,
                       .forgettable = begun,
                       .refused = false,
                       .due = 0,
                       .since = now_};
}

void Carrier::work(Micros now) {
    now_ = now;
    if (now >= revive_due_) {
        revive_due_ = now + revive_every;
        connection_->revive();
    }
    for (auto at = moving_.begin(); at != moving_.end();) {
        Moving& moving = at->second;
        if (moving.since == 0) moving.since = now;
        const bool given_up = !moving.in_doubt && now >= moving.since + unsent_for;
        if ((moving.refused && now >= moving.due) || given_up) {
            done_.push_back({std::move(moving.job), moving.generation, Outcome::kept});
            at = moving_.erase(at);
            continue;
        }
        if (!moving.refused && now >= moving.due && there_) {
            if (moving.in_doubt && now >= moving.since + remembered_for) moving.forgettable = true;
            const Sent outcome = connection_->publish(moving.job, id_head_);
            const bool sent = outcome == Sent::sent;
            moving.again = moving.again || (moving.in_doubt && sent);
            moving.in_doubt = moving.in_doubt || sent;
            moving.due = now + (sent ? answer_within : retry_after);
            if (outcome == Sent::too_large && !moving.in_doubt) refuse(moving, "job too large");
        }
        ++at;
    }
}

std::size_t Carrier::lapse() {
    for (auto at = moving_.begin(); at != moving_.end();) {
        Moving& moving = at->second;
        if (moving.in_doubt && !moving.refused) {
            ++at;
            continue;
        }
        done_.push_back({std::move(moving.job), moving.generation, Outcome::lapsed});
        at = moving_.erase(at);
    }
    return moving_.size();
}

std::size_t Carrier::abandon() {
    const std::size_t doubtful = in_doubt();
    for (auto& [origin, moving] : moving_)
        done_.push_back({std::move(moving.job), moving.generation, Outcome::kept});
    moving_.clear();
    return doubtful;
}

Micros Carrier::due() const {
    Micros due = ~Micros{0};
    for (const auto& [origin, moving] : moving_) {
        if (there_ || moving.refused) due = std::min(due, moving.due);
        if (!moving.in_doubt) due = std::min(due, moving.since + unsent_for);
    }
    return due;
}

std::vector<Carrier::Done> Carrier::done() {
    return std::exchange(done_, {});
}

Carrier::Counts Carrier::new_counts() {
    const Counts before = std::exchange(told_, counts_);
    return {.stored = counts_.stored - before.stored,
            .doubled = counts_.doubled - before.doubled,
            .refused = counts_.refused - before.refused,
            .perhaps_twice = counts_.perhaps_twice - before.perhaps_twice,
            .why = counts_.why};
}

std::size_t Carrier::stored() const {
    return static_cast<std::size_t>(std::count_if(done_.begin(), done_.end(), [](const Done& done) {
        return done.outcome == Outcome::stored;
    }));
}

std::size_t Carrier::in_doubt() const {
    return static_cast<std::size_t>(std::count_if(
        moving_.begin(), moving_.end(), [](const auto& entry) { return entry.second.in_doubt; }));
}

void Carrier::for_each(const std::function<void(const Job&)>& visit) const {
    for (const auto& [origin, moving] : moving_)
        visit(moving.job);
    for (const Done& done : done_)
        visit(done.job);
}

void Carrier::hear(const Stored& stored) {
    const auto found = moving_.find(stored.origin);
    if (found == moving_.end()) return;
    Moving& moving = found->second;
    if (stored.stored) {
        ++counts_.stored;
        if (stored.doubled) ++counts_.doubled;
        if (moving.forgettable && !stored.doubled) ++counts_.perhaps_twice;
        done_.push_back({std::move(moving.job), moving.generation, Outcome::stored});
        moving_.erase(found);
    } else if (stored.refused || (stored.untaken && !moving.again)) {
        refuse(moving, stored.why);
    } else {
        moving.due = std::min(moving.due, now_ + retry_after);
    }
}

void Carrier::refuse(Moving& moving, const std::string& why) {
    ++counts_.refused;
    counts_.why = why;
    moving.refused = !moving.again;
    moving.in_doubt = moving.again;
    moving.due = now_ + refused_for;
}

}  // namespace equipoise::agent
