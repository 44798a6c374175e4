#include "equipoise/adapters/experts/forms.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/adapters/experts/yaml.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::experts {
namespace {

using Slots = std::vector<std::vector<replication::ItemId>>;
using Layers = std::vector<std::uint64_t>;
using Rows = std::vector<std::vector<double>>;

std::string error_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string loads_error(const std::string& text) {
    return error_of([&] { static_cast<void>(read_loads(text, "f")); });
}

std::string placement_error(const std::string& text) {
    return error_of([&] { static_cast<void>(read_placement(text, "f")); });
}

TEST(ExpertLoads, OfSglangAreReadAsSumsOrStepByStep) {
    const Loads sums = read_loads(R"({"logical_count": [[1, 2.5, 0], [0, 0, 0]], "rank": 0})", "f");
    EXPECT_EQ(sums.layers, Layers({0, 1}));
    EXPECT_EQ(sums.numbering, Numbering::of_model);
    EXPECT_EQ(sums.steps, std::vector<Rows>({{{1, 2.5, 0}, {0, 0, 0}}}));
    const Loads steps = read_loads(R"({"logical_count": [[[1, 2]], [[3, 4]], [[5, 6]]]})", "f");
    EXPECT_EQ(steps.layers, Layers({0}));
    EXPECT_EQ(steps.steps, std::vector<Rows>({{{1, 2}}, {{3, 4}}, {{5, 6}}}));
    EXPECT_EQ(steps.experts(), 2U);
}

TEST(ExpertLoads, MayBeAPlainListOfLayersOrSteps) {
    EXPECT_EQ(read_loads("[[1, 2], [3, 4]]", "f").steps, std::vector<Rows>({{{1, 2}, {3, 4}}}));
    EXPECT_EQ(read_loads("[[[1, 2]], [[3, 4]]]", "f").steps,
              std::vector<Rows>({{{1, 2}}, {{3, 4}}}));
}

TEST(ExpertLoads, OfVllmAreAddedUpOverTheCopiesOfAnExpert) {
    const Loads loads = read_loads(
        R"({"record_type": "eplb_load_meta", "num_ranks": 2})"
        "\n"
        R"({"record_type": "eplb_load_stats", "version": 1, "step": 7, "num_ranks": 2, )"
        R"("expert_load": [[10, 1, 5, 2], [2, 8, 1, 3]], "p2l_map": [[0, 1, 2, 0], [0, 1, 2, 2]]})"
        "\n"
        R"({"record_type": "eplb_load_stats", "step": 8, )"
        R"("expert_load": [[0, 0, 0, 4], [1, 1, 1, 1]], "p2l_map": [[0, 1, 2, 1], [0, 1, 2, 0]]})"
        "\n",
        "f");
    EXPECT_EQ(loads.numbering, Numbering::of_experts);
    EXPECT_EQ(loads.layers, Layers({0, 1}));
    EXPECT_EQ(loads.steps, std::vector<Rows>({{{12, 1, 5}, {2, 8, 4}}, {{0, 4, 0}, {2, 1, 1}}}));
}

TEST(ExpertLoads, OfVllmMayFollowAByteOrderMarkAndBeIndented) {
    const std::string record =
        "\xEF\xBB\xBF{\n  \"record_type\": \"eplb_load_stats\",\n  \"version\": 1,\n"
        "  \"expert_load\": [[10, 1, 5]],\n  \"p2l_map\": [[0, 1, 0]]\n}\n";
    EXPECT_EQ(read_loads(record, "f").steps, std::vector<Rows>({{{15, 1}}}));
    EXPECT_EQ(read_placement(record, "f").slots, Slots({{0, 1, 0}}));
}

TEST(ExpertLoads, OfATableAreInAnyOrderAndMayHaveSteps) {
    const Loads loads = read_loads("layer,expert,load\n5,1,4\n3,0,1\n3,1,2.5\n5,0,3\n", "f");
    EXPECT_EQ(loads.layers, Layers({3, 5}));
    EXPECT_EQ(loads.steps, std::vector<Rows>({{{1, 2.5}, {3, 4}}}));
    const Loads steps = read_loads("step;layer;expert;load\n9;0;0;2\n4;0;0;1\n", "f");
    EXPECT_EQ(steps.steps, std::vector<Rows>({{{1}}, {{2}}}));
}

TEST(ExpertLoads, ThatAreWrongAreRefusedWithTheirPlace) {
    EXPECT_EQ(loads_error(R"({"logical_count": [[1, 2], [3]]})"),
              "f: logical_count[1]: expected 2 numbers, as in the first layer, found 1");
    EXPECT_EQ(loads_error(R"({"logical_count": [[1, -2]]})"),
              "f: logical_count[0][1]: expected a load (a number, 0 or more), found -2");
    EXPECT_EQ(loads_error(R"({"logical_count": [[[1, 2]], [[1, 2], [3, 4]]]})"),
              "f: logical_count[1]: expected 1 layers, as in the first step, found 2");
    EXPECT_EQ(loads_error("[[]]"), "f: [0]: expected at least one number, found none");
    EXPECT_EQ(loads_error(R"({"physical_to_logical_map": [[0]]})"),
              "f: expected loads: \"logical_count\" (SGLang), records \"eplb_load_stats\" (vLLM) "
              "or a list of loads for each layer, found a placement");
    EXPECT_EQ(loads_error("layer,expert\n0,0\n"),
              "f:1: expected the columns layer,expert,load, or JSON of SGLang (logical_count) or "
              "vLLM, found \"layer,expert\"");
    EXPECT_EQ(loads_error("layer,expert,load\n0,0,1\n0,2,1\n"),
              "f:3: expected a load of expert 1 of layer 0 before that of expert 2 of layer 0, "
              "found none");
    EXPECT_EQ(loads_error("layer,expert,load\n0,0,1\n0,0,2\n"),
              "f:3: expected every load once, found expert 0 of layer 0 twice");
    EXPECT_EQ(loads_error("layer,expert,load\n0,0,1\n0,1,1\n1,0,1\n"),
              "f:4: expected a load of expert 1 of layer 1 too, found none");
    EXPECT_EQ(loads_error("layer,expert,load\n0,0,x\n"),
              "f:2: expected a load, a number from 0 on, found \"x\"");
    EXPECT_EQ(loads_error("{\"record_type\": \"eplb_load_stats\", \"expert_load\": [[1, 2]], "
                          "\"p2l_map\": [[0, 9]]}\n"),
              "f:1: p2l_map: expected experts below the number of slots, 2, found 9");
    EXPECT_EQ(loads_error("{\"record_type\": \"eplb_load_stats\", "
                          "\"expert_load\": [[1e308, 1e308, 1]], \"p2l_map\": [[0, 0, 1]]}\n"),
              "f:1: expert_load: expected copies of an expert with a finite sum of loads, found "
              "larger ones");
    EXPECT_EQ(loads_error("{\"record_type\": \"eplb_load_stats\", \"version\": 2, "
                          "\"expert_load\": [[1, 2]], \"p2l_map\": [[0, 1]]}\n"),
              "f:1: version: expected 1, the version that is known, found 2");
    EXPECT_EQ(loads_error("layer,expert,load\n0,-1,1\n"),
              "f:2: expected an expert from 0 to 2147483647, found \"-1\"");
    EXPECT_EQ(loads_error("{\"record_type\": \"eplb_load_meta\"}\n"),
              "f: expected a record \"eplb_load_stats\", found none");
}

TEST(ExpertLoads, ThatTorchWroteAreRefusedWithTheWayToJson) {
    const std::string error = loads_error("PK\x03\x04zip");
    EXPECT_TRUE(error.starts_with("f: expected JSON or another text, found a file of torch;"))
        << error;
    EXPECT_NE(error.find("python3 -c 'import json, sys, torch; "), std::string::npos) << error;
    EXPECT_EQ(placement_error("PK\x03\x04zip"), error);
    const std::string path = testing::TempDir() + "loads.pt";
    std::ofstream(path) << "PK\x03\x04" << std::string(100, '\0');
    EXPECT_EQ(error_of([&] { static_cast<void>(read_form(path)); }), path + error.substr(1));
    std::ofstream(path) << "{\"logical_count\": [[1, 2]]}]";
    EXPECT_EQ(error_of([&] { static_cast<void>(read_form(path)); }),
              path + ":1: expected nothing after the end of the document, found \"]\"");
    std::filesystem::remove(path);
    for (const char* const endless : {"/dev/zero", "/dev/urandom"})
        if (std::filesystem::exists(endless)) {
            EXPECT_NE(error_of([&] { static_cast<void>(read_form(endless)); }), "no error");
        }
}

TEST(ExpertPlacements, OfSglangHaveARowForEachLayerOfTheModel) {
    const Placement placement =
        read_placement(R"({"physical_to_logical_map": [[0, 1, 0], [1, 0, 1]]})", "f");
    EXPECT_EQ(placement.layers, Layers({0, 1}));
    EXPECT_EQ(placement.slots, Slots({{0, 1, 0}, {1, 0, 1}}));
    EXPECT_EQ(placement.numbering, Numbering::of_model);
    EXPECT_EQ(placement.form, Form::sglang);
}

TEST(ExpertPlacements, OfVllmAreARecordOrAList) {
    const char* const record =
        R"({"record_type": "eplb_initial_mapping", "version": 1, "num_redundant_experts": 1, )"
        R"("num_slots": 3, "initial_global_assignments": {"1": [1, 0, 1], "0": [0, 1, 0]}})";
    for (const std::string& text : {std::string(record), std::string(record) + "\n",
                                    std::string("{\"initial_global_assignments\": {\"0\": [0, 1, "
                                                "0],\n \"1\": [1, 0, 1]}}")}) {
        const Placement placement = read_placement(text, "f");
        EXPECT_EQ(placement.layers, Layers({0, 1}));
        EXPECT_EQ(placement.slots, Slots({{0, 1, 0}, {1, 0, 1}}));
        EXPECT_EQ(placement.numbering, Numbering::of_experts);
        EXPECT_EQ(placement.form, Form::vllm);
    }
    const Placement list = read_placement("[[0, 1, 0], [1, 0, 1]]", "f");
    EXPECT_EQ(list.slots, Slots({{0, 1, 0}, {1, 0, 1}}));
    EXPECT_EQ(list.form, Form::vllm_map);
    const Placement row = read_placement("[0, 1, 0]", "f");
    EXPECT_TRUE(row.layers.empty());
    EXPECT_EQ(row.slots, Slots({{0, 1, 0}}));
}

TEST(ExpertPlacements, OfVllmsLoadsAreThoseOfTheLastRecordOrTheFirst) {
    const char* const text =
        R"({"record_type": "eplb_load_stats", "expert_load": [[1, 1]], "p2l_map": [[0, 1]]}
{"record_type": "eplb_load_stats", "expert_load": [[1, 1]], "p2l_map": [[1, 0]]}
)";
    EXPECT_EQ(read_placement(text, "f", Record::first).slots, Slots({{0, 1}}));
    const Placement placement = read_placement(text, "f");
    EXPECT_EQ(placement.slots, Slots({{1, 0}}));
    EXPECT_EQ(placement.numbering, Numbering::of_experts);
}

