#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/catalogue/studies/reassign_answer.hpp"
#include "equipoise/report/answers/reassign.hpp"
#include "equipoise/report/answers/reassign_files.hpp"
#include "equipoise/report/page/reassign_page.hpp"
#include "python/core/module.hpp"
#include "python/core/requests.hpp"
#include "python/core/working.hpp"

namespace equipoise::python {

namespace {

using report::ReassignAnswer;

catalogue::ReassignRequest reassign_request(const py::dict& options) {
    using Names = std::vector<std::string>;
    catalogue::ReassignRequest request;
    const auto text = [&](const char* name) { return option<std::string>(options, name, ""); };
    const auto names = [&](const char* name) { return option<Names>(options, name, {}); };
    request.items = text("items");
    request.user = text("user");
    request.password = text("password");
    request.machines = text("machines");
    request.log_dirs = text("log_dirs");
    request.resources = names("resources");
    request.labels = names("labels");
    request.apart = names("apart");
    request.spread = names("spread");
    request.near = names("near");
    request.allowed = text("allowed");
    request.forbidden = text("forbidden");
    request.pinned = names("pinned");
    request.drain = names("drain");
    request.rules = text("rules");
    request.level = names("level");
    request.tolerance = text("tolerance");
    request.fewest = text("fewest");
    if (options.contains("only_if_above"))
        request.only_if_above = options["only_if_above"].cast<double>();
    request.at_most = text("at_most");
    request.objective = text("objective");
    request.target = text("target");
    request.copy_from = text("copy_from");
    request.replicas = names("replicas");
    request.rates = text("rates");
    if (options.contains("at_once")) request.at_once = options["at_once"].cast<std::uint64_t>();
    request.half_duplex = option(options, "half_duplex", request.half_duplex);
    request.resume = text("resume");
    if (options.contains("seconds")) request.seconds = options["seconds"].cast<double>();
    if (options.contains("effort")) request.effort = options["effort"].cast<std::uint64_t>();
    request.threads = option(options, "threads", request.threads);
    request.seed = option(options, "seed", request.seed);
    request.memory_mb = option(options, "memory", request.memory_mb);
    request.texts = option<std::map<std::string, std::string>>(options, "texts", {});
    return request;
}

std::shared_ptr<ReassignAnswer> plan_reassignment(const py::dict& options) {
    const catalogue::ReassignRequest request = reassign_request(options);
    const auto answer = std::make_shared<ReassignAnswer>();
    Work work;
    work.run([&] { *answer = catalogue::answer_reassign(request, {work.token(), {}}); });
    return answer;
}

std::shared_ptr<ReassignAnswer> judge_reassignment(const std::string& schedule,
                                                   const py::dict& options) {
    const catalogue::ReassignRequest request = reassign_request(options);
    const auto answer = std::make_shared<ReassignAnswer>();
    Work().run([&] { *answer = catalogue::judge_reassign(request, schedule); });
    return answer;
}

}  // namespace

void add_reassignments(py::module_& module) {
    py::class_<ReassignAnswer, std::shared_ptr<ReassignAnswer>>(module, "Reassignment")
        .def("text",
             [](const ReassignAnswer& answer) {
                 return report::reassign_text(answer, {.schedule = "the list `schedule`"}, true);
             })
        .def("to_json", &report::reassign_json)
        .def("csv", &report::reassign_csv)
        .def("page", &report::reassign_page)
        .def("write",
             [](const ReassignAnswer& answer, const std::string& what, const std::string& path) {
                 if (what == "schedule") return report::write_schedule(path, answer);
                 if (what == "rollback") return report::write_rollback(path, answer);
                 if (what == "leaders") return report::write_leaders(path, answer);
                 if (what == "moves") return report::write_moves(path, answer);
                 if (what == "steps") return report::write_steps(path, answer);
                 write_file(path, what == "page" ? report::reassign_page(answer)
                                                 : report::reassign_csv(answer));
             });
    module.def("reassign", &plan_reassignment);
    module.def("check_reassign", &judge_reassignment);
}

}  // namespace equipoise::python
