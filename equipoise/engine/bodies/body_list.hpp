#pragma once
// The bodies that can play the rounds of a rule.

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "equipoise/engine/round_options.hpp"

namespace equipoise::engine {

/// Bodies in the order in which they are asked, the most specialised first; the last one serves
/// every run. Each has a `name`, says in `possible` whether there are runs of the rule that it can
/// serve (if not, it is not compiled) and in `serves(rule, setting)` whether it can play this one,
/// and is constructed from the same two arguments.
template <class... Bodies>
struct BodyList {
    static constexpr std::array<Body, sizeof...(Bodies)> names = {Bodies::name...};

    /// The index of the first body that serves, starting at the named one, or at the first if the
    /// name is not in the list.
    template <class R, class Setting>
    [[nodiscard]] static std::size_t first(const R& rule, const Setting& setting, Body from) {
        std::size_t number = 0;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == from) number = i;
        const std::array<bool (*)(const R&, const Setting&), sizeof...(Bodies)> asked = {
            serves<Bodies, R, Setting>...};
        while (!asked[number](rule, setting))
            ++number;
        return number;
    }

    /// Constructs one of them behind its base class.
    template <class Base, class R, class Setting>
    [[nodiscard]] static std::unique_ptr<Base> make(std::size_t number, const R& rule,
                                                    const Setting& setting) {
        using Make = std::unique_ptr<Base> (*)(const R&, const Setting&);
        const std::array<Make, sizeof...(Bodies)> makes = {construct<Base, Bodies, R, Setting>...};
        return makes[number](rule, setting);
    }

  private:
    template <class Candidate, class R, class Setting>
    [[nodiscard]] static bool serves(const R& rule, const Setting& setting) {
        if constexpr (Candidate::possible)
            return Candidate::serves(rule, setting);
        else
            return false;
    }
    template <class Base, class Candidate, class R, class Setting>
    [[nodiscard]] static std::unique_ptr<Base> construct(const R& rule, const Setting& setting) {
        if constexpr (Candidate::possible)
            return std::make_unique<Candidate>(rule, setting);
        else
            return nullptr;
    }
};

}  // namespace equipoise::engine
