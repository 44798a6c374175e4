// An application that puts jobs into a site's stream or works them off; it knows of no agents.
//
// Each job is a number. `put` writes "again NUMBER" for each job that it published a second time,
// since it saw no acknowledgement of the first: the server may have taken both. `work` writes
// "worked NUMBER SEQUENCE ID" before it acknowledges a job, "sure NUMBER SEQUENCE" once the server
// has confirmed that, and "broken NUMBER WHAT" for a job that does not look as it was put.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <nats/nats.h>

namespace {

using std::chrono::milliseconds;

std::sig_atomic_t volatile is_over = 0;

template <auto Destroy>
struct Deleter {
    template <class T>
    void operator()(T* object) const {
        Destroy(object);
    }
};
using Connection = std::unique_ptr<natsConnection, Deleter<natsConnection_Destroy>>;
using Context = std::unique_ptr<jsCtx, Deleter<jsCtx_Destroy>>;
using Subscription = std::unique_ptr<natsSubscription, Deleter<natsSubscription_Destroy>>;

void expect_ok(natsStatus status, const char* what) {
    if (status == NATS_OK) return;
    throw std::runtime_error(std::string(what) + ": " + natsStatus_GetText(status));
}

struct Where {
    std::string server;
    std::string ca;     ///< trusted certificates, or nothing: no TLS
    std::string inbox;  ///< what subjects of answers begin with, where a user has one of its own
    std::string log;
};

/// A connection that outlives the server, and a file whose lines a killed process leaves whole.
struct Client {
    Connection connection;
    std::FILE* log = nullptr;

    explicit Client(const Where& where) {
        natsOptions* options = nullptr;
        expect_ok(natsOptions_Create(&options), "options");
        expect_ok(natsOptions_SetURL(options, where.server.c_str()), "address");
        expect_ok(natsOptions_SetMaxReconnect(options, -1), "options");
        expect_ok(natsOptions_SetReconnectWait(options, 100), "options");
        expect_ok(natsOptions_SetReconnectJitter(options, 50, 50), "options");
        expect_ok(natsOptions_SetRetryOnFailedConnect(options, true, nullptr, nullptr), "options");
        if (!where.inbox.empty())
            expect_ok(natsOptions_SetCustomInboxPrefix(options, where.inbox.c_str()), "inbox");
        if (!where.ca.empty()) {
            expect_ok(natsOptions_SetSecure(options, true), "TLS");
            expect_ok(natsOptions_LoadCATrustedCertificates(options, where.ca.c_str()), "TLS");
        }
        natsConnection* opened = nullptr;
        const natsStatus status = natsConnection_Connect(&opened, options);
        natsOptions_Destroy(options);
        if (status != NATS_NOT_YET_CONNECTED) expect_ok(status, where.server.c_str());
        connection.reset(opened);
        if (!where.log.empty()) log = std::fopen(where.log.c_str(), "a");
        if (log == nullptr) log = stdout;
    }
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client() {
        if (log != stdout) std::fclose(log);
    }

    void say(const std::string& line) const {
        std::fprintf(log, "%s\n", line.c_str());
        std::fflush(log);
    }

    [[nodiscard]] Context context(jsOptions& options) const {
        jsCtx* made = nullptr;
        expect_ok(natsConnection_JetStream(&made, connection.get(), &options), "JetStream");
        return Context(made);
    }
};

/// Sleeps until a steady number of calls each second is kept; a rate of 0 is as fast as possible.
class Pace {
  public:
    explicit Pace(double rate) : step_(rate > 0 ? 1 / rate : 0) {}
    void wait() {
        const auto now = Clock::now();
        if (next_ + milliseconds(200) < now) next_ = now;
        std::this_thread::sleep_until(next_);
        next_ += std::chrono::duration_cast<Clock::duration>(step_);
    }

  private:
    using Clock = std::chrono::steady_clock;
    std::chrono::duration<double> step_;
    Clock::time_point next_ = Clock::now();
};

// ---- put

struct Put {
    Where where;
    std::string subject = "jobs.x";
    std::int64_t first = 1;
    std::int64_t count = 1;
    std::int64_t at_once = 256;
    std::size_t size = 0;
    double rate = 0;
};

/// The jobs that the server has not yet confirmed.
class Open {
  public:
    void begin(std::int64_t first, std::int64_t end) {
        const std::lock_guard lock(mutex_);
        for (std::int64_t number = first; number < end; ++number)
            numbers_.insert(number);
    }
    void end(std::int64_t number) {
        const std::lock_guard lock(mutex_);
        numbers_.erase(number);
        if (numbers_.empty()) none_.notify_all();
    }
    /// Those that are still open after some time.
    std::vector<std::int64_t> wait(milliseconds time) {
        std::unique_lock lock(mutex_);
        none_.wait_for(lock, time, [this] { return numbers_.empty(); });
        return {numbers_.begin(), numbers_.end()};
    }

