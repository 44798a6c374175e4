#include "equipoise/agent/job_stream.hpp"

#ifdef EQUIPOISE_WITH_NATS

#include <algorithm>
#include <climits>
#include <utility>

#include "equipoise/agent/libnats.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::agent {

namespace {

constexpr std::int64_t second = 1'000'000'000;  // nanoseconds

[[noreturn]] void refuse(const JobStream::Names& names, const std::string& expected,
                         const std::string& found) {
    throw InputError("stream " + names.stream + ": expected " + expected + ", found " + found);
}

void expect_usable(const JobStream::Names& names, const jsStreamConfig& config) {
    if (config.Retention != js_WorkQueuePolicy)
        refuse(names, "a work queue", "another retention policy");
    if (config.MaxAge > 0)
        refuse(names, "a stream that keeps jobs until they are done (max_age 0)",
               "one that deletes them after " + std::to_string(config.MaxAge / 1'000'000) + " ms");
    const bool is_limited =
        config.MaxMsgs > 0 || config.MaxBytes > 0 || config.MaxMsgsPerSubject > 0;
    if (is_limited && config.Discard == js_DiscardOld)
        refuse(names, "a stream that takes no new job when it is full (discard: new)",
               "one that deletes old ones");
    if (config.MaxMsgsPerSubject > 0 && !config.DiscardNewPerSubject)
        refuse(names,
               "a stream that takes no new job of a full subject either "
               "(discard_new_per_subject)",
               "one that deletes old ones");
    if (config.Storage == js_MemoryStorage)
        refuse(names, "a stream that is kept in files", "one in memory");
    if (config.NoAck)
        refuse(names, "a stream that says when a job is stored", "one that does not (no_ack)");
}

void expect_usable(const JobStream::Names& names, const jsConsumerConfig& config) {
    const std::string of_consumer = "a consumer " + names.consumer;
    if (config.DeliverSubject != nullptr)
        refuse(names, of_consumer + " of which jobs are pulled", "one that pushes");
    if (config.AckPolicy != js_AckExplicit)
        refuse(names, of_consumer + " whose jobs are acknowledged one by one", "another policy");
    if (config.MaxDeliver > 0)
        refuse(names,
               of_consumer + " without max_deliver, since jobs that are held count as delivered",
               std::to_string(config.MaxDeliver));
    if (config.HeadersOnly)
        refuse(names, of_consumer + " that hands jobs out whole", "one of their headers only");
    if (config.AckWait < 5 * second)
        refuse(names, of_consumer + " with an ack_wait of at least 5 s, in which jobs are held",
               std::to_string(config.AckWait / 1'000'000) + " ms");
}

}  // namespace

JobStream::JobStream(Connection& connection, Names names)
    : connection_(connection), names_(std::move(names)) {}

JobStream::~JobStream() {
    if (subscription_ != nullptr)
        natsSubscription_Destroy(static_cast<natsSubscription*>(subscription_));
}

/// Why a request failed. A server does not answer one that the user may not make; it complains.
std::string JobStream::failure(int status) const {
    const std::string why = why_of(static_cast<natsStatus>(status));
    const std::string refusal = connection_.refusal();
    return refusal.empty() ? why : why + ", and the server says: " + refusal;
}