TEST(ExpertPlacements, OfTensorRtHaveNumbersOfTheModel) {
    const char* const yaml =
        "initial_global_assignments:\n  3: [1, 0, 1]\n  12: [0, 1, 0]\nnum_slots: 3\n"
        "layer_updates_per_iter: 2\n";
    if (!has_yaml()) {
        EXPECT_EQ(placement_error(yaml),
                  "f: this program was built without yaml-cpp; make JSON of the YAML first, or "
                  "build with libyaml-cpp-dev");
        GTEST_SKIP() << "built without yaml-cpp";
    }
    const Placement placement = read_placement(yaml, "f");
    EXPECT_EQ(placement.layers, Layers({3, 12}));
    EXPECT_EQ(placement.slots, Slots({{1, 0, 1}, {0, 1, 0}}));
    EXPECT_EQ(placement.numbering, Numbering::of_model);
    EXPECT_EQ(placement.form, Form::tensorrt_llm);
    EXPECT_EQ(placement.layer_updates, 2U);
    EXPECT_EQ(placement_text(placement, Form::tensorrt_llm), yaml);
    EXPECT_EQ(read_placement("{num_slots: 2, initial_global_assignments: {0: [1, 0]}}", "f").slots,
              Slots({{1, 0}}));
}

TEST(ExpertPlacements, ThatAreWrongAreRefusedWithTheirPlace) {
    EXPECT_EQ(placement_error(R"({"physical_to_logical_map": [[0, 1], [0]]})"),
              "f: physical_to_logical_map[1]: expected 2 numbers, as in the first layer, found 1");
    EXPECT_EQ(placement_error(R"({"physical_to_logical_map": [[0, -1]]})"),
              "f: physical_to_logical_map[0][1]: expected a whole number from 0 to 2147483647, "
              "found -1");
    EXPECT_EQ(placement_error(R"({"logical_count": [[0]]})"),
              "f: expected a placement: \"physical_to_logical_map\" (SGLang), "
              "\"initial_global_assignments\" (vLLM, TensorRT-LLM) or a list of experts for each "
              "layer, found loads");
    // Sorted as texts, 10 comes before 9.
    EXPECT_EQ(placement_error(R"({"initial_global_assignments": {"9": [0], "10": [0, 1]}})"),
              "f: initial_global_assignments.9: expected 2 numbers, as in the first layer, "
              "found 1");
    EXPECT_EQ(placement_error(R"({"num_slots": 3, "initial_global_assignments": {"0": [0, 1]}})"),
              "f: num_slots: expected 2, the number of slots of a layer, found 3");
    EXPECT_EQ(placement_error(R"({"initial_global_assignments": {"one": [0, 1]}})"),
              "f: initial_global_assignments: expected numbers of layers from 0 to 65535 as keys, "
              "found \"one\"");
}

