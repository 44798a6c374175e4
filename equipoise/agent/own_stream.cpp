#include "equipoise/agent/own_stream.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::agent {

namespace {

constexpr std::string_view acknowledged = "+ACK";
constexpr std::string_view in_progress = "+WPI";
constexpr std::string_view given_back = "-NAK";

/// Larger jobs stay where they are.
constexpr std::size_t bytes_max = 8U << 20U;
/// Acknowledgements that are repeated after a server has restarted.
constexpr std::size_t past_max = 20'000;
constexpr Micros past_for = 120'000'000;
constexpr Micros second = 1'000'000;
/// A server that is killed forgets what it has not yet written: nats-server 2.9 writes the state of
/// a consumer some ten times a second.
constexpr Micros unwritten_for = 2 * second;
/// Whoever deletes a stream may make another one, and a server needs some time to remove its files:
/// nats-server 2.9 stores nothing in a stream that is made anew meanwhile.
constexpr Micros deleted_for = 5 * second;
/// Lost jobs that the agent asks for at a time.
constexpr Tokens lost_max = 250;
/// Numbers that are kept of jobs that were given back; others may have taken these since.
constexpr std::size_t returned_numbers_max = 100'000;
/// Jobs that no offer needed for so long go back.
constexpr Micros idle_for = 5 * second;

}  // namespace

OwnStream::OwnStream(Connection& server, const JobStream::Names& names, TaskQueue& tasks,
                     Calls calls, std::uint64_t transfers_max)
    : server_(server),
      tasks_(tasks),
      calls_(std::move(calls)),
      transfers_max_(transfers_max),
      stream_(server, names) {}

void OwnStream::serve(Core& core) {
    const Stock known = core_ == nullptr ? Stock() : core_->stock();
    core_ = &core;
    core.hold(static_cast<Tokens>(free_.size()), now());
    core.see(known, now(), now());
}

// ---- the server

void OwnStream::change(bool there, const std::string& server_id) {
    open_ = false;
    if (!there) return;
    restarted_ = restarted_ || (!server_id_.empty() && server_id != server_id_);
    server_id_ = server_id;
    open();
}

void OwnStream::open_if_due() {
    if (open_due_ == 0 || now() < open_due_ || !server_.is_there()) return;
    open_due_ = 0;
    open();
}

void OwnStream::open() {
    at_server_.put([this] {
        OpenedStream opened;
        std::optional<std::string> wrong;
        std::exception_ptr error;
        try {
            wrong = stream_.open(opened);
        } catch (const InputError&) {
            error = std::current_exception();
        }
        tasks_.put([this, opened, wrong, error] {
            error_ = error;
            if (error || wrong) {
                if (wrong) calls_.waits(*wrong);
                open_due_ = now() + second;
                return;
            }
            open_ = true;
            open_due_ = 0;
            looking_ = false;
            taking_ = false;
            look_due_ = 0;
            extend_due_ = 0;
            const OpenedStream before = std::exchange(opened_, opened);
            lapse_if_late();
            const bool is_another = before.made != 0 && !is_same(before);
            if (std::exchange(restarted_, false) || is_another) begin_anew(before);
            calls_.opened();
        });
    });
}

/// Whether stream and consumer are those of before. Once nats-server 2.9 has started again, it
/// tells another time at which a consumer was made: that in its file, written a moment later.
bool OwnStream::is_same(const OpenedStream& before) const {
    constexpr std::int64_t moment = 1'000'000'000;  // nanoseconds
    return opened_.made == before.made &&
           std::abs(opened_.consumer_made - before.consumer_made) < moment;
}

/// The server has restarted, or the stream or its consumer was made anew.
void OwnStream::begin_anew(const OpenedStream& before) {
    if (is_same(before)) {
        // The server has forgotten some of what it was told since it last wrote to its disk: which
        // jobs were handed out, and which were acknowledged.
        const auto is_unwritten = [&](Micros when) { return when + unwritten_for >= heard_; };
        std::size_t unwritten = 0;
        for (const Past& past : past_) {
            server_.publish(past.reply, acknowledged);
            unwritten += is_unwritten(past.when) ? 1U : 0U;
        }
        std::size_t handed_out = unfinished_.size();
        each_job([&](const Job& job) { handed_out += is_unwritten(job.taken()) ? 1U : 0U; });
        return_jobs(free_.size());
        count_returned_ = true;
        return calls_.restarted(unwritten, handed_out);
    }
    forget_returned();
    // Another consumer of the same stream hands out anew what the one before had handed out.
    if (opened_.made == before.made) return forget_lapsed();
    forget_held();
    // Another stream: its numbers, and so the acknowledgements, mean other jobs.
    to_acknowledge_.clear();
    past_.clear();
}

