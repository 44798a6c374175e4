// Parsing of records, apart from their writing.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/model/run/record_version_1.hpp"

namespace equipoise::model {

namespace {

using Json = nlohmann::json;

/// One value of the file and the way to it, for messages.
class Place {
  public:
    Place(const Json& value, std::string path, const std::string& file, int version)
        : value_(&value), path_(std::move(path)), file_(&file), version_(version) {}

    [[noreturn]] void fail(std::string_view expected) const {
        const std::string found =
            beginning_of(value_->dump(-1, ' ', false, Json::error_handler_t::replace));
        throw InputError(*file_ + ": " + (path_.empty() ? "" : path_ + ": ") + "expected " +
                         std::string(expected) + ", found " + found);
    }

    void expect(const char* key) const {
        if (!has(key)) throw InputError(*file_ + ": " + inside(key) + ": missing");
    }
    /// An object with exactly these keys. Records of version 1 may lack those in `later`, and have
    /// none of those in `typed` and `rare`; any record may lack those in `rare`.
    void expect_keys(std::initializer_list<const char*> keys,
                     std::initializer_list<const char*> later = {},
                     std::initializer_list<const char*> typed = {},
                     std::initializer_list<const char*> rare = {}) const {
        if (!value_->is_object()) fail("an object");
        for (const char* key : keys)
            expect(key);
        if (version_ > 1)
            for (const auto& newer : {later, typed})
                for (const char* key : newer)
                    expect(key);
        const auto listed = [](const auto& keys, const std::string& key) {
            for (const char* known : keys)
                if (key == known) return true;
            return false;
        };
        for (const auto& entry : value_->items())
            if (!listed(keys, entry.key()) && !listed(later, entry.key()) &&
                (version_ == 1 || (!listed(typed, entry.key()) && !listed(rare, entry.key()))))
                throw InputError(*file_ + ": unknown key \"" + inside(entry.key()) +
                                 "\" (schema version " + std::to_string(version_) + ')');
    }
    [[nodiscard]] bool is_object() const { return value_->is_object(); }
    [[nodiscard]] bool has(const char* key) const { return value_->contains(key); }
    /// Whether a key that does not apply to every run has a value: version 1 left out what does not
    /// apply, later ones say null.
    [[nodiscard]] bool applies(const char* key) const {
        return has(key) && (version_ == 1 || !value_->at(key).is_null());
    }
    [[nodiscard]] Place at(const char* key) const {
        return {value_->at(key), inside(key), *file_, version_};
    }
    [[nodiscard]] Place at(std::size_t index) const {
        return {(*value_)[index], path_ + '[' + std::to_string(index) + ']', *file_, version_};
    }
    [[nodiscard]] std::size_t size(const char* what) const {
        if (!value_->is_array()) fail(what);
        return value_->size();
    }

    [[nodiscard]] std::uint64_t digest() const {
        const std::string digits = text();
        std::uint64_t digest = 0;
        const auto parsed =
            std::from_chars(digits.data(), digits.data() + digits.size(), digest, 16);
        if (digits.size() != 16 || parsed.ptr != digits.data() + digits.size() ||
            parsed.ec != std::errc{})
            fail("16 hexadecimal digits");
        return digest;
    }
    template <class Integer>
    [[nodiscard]] Integer whole() const {
        Integer number = 0;
        if (!parse(*value_, number)) fail(range<Integer>());
        return number;
    }
    template <class Integer>
    [[nodiscard]] std::vector<Integer> numbers() const {
        std::vector<Integer> list(size("a list of whole numbers"));
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!parse((*value_)[i], list[i])) at(i).fail(range<Integer>());
        return list;
    }
    /// Entry `index` of this list as a list of whole numbers of its own, `shape` in messages.
    /// Builds the entry's path only to complain: lists of transfers are long.
    template <class... Integers>
    void tuple(std::size_t index, const char* shape, Integers&... numbers) const {
        const Json& entry = (*value_)[index];
        if (!entry.is_array() || entry.size() != sizeof...(Integers)) at(index).fail(shape);
        std::size_t position = 0;
        ((parse(entry[position], numbers) ? void() : at(index).at(position).fail(range<Integers>()),
          ++position),
         ...);
    }
    [[nodiscard]] double real() const {
        if (!value_->is_number()) fail("a number");
        return value_->get<double>();
    }
    [[nodiscard]] bool truth() const {
        if (!value_->is_boolean()) fail("true or false");
        return value_->get<bool>();
    }
    [[nodiscard]] std::string text() const {
        if (!value_->is_string()) fail("a string");
        return value_->get<std::string>();
    }
    [[nodiscard]] std::map<std::string, std::string> words() const {
        if (!value_->is_object()) fail("an object whose values are strings");
        std::map<std::string, std::string> words;
        for (const auto& entry : value_->items())
            words[entry.key()] = Place(entry.value(), inside(entry.key()), *file_, version_).text();
        return words;
    }

