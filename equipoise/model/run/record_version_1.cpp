#include "equipoise/model/run/record_version_1.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::model {

namespace {

/// Takes constants out of a record, one by one.
class Constants {
  public:
    Constants(Record& record, const std::string& file) : record_(&record), file_(&file) {}

    std::optional<std::string> text(const char* name) {
        const auto found = record_->constants.find(name);
        if (found == record_->constants.end()) return std::nullopt;
        std::string value = std::move(found->second);
        record_->constants.erase(found);
        return value;
    }
    [[noreturn]] void fail(const char* name, const char* expected, const std::string& found) const {
        throw InputError(*file_ + ": constants." + name + ": expected " + expected + ", found \"" +
                         beginning_of(found) + '"');
    }
    /// The constant as `parse` reads it.
    template <class Parse>
    auto parsed(const char* name, const char* expected, const Parse& parse)
        -> decltype(parse(std::string())) {
        const std::optional<std::string> found = text(name);
        if (!found) return std::nullopt;
        auto value = parse(*found);
        if (!value) fail(name, expected, *found);
        return value;
    }
    std::optional<std::uint64_t> whole(const char* name) {
        return parsed(name, "a whole number",
                      [](const std::string& found) { return whole_number(found); });
    }
    std::optional<double> real(const char* name) {
        return parsed(name, "a number",
                      [](const std::string& found) { return real_number(found); });
    }
    /// Whether a constant is there that can have one value only.
    bool flag(const char* name, const std::string& value) {
        const std::optional<std::string> found = text(name);
        if (found && *found != value) fail(name, value.c_str(), *found);
        return found.has_value();
    }
    template <class Parse>
    void given(const char* name, const Parse& parse) {
        const std::optional<std::string> found = text(name);
        if (!found) return;
        try {
            parse(*found);
        } catch (const InputError& error) {
            throw InputError(*file_ + ": constants." + name + ": " + error.what());
        }
    }

  private:
    Record* record_;
    const std::string* file_;
};

void type_given(Constants& constants, Record& record) {
    constants.given("matchings", [&](const std::string& text) {
        record.matchings = network::matchings_from_text(text);
    });
    constants.given("matrix", [&](const std::string& text) {
        record.matrix = network::round_weights_from_text(text);
    });
    constants.given("tree", [&](const std::string& text) {
        record.given.tree = network::spanning_tree_from_word(text);
    });
    constants.given("tree_links", [&](const std::string& text) {
        record.given.tree_links = network::matchings_from_text(text).front();
    });
    constants.given("colouring", [&](const std::string& text) {
        record.given.colouring = network::matchings_from_text(text);
    });
}

void type_deviation(Constants& constants, Record& record) {
    const std::optional<double> value = constants.real("deviation");
    Deviation deviation;
    deviation.value = value.value_or(0);
    deviation.error = constants.real("deviation_error");
    const std::optional<std::string> step = constants.text("deviation_step");
    if (step && *step != "limit") {
        deviation.step = whole_number(*step);
        if (!deviation.step) constants.fail("deviation_step", "a step or \"limit\"", *step);
    }
    deviation.bound = constants.real("deviation_bound");
    if (value) record.deviation = deviation;
}

void type_moves(Constants& constants, Record& record) {
    const std::optional<std::string> moves = constants.text("moves");
    const auto distribution = constants.whole("distribution_steps");
    const auto computation = constants.whole("computation_steps");
    if (moves && *moves != "played" && *moves != "reckoned")
        constants.fail("moves", "played or reckoned", *moves);
    if (!distribution || !computation) return;
    // The oldest records do not say; their moves were played.
    record.moves = {!moves || *moves == "played", *distribution, *computation};
}

/// "51 messages lost, 0 doubled, 2 crashes".
std::optional<FaultsMet> faults_of(std::string_view text) {
    FaultsMet met;
    const auto take = [&](std::uint64_t& number, std::string_view after) {
        const std::size_t end = text.find(after);
        const auto found =
            end == std::string_view::npos ? std::nullopt : whole_number(text.substr(0, end));
        if (!found) return false;
        number = *found;
        text.remove_prefix(end + after.size());
        return true;
    };
    const bool whole = take(met.lost, " messages lost, ") && take(met.doubled, " doubled, ") &&
                       take(met.crashes, " crashes") && text.empty();
    if (!whole) return std::nullopt;
    return met;
}

void type_optimum(Constants& constants, Record& record) {
    const auto exchanges = constants.whole("optimum_exchanges");
    const auto steps = constants.whole("optimum_steps");
    if (!exchanges) return;
    if (!std::in_range<Tokens>(*exchanges))
        constants.fail("optimum_exchanges", "a number of tokens", std::to_string(*exchanges));
    record.optimum = {static_cast<Tokens>(*exchanges), steps};
}

}  // namespace

void type_constants(Record& record, const std::string& file) {
    Constants constants(record, file);
    type_given(constants, record);
    record.one_token_a_link = constants.flag("tokens_a_link_and_step", "1");
    record.on_spanning_tree = constants.flag("runs_on", "a spanning tree");
    type_deviation(constants, record);
    type_moves(constants, record);
    const auto met =
        constants.parsed("faults_met", "counts of lost messages, duplicates and crashes",
                         [](const std::string& text) { return faults_of(text); });
    if (met && record.asynchrony) record.asynchrony->faults_met = met;
    type_optimum(constants, record);
}

}  // namespace equipoise::model
