// Writing of records.
#include "equipoise/model/run/record_json.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/digest_text.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json_writer.hpp"
#include "equipoise/model/run/record_fields.hpp"

namespace equipoise::model {

namespace {

/// Writes the fields of an object that is open.
class FieldWriter {
  public:
    explicit FieldWriter(JsonWriter& out) : out_(out) {}

    template <class T>
    void operator()(const char* key, FieldFacts facts, const T& value) {
        if constexpr (std::is_same_v<T, bool> || requires { value.has_value(); })
            if (facts.since == Since::rare && !value) return;
        write(key, value);
    }
    template <class Fields>
    void object(const char* key, FieldFacts /*facts*/, const Fields& fields) {
        out_.open_object(key);
        fields(*this);
        out_.close();
    }
    template <class Fields, class T>
    void optional(const char* key, FieldFacts facts, const Fields& fields,
                  const std::optional<T>& value) {
        if (!value) return out_.member(key, std::nullopt);
        object(key, facts, [&](FieldWriter& inner) { fields(inner, *value); });
    }
    template <class Fields, class T>
    void list(const char* key, FieldFacts facts, const Fields& fields, const std::vector<T>& list) {
        if (facts.since == Since::rare && list.empty()) return;
        out_.open_list(key);
        for (const T& element : list) {
            out_.open_object();
            fields(*this, element);
            out_.close();
        }
        out_.close();
    }
    /// Writes a model of delays, or the ranks that ran the nodes.
    void delays(const char* key, FieldFacts /*facts*/, const Asynchrony& run) {
        if (run.ranks == 0) return out_.member(key, run.delays);
        out_.open_object(key);
        out_.member("ranks", run.ranks);
        out_.close();
    }

  private:
    template <class T>
    void write(const char* key, const T& value) {
        out_.member(key, value);
    }
    template <class T>
    void write(const char* key, const std::vector<T>& numbers) {
        out_.numbers(key, numbers);
    }
    void write(const char* key, const std::vector<std::string>& texts) {
        out_.open_list(key);
        for (const std::string& text : texts)
            out_.value(text);
        out_.close();
    }
    void write(const char* key, const std::map<std::string, std::string>& texts) {
        out_.open_object(key);
        for (const auto& [name, text] : texts)
            out_.member(name, text);
        out_.close();
    }
    void write(const char* key, const std::vector<network::Position>& positions) {
        out_.open_list(key);
        for (const network::Position& position : positions)
            out_.tuple(position.x, position.y);
        out_.close();
    }
    void write(const char* key, const network::MatchingSequence& matchings) {
        out_.open_list(key);
        for (const std::vector<Ends>& matching : matchings) {
            out_.open_list();
            write_rows(matching, ends_columns);
            out_.close();
        }
        out_.close();
    }
    void write(const char* key, RecordLevel level) { out_.member(key, to_string(level)); }
    void write(const char* key, network::SpanningTree tree) { out_.member(key, to_string(tree)); }
    void write(const char* key, const DigestField<const std::uint64_t>& digest) {
        out_.member(key, digest_text(digest.value));
    }
    void write(const char* key, const DigestField<const std::optional<std::uint64_t>>& digest) {
        out_.member(key, digest_text(recorded(digest.value)));
    }
    template <class T>
    void write(const char* key, const RecordedField<const std::optional<T>>& field) {
        out_.member(key, recorded(field.value));
    }
    template <class List, class Columns>
    void write(const char* key, const RowsField<List, Columns>& rows) {
        out_.open_list(key);
        write_rows(rows.value, rows.columns);
        out_.close();
    }
    template <class List, class Columns>
    void write_rows(const List& list, const Columns& columns) {
        for (const auto& row : list)
            std::apply([&](const auto&... column) { out_.tuple(+column...); }, columns(row));
    }
    template <class T>
    static const T& recorded(const std::optional<T>& value) {
        if (!value)
            throw InputError(
                "a record as the first versions wrote it cannot be written again: expected the "
                "stop rule that was asked for, the digest of events and the error of a deviation, "
                "found nothing");
        return *value;
    }

    JsonWriter& out_;
};

void write_to(const JsonWriter::Sink& sink, const Record& record) {
    JsonWriter out(sink, 1);
    out.open_object();
    out.member("equipoise_record", Record::schema_version);
    FieldWriter fields(out);
    record_fields(fields, record);
    out.close();
    out.finish();
}

}  // namespace

std::string to_json(const Record& record) {
    std::string text;
    write_to([&](std::string_view more) { text.append(more); }, record);
    return text;
}

void write_record(const Record& record, const std::string& path) {
    AtomicFile file(path);
    write_to([&](std::string_view more) { file.write(more); }, record);
    file.commit();
}

}  // namespace equipoise::model
