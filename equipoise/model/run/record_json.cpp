#include "equipoise/model/run/record_json.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"

namespace equipoise::model {

namespace {

using Json = nlohmann::json;

/// Builds the text of one object, without going through a tree of values: records may hold
/// hundreds of millions of numbers.
class Writer {
  public:
    void open() { begin('{'); }
    void close() { end('}'); }
    void open(const char* key) {
        name(key);
        begin('{');
    }
    void open_list(const char* key) {
        name(key);
        begin('[');
    }
    void open_list() { begin('['); }
    void close_list() { end(']'); }
    /// Starts the next entry of the open list.
    void entry() { separate(); }

    template <class Integer>
    void number(Integer value) {
        std::array<char, 24> digits{};
        const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
        text_.append(digits.data(), result.ptr);
    }
    void real(double value) { text_ += json_text(Json(value)); }
    void word(const std::string& value) { text_ += json_text(Json(value)); }

    template <class Integer>
    void whole(const char* key, Integer value) {
        name(key);
        number(value);
    }
    void fraction(const char* key, double value) {
        name(key);
        real(value);
    }
    void text(const std::string& key, const std::string& value) {
        name(key);
        word(value);
    }
    void truth(const char* key, bool value) {
        name(key);
        text_ += value ? "true" : "false";
    }
    /// Null: the key does not apply to this run.
    void nothing(const char* key) {
        name(key);
        text_ += "null";
    }
    void fraction_or_nothing(const char* key, const std::optional<double>& value) {
        value ? fraction(key, *value) : nothing(key);
    }
    template <class Integer>
    void whole_or_nothing(const char* key, const std::optional<Integer>& value) {
        value ? whole(key, *value) : nothing(key);
    }
    /// A list of numbers on one line.
    template <class Integer>
    void numbers(const std::vector<Integer>& values) {
        text_ += '[';
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) text_ += ',';
            number(values[i]);
        }
        text_ += ']';
    }
    template <class Integer>
    void numbers(const char* key, const std::vector<Integer>& values) {
        name(key);
        numbers(values);
    }
    /// A short list as the next entry of the open list.
    template <class... Integers>
    void tuple(Integers... values) {
        separate();
        text_ += '[';
        bool first = true;
        ((text_ += (first ? "" : ","), first = false, number(values)), ...);
        text_ += ']';
    }
    void pair(double first, double second) {
        separate();
        text_ += '[';
        real(first);
        text_ += ',';
        real(second);
        text_ += ']';
    }
    [[nodiscard]] std::string take() { return std::move(text_) + '\n'; }

  private:
    void name(const std::string& key) {
        separate();
        word(key);
        text_ += ": ";
    }
    void begin(char bracket) {
        text_ += bracket;
        ++depth_;
        first_ = true;
    }
    void end(char bracket) {
        --depth_;
        if (!first_) newline();
        text_ += bracket;
        first_ = false;
    }
    void separate() {
        if (!first_) text_ += ',';
        if (depth_ > 0) newline();
        first_ = false;
    }
    void newline() {
        text_ += '\n';
        text_.append(depth_, ' ');
    }

    std::string text_;
    std::size_t depth_ = 0;
    bool first_ = true;
};

void write_words(Writer& out, const char* key, const std::map<std::string, std::string>& words) {
    out.open(key);
    for (const auto& [name, value] : words)
        out.text(name, value);
    out.close();
}

/// Sixteen hexadecimal digits.
std::string digest_text(std::uint64_t digest) {
    std::array<char, 16> digits{};
    const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), digest, 16);
    const std::string hexadecimal(digits.data(), result.ptr);
    return std::string(16 - hexadecimal.size(), '0') + hexadecimal;
}

/// A value that only the oldest records lack.
template <class T>
const T& recorded(const std::optional<T>& value) {
    if (!value)
        throw InputError(
            "a record as the first versions wrote it cannot be written again: expected the stop "
            "rule that was asked for, the digest of events and the error of a deviation, found "
            "nothing");
    return *value;
}

void write_phases(Writer& out, const std::vector<PhaseEnd>& phases) {
    const auto write = [&](const char* key, const std::optional<std::uint64_t>& time) {
        if (time)
            out.whole(key, *time);
        else
            out.nothing(key);
    };
    out.open_list("phases");
    for (const PhaseEnd& end : phases) {
        out.entry();
        out.open();
        write("first", end.first);
        write("last", end.last);
        out.whole("memory_bits", end.memory_bits);
        out.close();
    }
    out.close_list();
}

