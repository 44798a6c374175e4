#include "equipoise/report/page/reassign_page.hpp"

#include "equipoise/report/page/filling.hpp"
#include "equipoise/report/page/reassign_page_data.hpp"

namespace equipoise::report {

std::string reassign_page(const ReassignAnswer& answer) {
    PageContents page;
    page.title = reassign_title(answer);
    page.lead = "verdict";
    page.style = page_files({"look.css", "plan.css", "reassign.css"});
    page.body = "reassign.html";
    page.unit = "wave";
    page.time = "Waves that are over";
    page.proofs = "Why no plan does better";
    page.scripts = page_files({"numbers.js", "look.js", "player.js", "plan.js", "plan_course.js",
                               "machine_bars.js", "move_list.js", "reassign.js"});
    page.data = reassign_page_data(answer);
    return framed_page(page);
}

}  // namespace equipoise::report
