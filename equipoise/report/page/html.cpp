#include "equipoise/report/page/html.hpp"

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/report/page/filling.hpp"
#include "equipoise/report/page/page_data.hpp"

namespace equipoise::report {

std::string render_html(std::span<const model::Record> records) {
    if (records.empty()) throw InputError("page: expected at least one record, found none");
    PageContents page;
    page.title = page_title(records);
    page.lead = "summary";
    page.style = page_files({"look.css", "page.css"});
    page.body = "page.html";
    page.library = "<script>" + page_files({"chart.min.js"}) + "</script>\n";
    page.scripts = page_files({"numbers.js", "look.js", "colours.js", "model.js", "drawing.js",
                               "panels.js", "terms.js", "charts.js", "texts.js", "table.js",
                               "player.js", "controls.js", "page.js"});
    page.data = page_data(records);
    return framed_page(page);
}

void write_html(std::span<const model::Record> records, const std::string& path) {
    write_file(path, render_html(records));
}

}  // namespace equipoise::report