/// What is held is no longer this agent's, nor to be given back.
void OwnStream::forget_held() {
    core_->lose(static_cast<Tokens>(free_.size()));
    free_.clear();
    pinned_.clear();
    to_give_back_.clear();
    unfinished_.clear();
    changed_ = true;
}

/// The same, and others may have it. What an earlier agent was carrying may be stored elsewhere.
void OwnStream::forget_lapsed() {
    const std::size_t jobs = free_.size() + pinned_.size();
    const std::size_t stored = to_acknowledge_.size() + unfinished_.size();
    forget_held();
    calls_.lapsed(jobs, stored);
}

void OwnStream::look() {
    looking_ = true;
    const Micros begun = now();
    at_server_.put([this, begun] {
        const std::optional<StreamView> view = stream_.look();
        tasks_.put([this, begun, view] {
            looking_ = false;
            if (!view || !open_) return;
            if (!view->is_same) {
                open_ = false;
                calls_.waits("the stream or its consumer was deleted");
                open_due_ = now() + deleted_for;
                return;
            }
            looked_ = true;
            heard_ = begun;
            handed_out_ = view->handed_out;
            const auto taken = static_cast<Tokens>(view->taken);
            returned_ = std::clamp<Tokens>(taken - taken_here(), 0, returned_);
            const Tokens others = std::max<Tokens>(taken - taken_here() - returned_, 0);
            if (others != others_) others_since_ = now();
            others_ = others;
            // The server also counts requests of clients that have died, until another one asks.
            workers_wait_ = view->requests > 0 && view->waiting == 0;
            if (waiting_ != static_cast<Tokens>(view->waiting)) changed_at_ = now();
            waiting_ = static_cast<Tokens>(view->waiting);
            core_->see({waiting_ + static_cast<Tokens>(pinned_.size()), returned_}, begun, now());
        });
    });
}

/// Visits the jobs that this agent has taken and not acknowledged, except the unfinished ones, of
/// which it has only the names.
void OwnStream::each_job(const std::function<void(const Job&)>& visit) const {
    std::for_each(free_.begin(), free_.end(), visit);
    std::for_each(pinned_.begin(), pinned_.end(), visit);
    std::for_each(to_acknowledge_.begin(), to_acknowledge_.end(), visit);
    calls_.each_carried(visit);
}

/// Jobs of this stream that this agent has taken and not acknowledged.
Tokens OwnStream::taken_here() const {
    std::size_t jobs = unfinished_.size();
    each_job([&](const Job& job) { jobs += job.stream_made() == opened_.made ? 1U : 0U; });
    return static_cast<Tokens>(jobs);
}

/// The numbers of these jobs in the stream.
std::set<std::uint64_t> OwnStream::numbers_here() const {
    std::set<std::uint64_t> numbers;
    each_job([&](const Job& job) {
        if (job.stream_made() == opened_.made) numbers.insert(job.sequence());
    });
    for (const HeldJob& job : unfinished_)
        numbers.insert(job.sequence);
    return numbers;
}

void OwnStream::take(Tokens jobs) {
    taking_ = true;
    const int most = static_cast<int>(std::min<Tokens>(jobs, 1000));
    const bool may_hand_out = !opened_.taken_max || taken_here() + returned_ + others_ <
                                                        static_cast<Tokens>(*opened_.taken_max);
    const bool nobody_gets_any = empty_at_ == handed_out_ && !workers_wait_ && may_hand_out;
    const int lost =
        nobody_gets_any ? static_cast<int>(std::min(others_ + returned_, lost_max)) : 0;
    at_server_.put([this, most, lost] {
        TakenJobs taken = lost > 0 ? stream_.take_behind_lost(lost) : stream_.take(most);
        tasks_.put([this, taken = std::move(taken)] {
            // Workers get those whose time has passed on the way.
            if (is_late(taken.asked)) return keep({});
            if (!taken.jobs.empty() && taken.asked.until(extended_) > 0) {
                extended_ = taken.asked;  // the server was told meanwhile, but not of these
                extend_due_ = 0;
            }
            keep(taken);
        });
    });
}