  private:
    [[nodiscard]] std::string inside(const std::string& key) const {
        return path_.empty() ? key : path_ + '.' + key;
    }
    template <class Integer>
    static bool parse(const Json& value, Integer& number) {
        if (value.is_number_unsigned()) {
            const auto wide = value.get<std::uint64_t>();
            number = static_cast<Integer>(wide);
            return std::in_range<Integer>(wide);
        }
        if (!value.is_number_integer()) return false;
        const auto wide = value.get<std::int64_t>();
        number = static_cast<Integer>(wide);
        return std::in_range<Integer>(wide);
    }
    template <class Integer>
    static std::string range() {
        return "a whole number from " + std::to_string(std::numeric_limits<Integer>::min()) +
               " to " + std::to_string(std::numeric_limits<Integer>::max());
    }

    const Json* value_;
    std::string path_;
    const std::string* file_;
    int version_;
};

std::optional<double> real_or_nothing(const Place& place, const char* key) {
    if (!place.applies(key)) return std::nullopt;
    return place.at(key).real();
}

template <class Integer>
std::optional<Integer> whole_or_nothing(const Place& place, const char* key) {
    if (!place.applies(key)) return std::nullopt;
    return place.at(key).template whole<Integer>();
}

void read_network(const Place& place, Record& record) {
    place.expect_keys({"origin", "seed", "generated", "nodes", "links", "digest", "first_number",
                       "names", "positions", "ends"});
    record.labels.origin = place.at("origin").text();
    record.labels.seed = place.at("seed").whole<std::uint64_t>();
    record.generated = place.at("generated").truth();
    record.node_count = place.at("nodes").whole<NodeId>();
    record.link_count = place.at("links").whole<LinkId>();
    record.network_digest = place.at("digest").digest();
    record.labels.first_number = place.at("first_number").whole<NodeId>();

    const Place names = place.at("names");
    const std::size_t name_count = names.size("a list of names");
    if (name_count != 0 && name_count != record.node_count)
        names.fail("one name per node, or none");
    for (std::size_t i = 0; i < name_count; ++i)
        record.labels.names.push_back(names.at(i).text());

    const Place positions = place.at("positions");
    const std::size_t position_count = positions.size("a list of [x, y]");
    if (position_count != 0 && position_count != record.node_count)
        positions.fail("one position per node, or none");
    for (std::size_t i = 0; i < position_count; ++i) {
        const Place entry = positions.at(i);
        if (entry.size("[x, y]") != 2) entry.fail("[x, y]");
        record.labels.positions.push_back({entry.at(std::size_t{0}).real(), entry.at(1).real()});
    }

    const Place ends = place.at("ends");
    record.links.resize(ends.size("a list of [tail, head]"));
    for (std::size_t i = 0; i < record.links.size(); ++i)
        ends.tuple(i, "[tail, head]", record.links[i].tail, record.links[i].head);
}

std::vector<Transfer> read_transfers(const Place& place) {
    std::vector<Transfer> transfers(place.size("a list of [step, from, to, tokens]"));
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        Transfer& t = transfers[i];
        place.tuple(i, "[step, from, to, tokens]", t.step, t.from, t.to, t.tokens);
    }
    return transfers;
}

/// Tokens made or removed at nodes; the node goes to `node` of every transfer.
std::vector<Transfer> read_account(const Place& place, NodeId Transfer::*node) {
    std::vector<Transfer> account(place.size("a list of [step, node, tokens]"));
    for (std::size_t i = 0; i < account.size(); ++i) {
        Transfer& t = account[i];
        place.tuple(i, "[step, node, tokens]", t.step, t.*node, t.tokens);
    }
    return account;
}

