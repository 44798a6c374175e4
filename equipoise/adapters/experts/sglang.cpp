#include <cstddef>

#include "equipoise/adapters/experts/rows.hpp"
#include "equipoise/adapters/experts/systems.hpp"

namespace equipoise::experts {

Loads sglang_loads(const JsonValue& counts) {
    Loads loads;
    if (counts.size("a list of loads for each layer") == 0)
        counts.fail("expected at least one layer, found none");
    const JsonValue first = counts.at(std::size_t{0});
    if (is_list_of_lists(first)) {
        counts.for_each([&](const JsonValue& step) {
            loads.steps.push_back(load_rows(step));
            const LoadRows& rows = loads.steps.back();
            const LoadRows& before = loads.steps.front();
            if (rows.size() != before.size())
                step.fail("expected " + std::to_string(before.size()) +
                          " layers, as in the first step, found " + std::to_string(rows.size()));
            if (rows.front().size() != before.front().size())
                step.fail("expected " + std::to_string(before.front().size()) +
                          " experts, as in the first step, found " +
                          std::to_string(rows.front().size()));
        });
    } else {
        loads.steps.push_back(load_rows(counts));
    }
    loads.layers = numbered(loads.steps.front().size());
    return loads;
}

Placement sglang_placement(const JsonValue& rows) {
    Placement placement;
    placement.slots = slot_rows(rows);
    placement.layers = numbered(placement.slots.size());
    placement.form = Form::sglang;
    return placement;
}

std::string sglang_text(const Placement& placement) {
    const std::vector<replication::ItemId> trivial = trivial_slots(
        static_cast<std::uint32_t>(placement.slots.front().size()), experts_in(placement.slots));
    std::string text = "{\"physical_to_logical_map\": [";
    std::size_t row = 0;
    for (std::uint64_t layer = 0; layer <= placement.layers.back(); ++layer) {
        const bool there = placement.layers[row] == layer;
        text += layer == 0 ? "\n" : ",\n";
        text += list_text(there ? placement.slots[row] : trivial);
        if (there) ++row;
    }
    return text + "\n]}\n";
}

}  // namespace equipoise::experts
