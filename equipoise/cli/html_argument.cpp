#include "equipoise/cli/html_argument.hpp"

#include "equipoise/report/page/html.hpp"

namespace equipoise::cli {

Option* HtmlArgument::add_to(Command& verb) {
    return verb.add_option("--html", path, "write an HTML page that shows the runs to this file")
        ->not_to_output()
        ->writes_file();
}

void HtmlArgument::emit(std::span<const model::Record> records) const {
    report::write_html(records, path);
}

}  // namespace equipoise::cli
