#include "equipoise/agent/nats.hpp"

#include "equipoise/base/error.hpp"

#ifdef EQUIPOISE_WITH_NATS

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include <nats/nats.h>

namespace equipoise::agent {

namespace {

constexpr const char* transfers_header = "Equipoise-Transfers";
constexpr const char* id_header = "Nats-Msg-Id";
/// For requests to a server, and for the answer that a job is stored.
constexpr std::int64_t answer_within = 2000;    // milliseconds
constexpr std::int64_t stored_within = 5000;    // milliseconds
constexpr std::int64_t reconnect_after = 200;   // milliseconds
constexpr std::int64_t second = 1'000'000'000;  // nanoseconds

struct Destroy {
    void operator()(natsOptions* object) const { natsOptions_Destroy(object); }
    void operator()(natsMsg* object) const { natsMsg_Destroy(object); }
    void operator()(jsStreamInfo* object) const { jsStreamInfo_Destroy(object); }
    void operator()(jsConsumerInfo* object) const { jsConsumerInfo_Destroy(object); }
    void operator()(const char** list) const {
        free(static_cast<void*>(list));  // NOLINT(cppcoreguidelines-no-malloc): libnats wants it
    }
};
template <class T>
using Owned = std::unique_ptr<T, Destroy>;

std::string text_of(const char* text) {
    return text == nullptr ? std::string() : std::string(text);
}

std::string text_of(natsStatus status) {
    return text_of(natsStatus_GetText(status));
}

/// Why a request failed, with the server's own words if it has answered.
std::string why_of(natsStatus status) {
    natsStatus of_last{};
    std::string last = text_of(nats_GetLastError(&of_last));
    if (of_last != status || last.empty()) return text_of(status);
    // libnats puts its own line before them: (jsm.c:1033): ...
    const std::size_t line = last.find("): ");
    if (last.front() == '(' && line != std::string::npos) last.erase(0, line + 3);
    return last;
}

std::string body_of(const natsMsg* message) {
    return {natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message))};
}

std::uint64_t number_in(std::string_view text) {
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// The value of a header, or empty.
std::string header(natsMsg* message, const char* key) {
    const char* value = nullptr;
    if (natsMsgHeader_Get(message, key, &value) != NATS_OK) return {};
    return text_of(value);
}

/// The number in `HEAD.SEQUENCE.TIME`.
std::uint64_t sequence_of(std::string_view id) {
    id = id.substr(0, id.rfind('.'));
    return number_in(id.substr(id.rfind('.') + 1));
}

void expect_ok(natsStatus status, const std::string& what) {
    if (status != NATS_OK) throw InputError(what + ": " + text_of(status));
}

}  // namespace

bool is_built_in() {
    return true;
}

// ---- jobs

Job::Job(void* message)
    : message_(message, [](void* held) { natsMsg_Destroy(static_cast<natsMsg*>(held)); }) {
    auto* const native = static_cast<natsMsg*>(message);
    jsMsgMetaData* data = nullptr;
    if (natsMsg_GetMetaData(&data, native) == NATS_OK) {
        sequence_ = data->Sequence.Stream;
        time_ = data->Timestamp;
        jsMsgMetaData_Destroy(data);
    } else {  // asked for by its number
        sequence_ = natsMsg_GetSequence(native);
        time_ = natsMsg_GetTime(native);
    }
    reply_ = text_of(natsMsg_GetReply(native));
    bytes_ = static_cast<std::size_t>(natsMsg_GetDataLength(native));
    transfers_ = number_in(header(native, transfers_header));
}

// ---- connections

/// One connection of libnats, which calls from threads of its own.
struct Connection::Native {
    struct Subscription {
        Native* native = nullptr;
        const std::function<void(const Incoming&)>* came = nullptr;
        natsSubscription* handle = nullptr;
    };

    const Calls& calls;
    natsConnection* connection = nullptr;
    jsCtx* stream_context = nullptr;
    std::vector<std::unique_ptr<Subscription>> subscriptions;
    std::atomic<bool> there = false;
    std::atomic<bool> dead = false;  ///< libnats will not connect it again

    // Closing: what libnats still calls must find this object.
    std::mutex mutex;
    std::condition_variable changed;
    bool closing = false;
    bool closed = false;
    std::size_t open_subscriptions = 0;