std::vector<Sample> read_samples(const Place& place) {
    std::vector<Sample> samples(place.size("a list of samples"));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Place entry = place.at(i);
        entry.expect_keys({"step", "discrepancy", "potential", "loads"});
        samples[i] = {entry.at("step").whole<Step>(), entry.at("discrepancy").whole<Tokens>(),
                      entry.at("potential").text(), entry.at("loads").numbers<Tokens>()};
    }
    return samples;
}

void read_outcome(const Place& top, Record& record) {
    record.final_loads = top.at("final_loads").numbers<Tokens>();
    const Place costs = top.at("costs");
    costs.expect_keys({"steps", "rounds", "exchanges", "messages"});
    record.costs = {
        costs.at("steps").whole<std::uint64_t>(), costs.at("rounds").whole<std::uint64_t>(),
        costs.at("exchanges").whole<std::uint64_t>(), costs.at("messages").whole<std::uint64_t>()};
    record.initial_discrepancy = top.at("initial_discrepancy").whole<Tokens>();
    record.final_discrepancy = top.at("final_discrepancy").whole<Tokens>();
    record.local_imbalance = top.at("local_imbalance").whole<Tokens>();
    const Place guarantee = top.at("guarantee");
    guarantee.expect_keys({"source"}, {"discrepancy", "steps"});
    record.guarantee.discrepancy = whole_or_nothing<Tokens>(guarantee, "discrepancy");
    record.guarantee.steps = whole_or_nothing<std::uint64_t>(guarantee, "steps");
    record.guarantee.source = guarantee.at("source").text();
    record.reached = top.at("reached").truth();
    record.stopped_because = top.at("stopped_because").text();
    record.seconds = top.at("seconds").real();
}

std::vector<NetworkSwitch> read_switches(const Place& place) {
    constexpr const char* shape = "[step, node, the link's other end or the node again, 0 or 1]";
    std::vector<NetworkSwitch> switches(place.size("a list of switches"));
    for (std::size_t i = 0; i < switches.size(); ++i) {
        int up = 0;
        place.tuple(i, shape, switches[i].step, switches[i].node, switches[i].other, up);
        if (up < 0 || up > 1) place.at(i).fail(shape);
        switches[i].up = up == 1;
    }
    return switches;
}

void read_world(const Place& world, Record& record) {
    world.expect_keys({"arrivals", "churn", "discrepancy_50", "discrepancy_99", "discrepancy_max",
                       "arrived", "consumed", "moved_per_arrival"},
                      {"switches"});
    if (world.has("switches")) record.switches = read_switches(world.at("switches"));
    record.arrivals = world.at("arrivals").text();
    record.churn = world.at("churn").text();
    record.world = WorldFigures{
        world.at("discrepancy_50").whole<Tokens>(),  world.at("discrepancy_99").whole<Tokens>(),
        world.at("discrepancy_max").whole<Tokens>(), world.at("arrived").whole<Tokens>(),
        world.at("consumed").whole<Tokens>(),        world.at("moved_per_arrival").real()};
}

std::vector<std::string> read_words(const Place& place, const char* what) {
    std::vector<std::string> words(place.size(what));
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = place.at(i).text();
    return words;
}

/// Deliveries in the order of their times; a message is sent before it arrives.
std::vector<Delivery> read_deliveries(const Place& place) {
    constexpr const char* shape = "[sent, arrived, from, to, kind, tokens]";
    std::vector<Delivery> deliveries(place.size("a list of deliveries"));
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < deliveries.size(); ++i) {
        Delivery& d = deliveries[i];
        place.tuple(i, shape, d.sent, d.arrived, d.from, d.to, d.kind, d.tokens);
        if (d.arrived < before || d.sent > d.arrived) place.at(i).fail("times that do not fall");
        before = d.arrived;
    }
    return deliveries;
}

std::vector<Ends> read_pairs(const Place& place) {
    std::vector<Ends> pairs(place.size("a list of [tail, head]"));
    for (std::size_t i = 0; i < pairs.size(); ++i)
        place.tuple(i, "[tail, head]", pairs[i].tail, pairs[i].head);
    return pairs;
}

network::MatchingSequence read_matchings(const Place& place) {
    network::MatchingSequence matchings(place.size("a list of matchings"));
    for (std::size_t i = 0; i < matchings.size(); ++i)
        matchings[i] = read_pairs(place.at(i));
    return matchings;
}

