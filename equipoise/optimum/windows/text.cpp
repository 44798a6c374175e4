#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/digest_text.hpp"
#include "equipoise/base/json_writer.hpp"
#include "equipoise/optimum/windows/file.hpp"

namespace equipoise::optimum {

namespace {

/// Numbers, or pairs of them as two numbers each, 40 on a line.
constexpr JsonLayout many_a_line{.indented = false, .a_line = 40};

void write_runs(JsonWriter& out, std::string_view key, const Runs& runs) {
    out.open_list(key, many_a_line);
    for (const Runs::Run& run : runs.runs) {
        out.value(run.count);
        out.value(run.value);
    }
    out.close();
}

void write_runs_if_any(JsonWriter& out, std::string_view key, const Runs& runs) {
    if (!runs.runs.empty()) write_runs(out, key, runs);
}

void write_nodes(JsonWriter& out, std::string_view key, const std::vector<NodeId>& nodes) {
    out.open_list(key, many_a_line);
    for (const NodeId node : nodes)
        out.value(node);
    out.close();
}

void write_network(JsonWriter& out, const WindowsFile& file) {
    out.open_object("network");
    out.member("origin", file.origin);
    out.member("seed", file.seed);
    out.member("generated", file.generated);
    out.member("nodes", file.nodes);
    out.member("links", file.link_count);
    out.open_list("ends", many_a_line);
    for (const Ends& ends : file.links) {
        out.value(ends.tail);
        out.value(ends.head);
    }
    out.close();
    out.member("digest", digest_text(file.network_digest));
    out.close();
}

void write_problem(JsonWriter& out, const WindowsFile& file) {
    out.member("target", file.target);
    out.member("all_ports", file.all_ports);
    out.member("steps_at_least", file.at_least);
    if (file.at_most) out.member("steps_at_most", *file.at_most);
    write_runs(out, "loads", file.loads);
    out.open_object("final_loads");
    write_runs(out, "base", file.base);
    write_runs(out, "may_hold_extra", file.may_hold_extra);
    out.member("extras", file.extras);
    out.close();
    write_runs_if_any(out, "ports", file.ports);
    write_runs_if_any(out, "capacities", file.capacities);
    write_runs_if_any(out, "delays", file.delays);
}

void write_flow(JsonWriter& out, const FlowOverTime& flow) {
    out.open_object("flow");
    out.member("steps", flow.steps);
    out.open_list("windows", {.indented = false, .a_line = 4});
    for (const Window& window : flow.windows)
        out.tuple(window.from, window.to, window.first, window.steps, window.tokens);
    out.close();
    out.close();
}

/// Writes the members that cuts of both kinds share.
template <class Cut>
void write_figures(JsonWriter& out, const Cut& cut) {
    out.member("steps", cut.steps);
    out.member("surplus", cut.surplus);
    out.member("crossings", cut.crossings);
}

void write_cut(JsonWriter& out, const WindowsFile& file) {
    out.open_object("cut");
    write_figures(out, *file.cut);
    write_runs(out, "inside", file.inside);
    write_runs(out, "send_first", file.gates[0]);
    write_runs(out, "send_end", file.gates[1]);
    write_runs(out, "receive_first", file.gates[2]);
    write_runs(out, "receive_end", file.gates[3]);
    out.close();
}

void write_zones(JsonWriter& out, const Certificate& certificate) {
    out.open_object("zones");
    write_figures(out, certificate);
    out.open_list("zones", {.indented = false, .a_line = 1});
    for (const Zone& zone : certificate.zones) {
        out.open_object(json_one_line);
        out.member("first_step", zone.first);
        out.member("steps", zone.steps);
        write_nodes(out, "nodes", zone.nodes);
        write_nodes(out, "senders", zone.senders);
        write_nodes(out, "receivers", zone.receivers);
        write_nodes(out, "dropped", zone.dropped);
        out.close();
    }
    out.close();
    write_nodes(out, "last_zone", certificate.last_zone);
    out.close();
}

void write_to(const JsonWriter::Sink& sink, const WindowsFile& file) {
    JsonWriter out(sink, 2);
    out.open_object();
    out.open_object("schema", json_one_line);
    out.member("name", "equipoise-windows");
    out.member("version", 1);
    out.close();
    write_network(out, file);
    write_problem(out, file);
    if (file.flow) write_flow(out, *file.flow);
    if (file.cut) write_cut(out, file);
    if (file.zones) write_zones(out, *file.zones);
    out.member("digest", digest_text(file.written_digest));
    out.close();
    out.finish();
}

}  // namespace

void write_windows(const std::string& path, const WindowsFile& file) {
    AtomicFile out(path);
    write_to([&](std::string_view more) { out.write(more); }, file);
    out.commit();
}

std::string windows_text(const WindowsFile& file) {
    std::string text;
    write_to([&](std::string_view more) { text.append(more); }, file);
    return text;
}

}  // namespace equipoise::optimum
