// Writes the pages that the browser test opens: write_pages <folder>.

#include <string>
#include <vector>

#include "equipoise/report/page/html.hpp"
#include "tests/support/sample_records.hpp"

namespace {

using namespace equipoise;
using test::SampleRule;
using test::SampleRun;

std::vector<model::Record> compare(SampleRun run, Step sample_every = 1) {
    run.sample_every = sample_every;
    run.algorithm = "one-token";
    run.rule = SampleRule::one_token;
    std::vector<model::Record> records = {test::run_sample(run)};
    records[0].guarantee = {5, 4000, "promise of a test"};
    run.algorithm = "half";
    run.rule = SampleRule::half;
    records.push_back(test::run_sample(run));
    return records;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    const std::string folder = std::string(arguments[1]) + "/";
    report::write_html(compare(test::abilene_sample()), folder + "abilene.html");

    std::vector<model::Record> models = compare(test::abilene_sample());
    models[0].model = "single-port";
    models[1].model = "asynchronous";
    report::write_html(models, folder + "models.html");
    std::vector<model::Record> speeds = compare(test::abilene_sample());
    for (model::Record& record : speeds) {
        record.speeds.assign(record.node_count, 1);
        record.speeds[2] = 3;
        record.guarantee = {};
    }
    speeds[0].guarantee.source = "promise of a test";
    report::write_html(speeds, folder + "speeds.html");

    SampleRun torus = test::grid_sample("torus:32x32", 10'240);
    torus.level = model::RecordLevel::sampled;
    report::write_html(compare(torus, 5), folder + "torus.html");
    report::write_html(compare(test::grid_sample("torus:8x8", 640)), folder + "small-torus.html");
    report::write_html(compare(test::tree_sample(2, 5, 630)), folder + "tree.html");

    SampleRun path = test::spike_sample(25'000, {}, 1'000'000);
    for (NodeId node = 1; node < path.node_count; ++node)
        path.links.push_back({node - 1, node});
    path.level = model::RecordLevel::sampled;
    path.steps_max = 400;
    report::write_html(compare(path, 20), folder + "ranks.html");

    SampleRun hostile = test::abilene_sample();
    hostile.labels.origin = "x/</script><img src=x onerror=\"window.attacked=1\">";
    hostile.labels.names[0] = "</script><script>window.attacked=1</script><b>";
    hostile.algorithm = "<img src=x onerror=window.attacked=1>{{data}}";
    const model::Record record = test::run_sample(hostile);
    report::write_html(std::span(&record, 1), folder + "hostile.html");
    return 0;
}
