#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/optimum/windows/file.hpp"

namespace equipoise::optimum {

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 16U;

/// Writes objects, whose lists go to `Sink` block by block.
template <class Sink>
class WindowsWriter {
  public:
    explicit WindowsWriter(Sink& sink) : sink_(sink) {}

    void write(const WindowsFile& file) {
        text_ = "{\n  \"schema\": {\"name\": \"equipoise-windows\", \"version\": 1},\n";
        write_network(file);
        item("  \"target\": ", quoted(file.target));
        item("  \"all_ports\": ", file.all_ports ? "true" : "false");
        item("  \"steps_at_least\": ", std::to_string(file.at_least));
        if (file.at_most) item("  \"steps_at_most\": ", std::to_string(*file.at_most));
        runs("  \"loads\": ", file.loads);
        text_ += "  \"final_loads\": {\n";
        runs("    \"base\": ", file.base);
        runs("    \"may_hold_extra\": ", file.may_hold_extra);
        last("    \"extras\": ", std::to_string(file.extras), "  },\n");
        if (!file.ports.runs.empty()) runs("  \"ports\": ", file.ports);
        if (!file.capacities.runs.empty()) runs("  \"capacities\": ", file.capacities);
        if (!file.delays.runs.empty()) runs("  \"delays\": ", file.delays);
        if (file.flow) write_flow(*file.flow);
        if (file.cut) write_cut(file);
        if (file.zones) write_zones(*file.zones);
        write_digest(file);
        sink_.write(text_);
    }

  private:
    static std::string quoted(const std::string& text) { return json_text(nlohmann::json(text)); }
    static std::string hexadecimal(std::uint64_t number) {
        constexpr std::string_view digits = "0123456789abcdef";
        std::string text(16, '0');
        for (std::size_t i = 16; i-- > 0; number >>= 4U)
            text[i] = digits[number & 15U];
        return '"' + text + '"';
    }
    void write_digest(const WindowsFile& file) {
        last("  \"digest\": ", hexadecimal(file.written_digest), "}\n");
    }
    void item(std::string_view key, std::string_view value) {
        text_.append(key).append(value).append(",\n");
    }
    void last(std::string_view key, std::string_view value, std::string_view end) {
        text_.append(key).append(value).append("\n").append(end);
    }
    template <class Integer>
    void number(Integer value) {
        std::array<char, 24> digits;
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        text_.append(digits.data(), end);
    }
    void spill() {
        if (text_.size() < block_bytes) return;
        sink_.write(text_);
        text_.clear();
    }
    /// Writes the entries of a list, several to a line; `put` writes one.
    template <class List, class Put>
    void list(std::string_view key, const List& entries, std::size_t a_line, const Put& put,
              std::string_view end = ",\n") {
        text_.append(key).append("[");
        std::size_t count = 0;
        for (const auto& entry : entries) {
            if (count > 0) text_ += count % a_line == 0 ? ",\n" : ",";
            ++count;
            put(entry);
            spill();
        }
        text_.append("]").append(end);
    }
    void runs(std::string_view key, const Runs& runs, std::string_view end = ",\n") {
        list(
            key, runs.runs, 20,
            [&](const Runs::Run& run) {
                number(run.count);
                text_ += ',';
                number(run.value);
            },
            end);
    }
    void nodes(std::string_view key, const std::vector<NodeId>& nodes,
               std::string_view end = ",\n") {
        list(
            key, nodes, 40, [&](NodeId node) { number(node); }, end);
    }
    void write_network(const WindowsFile& file) {
        text_ += "  \"network\": {\n";
        item("    \"origin\": ", quoted(file.origin));
        item("    \"seed\": ", std::to_string(file.seed));
        item("    \"generated\": ", file.generated ? "true" : "false");
        item("    \"nodes\": ", std::to_string(file.nodes));
        item("    \"links\": ", std::to_string(file.link_count));
        list("    \"ends\": ", file.links, 20, [&](const Ends& ends) {
            number(ends.tail);
            text_ += ',';
            number(ends.head);
        });
        last("    \"digest\": ", hexadecimal(file.network_digest), "  },\n");
    }
    void write_flow(const FlowOverTime& flow) {
        text_ += "  \"flow\": {\n";
        item("    \"steps\": ", std::to_string(flow.steps));
        list(
            "    \"windows\": ", flow.windows, 4,
            [&](const Window& window) {
                text_ += '[';
                number(window.from);
                text_ += ',';
                number(window.to);
                text_ += ',';
                number(window.first);
                text_ += ',';
                number(window.steps);
                text_ += ',';
                number(window.tokens);
                text_ += ']';
            },
            "\n  },\n");
    }
    void write_cut(const WindowsFile& file) {
        text_ += "  \"cut\": {\n";
        item("    \"steps\": ", std::to_string(file.cut->steps));
        item("    \"surplus\": ", std::to_string(file.cut->surplus));
        item("    \"crossings\": ", std::to_string(file.cut->crossings));
        runs("    \"inside\": ", file.inside);
        runs("    \"send_first\": ", file.gates[0]);
        runs("    \"send_end\": ", file.gates[1]);
        runs("    \"receive_first\": ", file.gates[2]);
        runs("    \"receive_end\": ", file.gates[3], "\n  },\n");
    }
    void write_zones(const Certificate& certificate) {
        text_ += "  \"zones\": {\n";
        item("    \"steps\": ", std::to_string(certificate.steps));
        item("    \"surplus\": ", std::to_string(certificate.surplus));
        item("    \"crossings\": ", std::to_string(certificate.crossings));
        list("    \"zones\": ", certificate.zones, 1, [&](const Zone& zone) {
            text_ += "{\"first_step\": ";
            number(zone.first);
            text_ += ", \"steps\": ";
            number(zone.steps);
            nodes(", \"nodes\": ", zone.nodes, "");
            nodes(", \"senders\": ", zone.senders, "");
            nodes(", \"receivers\": ", zone.receivers, "");
            nodes(", \"dropped\": ", zone.dropped, "}");
        });
        nodes("    \"last_zone\": ", certificate.last_zone, "\n  },\n");
    }

    Sink& sink_;
    std::string text_;
};

/// Texts as sinks.
struct TextSink {
    std::string text;
    void write(std::string_view more) { text.append(more); }
};

}  // namespace

void write_windows(const std::string& path, const WindowsFile& file) {
    AtomicFile out(path);
    WindowsWriter<AtomicFile>(out).write(file);
    out.commit();
}

std::string windows_text(const WindowsFile& file) {
    TextSink sink;
    WindowsWriter<TextSink>(sink).write(file);
    return std::move(sink.text);
}

}  // namespace equipoise::optimum
