#include "equipoise/report/page/reassign_page.hpp"

#include "equipoise/report/page/filling.hpp"
#include "equipoise/report/page/reassign_page_data.hpp"
#include "equipoise/report/pictures/markup.hpp"

namespace equipoise::report {

std::string reassign_page(const ReassignAnswer& answer) {
    return fill_in(page_files({"reassign.html"}),
                   {{"title", escape_markup(reassign_title(answer))},
                    {"style", page_files({"look.css", "reassign.css"})},
                    {"scripts", page_files({"numbers.js", "look.js", "player.js", "plan_course.js",
                                            "machine_bars.js", "move_list.js", "reassign.js"})},
                    {"data", reassign_page_data(answer)}});
}

}  // namespace equipoise::report