  private:
    std::mutex mutex_;
    std::condition_variable none_;
    std::set<std::int64_t> numbers_;
};

std::string text(std::int64_t number, std::size_t size) {
    std::string written = std::to_string(number);
    written.resize(std::max(written.size(), size), ' ');
    return written;
}

/// Takes the message over, as the library wants it.
void note(jsCtx* /*context*/, natsMsg* message, jsPubAck* acknowledgement, jsPubAckErr* error,
          void* open) {
    if (acknowledgement != nullptr && error == nullptr)
        static_cast<Open*>(open)->end(std::strtoll(natsMsg_GetData(message), nullptr, 10));
    natsMsg_Destroy(message);
}

/// Failures show as jobs that stay open.
void publish(jsCtx* context, const Put& put, std::int64_t number) {
    const std::string data = text(number, put.size);
    const std::string id = "put." + std::to_string(number);
    natsMsg* message = nullptr;
    expect_ok(natsMsg_Create(&message, put.subject.c_str(), nullptr, data.data(),
                             static_cast<int>(data.size())),
              "message");
    expect_ok(natsMsgHeader_Set(message, "Job", std::to_string(number).c_str()), "header");
    expect_ok(natsMsgHeader_Set(message, "Job-Subject", put.subject.c_str()), "header");
    expect_ok(natsMsgHeader_Set(message, "Job-Size", std::to_string(data.size()).c_str()),
              "header");
    jsPubOptions options;
    jsPubOptions_Init(&options);
    options.MsgId = id.c_str();
    options.MaxWait = 2000;
    js_PublishMsgAsync(context, &message, &options);
    natsMsg_Destroy(message);  // null if it was taken over
}

int run(const Put& put) {
    const Client client(put.where);
    Open open;
    jsOptions options;
    jsOptions_Init(&options);
    options.PublishAsync.AckHandler = note;
    options.PublishAsync.AckHandlerClosure = &open;
    const Context context = client.context(options);
    const std::int64_t end = put.first + put.count;
    Pace pace(put.rate);
    for (std::int64_t first = put.first; first < end && is_over == 0; first += put.at_once) {
        const std::int64_t stop = std::min(end, first + put.at_once);
        open.begin(first, stop);
        for (std::int64_t number = first; number < stop; ++number) {
            if (put.rate > 0) pace.wait();
            publish(context.get(), put, number);
        }
        std::vector<std::int64_t> left = open.wait(milliseconds(2500));
        while (!left.empty() && is_over == 0) {
            std::this_thread::sleep_for(milliseconds(100));
            for (const std::int64_t number : left) {
                client.say("again " + std::to_string(number));
                publish(context.get(), put, number);
            }
            left = open.wait(milliseconds(2500));
        }
    }
    return is_over != 0 ? 1 : 0;
}

// ---- work

struct Work {
    Where where;
    std::string stream = "JOBS";
    std::string consumer = "WORKERS";
    int batch = 16;
    double rate = 0;
};

std::string header(natsMsg* message, const char* name) {
    const char* value = nullptr;
    return natsMsgHeader_Get(message, name, &value) == NATS_OK ? value : "";
}

/// Works a job off. Whether its acknowledgement was confirmed.
bool work_off(const Client& client, natsMsg* message) {
    const std::string data(natsMsg_GetData(message),
                           static_cast<std::size_t>(natsMsg_GetDataLength(message)));
    const std::string number = std::to_string(std::strtoll(data.c_str(), nullptr, 10));
    if (header(message, "Job") != number) client.say("broken " + number + " number");
    if (header(message, "Job-Subject") != natsMsg_GetSubject(message))
        client.say("broken " + number + " subject");
    if (header(message, "Job-Size") != std::to_string(data.size()))
        client.say("broken " + number + " size");
    std::string sequence = "?";
    jsMsgMetaData* known = nullptr;
    if (natsMsg_GetMetaData(&known, message) == NATS_OK) {
        sequence = std::to_string(known->Sequence.Stream);
        jsMsgMetaData_Destroy(known);
    }
    client.say("worked " + number + " " + sequence + " " + header(message, "Nats-Msg-Id"));
    jsOptions options;
    jsOptions_Init(&options);
    options.Wait = 2000;
    if (natsMsg_AckSync(message, &options, nullptr) != NATS_OK) return false;
    client.say("sure " + number + " " + sequence);
    return true;
}

/// Waits until the consumer is there, or the program is asked to end.
Subscription subscribe(jsCtx* context, const Work& work) {
    jsSubOptions options;
    jsSubOptions_Init(&options);
    options.Stream = work.stream.c_str();
    options.Consumer = work.consumer.c_str();
    natsSubscription* made = nullptr;
    while (is_over == 0 && js_PullSubscribe(&made, context, nullptr, work.consumer.c_str(), nullptr,
                                            &options, nullptr) != NATS_OK)
        std::this_thread::sleep_for(milliseconds(50));
    return Subscription(made);
}

/// Whether so many jobs lie there from a fetch that had timed out that the next one would write
/// past the end of its list, as libnats before 3.9 does from half a batch on.
bool is_overfull(natsSubscription* subscription, const Work& work) {
    int left = 0;
    natsSubscription_GetPending(subscription, &left, nullptr);
    return left > 0 && 4 * left >= work.batch;
}

int run(const Work& work) {
    const Client client(work.where);
    jsOptions options;
    jsOptions_Init(&options);
    options.Wait = 1000;
    const Context context = client.context(options);
    Subscription subscription = subscribe(context.get(), work);
    Pace pace(work.rate);
    while (is_over == 0) {
        if (is_overfull(subscription.get(), work)) subscription = subscribe(context.get(), work);
        natsMsgList fetched{};
        const natsStatus status =
            natsSubscription_Fetch(&fetched, subscription.get(), work.batch, 250, nullptr);
        if (status != NATS_OK && status != NATS_TIMEOUT)
            std::this_thread::sleep_for(milliseconds(50));
        bool goes_on = true;
        for (int at = 0; at < fetched.Count; ++at) {
            if (work.rate > 0) pace.wait();
            if (is_over != 0)
                natsMsg_Nak(fetched.Msgs[at], nullptr);  // others may have them at once
            else if (goes_on)
                // What is left of the batch when the server is away comes again.
                goes_on = work_off(client, fetched.Msgs[at]);
        }
        natsMsgList_Destroy(&fetched);
    }
    natsConnection_FlushTimeout(client.connection.get(), 1000);
    return 0;
}

void add_where(CLI::App& verb, Where& where) {
    verb.add_option("--server", where.server, "address, nats://HOST:PORT")->required();
    verb.add_option("--ca", where.ca, "file of trusted certificates; turns TLS on");
    verb.add_option("--inbox", where.inbox, "what subjects of answers begin with");
    verb.add_option("--log", where.log, "file to append lines to (default: standard output)");
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App program("Puts jobs into a stream of NATS, or works them off");
    program.require_subcommand(1);
    Put put;
    CLI::App& putting = *program.add_subcommand("put", "publishes until all is stored");
    add_where(putting, put.where);
    putting.add_option("--subject", put.subject, "of the jobs");
    putting.add_option("--first", put.first, "number of the first job");
    putting.add_option("--count", put.count, "how many");
    putting.add_option("--size", put.size, "bytes of each");
    putting.add_option("--at-once", put.at_once, "how many may be unconfirmed");
    putting.add_option("--rate", put.rate, "jobs a second (default: as many as possible)");
    Work work;
    CLI::App& working = *program.add_subcommand("work", "works off until it is asked to end");
    add_where(working, work.where);
    working.add_option("--stream", work.stream, "of jobs");
    working.add_option("--consumer", work.consumer, "that workers share");
    working.add_option("--batch", work.batch, "how many are fetched at once");
    working.add_option("--rate", work.rate, "jobs a second (default: as many as possible)");
    CLI11_PARSE(program, argc, argv);
    std::signal(SIGTERM, [](int) { is_over = 1; });
    std::signal(SIGINT, [](int) { is_over = 1; });
    try {
        return putting.parsed() ? run(put) : run(work);
    } catch (const std::runtime_error& error) {
        std::fprintf(stderr, "jobs: %s\n", error.what());
        return 1;
    }
}
