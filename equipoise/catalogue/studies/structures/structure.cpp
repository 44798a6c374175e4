#include "equipoise/catalogue/studies/structures/structure.hpp"

#include <algorithm>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"

namespace equipoise::catalogue {

load::Loads StructureInput::loads() const {
    expect_loads_given(given_loads);
    return loads_of(given_loads, network(), seed);
}

network::MatchingSequence StructureInput::matchings() const {
    network::MatchingSequence given = matchings_of(given_matchings, network());
    return given.empty() ? facts.natural_matchings() : given;
}

const std::vector<Structure>& structures() {
    static const std::vector<Structure> all = {
        loads_structure(),      observer_tour_structure(),      meeting_structure(),
        stable_gap_structure(), construct_subgraph_structure(), array_timetable_structure(),
        cut_structure(),        flow_graph_structure(),         slices_structure(),
        submeshes_structure(),  matchings_structure(),          circuit_structure()};
    return all;
}

std::vector<SpecInfo> structure_infos() {
    std::vector<SpecInfo> infos;
    for (const Structure& structure : structures())
        infos.push_back(structure.info);
    return infos;
}

std::string structure_svg(std::string_view spec, const StructureInput& input) {
    const Spec parsed = Spec::parse(spec);
    const auto found =
        std::find_if(structures().begin(), structures().end(),
                     [&](const Structure& each) { return each.info.name == parsed.name(); });
    if (found == structures().end()) {
        std::vector<std::string> names;
        for (const Structure& structure : structures())
            names.push_back(structure.info.name);
        throw InputError("--structure: " + expected_word(parsed.name(), names));
    }
    parsed.expect_only(found->keys);
    return found->draw(parsed, input);
}

}  // namespace equipoise::catalogue
