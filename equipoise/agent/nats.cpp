#include "equipoise/agent/nats.hpp"

#include "equipoise/agent/addresses.hpp"
#include "equipoise/base/error.hpp"

#ifdef EQUIPOISE_WITH_NATS

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <fstream>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "equipoise/agent/libnats.hpp"
#include "equipoise/agent/random_word.hpp"

namespace equipoise::agent {

namespace {

constexpr const char* transfers_header = "Equipoise-Transfers";
constexpr const char* id_header = "Nats-Msg-Id";
/// For requests to a server, and for the answer that a job is stored.
constexpr std::int64_t answer_within = 2000;  // milliseconds
constexpr std::int64_t stored_within = 5000;  // milliseconds
/// A server that refuses somebody is asked again sooner than this.
constexpr auto refused_for = std::chrono::seconds(5);

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

/// Under which a job is published: HEAD.SEQUENCE.TIME.
std::string id_of(const std::string& head, const JobOrigin& origin) {
    return head + '.' + std::to_string(origin.sequence) + '.' + std::to_string(origin.time);
}
JobOrigin origin_in(std::string_view id) {
    const std::size_t last = id.rfind('.');
    const std::string_view head = id.substr(0, last);
    return {number_in(head.substr(head.rfind('.') + 1)),
            static_cast<std::int64_t>(number_in(id.substr(last + 1)))};
}

std::string inbox_prefix(const Login& login) {
    return "_INBOX." + login.name;
}

void expect_ok(natsStatus status, const std::string& what) {
    if (status != NATS_OK) throw InputError(what + ": " + text_of(status));
}

/// Whether a server does not want this user, or is not trusted, though it answers.
bool is_refusal(natsStatus status) {
    return status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED ||
           status == NATS_SECURE_CONNECTION_WANTED || status == NATS_SECURE_CONNECTION_REQUIRED ||
           status == NATS_SSL_ERROR || status == NATS_ERR;
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
        origin_ = {data->Sequence.Stream, data->Timestamp};
        comes_again_ = data->NumDelivered > 1;
        jsMsgMetaData_Destroy(data);
    } else {  // asked for by its number
        origin_ = {natsMsg_GetSequence(native), natsMsg_GetTime(native)};
    }
    reply_ = text_of(natsMsg_GetReply(native));
    bytes_ = static_cast<std::size_t>(natsMsg_GetDataLength(native));
    transfers_ = number_in(header(native, transfers_header));
}

// ---- connections

/// All that an attempt to connect needs. It may outlast the connection, as nothing ends it while
/// libnats waits for a server.
struct Connection::State {
    State(Login server_login, Calls called, std::optional<int> within)
        : login(std::move(server_login)), calls(std::move(called)), once_within(within) {}

    [[nodiscard]] Owned<natsOptions> options(Native& for_native, bool once) const;
    /// Waits for an attempt; with `once` for the only one. Returns why libnats has given up, if so;
    /// empty if nobody answers.
    std::string connect(bool once);
    /// Waits for an attempt that goes on for ever; with `tells_why`, before it, for a single one.
    std::string attempt(bool tells_why);
    void note_refusal(const std::string& text);
    [[nodiscard]] std::string known_refusal();
    [[nodiscard]] bool is_to_be_revived();

    const Login login;
    const Calls calls;
    const std::optional<int> once_within;
    std::atomic<bool> is_connecting = false;
    std::mutex calling;  ///< held while the owner is called
    bool gone = false;   ///< it must not be called any more
    std::mutex subscribing;
    std::deque<std::pair<std::string, std::function<void(const Incoming&)>>> subjects;
    std::mutex mutex;  ///< of what follows
    std::string refusal;
    std::chrono::steady_clock::time_point refused_at;
    std::string failure;
    std::shared_ptr<Native> native;  ///< last: what libnats still calls needs the others
};

/// One connection of libnats, which calls from threads of its own.
struct Connection::Native {
    struct Subscription {
        Native* native = nullptr;
        const std::function<void(const Incoming&)>* came = nullptr;
        natsSubscription* handle = nullptr;
    };