std::optional<std::string> JobStream::open(OpenedStream& opened) {
    const std::shared_ptr<void> keeps = connection_.stream_context();
    auto* const context = static_cast<jsCtx*>(keeps.get());
    jsErrCode code{};
    jsStreamInfo* stream_made = nullptr;
    natsStatus status =
        js_GetStreamInfo(&stream_made, context, names_.stream.c_str(), nullptr, &code);
    if (status == NATS_NOT_FOUND) {
        jsStreamConfig config;
        jsStreamConfig_Init(&config);
        const char* subjects[] = {names_.subjects.c_str()};
        config.Name = names_.stream.c_str();
        config.Subjects = subjects;
        config.SubjectsLen = 1;
        config.Retention = js_WorkQueuePolicy;
        config.Discard = js_DiscardNew;
        config.Duplicates = 600 * second;
        status = js_AddStream(&stream_made, context, &config, nullptr, &code);
    }
    if (status != NATS_OK) return "stream " + names_.stream + ": " + failure(status);
    const Owned<jsStreamInfo> stream(stream_made);
    expect_usable(names_, *stream->Config);

    jsConsumerInfo* consumer_made = nullptr;
    status = js_GetConsumerInfo(&consumer_made, context, names_.stream.c_str(),
                                names_.consumer.c_str(), nullptr, &code);
    if (status == NATS_NOT_FOUND) {
        jsConsumerConfig config;
        jsConsumerConfig_Init(&config);
        config.Durable = names_.consumer.c_str();
        config.AckPolicy = js_AckExplicit;
        config.AckWait = 30 * second;
        status =
            js_AddConsumer(&consumer_made, context, names_.stream.c_str(), &config, nullptr, &code);
    }
    if (status != NATS_OK) return "consumer " + names_.consumer + ": " + failure(status);
    const Owned<jsConsumerInfo> consumer(consumer_made);
    consumer_made_ = consumer->Created;
    const jsConsumerConfig& config = *consumer->Config;
    expect_usable(names_, config);
    opened = {.made = stream->Created,
              .consumer_made = consumer_made_,
              .acknowledge_within = static_cast<std::uint64_t>(config.AckWait) / 1000,
              .taken_max = std::nullopt};
    if (config.MaxAckPending > 0)
        opened.taken_max = static_cast<std::uint64_t>(config.MaxAckPending);
    request_max_ = config.MaxRequestBatch > 0 ? config.MaxRequestBatch : INT_MAX;
    expires_max_ = config.MaxRequestExpires > 0 ? config.MaxRequestExpires : second;
    filter_ = text_of(config.FilterSubject);

    subject_ = filter_.empty() ? names_.subjects : filter_;
    status = static_cast<natsStatus>(subscribe(context));
    if (status != NATS_OK) return "consumer " + names_.consumer + ": " + failure(status);
    return std::nullopt;
}

int JobStream::subscribe(void* context) {
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Stream = names_.stream.c_str();
    options.Consumer = names_.consumer.c_str();
    natsSubscription* made = nullptr;
    const natsStatus status =
        js_PullSubscribe(&made, static_cast<jsCtx*>(context), subject_.c_str(),
                         names_.consumer.c_str(), nullptr, &options, nullptr);
    if (status != NATS_OK) return status;
    if (subscription_ != nullptr)
        natsSubscription_Destroy(static_cast<natsSubscription*>(subscription_));
    subscription_ = made;
    has_open_request_ = false;
    return NATS_OK;
}

std::optional<StreamView> JobStream::look() {
    jsConsumerInfo* made = nullptr;
    const std::shared_ptr<void> keeps = connection_.stream_context();
    auto* const context = static_cast<jsCtx*>(keeps.get());
    jsErrCode code{};
    const natsStatus status = js_GetConsumerInfo(&made, context, names_.stream.c_str(),
                                                 names_.consumer.c_str(), nullptr, &code);
    if (code == JSStreamNotFoundErr || code == JSConsumerNotFoundErr)
        return StreamView{.is_same = false};
    if (status != NATS_OK) return std::nullopt;
    const Owned<jsConsumerInfo> info(made);
    // A stream that is made anew has a consumer that is, too.
    return StreamView{.is_same = info->Created == consumer_made_,
                      .waiting = info->NumPending,
                      .taken = static_cast<std::uint64_t>(info->NumAckPending),
                      .requests = static_cast<std::uint64_t>(info->NumWaiting),
                      .handed_out = info->Delivered.Consumer};
}

TakenJobs JobStream::take(int jobs_max) {
    TakenJobs taken;
    // What comes after libnats has given up would be returned by the next request, however old; and
    // libnats before 3.9 writes past the end of its list if that is more than half of a batch.
    if (has_open_request_ && subscribe(connection_.stream_context().get()) != NATS_OK) return taken;
    auto* const subscription = static_cast<natsSubscription*>(subscription_);
    jsFetchRequest request;
    jsFetchRequest_Init(&request);
    request.Batch = static_cast<int>(std::min<std::int64_t>(jobs_max, request_max_));
    request.NoWait = true;
    request.Expires = std::min(second, expires_max_);
    natsMsgList list = {};
    taken.asked = BootTime::now();
    if (natsSubscription_FetchRequest(&list, subscription, &request) == NATS_OK) {
        for (int at = 0; at < list.Count; ++at) {
            taken.jobs.emplace_back(list.Msgs[at]);
            list.Msgs[at] = nullptr;
        }
    }
    natsMsgList_Destroy(&list);
    int left = 0;
    natsSubscription_GetPending(subscription, &left, nullptr);
    has_open_request_ = left > 0 || taken.asked.until(BootTime::now()) > request.Expires * 9 / 10;
    taken.may_be_more =
        has_open_request_ || taken.jobs.size() == static_cast<std::size_t>(request.Batch);
    return taken;
}