    explicit Native(const Calls& to_call) : calls(to_call) {}
    ~Native();
    Native(const Native&) = delete;
    Native& operator=(const Native&) = delete;

    void tell(bool is_there) {
        there = is_there;
        {
            const std::lock_guard lock(mutex);
            if (closing) return;
        }
        char id[64] = {};
        if (is_there) natsConnection_GetConnectedServerId(connection, id, sizeof(id));
        if (calls.changed) calls.changed(is_there, id);
    }

    static void on_connected(natsConnection* handle, void* closure) {
        auto& self = *static_cast<Native*>(closure);
        if (self.connection == nullptr) self.connection = handle;
        self.tell(true);
    }
    static void on_disconnected(natsConnection* /*handle*/, void* closure) {
        static_cast<Native*>(closure)->tell(false);
    }
    static void on_closed(natsConnection* /*handle*/, void* closure) {
        auto& self = *static_cast<Native*>(closure);
        const std::lock_guard lock(self.mutex);
        self.there = false;
        self.dead = true;
        self.closed = true;
        self.changed.notify_all();
    }
    static void on_error(natsConnection* /*handle*/, natsSubscription* /*subscription*/,
                         natsStatus /*status*/, void* /*closure*/) {}
    static void on_message(natsConnection* /*handle*/, natsSubscription* /*subscription*/,
                           natsMsg* message, void* closure) {
        const Owned<natsMsg> owned(message);
        (*static_cast<Subscription*>(closure)->came)({text_of(natsMsg_GetSubject(message)),
                                                      text_of(natsMsg_GetReply(message)),
                                                      body_of(message)});
    }
    static void on_subscription_end(void* closure) {
        auto& self = *static_cast<Subscription*>(closure)->native;
        const std::lock_guard lock(self.mutex);
        --self.open_subscriptions;
        self.changed.notify_all();
    }
    static void on_stored(jsCtx* /*context*/, natsMsg* message, jsPubAck* stored,
                          jsPubAckErr* error, void* closure) {
        const Owned<natsMsg> owned(message);
        Stored answer;
        const std::string id = header(message, id_header);
        answer.sequence = sequence_of(id);
        answer.stored = stored != nullptr;
        answer.doubled = stored != nullptr && stored->Duplicate;
        if (error != nullptr) {
            // An error code is the stream's own word; without one, nobody answered in time.
            answer.refused = error->ErrCode != 0;
            answer.why = error->ErrText != nullptr ? text_of(error->ErrText) : text_of(error->Err);
        }
        const auto& self = *static_cast<Native*>(closure);
        if (self.calls.stored) self.calls.stored(answer);
    }
};

Connection::Native::~Native() {
    if (connection == nullptr) return;
    {
        const std::lock_guard lock(mutex);
        closing = true;
    }
    for (const auto& subscription : subscriptions)
        natsSubscription_Destroy(subscription->handle);
    jsCtx_Destroy(stream_context);
    natsConnection_Close(connection);
    std::unique_lock lock(mutex);
    changed.wait_for(lock, std::chrono::seconds(2),
                     [&] { return closed && open_subscriptions == 0; });
    lock.unlock();
    natsConnection_Destroy(connection);
}

Connection::Connection(Login login, Calls calls, std::optional<int> once_within)
    : login_(std::move(login)), calls_(std::move(calls)), once_within_(once_within) {
    connect();
}

Connection::~Connection() = default;