    State& state;
    natsConnection* connection = nullptr;
    jsCtx* stream_context = nullptr;
    std::vector<std::unique_ptr<Subscription>> subscriptions;
    std::atomic<bool> there = false;
    std::atomic<bool> dead = false;  ///< libnats will not connect it again
    bool told = false;               ///< whether it is there; under `calling`

    // Closing: what libnats still calls must find this object.
    std::mutex mutex;
    std::condition_variable changed;
    bool closing = false;
    bool closed = false;
    std::size_t open_subscriptions = 0;

    explicit Native(State& of) : state(of) {}
    ~Native();
    Native(const Native&) = delete;
    Native& operator=(const Native&) = delete;

    /// `is_first`: the first attempt has succeeded; libnats may have told already that the
    /// connection was lost again.
    void tell(natsConnection* handle, bool is_there, bool is_first = false) {
        char id[64] = {};
        if (is_there) natsConnection_GetConnectedServerId(handle, id, sizeof(id));
        const std::lock_guard lock_calling(state.calling);
        if (is_first && (told || dead)) return;
        there = is_there;
        told = true;
        {
            const std::lock_guard lock(mutex);
            if (closing) return;
        }
        if (state.calls.changed && !state.gone) state.calls.changed(is_there, id);
    }
    void subscribe(const std::string& subject, const std::function<void(const Incoming&)>& came);