TEST(ExpertPlacements, InYamlAreRefusedWithTheLine) {
    if (!has_yaml()) GTEST_SKIP() << "built without yaml-cpp";
    EXPECT_EQ(placement_error("num_slots: 3\nnum_slots: 4\n"),
              "f:2: expected every key once, found \"num_slots\" twice");
    EXPECT_EQ(placement_error("a: &x [0]\nb: *x\n"),
              "f:2: expected a value, found an alias, which is not supported");
    EXPECT_EQ(placement_error("num_slots: 3\n--- \nnum_slots: 4\n"),
              "f:2: expected one document, found another one");
    EXPECT_EQ(placement_error("? [a]\n: b\n"),
              "f:1: expected a key that is a word or a number, found a list or a map");
    EXPECT_EQ(placement_error("initial_global_assignments:\n  3: [1, \"x\"]\n"),
              "f: initial_global_assignments.3[1]: expected a whole number from 0 to "
              "2147483647, found \"x\"");
    EXPECT_TRUE(placement_error("a: [1, 2\n").starts_with("f:2: expected well-formed YAML, found"))
        << placement_error("a: [1, 2\n");
    EXPECT_EQ(placement_error("num_slots: 288\nlayer_updates_per_iter: 2\n"),
              "f: expected a placement of SGLang (physical_to_logical_map), TensorRT-LLM "
              "(initial_global_assignments) or vLLM, found none");
    EXPECT_EQ(placement_error(std::string(100, '[')), loads_error(std::string(100, '[')));
    EXPECT_EQ(placement_error("a: " + std::string(40, '[') + std::string(40, ']')),
              "f:1: expected at most 32 levels, found more");
}