void read_given(const Place& given, Record& record) {
    given.expect_keys({"matchings", "matrix", "tree", "tree_links", "colouring"});
    record.matchings = read_matchings(given.at("matchings"));
    const Place matrix = given.at("matrix");
    record.matrix.resize(matrix.size("a list of [numerator, denominator]"));
    for (std::size_t i = 0; i < record.matrix.size(); ++i) {
        network::Weight& weight = record.matrix[i];
        matrix.tuple(i, "[numerator, denominator]", weight.numerator, weight.denominator);
    }
    try {
        record.given.tree = network::spanning_tree_from_word(given.at("tree").text());
    } catch (const InputError&) {
        given.at("tree").fail("breadth-first, minimum-diameter, low-degree or given");
    }
    record.given.tree_links = read_pairs(given.at("tree_links"));
    record.given.colouring = read_matchings(given.at("colouring"));
}

/// Reads the fields that version 1 noted as texts among the constants.
void read_typed(const Place& top, Record& record) {
    read_given(top.at("given"), record);
    record.one_token_a_link = top.at("one_token_a_link").truth();
    record.on_spanning_tree = top.at("on_spanning_tree").truth();
    if (top.applies("deviation")) {
        const Place deviation = top.at("deviation");
        deviation.expect_keys({"value", "error", "step", "bound"});
        record.deviation = {deviation.at("value").real(), deviation.at("error").real(),
                            whole_or_nothing<Step>(deviation, "step"),
                            real_or_nothing(deviation, "bound")};
    }
    if (top.applies("moves")) {
        const Place moves = top.at("moves");
        moves.expect_keys({"played", "distribution_steps", "computation_steps"});
        record.moves = {moves.at("played").truth(),
                        moves.at("distribution_steps").whole<std::uint64_t>(),
                        moves.at("computation_steps").whole<std::uint64_t>()};
    }
    if (top.applies("optimum")) {
        const Place optimum = top.at("optimum");
        optimum.expect_keys({"exchanges", "steps"});
        record.optimum = {optimum.at("exchanges").whole<Tokens>(),
                          whole_or_nothing<Step>(optimum, "steps")};
    }
}

std::optional<FaultsMet> read_faults_met(const Place& asynchrony) {
    if (!asynchrony.applies("faults_met")) return std::nullopt;
    const Place met = asynchrony.at("faults_met");
    met.expect_keys({"lost", "doubled", "crashes"});
    return FaultsMet{met.at("lost").whole<std::uint64_t>(),
                     met.at("doubled").whole<std::uint64_t>(),
                     met.at("crashes").whole<std::uint64_t>()};
}

/// A model of delays as a text, or the ranks that ran the nodes: {"ranks": 4}, earlier "ranks:4".
void read_delays(const Place& place, Asynchrony& into) {
    if (place.is_object()) {
        place.expect_keys({"ranks"});
        into.ranks = place.at("ranks").whole<std::uint64_t>();
    } else {
        into.delays = place.text();
        constexpr std::string_view earlier = "ranks:";
        if (!into.delays.starts_with(earlier)) return;
        into.ranks = whole_number(std::string_view(into.delays).substr(earlier.size())).value_or(0);
        into.delays.clear();
    }
    if (into.ranks == 0) place.fail("a number of ranks, 1 or more");
}

/// Only records of programs with phases have any.
std::vector<PhaseEnd> read_phases(const Place& asynchrony) {
    if (!asynchrony.has("phases")) return {};
    const Place list = asynchrony.at("phases");
    std::vector<PhaseEnd> phases(list.size("a list of phases"));
    if (phases.empty()) list.fail("at least one phase");
    for (std::size_t k = 0; k < phases.size(); ++k) {
        const Place phase = list.at(k);
        phase.expect_keys({"first", "last", "memory_bits"});
        if (phase.applies("first")) phases[k].first = phase.at("first").whole<std::uint64_t>();
        if (phase.applies("last")) phases[k].last = phase.at("last").whole<std::uint64_t>();
        phases[k].memory_bits = phase.at("memory_bits").whole<std::uint64_t>();
    }
    return phases;
}