    static void on_connected(natsConnection* handle, void* closure) {
        auto& self = *static_cast<Native*>(closure);
        self.state.note_refusal({});
        self.tell(handle, true);
    }
    static void on_disconnected(natsConnection* handle, void* closure) {
        static_cast<Native*>(closure)->tell(handle, false);
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
                         natsStatus status, void* closure) {
        if (is_refusal(status)) static_cast<Native*>(closure)->state.note_refusal(why_of(status));
    }
    static void on_message(natsConnection* /*handle*/, natsSubscription* /*subscription*/,
                           natsMsg* message, void* closure) {
        const Owned<natsMsg> owned(message);
        const auto& self = *static_cast<Subscription*>(closure);
        const std::lock_guard lock(self.native->state.calling);
        if (self.native->state.gone) return;
        (*self.came)({text_of(natsMsg_GetSubject(message)), text_of(natsMsg_GetReply(message)),
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
        answer.origin = origin_in(header(message, id_header));
        answer.stored = stored != nullptr;
        answer.doubled = stored != nullptr && stored->Duplicate;
        if (error != nullptr) {
            // An error code is the stream's own word; without one, nobody answered in time.
            answer.refused = error->ErrCode != 0;
            answer.untaken = error->Err == NATS_NO_RESPONDERS;
            answer.why = error->ErrText != nullptr ? text_of(error->ErrText) : text_of(error->Err);
        }
        State& state = static_cast<Native*>(closure)->state;
        const std::lock_guard lock(state.calling);
        if (state.calls.stored && !state.gone) state.calls.stored(answer);
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
    : state_(std::make_shared<State>(std::move(login), std::move(calls), once_within)) {
    state_->native = std::make_shared<Native>(*state_);
    state_->native->dead = true;  // until an attempt ends
    if (once_within)
        state_->connect(true);
    else
        static_cast<void>(state_->options(*state_->native, false));
}

Connection::~Connection() {
    {
        const std::lock_guard lock(state_->calling);
        state_->gone = true;
    }
    std::shared_ptr<Native> last;  // it ends without the lock, which libnats may need
    {
        const std::lock_guard lock(state_->mutex);
        last.swap(state_->native);
    }
}

/// With which libnats connects, in one attempt or for ever.
Owned<natsOptions> Connection::State::options(Native& for_native, bool once) const {
    const std::string shown = shown_address(login.server);
    natsOptions* made = nullptr;
    expect_ok(natsOptions_Create(&made), shown);
    Owned<natsOptions> options(made);
    expect_ok(natsOptions_SetURL(made, login.server.c_str()), shown);
    natsOptions_SetName(made, login.name.c_str());
    natsOptions_SetCustomInboxPrefix(made, inbox_prefix(login).c_str());
    natsOptions_SetMaxReconnect(made, -1);
    natsOptions_SetReconnectWait(made, login.reconnect_after);
    natsOptions_SetReconnectJitter(made, login.reconnect_after / 2, login.reconnect_after / 2);
    // What cannot be sent now is lost: repeating is the program's business.
    natsOptions_SetReconnectBufSize(made, 1);
    natsOptions_SetFailRequestsOnDisconnect(made, true);
    natsOptions_SetPingInterval(made, 5000);
    natsOptions_SetMaxPingsOut(made, 2);
    natsOptions_SetTimeout(made, once_within.value_or(answer_within));
    // A server that hangs must not stop whoever publishes; the connection is then lost.
    natsOptions_SetWriteDeadline(made, answer_within);
    natsOptions_SetIgnoreDiscoveredServers(made, true);
    natsOptions_SetSendAsap(made, true);
    if (!login.credentials.empty())
        expect_ok(natsOptions_SetUserCredentialsFromFiles(made, login.credentials.c_str(), nullptr),
                  login.credentials);
    if (!login.authorities.empty()) {
        expect_ok(natsOptions_SetSecure(made, true), shown);
        if (!std::ifstream(login.authorities))
            throw InputError(login.authorities +
                             ": expected a file of certificates that can be read");
        if (natsOptions_LoadCATrustedCertificates(made, login.authorities.c_str()) != NATS_OK)
            throw InputError(login.authorities + ": expected certificates, found \"" +
                             why_of(NATS_SSL_ERROR) + '"');
    }
    natsOptions_SetErrorHandler(made, Native::on_error, &for_native);
    natsOptions_SetDisconnectedCB(made, Native::on_disconnected, &for_native);
    natsOptions_SetReconnectedCB(made, Native::on_connected, &for_native);
    natsOptions_SetClosedCB(made, Native::on_closed, &for_native);
    if (once_within)  // an attempt that goes on in the background would have to be waited for
        natsOptions_SetAllowReconnect(made, false);
    if (!once) natsOptions_SetRetryOnFailedConnect(made, true, Native::on_connected, &for_native);
    return options;
}

std::string Connection::State::connect(bool once) {
    const auto made = std::make_shared<Native>(*this);
    const natsStatus status = natsConnection_Connect(&made->connection, options(*made, once).get());
    const bool usable = status == NATS_OK || status == NATS_NOT_YET_CONNECTED;
    // Not the other way round: it may have been closed for good meanwhile.
    if (!usable) made->dead = true;
    if (status == NATS_OK) note_refusal({});
    std::string why;
    if (usable) {
        jsOptions stream_options;
        jsOptions_Init(&stream_options);
        stream_options.Wait = answer_within;
        stream_options.PublishAsync.AckHandler = Native::on_stored;
        stream_options.PublishAsync.AckHandlerClosure = made.get();
        expect_ok(
            natsConnection_JetStream(&made->stream_context, made->connection, &stream_options),
            shown_address(login.server));
    } else {
        if (status != NATS_NO_SERVER && status != NATS_TIMEOUT) why = why_of(status);
        if (is_refusal(status)) note_refusal(why);
    }
    auto before = made;
    {
        const std::lock_guard lock_subjects(subscribing);
        for (const auto& [subject, came] : subjects)
            if (usable) made->subscribe(subject, came);
        const std::lock_guard lock(mutex);
        if (native == nullptr) return why;  // its owner has gone meanwhile
        native.swap(before);
    }
    before.reset();  // waits for calls of libnats, which may need the lock
    if (status == NATS_OK) made->tell(made->connection, true, true);
    return why;
}

std::string Connection::State::attempt(bool tells_why) {
    std::string why;
    if (tells_why) {  // trying for ever, libnats forgets why it was refused
        why = connect(true);
        if (!is_to_be_revived() || !known_refusal().empty()) return why;
    }
    const std::string why_later = connect(false);
    return why.empty() ? why_later : why;
}

bool Connection::State::is_to_be_revived() {
    const std::lock_guard lock(mutex);
    return native != nullptr && native->dead;
}

std::string Connection::State::known_refusal() {
    const std::lock_guard lock(mutex);
    const bool is_there = native != nullptr && native->there;
    const bool is_known = is_there || std::chrono::steady_clock::now() < refused_at + refused_for;
    return is_known ? refusal : std::string();
}

void Connection::State::note_refusal(const std::string& text) {
    const std::lock_guard lock(mutex);
    refusal = text;
    refused_at = std::chrono::steady_clock::now();
}

std::shared_ptr<Connection::Native> Connection::native() const {
    const std::lock_guard lock(state_->mutex);
    return state_->native;
}

std::shared_ptr<void> Connection::stream_context() const {
    const auto native = this->native();
    return {native, native->stream_context};
}

std::shared_ptr<void> Connection::handle() const {
    const auto native = this->native();
    return {native, native->connection};
}

std::string Connection::inbox() const {
    return inbox_prefix(state_->login) + '.' + std::to_string(random_word());
}

bool Connection::is_there() const {
    return native()->there;
}

std::string Connection::refusal() const {
    return state_->known_refusal();
}

std::string Connection::failure() const {
    const std::lock_guard lock(state_->mutex);
    return state_->failure;
}

bool Connection::is_connecting() const {
    return state_->is_connecting;
}

void Connection::revive(bool tells_why) {
    if (!state_->is_to_be_revived() || state_->is_connecting.exchange(true)) return;
    const auto attempt = [state = state_, tells_why] {
        std::string why;
        try {
            why = state->attempt(tells_why);
        } catch (const std::exception& error) {  // a file of certificates may be away for a while
            why = error.what();
        }
        const std::lock_guard lock(state->mutex);
        state->failure = why;
        state->is_connecting = false;
    };
    try {
        std::thread(attempt).detach();
    } catch (const std::system_error&) {  // no thread can be had now
        state_->is_connecting = false;
    }
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
    const std::lock_guard lock(state_->subscribing);
    state_->subjects.emplace_back(subject, std::move(came));
    const auto native = this->native();
    if (!native->dead) native->subscribe(subject, state_->subjects.back().second);
}

void Connection::Native::subscribe(const std::string& subject,
                                   const std::function<void(const Incoming&)>& came) {
    auto subscription = std::make_unique<Subscription>();
    subscription->native = this;
    subscription->came = &came;
    const natsStatus status = natsConnection_Subscribe(
        &subscription->handle, connection, subject.c_str(), on_message, subscription.get());
    if (status == NATS_INVALID_SUBJECT || status == NATS_INVALID_ARG) expect_ok(status, subject);
    if (status != NATS_OK) {  // a server may end a connection at any moment: see `revive`
        dead = true;
        return;
    }
    {
        const std::lock_guard lock(mutex);
        ++open_subscriptions;
    }
    if (natsSubscription_SetOnCompleteCB(subscription->handle, on_subscription_end,
                                         subscription.get()) != NATS_OK) {
        const std::lock_guard lock(mutex);
        --open_subscriptions;  // it has ended already
    }
    // A flood must not take memory: what waits beyond this is dropped, as channels may lose.
    natsSubscription_SetPendingLimits(subscription->handle, 4096, 1 << 22);
    subscriptions.push_back(std::move(subscription));
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

Sent Connection::publish(const Job& job, const std::string& id_head) {
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
    const std::string id = id_of(id_head, job.origin());
    options.MsgId = id.c_str();
    options.MaxWait = stored_within;
    made = copy.release();
    const natsStatus status = js_PublishMsgAsync(native->stream_context, &made, &options);
    natsMsg_Destroy(made);
    if (status == NATS_MAX_PAYLOAD) return Sent::too_large;
    return status == NATS_OK ? Sent::sent : Sent::failed;
}

}  // namespace equipoise::agent

#else

namespace equipoise::agent {

bool is_built_in() {
    return false;
}

Job::Job(void* /*message*/) {}

struct Connection::State {};

Connection::Connection(Login login, Calls /*calls*/, std::optional<int> /*once_within*/) {
    throw InputError(shown_address(login.server) +
                     ": expected a build with libnats, found one without it");
}
Connection::~Connection() = default;
bool Connection::is_there() const {
    return false;
}
std::string Connection::refusal() const {
    return {};
}
std::string Connection::failure() const {
    return {};
}
bool Connection::is_connecting() const {
    return false;
}
void Connection::revive(bool /*tells_why*/) {}
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
Sent Connection::publish(const Job& /*job*/, const std::string& /*id_head*/) {
    return Sent::failed;
}

}  // namespace equipoise::agent

#endif