TEST(ExpertPlacements, AreWrittenInEachFormAndReadAsTheSame) {
    Placement placement;
    placement.layers = {0, 2, 3};
    placement.slots = {{0, 1, 2, 0}, {2, 1, 0, 1}, {1, 2, 0, 2}};
    placement.dense = {true, false, false};
    const std::string sglang = placement_text(placement, Form::sglang);
    EXPECT_EQ(sglang,
              "{\"physical_to_logical_map\": [\n[0, 1, 2, 0],\n[0, 1, 2, 0],\n[2, 1, 0, 1],\n"
              "[1, 2, 0, 2]\n]}\n");
    EXPECT_EQ(read_placement(sglang, "f").slots.at(2), placement.slots.at(1));
    const std::string vllm = placement_text(placement, Form::vllm);
    EXPECT_EQ(vllm,
              "{\"record_type\": \"eplb_initial_mapping\", \"version\": 1, "
              "\"num_redundant_experts\": 1, \"num_slots\": 4, \"initial_global_assignments\": "
              "{\"0\": [2, 1, 0, 1], \"1\": [1, 2, 0, 2]}}\n");
    const Slots with_experts = {{2, 1, 0, 1}, {1, 2, 0, 2}};
    EXPECT_EQ(read_placement(vllm, "f").slots, with_experts);
    EXPECT_EQ(read_placement(placement_text(placement, Form::vllm_map), "f").slots, with_experts);
    const std::string yaml = placement_text(placement, Form::tensorrt_llm);
    EXPECT_EQ(yaml,
              "initial_global_assignments:\n  2: [2, 1, 0, 1]\n  3: [1, 2, 0, 2]\nnum_slots: 4\n"
              "layer_updates_per_iter: 0\n");
    if (has_yaml()) {
        EXPECT_EQ(read_placement(yaml, "f").layers, Layers({2, 3}));
    }
}

