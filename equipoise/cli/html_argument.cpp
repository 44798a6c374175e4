#include "equipoise/cli/html_argument.hpp"

#include <algorithm>

#include "equipoise/report/html.hpp"

namespace equipoise::cli {

namespace {

constexpr NodeId transfers_shown_nodes_max = 400;
/// Loads that the samples of all runs hold together, in numbers of 8 bytes.
constexpr std::size_t loads_held_max = std::size_t{1} << 26U;

}  // namespace

Option* HtmlArgument::add_to(Command& verb) {
    return verb
        .add_option("--html", path, "write a page that shows the runs in a browser to this file")
        ->not_to_output()
        ->writes_file();
}

void HtmlArgument::ask(catalogue::RunOptions& options, NodeId nodes, std::size_t runs) {
    options.record_level =
        nodes <= transfers_shown_nodes_max ? model::RecordLevel::full : model::RecordLevel::sampled;
    const std::size_t each = loads_held_max / std::max<std::size_t>(1, runs * nodes);
    options.samples = std::clamp<std::size_t>(each, 2, options.samples);
}

void HtmlArgument::emit(std::span<const model::Record> records) const {
    report::write_html(records, path);
}

}  // namespace equipoise::cli
