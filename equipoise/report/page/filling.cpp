#include "equipoise/report/page/filling.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/report/page/page_files.hpp"
#include "equipoise/report/pictures/markup.hpp"

namespace equipoise::report {

namespace {

/// Fills in `{{name}}`. One pass: texts that were filled in are not searched again. A name without
/// a value is a programmer's error.
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

std::string page_files(std::initializer_list<std::string_view> names) {
    std::string text;
    for (const std::string_view name : names)
        text += page_file(name);
    return text;
}

std::string framed_page(const PageContents& contents) {
    const std::string player =
        fill_in(page_file("player.html"),
                {{"unit", std::string(contents.unit)}, {"time", std::string(contents.time)}});
    const std::string plan =
        fill_in(page_file("plan.html"), {{"proofs", std::string(contents.proofs)}});
    const std::string body =
        fill_in(page_file(contents.body), {{"player", player}, {"plan", plan}});
    return fill_in(page_file("frame.html"), {{"title", escape_markup(contents.title)},
                                             {"style", contents.style},
                                             {"lead", std::string(contents.lead)},
                                             {"body", body},
                                             {"library", contents.library},
                                             {"scripts", contents.scripts},
                                             {"data", contents.data}});
}

std::string escape_for_script(const std::string& json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char letter : json) {
        switch (letter) {
            case '<':
                safe += "\\u003c";
                break;
            case '>':
                safe += "\\u003e";
                break;
            case '&':
                safe += "\\u0026";
                break;
            default:
                safe += letter;
        }
    }
    return safe;
}

}  // namespace equipoise::report