TEST(ExpertPlacements, ThatAreTrivialHoldExpertsByTheirNumberAgainAndAgain) {
    EXPECT_EQ(trivial_slots(7, 3), std::vector<replication::ItemId>({0, 1, 2, 0, 1, 2, 0}));
}

TEST(ExpertUnits, KeepProportionsAndHaveASumFrom2To49On) {
    for (const std::vector<double>& loads : {std::vector<double>{1, 2, 3},
                                             {1e-300, 3e-300},
                                             {5e-324, 0, 1e-323},
                                             {1e308, 1.7e308},
                                             {0, 7, 0.1},
                                             std::vector<double>(1000, 123456789.0)}) {
        const std::vector<Tokens> units = in_small_units(loads);
        const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
        const Tokens total = std::accumulate(units.begin(), units.end(), Tokens{0});
        EXPECT_GE(total, (Tokens{1} << 49U) - 1000);
        EXPECT_LE(total, (Tokens{1} << 50U) + 1000);
        for (std::size_t i = 0; i < loads.size() && std::isfinite(sum); ++i)
            EXPECT_NEAR(loads[i] / sum, static_cast<double>(units[i]) / static_cast<double>(total),
                        1e-12);
    }
    EXPECT_EQ(in_small_units({0, 0}), std::vector<Tokens>({0, 0}));
}

TEST(ExpertUnits, AreExactMultiplesOfWholeNumbers) {
    const std::vector<double> loads = {(std::uint64_t{1} << 49U) - 1.0, 3, 0, 12345678901};
    EXPECT_EQ(in_small_units(loads),
              std::vector<Tokens>({(Tokens{1} << 49U) - 1, 3, 0, 12345678901}));
    const std::vector<Tokens> small = in_small_units({1, 2, 4});
    EXPECT_EQ(small, std::vector<Tokens>({Tokens{1} << 47U, Tokens{1} << 48U, Tokens{1} << 49U}));
}

}  // namespace
}  // namespace equipoise::experts
