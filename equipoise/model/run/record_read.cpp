// Parsing of records, apart from their writing.
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/model/run/record_fields.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/model/run/record_version_1.hpp"

namespace equipoise::model {

namespace {

/// Checks that an object has exactly the keys of its fields in this version.
void expect_keys(const JsonValue& object, const FieldKeys& fields, int version) {
    std::vector<std::string_view> known;
    for (const auto& [key, since] : fields.keys())
        if (version > 1 || since == Since::first || since == Since::later) known.emplace_back(key);
    object.expect_keys(known);
    for (const auto& [key, since] : fields.keys())
        if (since == Since::first || (version > 1 && since != Since::rare))
            static_cast<void>(object.at(key));
}

/// Reads the fields of an object whose keys were checked. Fields that the object lacks become
/// nothing, or keep their value.
class FieldReader {
  public:
    FieldReader(const JsonValue& object, int version) : object_(object), version_(version) {}

    template <class T>
    void operator()(const char* key, FieldFacts facts, T&& value) {
        if (const auto found = object_.find(key)) {
            if constexpr (requires { value.has_value(); })
                if (facts.since == Since::rare) return read(*found, value.emplace());
            read(*found, value);
        } else {
            lack(value);
        }
    }
    template <class Fields>
    void object(const char* key, FieldFacts /*facts*/, const Fields& fields) {
        const auto found = object_.find(key);
        if (!found) return;
        expect_keys(*found, keys_of(fields), version_);
        FieldReader inner(*found, version_);
        fields(inner);
    }
    template <class Fields, class T>
    void optional(const char* key, FieldFacts facts, const Fields& fields,
                  std::optional<T>& value) {
        value.reset();
        const auto found = object_.find(key);
        if (!found || is_nothing(*found)) return;
        T& held = value.emplace();
        object(key, facts, [&]<class Visit>(Visit& inner) { fields(inner, held); });
    }
    template <class Fields, class T>
    void list(const char* key, FieldFacts facts, const Fields& fields, std::vector<T>& list) {
        const auto found = object_.find(key);
        if (!found) return;
        list.resize(found->size());
        if (facts.since == Since::rare && list.empty()) found->refuse("a list of one or more");
        const FieldKeys keys = keys_of(fields);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const JsonValue element = found->at(i);
            expect_keys(element, keys, version_);
            FieldReader inner(element, version_);
            fields(inner, list[i]);
        }
    }
    /// A model of delays as a text, or the ranks that ran the nodes: {"ranks": 4}, earlier
    /// "ranks:4".
    void delays(const char* key, FieldFacts /*facts*/, Asynchrony& run) {
        const JsonValue found = object_.at(key);
        if (found.is_object()) {
            found.expect_keys({"ranks"});
            run.ranks = found.at("ranks").whole<std::uint64_t>();
        } else {
            run.delays = found.text();
            constexpr std::string_view earlier = "ranks:";
            if (!run.delays.starts_with(earlier)) return;
            run.ranks =
                whole_number(std::string_view(run.delays).substr(earlier.size())).value_or(0);
            run.delays.clear();
        }
        if (run.ranks == 0) found.refuse("a number of ranks, 1 or more");
    }

  private:
    template <class Fields>
    static FieldKeys keys_of(const Fields& fields) {
        FieldKeys keys;
        fields(keys);
        return keys;
    }
    /// Version 1 leaves out keys that do not apply to a run; later versions say null.
    [[nodiscard]] bool is_nothing(const JsonValue& value) const {
        return version_ > 1 && value.is_null();
    }

    template <class T>
    static void lack(T& /*value*/) {}
    template <class T>
    static void lack(std::optional<T>& value) {
        value.reset();
    }
    template <class T>
    static void lack(RecordedField<std::optional<T>>& field) {
        field.value.reset();
    }
    template <class T>
    static void lack(DigestField<std::optional<T>>& field) {
        field.value.reset();
    }