void write_asynchrony(Writer& out, const std::optional<Asynchrony>& run) {
    if (!run) {
        out.nothing("asynchrony");
        return;
    }
    const Asynchrony& asynchrony = *run;
    out.open("asynchrony");
    if (asynchrony.ranks > 0) {
        out.open("delays");
        out.whole("ranks", asynchrony.ranks);
        out.close();
    } else {
        out.text("delays", asynchrony.delays);
    }
    out.text("adversary", asynchrony.adversary);
    out.text("faults", asynchrony.faults);
    out.text("ports", asynchrony.ports);
    out.whole("time", asynchrony.time);
    out.whole("largest_message_bits", asynchrony.largest_message_bits);
    out.whole("memory_bits", asynchrony.memory_bits);
    if (!asynchrony.phases.empty()) write_phases(out, asynchrony.phases);
    if (asynchrony.faults_met) {
        out.open("faults_met");
        out.whole("lost", asynchrony.faults_met->lost);
        out.whole("doubled", asynchrony.faults_met->doubled);
        out.whole("crashes", asynchrony.faults_met->crashes);
        out.close();
    } else {
        out.nothing("faults_met");
    }
    out.text("digest", digest_text(recorded(asynchrony.digest)));
    out.open_list("kinds");
    for (const std::string& kind : asynchrony.kinds) {
        out.entry();
        out.word(kind);
    }
    out.close_list();
    out.open_list("deliveries");
    for (const Delivery& d : asynchrony.deliveries)
        out.tuple(d.sent, d.arrived, d.from, d.to, d.kind, d.tokens);
    out.close_list();
    out.close();
}

void write_pairs(Writer& out, const std::vector<Ends>& pairs) {
    for (const Ends& pair : pairs)
        out.tuple(pair.tail, pair.head);
    out.close_list();
}

void write_matchings(Writer& out, const char* key, const network::MatchingSequence& matchings) {
    out.open_list(key);
    for (const std::vector<Ends>& matching : matchings) {
        out.entry();
        out.open_list();
        write_pairs(out, matching);
    }
    out.close_list();
}

void write_given(Writer& out, const Record& record) {
    out.open("given");
    write_matchings(out, "matchings", record.matchings);
    out.open_list("matrix");
    for (const network::Weight& weight : record.matrix)
        out.tuple(weight.numerator, weight.denominator);
    out.close_list();
    out.text("tree", to_string(record.given.tree));
    out.open_list("tree_links");
    write_pairs(out, record.given.tree_links);
    write_matchings(out, "colouring", record.given.colouring);
    out.close();
}

void write_deviation(Writer& out, const std::optional<Deviation>& deviation) {
    if (!deviation) {
        out.nothing("deviation");
        return;
    }
    out.open("deviation");
    out.fraction("value", deviation->value);
    out.fraction("error", recorded(deviation->error));
    out.whole_or_nothing("step", deviation->step);
    out.fraction_or_nothing("bound", deviation->bound);
    out.close();
}

void write_moves(Writer& out, const std::optional<Moves>& moves) {
    if (!moves) {
        out.nothing("moves");
        return;
    }
    out.open("moves");
    out.truth("played", moves->played);
    out.whole("distribution_steps", moves->distribution_steps);
    out.whole("computation_steps", moves->computation_steps);
    out.close();
}

void write_optimum(Writer& out, const std::optional<BestCosts>& optimum) {
    if (!optimum) {
        out.nothing("optimum");
        return;
    }
    out.open("optimum");
    out.whole("exchanges", optimum->exchanges);
    out.whole_or_nothing("steps", optimum->steps);
    out.close();
}

void write_network(Writer& out, const Record& record) {
    out.open("network");
    out.text("origin", record.labels.origin);
    out.whole("seed", record.labels.seed);
    out.truth("generated", record.generated);
    out.whole("nodes", record.node_count);
    out.whole("links", record.link_count);
    out.text("digest", digest_text(record.network_digest));
    out.whole("first_number", record.labels.first_number);
    out.open_list("names");
    for (const std::string& name : record.labels.names) {
        out.entry();
        out.word(name);
    }
    out.close_list();
    out.open_list("positions");
    for (const network::Position& position : record.labels.positions)
        out.pair(position.x, position.y);
    out.close_list();
    out.open_list("ends");
    write_pairs(out, record.links);
    out.close();
}