void OwnStream::keep(TakenJobs taken) {
    taking_ = false;
    // A server hands out what comes again before what is new.
    bool all_again = taken.may_be_more;
    for (const Job& job : taken.jobs) {
        if (returned_numbers_.erase(job.sequence()) > 0)
            returned_ = std::max<Tokens>(returned_ - 1, 0);
        else
            all_again = all_again && job.comes_again();
    }
    if (std::exchange(counting_returned_, false)) {
        count_returned_ = all_again;
        if (!all_again) forget_returned();
    }
    if (std::exchange(probing_, false) && all_again) probe_due_ = now();
    empty_at_ = taken.jobs.empty() ? std::optional(handed_out_) : std::nullopt;
    if (taken.jobs.empty()) {
        // Others were faster; the next look tells what is left.
        waiting_ = 0;
        look_due_ = 0;
        take_due_ = now() + second / 20;
        return;
    }
    changed_ = true;
    Tokens more = 0;
    std::set<std::uint64_t> here = numbers_here();
    for (Job& job : taken.jobs) {
        job.set_stream_made(opened_.made);
        job.set_taken(now());
        // A server that was killed may have forgotten that it had handed this one out already.
        if (!here.insert(job.sequence()).second) continue;
        const bool movable = job.transfers() < transfers_max_ && job.bytes() <= bytes_max;
        if (movable) ++more;
        (movable ? free_ : pinned_).push_back(std::move(job));
    }
    core_->hold(more, now());
}

// ---- the course