    static void read(const JsonValue& found, std::string& text) { text = found.text(); }
    static void read(const JsonValue& found, bool& truth) { truth = found.truth(); }
    static void read(const JsonValue& found, double& number) { number = found.real(); }
    template <std::integral Integer>
    static void read(const JsonValue& found, Integer& number) {
        number = found.whole<Integer>();
    }
    template <class T>
    void read(const JsonValue& found, std::optional<T>& value) const {
        if (is_nothing(found)) {
            value.reset();
        } else {
            read(found, value.emplace());
        }
    }
    template <class T>
    static void read(const JsonValue& found, RecordedField<std::optional<T>>& field) {
        read(found, field.value.emplace());
    }
    template <class T>
    static void read(const JsonValue& found, DigestField<T>& field) {
        field.value = found.digest();
    }
    template <std::integral Integer>
    static void read(const JsonValue& found, std::vector<Integer>& numbers) {
        numbers = found.numbers<Integer>();
    }
    static void read(const JsonValue& found, std::vector<std::string>& texts) {
        texts = found.texts();
    }
    static void read(const JsonValue& found, std::map<std::string, std::string>& texts) {
        texts = found.texts_by_key();
    }
    static void read(const JsonValue& found, std::vector<network::Position>& positions) {
        positions.clear();
        found.for_each(
            [&](const JsonValue& entry) {
                if (entry.size("[x, y]") != 2) entry.refuse("[x, y]");
                positions.push_back({entry.at(std::size_t{0}).real(), entry.at(1).real()});
            },
            "a list of [x, y]");
    }
    static void read(const JsonValue& found, network::MatchingSequence& matchings) {
        matchings.resize(found.size("a list of matchings"));
        for (std::size_t i = 0; i < matchings.size(); ++i)
            read_rows(found.at(i), matchings[i], ends_shape, ends_columns);
    }
    static void read(const JsonValue& found, RecordLevel& level) {
        read_word(found, level, record_level_from_word, "summary, sampled or full");
    }
    static void read(const JsonValue& found, network::SpanningTree& tree) {
        read_word(found, tree, network::spanning_tree_from_word,
                  "breadth-first, minimum-diameter, low-degree or given");
    }
    template <class List, class Columns>
    static void read(const JsonValue& found, RowsField<List, Columns>& rows) {
        read_rows(found, rows.value, rows.shape, rows.columns);
    }

    template <class T, class FromWord>
    static void read_word(const JsonValue& found, T& value, const FromWord& from_word,
                          const char* words) {
        const std::string word = found.text();
        try {
            value = from_word(word);
        } catch (const InputError&) {
            found.refuse(words);
        }
    }
    template <class List, class Columns>
    static void read_rows(const JsonValue& found, List& list, const char* shape,
                          const Columns& columns) {
        list.resize(found.size(std::string("a list of ") + shape));
        for (std::size_t i = 0; i < list.size(); ++i)
            std::apply([&](auto&... column) { found.tuple(i, shape, column...); },
                       columns(list[i]));
    }

    const JsonValue& object_;
    int version_;
};

/// The version of the schema that a file says it follows.
int version_of(const JsonValue& top) {
    if (!top.has("equipoise_record")) top.refuse("an object with the key equipoise_record");
    const JsonValue version = top.at("equipoise_record");
    const auto number = version.whole<int>();
    if (number < 1 || number > Record::schema_version)
        version.refuse("schema version 1 to " + std::to_string(Record::schema_version));
    return number;
}

void expect_one_a_node(const JsonValue& list, const Record& record) {
    if (list.size() != 0 && list.size() != record.node_count)
        list.refuse("one for each node, or none");
}

/// Deliveries in the order of their times; a message is sent before it arrives.
void expect_order(const JsonValue& list, const std::vector<Delivery>& deliveries) {
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < deliveries.size(); ++i) {
        const Delivery& d = deliveries[i];
        if (d.arrived < before || d.sent > d.arrived) list.at(i).refuse("times that do not fall");
        before = d.arrived;
    }
}

/// Checks fields against each other.
void expect_consistent(const JsonValue& top, const Record& record) {
    const JsonValue network = top.at("network");
    expect_one_a_node(network.at("names"), record);
    expect_one_a_node(network.at("positions"), record);
    if (!record.asynchrony) return;
    // The oldest records have no trace; a record with one part of the trace has all of it.
    const JsonValue run = top.at("asynchrony");
    if (!run.has("digest") && !run.has("kinds") && !run.has("deliveries")) return;
    for (const char* key : {"digest", "kinds", "deliveries"})
        static_cast<void>(run.at(key));
    expect_order(run.at("deliveries"), record.asynchrony->deliveries);
}

}  // namespace

Record record_from_json(std::string_view text, const std::string& name) {
    nlohmann::json object = parse_json(text, name);
    const JsonValue top(object, name);
    const int version = version_of(top);
    FieldKeys keys;
    keys("equipoise_record", {});
    record_fields(keys);
    expect_keys(top, keys, version);
    Record record;
    FieldReader fields(top, version);
    record_fields(fields, record);
    expect_consistent(top, record);
    if (version == 1) type_constants(record, name);
    return record;
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