void write_events(Writer& out, const Record& record) {
    out.open_list("samples");
    for (const Sample& sample : record.samples) {
        out.entry();
        out.open();
        out.whole("step", sample.step);
        out.whole("discrepancy", sample.discrepancy);
        out.text("potential", sample.potential);
        out.numbers("loads", sample.loads);
        out.close();
    }
    out.close_list();
    out.open_list("transfers");
    for (const Transfer& t : record.transfers)
        out.tuple(t.step, t.from, t.to, t.tokens);
    out.close_list();
    out.open_list("created");
    for (const Transfer& t : record.created)
        out.tuple(t.step, t.to, t.tokens);
    out.close_list();
    out.open_list("destroyed");
    for (const Transfer& t : record.destroyed)
        out.tuple(t.step, t.from, t.tokens);
    out.close_list();
}

void write_outcome(Writer& out, const Record& record) {
    out.numbers("final_loads", record.final_loads);
    out.open("costs");
    out.whole("steps", record.costs.steps);
    out.whole("rounds", record.costs.rounds);
    out.whole("exchanges", record.costs.exchanges);
    out.whole("messages", record.costs.messages);
    out.close();
    out.whole("initial_discrepancy", record.initial_discrepancy);
    out.whole("final_discrepancy", record.final_discrepancy);
    out.whole("local_imbalance", record.local_imbalance);
    out.open("guarantee");
    out.whole_or_nothing("discrepancy", record.guarantee.discrepancy);
    out.whole_or_nothing("steps", record.guarantee.steps);
    out.text("source", record.guarantee.source);
    out.close();
    out.truth("reached", record.reached);
    out.text("stopped_because", record.stopped_because);
    out.fraction("seconds", record.seconds);
}

void write_world(Writer& out, const Record& record) {
    if (!record.world) {
        out.nothing("world");
        return;
    }
    out.open("world");
    out.text("arrivals", record.arrivals);
    out.text("churn", record.churn);
    out.whole("discrepancy_50", record.world->discrepancy_50);
    out.whole("discrepancy_99", record.world->discrepancy_99);
    out.whole("discrepancy_max", record.world->discrepancy_max);
    out.whole("arrived", record.world->arrived);
    out.whole("consumed", record.world->consumed);
    out.fraction("moved_per_arrival", record.world->moved_per_arrival);
    out.open_list("switches");
    for (const NetworkSwitch& entry : record.switches)
        out.tuple(entry.step, entry.node, entry.other, entry.up ? 1 : 0);
    out.close_list();
    out.close();
}

}  // namespace

std::string to_json(const Record& record) {
    Writer out;
    out.open();
    out.whole("equipoise_record", Record::schema_version);
    out.text("program_version", record.program_version);
    out.text("algorithm", record.algorithm);
    if (record.given_rule) out.truth("given_rule", true);
    out.text("model", record.model);
    write_words(out, "parameters", record.parameters);
    write_words(out, "constants", record.constants);
    write_given(out, record);
    out.truth("one_token_a_link", record.one_token_a_link);
    out.truth("on_spanning_tree", record.on_spanning_tree);
    write_deviation(out, record.deviation);
    write_moves(out, record.moves);
    write_asynchrony(out, record.asynchrony);
    out.whole("seed", record.seed);
    out.text("stop", record.stop);
    out.text("asked_stop", recorded(record.asked_stop));
    out.whole("steps_max", record.steps_max);
    out.text("level", to_string(record.level));
    write_network(out, record);
    out.numbers("speeds", record.speeds);
    out.whole("load_scale", record.load_scale);
    out.truth("loads_may_be_negative", record.loads_may_be_negative);
    out.numbers("initial_loads", record.initial_loads);
    write_events(out, record);
    write_outcome(out, record);
    write_world(out, record);
    write_optimum(out, record.optimum);
    out.close();
    return out.take();
}

void write_record(const Record& record, const std::string& path) {
    write_file(path, to_json(record));
}

}  // namespace equipoise::model
