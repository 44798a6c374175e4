#include "equipoise/agent/job_stream.hpp"

#ifdef EQUIPOISE_WITH_NATS

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

std::optional<std::string> JobStream::open() {
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
        config.Duplicates = 600 * second;
        status = js_AddStream(&stream_made, context, &config, nullptr, &code);
    }
    if (status != NATS_OK) return "stream " + names_.stream + ": " + failure(status);
    const Owned<jsStreamInfo> stream(stream_made);
    made_ = stream->Created;
    if (stream->Config->Retention != js_WorkQueuePolicy)
        refuse(names_, "a work queue", "another retention policy");

    jsConsumerInfo* consumer_made = nullptr;
    status = js_GetConsumerInfo(&consumer_made, context, names_.stream.c_str(),
                                names_.consumer.c_str(), nullptr, &code);
    if (status == NATS_NOT_FOUND) {
        jsConsumerConfig config;
        jsConsumerConfig_Init(&config);
        config.Durable = names_.consumer.c_str();
        config.AckPolicy = js_AckExplicit;
        config.AckWait = 30 * second;
        config.MaxAckPending = -1;
        status =
            js_AddConsumer(&consumer_made, context, names_.stream.c_str(), &config, nullptr, &code);
    }
    if (status != NATS_OK) return "consumer " + names_.consumer + ": " + failure(status);
    const Owned<jsConsumerInfo> consumer(consumer_made);
    consumer_made_ = consumer->Created;
    const jsConsumerConfig& config = *consumer->Config;
    expect_usable(names_, config);
    acknowledge_within_ = static_cast<std::uint64_t>(config.AckWait) / 1000;
    taken_max_.reset();
    if (config.MaxAckPending > 0) taken_max_ = static_cast<std::uint64_t>(config.MaxAckPending);
    filter_ = text_of(config.FilterSubject);

    jsSubOptions subscribe;
    jsSubOptions_Init(&subscribe);
    subscribe.Stream = names_.stream.c_str();
    subscribe.Consumer = names_.consumer.c_str();
    const std::string subject = filter_.empty() ? names_.subjects : filter_;
    natsSubscription* made = nullptr;
    status = js_PullSubscribe(&made, context, subject.c_str(), names_.consumer.c_str(), nullptr,
                              &subscribe, &code);
    if (status != NATS_OK) return "consumer " + names_.consumer + ": " + failure(status);
    if (subscription_ != nullptr)
        natsSubscription_Destroy(static_cast<natsSubscription*>(subscription_));
    subscription_ = made;
    return std::nullopt;
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

std::vector<Job> JobStream::take(int jobs_max) {
    std::vector<Job> jobs;
    jsFetchRequest request;
    jsFetchRequest_Init(&request);
    request.Batch = jobs_max;
    request.NoWait = true;
    request.Expires = second;
    natsMsgList list = {};
    if (natsSubscription_FetchRequest(&list, static_cast<natsSubscription*>(subscription_),
                                      &request) == NATS_OK) {
        for (int at = 0; at < list.Count; ++at) {
            jobs.emplace_back(list.Msgs[at]);
            list.Msgs[at] = nullptr;
        }
    }
    natsMsgList_Destroy(&list);
    return jobs;
}

std::optional<Job> JobStream::find(std::uint64_t sequence, bool& asked) {
    const std::shared_ptr<void> keeps = connection_.stream_context();
    natsMsg* made = nullptr;
    jsErrCode code{};
    const natsStatus status = js_GetMsg(&made, static_cast<jsCtx*>(keeps.get()),
                                        names_.stream.c_str(), sequence, nullptr, &code);
    asked = status == NATS_OK || status == NATS_NOT_FOUND;
    if (status != NATS_OK) return std::nullopt;
    return Job(made);
}

}  // namespace equipoise::agent

#else

namespace equipoise::agent {

JobStream::JobStream(Connection& connection, Names names)
    : connection_(connection), names_(std::move(names)) {}
JobStream::~JobStream() = default;
std::optional<std::string> JobStream::open() {
    return std::nullopt;
}
std::optional<StreamView> JobStream::look() {
    return std::nullopt;
}
std::vector<Job> JobStream::take(int /*jobs_max*/) {
    return {};
}
std::optional<Job> JobStream::find(std::uint64_t /*sequence*/, bool& asked) {
    asked = false;
    return std::nullopt;
}

}  // namespace equipoise::agent

#endif