void Connection::connect() {
    const auto native = std::make_shared<Native>(calls_);
    natsOptions* made = nullptr;
    expect_ok(natsOptions_Create(&made), login_.server);
    const Owned<natsOptions> options(made);
    expect_ok(natsOptions_SetURL(made, login_.server.c_str()), login_.server);
    natsOptions_SetName(made, login_.name.c_str());
    natsOptions_SetCustomInboxPrefix(made, ("_INBOX." + login_.name).c_str());
    natsOptions_SetMaxReconnect(made, -1);
    natsOptions_SetReconnectWait(made, reconnect_after);
    natsOptions_SetReconnectJitter(made, reconnect_after / 2, reconnect_after / 2);
    // What cannot be sent now is lost: repeating is the program's business.
    natsOptions_SetReconnectBufSize(made, 1);
    natsOptions_SetFailRequestsOnDisconnect(made, true);
    natsOptions_SetPingInterval(made, 5000);
    natsOptions_SetMaxPingsOut(made, 2);
    natsOptions_SetTimeout(made, once_within_.value_or(answer_within));
    // A server that hangs must not stop whoever publishes; the connection is then lost.
    natsOptions_SetWriteDeadline(made, answer_within);
    natsOptions_SetIgnoreDiscoveredServers(made, true);
    natsOptions_SetSendAsap(made, true);
    if (!login_.credentials.empty())
        expect_ok(
            natsOptions_SetUserCredentialsFromFiles(made, login_.credentials.c_str(), nullptr),
            login_.credentials);
    if (!login_.authorities.empty()) {
        expect_ok(natsOptions_SetSecure(made, true), login_.server);
        expect_ok(natsOptions_LoadCATrustedCertificates(made, login_.authorities.c_str()),
                  login_.authorities);
    }
    natsOptions_SetErrorHandler(made, Native::on_error, native.get());
    natsOptions_SetDisconnectedCB(made, Native::on_disconnected, native.get());
    natsOptions_SetReconnectedCB(made, Native::on_connected, native.get());
    natsOptions_SetClosedCB(made, Native::on_closed, native.get());
    if (once_within_)  // an attempt that goes on in the background would have to be waited for
        natsOptions_SetAllowReconnect(made, false);
    else
        natsOptions_SetRetryOnFailedConnect(made, true, Native::on_connected, native.get());
    const natsStatus status = natsConnection_Connect(&native->connection, made);
    const bool usable = status == NATS_OK || status == NATS_NOT_YET_CONNECTED;
    native->dead = !usable;
    if (usable) {
        jsOptions stream_options;
        jsOptions_Init(&stream_options);
        stream_options.Wait = answer_within;
        stream_options.PublishAsync.AckHandler = Native::on_stored;
        stream_options.PublishAsync.AckHandlerClosure = native.get();
        expect_ok(
            natsConnection_JetStream(&native->stream_context, native->connection, &stream_options),
            login_.server);
        for (const auto& [subject, came] : subjects_)
            subscribe(*native, subject, came);
    } else {
        why_ = text_of(status);
    }
    {
        const std::lock_guard lock(mutex_);
        native_ = native;
    }
    if (status == NATS_OK) native->tell(true);
}

std::shared_ptr<Connection::Native> Connection::native() const {
    const std::lock_guard lock(mutex_);
    return native_;
}

void* Connection::stream_context() const {
    return native()->stream_context;
}

bool Connection::is_there() const {
    return native()->there;
}

std::string Connection::revive() {
    if (!native()->dead) return {};
    connect();
    return why_;
}

bool Connection::publish(const std::string& subject, std::string_view text) {
    const auto native = this->native();
    return natsConnection_Publish(native->connection, subject.c_str(), text.data(),
                                  static_cast<int>(text.size())) == NATS_OK;
}

bool Connection::flush() {
    const auto native = this->native();
    return natsConnection_FlushTimeout(native->connection, answer_within) == NATS_OK;
}

void Connection::subscribe(const std::string& subject, std::function<void(const Incoming&)> came) {
    subjects_.emplace_back(subject, std::move(came));
    const auto native = this->native();
    if (!native->dead) subscribe(*native, subject, subjects_.back().second);
}

void Connection::subscribe(Native& native, const std::string& subject,
                           const std::function<void(const Incoming&)>& came) {
    auto subscription = std::make_unique<Native::Subscription>();
    subscription->native = &native;
    subscription->came = &came;
    expect_ok(natsConnection_Subscribe(&subscription->handle, native.connection, subject.c_str(),
                                       Native::on_message, subscription.get()),
              subject);
    {
        const std::lock_guard lock(native.mutex);
        ++native.open_subscriptions;
    }
    natsSubscription_SetOnCompleteCB(subscription->handle, Native::on_subscription_end,
                                     subscription.get());
    // A flood must not take memory: what waits beyond this is dropped, as channels may lose.
    natsSubscription_SetPendingLimits(subscription->handle, 4096, 1 << 22);
    native.subscriptions.push_back(std::move(subscription));
}