/// nats-server 2.9 that was killed may have to hand jobs out again that it no longer has. A request
/// makes it look for one job, and if that is such a one, it looks no further until somebody asks
/// again. They come anew whenever a job's time has passed: if fewer requests come meanwhile than
/// there are of them, nobody ever gets a job. So one request follows another, for one job each.
TakenJobs JobStream::take_behind_lost(int lost_max) {
    constexpr std::int64_t look_for = 2;   // milliseconds that a server needs to look for a job
    constexpr std::int64_t ends_in = 500;  // milliseconds after which the server says so
    const std::string subject =
        "$JS.API.CONSUMER.MSG.NEXT." + names_.stream + '.' + names_.consumer;
    const std::string request = R"({"batch": 1, "no_wait": true, "expires": )" +
                                std::to_string(std::min(second / 10, expires_max_)) + '}';
    const std::string inbox = connection_.inbox();
    const std::shared_ptr<void> keeps = connection_.handle();
    auto* const connection = static_cast<natsConnection*>(keeps.get());
    natsSubscription* made = nullptr;
    TakenJobs taken;
    if (natsConnection_SubscribeSync(&made, connection, inbox.c_str()) != NATS_OK) return taken;
    const Owned<natsSubscription> answers(made);
    const auto hear = [&](std::int64_t milliseconds) {
        natsMsg* answer = nullptr;
        if (natsSubscription_NextMsg(&answer, answers.get(), milliseconds) != NATS_OK) return false;
        if (natsMsg_GetReply(answer) != nullptr)
            taken.jobs.emplace_back(answer);
        else  // that the request has ended without a job
            natsMsg_Destroy(answer);
        return true;
    };
    int open = 0;
    for (int lost = 0; lost < lost_max && taken.jobs.empty(); ++lost) {
        if (natsConnection_PublishRequestString(connection, subject.c_str(), inbox.c_str(),
                                                request.c_str()) != NATS_OK)
            break;
        ++open;
        if (hear(look_for)) --open;
    }
    while (open > 0 && hear(ends_in))
        --open;
    taken.may_be_more = !taken.jobs.empty();
    return taken;
}

std::optional<Job> JobStream::find(std::uint64_t sequence, bool& asked) {
    const std::shared_ptr<void> keeps = connection_.stream_context();
    natsMsg* made = nullptr;
    jsErrCode code{};
    const natsStatus status = js_GetMsg(&made, static_cast<jsCtx*>(keeps.get()),
                                        names_.stream.c_str(), sequence, nullptr, &code);
    asked = status == NATS_OK || status == NATS_NOT_FOUND;
    if (status != NATS_OK) return std::nullopt;
    Job job(made);
    // A late answer to an earlier question that was given up may be taken for this one's.
    asked = job.sequence() == sequence;
    return asked ? std::optional(std::move(job)) : std::nullopt;
}

}  // namespace equipoise::agent

#else

namespace equipoise::agent {

JobStream::JobStream(Connection& connection, Names names)
    : connection_(connection), names_(std::move(names)) {}
JobStream::~JobStream() = default;
std::optional<std::string> JobStream::open(OpenedStream& /*opened*/) {
    return std::nullopt;
}
std::optional<StreamView> JobStream::look() {
    return std::nullopt;
}
TakenJobs JobStream::take(int /*jobs_max*/) {
    return {};
}
TakenJobs JobStream::take_behind_lost(int /*lost_max*/) {
    return {};
}
std::optional<Job> JobStream::find(std::uint64_t /*sequence*/, bool& asked) {
    asked = false;
    return std::nullopt;
}

}  // namespace equipoise::agent

#endif