/// The oldest records have no trace.
Asynchrony read_asynchrony(const Place& place) {
    place.expect_keys(
        {"delays", "adversary", "faults", "time", "largest_message_bits", "memory_bits"},
        {"digest", "kinds", "deliveries", "ports"}, {"faults_met"}, {"phases"});
    Asynchrony read = {{},
                       place.at("adversary").text(),
                       place.at("faults").text(),
                       place.at("time").whole<std::uint64_t>(),
                       place.at("largest_message_bits").whole<std::uint64_t>(),
                       place.at("memory_bits").whole<std::uint64_t>(),
                       std::nullopt};
    read_delays(place.at("delays"), read);
    if (place.has("ports")) read.ports = place.at("ports").text();
    read.faults_met = read_faults_met(place);
    read.phases = read_phases(place);
    if (!place.has("digest") && !place.has("kinds") && !place.has("deliveries")) return read;
    // A record with one part of the trace has all of it.
    place.expect("digest");
    place.expect("kinds");
    place.expect("deliveries");
    read.digest = place.at("digest").digest();
    read.kinds = read_words(place.at("kinds"), "a list of words");
    read.deliveries = read_deliveries(place.at("deliveries"));
    return read;
}

/// The version of the schema that a file says it follows.
int version_of(const Json& object, const std::string& name) {
    const Place whole(object, "", name, Record::schema_version);
    if (!object.is_object() || !object.contains("equipoise_record"))
        whole.fail("an object with the key equipoise_record");
    const Place version = whole.at("equipoise_record");
    const int number = version.whole<int>();
    if (number < 1 || number > Record::schema_version)
        version.fail("schema version 1 to " + std::to_string(Record::schema_version));
    return number;
}

void expect_all_keys(const Place& top) {
    top.expect_keys(
        {"equipoise_record",
         "program_version",
         "algorithm",
         "model",
         "parameters",
         "constants",
         "seed",
         "stop",
         "steps_max",
         "level",
         "network",
         "speeds",
         "load_scale",
         "loads_may_be_negative",
         "initial_loads",
         "samples",
         "transfers",
         "created",
         "destroyed",
         "final_loads",
         "costs",
         "initial_discrepancy",
         "final_discrepancy",
         "local_imbalance",
         "guarantee",
         "reached",
         "stopped_because",
         "seconds"},
        {"asynchrony", "asked_stop", "world"},
        {"given", "one_token_a_link", "on_spanning_tree", "deviation", "moves", "optimum"},
        {"given_rule"});
}

/// What was asked.
void read_task(const Place& top, Record& record) {
    record.program_version = top.at("program_version").text();
    record.algorithm = top.at("algorithm").text();
    if (top.has("given_rule")) record.given_rule = top.at("given_rule").truth();
    record.model = top.at("model").text();
    record.parameters = top.at("parameters").words();
    record.constants = top.at("constants").words();
    if (top.applies("asynchrony")) record.asynchrony = read_asynchrony(top.at("asynchrony"));
    record.seed = top.at("seed").whole<std::uint64_t>();
    record.stop = top.at("stop").text();
    record.asked_stop.reset();
    if (top.has("asked_stop")) record.asked_stop = top.at("asked_stop").text();
    record.steps_max = top.at("steps_max").whole<Step>();
    const std::string level = top.at("level").text();
    if (level != "summary" && level != "sampled" && level != "full")
        top.at("level").fail("summary, sampled or full");
    record.level = record_level_from_word(level);
}

Record read_object(const Json& object, const std::string& name) {
    const int version = version_of(object, name);
    const Place top(object, "", name, version);
    expect_all_keys(top);
    Record record;
    read_task(top, record);
    read_network(top.at("network"), record);
    record.speeds = top.at("speeds").numbers<Tokens>();
    record.load_scale = top.at("load_scale").whole<std::uint64_t>();
    record.loads_may_be_negative = top.at("loads_may_be_negative").truth();
    record.initial_loads = top.at("initial_loads").numbers<Tokens>();
    record.samples = read_samples(top.at("samples"));
    record.transfers = read_transfers(top.at("transfers"));
    record.created = read_account(top.at("created"), &Transfer::to);
    record.destroyed = read_account(top.at("destroyed"), &Transfer::from);
    read_outcome(top, record);
    if (top.applies("world")) read_world(top.at("world"), record);
    if (version == 1)
        type_constants(record, name);
    else
        read_typed(top, record);
    return record;
}

}  // namespace

Record record_from_json(std::string_view text, const std::string& name) {
    return read_object(parse_json(text, name), name);
}

Record read_record(const std::string& path) {
    return record_from_json(read_json_text(path), path);
}

std::vector<Record> read_records(std::span<const std::string> paths) {
    std::vector<Record> records;
    records.reserve(paths.size());
    for (const std::string& path : paths)
        records.push_back(read_record(path));
    return records;
}

}  // namespace equipoise::model
