#include "equipoise/report/page/html.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/report/page/page_data.hpp"
#include "equipoise/report/page/page_files.hpp"
#include "equipoise/report/pictures/markup.hpp"

namespace equipoise::report {

namespace {

/// Fills in `{{name}}`. One pass: texts that were filled in are not searched again.
std::string fill_in(std::string_view page,
                    const std::vector<std::pair<std::string_view, std::string>>& values) {
    std::string text;
    while (true) {
        const std::size_t open = page.find("{{");
        text += page.substr(0, open);
        if (open == std::string_view::npos) return text;
        const std::size_t close = page.find("}}", open);
        EQUIPOISE_ASSERT(close != std::string_view::npos);
        const std::string_view name = page.substr(open + 2, close - open - 2);
        bool known = false;
        for (const auto& [key, value] : values) {
            if (key != name) continue;
            text += value;
            known = true;
        }
        EQUIPOISE_ASSERT(known);
        page.remove_prefix(close + 2);
    }
}

}  // namespace

std::string render_html(std::span<const model::Record> records) {
    if (records.empty()) throw InputError("page: expected at least one record, found none");
    std::string scripts;
    for (const char* name :
         {"numbers.js", "colours.js", "model.js", "drawing.js", "panels.js", "charts.js",
          "texts.js", "table.js", "player.js", "controls.js", "page.js"})
        scripts += page_file(name);
    return fill_in(page_file("template.html"), {{"title", escape_markup(page_title(records))},
                                                {"style", std::string(page_file("page.css"))},
                                                {"chart", std::string(page_file("chart.min.js"))},
                                                {"scripts", std::move(scripts)},
                                                {"data", page_data(records)}});
}

void write_html(std::span<const model::Record> records, const std::string& path) {
    write_file(path, render_html(records));
}

}  // namespace equipoise::report