Micros OwnStream::work(bool rests, Tokens batch) {
    look_if_due();
    const Tokens wanted = core_->wanted();
    const bool owes = core_->owed() > core_->held();
    const bool has_room = static_cast<Tokens>(pinned_.size()) < batch;
    if (wanted > 0 && !taking_ && now() >= take_due_ && !rests && has_room &&
        (has_enough() || (owes && waiting_ > 0)))
        take(wanted);
    withdraw_if_empty(owes && waiting_ + returned_ == 0);
    if (!rests && has_room) probe(batch);
    if (!taking_) give_back_surplus(rests);
    keep_held();
    find_unfinished();
    return std::max(look_due_, now() + 1'000);
}

void OwnStream::look_if_due() {
    if (looking_ || now() < look_due_) return;
    look();
    const bool moving = core_->incoming() + core_->offered() + core_->owed() > 0;
    const bool changing = now() < changed_at_ + second;
    look_due_ = now() + (moving     ? second / 50
                         : changing ? second / 20
                                    : std::clamp<Micros>(25 * core_->tick(), second / 20, second));
}

/// Whether the stream has as many jobs as are wanted, so that taking them leads somewhere.
bool OwnStream::has_enough() const {
    return waiting_ + returned_ >= core_->wanted() && !(workers_wait_ && waiting_ == 0);
}

/// Jobs that others have taken are at work, or will be handed out again because whoever took them
/// died: the stream does not tell which, but hands the latter out first, once their time is over.
/// So as many are taken and held, which makes them count; what is held for nothing goes back, so
/// that it does not fill the room for them. Of those that were given back some may not exist, if
/// the server has forgotten: only those that come count.
void OwnStream::probe(Tokens batch) {
    if (returned_ != returned_before_) {
        returned_before_ = returned_;
        returned_since_ = now();
    }
    const bool sure = sure_at_ == handed_out_;
    if (returned_ > 0 && !sure && !workers_wait_ && now() >= returned_since_ + 3 * second) {
        returned_since_ = now();
        count_returned_ = true;
    }
    if (taking_) return;
    if (count_returned_ && returned_ > 0) {
        // The server needs a moment to take back what it was given.
        if (!to_give_back_.empty() || now() < sent_back_ + second / 2) return;
        count_returned_ = false;
        counting_returned_ = true;
        return take(returned_);
    }
    if (others_ == 0 || workers_wait_) return;
    const Micros patience = acknowledge_within();
    if (now() < others_since_ + patience || now() < probe_due_) return;
    probe_due_ = now() + patience / 2;
    // Those that were given back may come first, so as many more are taken.
    const Tokens looked_for = others_ + returned_;
    const Tokens most = std::min(std::max(4 * others_, looked_for), batch);
    const Tokens surplus = core_->surplus(false);
    // What goes back is handed out after the jobs that are looked for.
    if (surplus >= most) return return_jobs(static_cast<std::size_t>(surplus));
    probing_ = true;
    take(std::min(looked_for, most - surplus));
}

/// Forgets what is owed if there has been nothing to give for two seconds.
void OwnStream::withdraw_if_empty(bool empty) {
    if (!empty) shortage_ = 0;
    if (empty && shortage_ == 0) shortage_ = now();
    if (shortage_ == 0 || now() < shortage_ + 2 * second) return;
    core_->withdraw_owed();
    shortage_ = 0;
}

void OwnStream::give_back_surplus(bool rests) {
    const Tokens surplus = core_->surplus(core_->wanted() > 0 && !has_enough());
    if (surplus == 0 && pinned_.empty()) {
        surplus_since_ = 0;
        return;
    }
    if (surplus_since_ == 0) {
        surplus_since_ = now();
        idle_ = surplus;
    }
    idle_ = std::min(idle_, surplus);
    // Workers have other jobs to take, unless the stream is empty.
    const bool starving = waiting_ == 0 && workers_wait_;
    const bool long_empty = waiting_ == 0 && now() >= surplus_since_ + second;
    if (starving || long_empty || rests) {
        return_jobs(static_cast<std::size_t>(surplus));
    } else if (now() >= surplus_since_ + idle_for) {
        return_jobs(static_cast<std::size_t>(idle_));
        surplus_since_ = 0;  // the others have a time of their own
    }
}

void OwnStream::return_all() {
    return_jobs(free_.size());
}

void OwnStream::leave() {
    transfers_max_ = ~std::uint64_t{0};
    return_jobs(0);
}

void OwnStream::keep_held() {
    if (now() >= extend_due_) extend();
}

void OwnStream::return_jobs(std::size_t count) {
    for (std::size_t at = 0; at < count; ++at) {
        give_back(free_.back());
        free_.pop_back();
    }
    for (const Job& job : pinned_)
        give_back(job);
    core_->give_back(static_cast<Tokens>(count));
    pinned_.clear();
    surplus_since_ = 0;
    changed_ = true;
}

/// Tells the server that all that is held is at work.
void OwnStream::extend() {
    lapse_if_late();
    extend_due_ = now() + acknowledge_within() / 3;
    const BootTime begun = BootTime::now();
    bool sent = true;
    const auto tell = [&](const std::string& reply) {
        sent = server_.publish(reply, in_progress) && sent;
    };
    each_job([&](const Job& job) { tell(job.reply()); });
    for (const HeldJob& job : unfinished_)
        tell(job.reply);
    if (!sent) return;
    extended_ = begun;
    changed_ = true;  // the file tells the next agent whether it comes too late
}

bool OwnStream::is_late(const BootTime& extended) const {
    // A tenth less: what is sent now needs some time, too.
    const auto within = static_cast<std::int64_t>(acknowledge_within()) * 900;
    const std::int64_t nanoseconds = extended.until(BootTime::now());
    return nanoseconds < 0 || nanoseconds > within;
}

void OwnStream::lapse_if_late() {
    if (opened_.made == 0 || !is_late(extended_)) return;  // nothing was ever held, or not too long
    extended_ = BootTime::now();
    extend_due_ = 0;
    forget_lapsed();
}

// ---- jobs

Job OwnStream::next() {
    EQUIPOISE_ASSERT(!free_.empty());
    Job job = std::move(free_.front());
    free_.pop_front();
    changed_ = true;
    return job;
}

void OwnStream::acknowledge(Job job) {
    changed_ = true;
    if (job.stream_made() == opened_.made) to_acknowledge_.push_back(std::move(job));
}

void OwnStream::give_back(const Job& job) {
    changed_ = true;
    if (job.stream_made() == opened_.made) give_back(job.sequence(), job.reply());
}

void OwnStream::give_back(std::uint64_t sequence, const std::string& reply) {
    if (returned_ == 0) {
        returned_numbers_.clear();
        sure_at_ = handed_out_;
    }
    to_give_back_.push_back(reply);
    returned_numbers_.insert(sequence);
    if (returned_numbers_.size() > returned_numbers_max)
        returned_numbers_.erase(returned_numbers_.begin());
    ++returned_;
}

void OwnStream::forget_returned() {
    returned_ = 0;
    returned_numbers_.clear();
}

void OwnStream::send_given_back() {
    if (!to_give_back_.empty()) sent_back_ = now();
    for (const std::string& reply : std::exchange(to_give_back_, {}))
        server_.publish(reply, given_back);
}

void OwnStream::forget_given_back() {
    to_give_back_.clear();
    changed_ = true;
}

void OwnStream::send_acknowledgements() {
    if (to_acknowledge_.empty() || acknowledging_ || !open_) return;
    acknowledging_ = true;
    std::vector<std::string> replies;
    replies.reserve(to_acknowledge_.size());
    for (const Job& job : to_acknowledge_)
        replies.push_back(job.reply());
    at_server_.put([this, replies = std::move(replies), made = opened_.made] {
        bool sent = true;
        for (const std::string& reply : replies)
            sent = server_.publish(reply, acknowledged) && sent;
        sent = server_.flush() && sent;
        tasks_.put([this, replies, sent, made] {
            lapse_if_late();  // before these are forgotten: workers may have them as well
            acknowledging_ = false;
            if (!sent || made != opened_.made) return;
            for (const std::string& reply : replies)
                past_.push_back({reply, now()});
            to_acknowledge_.erase(
                to_acknowledge_.begin(),
                to_acknowledge_.begin() + static_cast<std::ptrdiff_t>(replies.size()));
            while (!past_.empty() &&
                   (past_.size() > past_max || past_.front().when + past_for < now()))
                past_.pop_front();
            changed_ = true;
        });
    });
}

// ---- the file of held jobs

bool OwnStream::take_changed() {
    return std::exchange(changed_, false);
}

void OwnStream::list(HeldJobs& held) const {
    held.made = opened_.made;
    held.server = server_id_;
    held.extended = extended_;
    for (const Job& job : free_)
        held.jobs.push_back({job.sequence(), job.reply(), ""});
    for (const Job& job : pinned_)
        held.jobs.push_back({job.sequence(), job.reply(), ""});
    for (const Job& job : to_acknowledge_)
        held.jobs.push_back({job.sequence(), job.reply(), stored_mark});
    held.jobs.insert(held.jobs.end(), unfinished_.begin(), unfinished_.end());
}

OwnStream::Recovered OwnStream::recover(
    const HeldJobs& before, const std::function<bool(const std::string&)>& is_neighbour) {
    const bool late = is_late(before.extended);
    // It may have forgotten that these jobs were handed out.
    const bool restarted = before.server != server_id_;
    count_returned_ = true;
    Recovered recovered;
    for (const HeldJob& job : before.jobs) {
        const bool is_stored = job.to == stored_mark;
        const bool is_left = !job.to.empty() && !is_stored && !is_neighbour(job.to);
        const bool in_doubt = late ? !job.to.empty() : restarted || is_left;
        recovered.perhaps_twice += in_doubt ? 1U : 0U;
        if (is_stored) {
            server_.publish(job.reply, acknowledged);
            past_.push_back({job.reply, now()});
        } else if (!late && (job.to.empty() || is_left)) {
            give_back(job.sequence, job.reply);
        } else if (!late) {
            unfinished_.push_back(job);
        }
    }
    if (!late) extended_ = before.extended;
    extend();
    changed_ = true;
    recovered.unfinished = unfinished_.size();
    return recovered;
}

/// The file names jobs; their texts are in the stream.
void OwnStream::find_unfinished() {
    if (finding_ || unfinished_.empty() || now() < find_due_) return;
    finding_ = true;
    at_server_.put([this, jobs = unfinished_] {
        bool asked = true;
        for (auto job = jobs.begin(); job != jobs.end() && asked; ++job) {
            const std::optional<Job> found = stream_.find(job->sequence, asked);
            if (asked) tasks_.put([this, number = job->sequence, found] { finish(number, found); });
        }
        tasks_.put([this] {
            finding_ = false;
            find_due_ = now() + second / 2;
        });
    });
}

void OwnStream::finish(std::uint64_t sequence, std::optional<Job> found) {
    const auto at = std::find_if(unfinished_.begin(), unfinished_.end(),
                                 [&](const HeldJob& job) { return job.sequence == sequence; });
    if (at == unfinished_.end()) return;  // forgotten meanwhile
    const HeldJob job = *at;
    unfinished_.erase(at);
    changed_ = true;
    if (!found) return;  // it was acknowledged
    found->set_reply(job.reply);
    found->set_stream_made(opened_.made);
    calls_.resume(job.to, *found);
}

}  // namespace equipoise::agent