std::optional<std::string> Connection::ask(const std::string& subject, std::string_view text,
                                           int milliseconds) {
    const auto native = this->native();
    natsMsg* reply = nullptr;
    if (natsConnection_Request(&reply, native->connection, subject.c_str(), text.data(),
                               static_cast<int>(text.size()), milliseconds) != NATS_OK)
        return std::nullopt;
    const Owned<natsMsg> owned(reply);
    return body_of(reply);
}

Sent Connection::publish(const Job& job, const std::string& message_id) {
    const auto native = this->native();
    auto* const from = static_cast<natsMsg*>(job.message());
    natsMsg* made = nullptr;
    if (natsMsg_Create(&made, natsMsg_GetSubject(from), nullptr, natsMsg_GetData(from),
                       natsMsg_GetDataLength(from)) != NATS_OK)
        return Sent::failed;
    Owned<natsMsg> copy(made);
    const char** keys = nullptr;
    int count = 0;
    if (natsMsgHeader_Keys(from, &keys, &count) == NATS_OK) {
        const Owned<const char*> owned_keys(keys);
        for (int at = 0; at < count; ++at) {
            // Headers that speak to a stream were meant for the one that the job came from.
            if (std::string_view(keys[at]).starts_with("Nats-")) continue;
            const char** values = nullptr;
            int value_count = 0;
            if (natsMsgHeader_Values(from, keys[at], &values, &value_count) != NATS_OK) continue;
            const Owned<const char*> owned_values(values);
            for (int value = 0; value < value_count; ++value)
                natsMsgHeader_Add(made, keys[at], values[value]);
        }
    }
    natsMsgHeader_Set(made, transfers_header, std::to_string(job.transfers() + 1).c_str());
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MsgId = message_id.c_str();
    options.MaxWait = stored_within;
    made = copy.release();
    const natsStatus status = js_PublishMsgAsync(native->stream_context, &made, &options);
    natsMsg_Destroy(made);
    if (status == NATS_MAX_PAYLOAD) return Sent::too_large;
    return status == NATS_OK ? Sent::sent : Sent::failed;
}

// ---- streams

namespace {

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

std::optional<std::string> JobStream::open() {
    auto* const context = static_cast<jsCtx*>(connection_.stream_context());
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
    if (status != NATS_OK) return "stream " + names_.stream + ": " + why_of(status);
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
    if (status != NATS_OK) return "consumer " + names_.consumer + ": " + why_of(status);
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
    if (status != NATS_OK) return "consumer " + names_.consumer + ": " + why_of(status);
    if (subscription_ != nullptr)
        natsSubscription_Destroy(static_cast<natsSubscription*>(subscription_));
    subscription_ = made;
    return std::nullopt;
}

std::optional<StreamView> JobStream::look() {
    jsConsumerInfo* made = nullptr;
    auto* const context = static_cast<jsCtx*>(connection_.stream_context());
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
    natsMsg* made = nullptr;
    jsErrCode code{};
    const natsStatus status = js_GetMsg(&made, static_cast<jsCtx*>(connection_.stream_context()),
                                        names_.stream.c_str(), sequence, nullptr, &code);
    asked = status == NATS_OK || status == NATS_NOT_FOUND;
    if (status != NATS_OK) return std::nullopt;
    return Job(made);
}

}  // namespace equipoise::agent

#else

namespace equipoise::agent {

bool is_built_in() {
    return false;
}

Job::Job(void* /*message*/) {}

struct Connection::Native {};

Connection::Connection(Login login, Calls /*calls*/, std::optional<int> once_within)
    : login_(std::move(login)), once_within_(once_within) {
    throw InputError(login_.server + ": expected a build with libnats, found one without it");
}
Connection::~Connection() = default;
bool Connection::is_there() const {
    return false;
}
std::string Connection::revive() {
    return {};
}
bool Connection::publish(const std::string& /*subject*/, std::string_view /*text*/) {
    return false;
}
bool Connection::flush() {
    return false;
}
void Connection::subscribe(const std::string& /*subject*/,
                           std::function<void(const Incoming&)> /*came*/) {}
std::optional<std::string> Connection::ask(const std::string& /*subject*/,
                                           std::string_view /*text*/, int /*milliseconds*/) {
    return std::nullopt;
}
Sent Connection::publish(const Job& /*job*/, const std::string& /*message_id*/) {
    return Sent::failed;
}

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
