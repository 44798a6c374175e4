#include "equipoise/report/page/html.hpp"

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/report/page/filling.hpp"
#include "equipoise/report/page/page_data.hpp"
#include "equipoise/report/pictures/markup.hpp"

namespace equipoise::report {

std::string render_html(std::span<const model::Record> records) {
    if (records.empty()) throw InputError("page: expected at least one record, found none");
    return fill_in(page_files({"template.html"}),
                   {{"title", escape_markup(page_title(records))},
                    {"style", page_files({"look.css", "page.css"})},
                    {"chart", page_files({"chart.min.js"})},
                    {"scripts", page_files({"numbers.js", "look.js", "colours.js", "model.js",
                                            "drawing.js", "panels.js", "charts.js", "texts.js",
                                            "table.js", "player.js", "controls.js", "page.js"})},
                    {"data", page_data(records)}});
}

void write_html(std::span<const model::Record> records, const std::string& path) {
    write_file(path, render_html(records));
}

}  // namespace equipoise::report
