#include "equipoise/mesh/strong.hpp"

#include "equipoise/mesh/clock.hpp"
#include "equipoise/mesh/local_td.hpp"
#include "equipoise/mesh/reduce.hpp"
#include "equipoise/mesh/workspace.hpp"

namespace equipoise::mesh {

namespace {

/// Whether every cell has between floor(N/V) - 1 and ceil(N/V) + 1 tokens.
bool content(const Box& box, const Layer& tokens) {
    const Extremes all = extremes(box, tokens);
    const Tokens cells = box.cells();
    return all.least >= all.total / cells - 1 && all.most <= ceil_divide(all.total, cells) + 1;
}

}  // namespace

Step Strong::run(const Box& box, const std::vector<Tokens>& loads, model::MoveSink& sink) const {
    Workspace work(box, sink);
    Clock clock = work.clock();
    Layer tokens = loads;
    const auto test = [&] {
        if (agreement == Agreement::bus)
            clock.wait(1);
        else
            clock.reduce_and_broadcast(box);
        return content(box, tokens);
    };
    if (agreement == Agreement::mesh) clock.reduce_and_broadcast(box);  // N
    Step t = 0;
    bool done = test();
    bool go_on = work.tell(clock, tokens);
    while (!done && go_on) {
        t = t == 0 ? 2 : 2 * t;
        local_token_distribution(work, box, t, tokens, clock);
        // The bus shows the AND of "my submesh is done" until it holds; without a bus, the test
        // itself waits for the last submesh.
        if (agreement == Agreement::bus) clock.wait(1);
        done = test();
        go_on = work.tell(clock, tokens);
    }
    return t;
}

}  // namespace equipoise::mesh
