#pragma once
// What the fuzzers of loads and placements of experts do with a text.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/adapters/experts/forms.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::fuzz {

/// Loads have one shape in all steps, and whole numbers in their place sum to what is promised.
inline void feed_expert_loads(std::string_view text) {
    try {
        const experts::Loads loads = experts::read_loads(text, "fuzz");
        EQUIPOISE_ASSERT(!loads.layers.empty() && loads.layers.back() < experts::layers_max);
        for (const auto& step : loads.steps) {
            EQUIPOISE_ASSERT(step.size() == loads.layers.size());
            for (const std::vector<double>& layer : step) {
                EQUIPOISE_ASSERT(layer.size() == loads.experts());
                Tokens total = 0;
                for (const Tokens load : experts::in_small_units(layer)) {
                    EQUIPOISE_ASSERT(load >= 0);
                    total += load;
                }
                const auto rounding = static_cast<Tokens>(layer.size());
                EQUIPOISE_ASSERT(total <= (Tokens{1} << 50U) + rounding);
            }
        }
    } catch (const UnsuitableError&) {
        return;
    } catch (const InputError& error) {
        EQUIPOISE_ASSERT(std::string_view(error.what()).starts_with("fuzz:"));
    }
}

/// What is accepted is written in the form that it has, and read as the same.
inline void feed_expert_placement(std::string_view text) {
    const auto numbers_most = std::size_t{1} << 20U;
    try {
        experts::Placement placement = experts::read_placement(text, "fuzz");
        const std::size_t slots = placement.slots.front().size();
        for (const auto& layer : placement.slots)
            EQUIPOISE_ASSERT(layer.size() == slots);
        if (placement.layers.empty()) placement.layers = {0};
        EQUIPOISE_ASSERT(placement.layers.size() == placement.slots.size());
        if (placement.layers.back() * slots > numbers_most) return;
        for (const experts::Form form : {experts::Form::sglang, experts::Form::tensorrt_llm,
                                         experts::Form::vllm, experts::Form::vllm_map}) {
            const std::string written = experts::placement_text(placement, form);
            const experts::Placement again = experts::read_placement(written, "fuzz");
            EQUIPOISE_ASSERT(again.slots.back() == placement.slots.back());
            EQUIPOISE_ASSERT(again.form == form);
            if (form == placement.form)
                EQUIPOISE_ASSERT(experts::placement_text(again, form) == written);
        }
    } catch (const UnsuitableError&) {
        return;
    } catch (const InputError& error) {
        EQUIPOISE_ASSERT(std::string_view(error.what()).starts_with("fuzz:"));
    }
}

}  // namespace equipoise::fuzz
