#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/digest_text.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/optimum/windows/file.hpp"

namespace equipoise::optimum {

namespace {

/// A value that a key may have, and what to do with it.
struct Field {
    enum class Kind : std::uint8_t { object, whole, truth, text, numbers, windows, zones };
    Kind kind = Kind::object;
    std::function<void(std::int64_t)> take = {};       ///< a whole number, or one of a list
    std::function<void(const std::string&)> say = {};  ///< a text
    bool* truth = nullptr;
    bool needed = true;
    std::function<void()> begin = {};  ///< of an object or a list
};

/// Follows a windows file and fills the struct.
class WindowsReader : public JsonEvents {
  public:
    WindowsReader(WindowsFile& file, const std::string& origin) : file_(file), origin_(origin) {
        add_network();
        add_problem();
        add_proofs();
    }

    void open_object() override {
        if (places_.empty()) {
            places_.emplace_back("");
        } else if (in_zones_) {
            in_zones_ = false;
            file_.zones->zones.emplace_back();
            places_.emplace_back(zone_place);
        } else {
            const Field& field = expect(Field::Kind::object, "another value than an object");
            if (field.begin) field.begin();
            places_.push_back(at_);
        }
        seen_.emplace_back();
    }
    void key(const std::string& name) override {
        at_ = places_.back().empty() ? name : places_.back() + '.' + name;
        const auto found = fields_.find(at_);
        if (found == fields_.end()) throw InputError(origin_ + ": unknown key \"" + at_ + '"');
        if (!seen_.back().insert(name).second) fail("expected this key once");
        field_ = &found->second;
    }
    void close_object() override {
        const std::string prefix = places_.back().empty() ? "" : places_.back() + '.';
        for (const auto& [path, field] : fields_) {
            if (!field.needed || !path.starts_with(prefix)) continue;
            const std::string name = path.substr(prefix.size());
            if (name.find('.') == std::string::npos && !seen_.back().contains(name))
                throw InputError(origin_ + ": expected the key \"" + path + '"');
        }
        in_zones_ = places_.back() == zone_place;
        places_.pop_back();
        seen_.pop_back();
    }
    void open_list() override {
        if (places_.empty()) throw InputError(origin_ + ": expected an object");
        if (in_windows_) {
            if (window_at_ != outside) fail("expected [from, to, first step, steps, tokens]");
            window_at_ = 0;
            return;
        }
        if (in_numbers_ || in_zones_) fail("expected no list inside this one");
        in_windows_ = field_->kind == Field::Kind::windows;
        in_zones_ = field_->kind == Field::Kind::zones;
        in_numbers_ = field_->kind == Field::Kind::numbers;
        if (!in_windows_ && !in_zones_ && !in_numbers_) fail("expected another value than a list");
        if (in_numbers_ && field_->begin) field_->begin();
    }
    void close_list() override {
        if (in_numbers_) {
            in_numbers_ = false;
            if (half_ != nullptr) fail("expected an even number of entries");
        } else if (in_windows_ && window_at_ != outside) {
            if (window_at_ != 5) fail("expected [from, to, first step, steps, tokens]");
            window_at_ = outside;
            file_.flow->windows.push_back(window_);
        } else {
            in_windows_ = false;
            in_zones_ = false;
        }
    }
    void whole(std::int64_t number) override {
        if (in_windows_) return take_of_window(number);
        if (in_numbers_) return field_->take(number);
        expect(Field::Kind::whole, "another value than a whole number").take(number);
    }
    void large(std::uint64_t number) override {
        if (at_ != "network.seed" || in_numbers_ || in_windows_)
            fail("expected a whole number below 2^63");
        file_.seed = number;
    }
    void truth(bool value) override {
        *expect(Field::Kind::truth, "another value than true or false").truth = value;
    }
    void text(const std::string& value) override {
        expect(Field::Kind::text, "another value than a text").say(value);
    }
    void other() override { fail("expected no null and no fraction"); }

  private:
    static constexpr std::size_t outside = ~std::size_t{0};
    static constexpr const char* zone_place = "zones.zones[]";

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(origin_ + ": " + (at_.empty() ? "the file" : at_) + ": " + what);
    }
    const Field& expect(Field::Kind kind, const char* otherwise) const {
        const bool in_list = in_numbers_ || in_windows_ || in_zones_;
        if (places_.empty() || in_list || field_ == nullptr || field_->kind != kind)
            fail(std::string("expected ") + otherwise);
        return *field_;
    }
    /// The same number in another type.
    template <class Integer>
    [[nodiscard]] Integer as(std::int64_t number) const {
        const bool fits =
            number >= 0 && static_cast<std::uint64_t>(number) <=
                               static_cast<std::uint64_t>(std::numeric_limits<Integer>::max());
        if (!fits) fail("expected a number that fits, found " + std::to_string(number));
        return static_cast<Integer>(number);
    }
    void take_of_window(std::int64_t number) {
        switch (window_at_) {
            case 0:
                window_.from = as<NodeId>(number);
                break;
            case 1:
                window_.to = as<NodeId>(number);
                break;
            case 2:
                window_.first = as<Step>(number);
                break;
            case 3:
                window_.steps = as<Step>(number);
                break;
            case 4:
                window_.tokens = as<Tokens>(number);
                break;
            default:
                fail("expected [from, to, first step, steps, tokens]");
        }
        ++window_at_;
    }

    void add(const std::string& path, Field field) { fields_.emplace(path, std::move(field)); }
    template <class Integer>
    void whole_at(const std::string& path, Integer& target) {
        add(path, {.kind = Field::Kind::whole,
                   .take = [this, &target](std::int64_t n) { target = as<Integer>(n); }});
    }
    void text_at(const std::string& path, std::function<void(const std::string&)> say) {
        add(path, {.kind = Field::Kind::text, .say = std::move(say)});
    }
    void truth_at(const std::string& path, bool& target) {
        add(path, {.kind = Field::Kind::truth, .truth = &target});
    }
    void runs_at(const std::string& path, Runs& runs, bool needed = true) {
        add(path, {.kind = Field::Kind::numbers,
                   .take =
                       [this, &runs](std::int64_t number) {
                           if (half_ == nullptr) {
                               runs.runs.push_back({number, 0});
                               half_ = &runs;
                           } else {
                               runs.runs.back().value = number;
                               half_ = nullptr;
                           }
                       },
                   .needed = needed});
    }
    template <class List>
    void nodes_at(const std::string& path, const List& list) {
        add(path, {.kind = Field::Kind::numbers, .take = [this, list](std::int64_t number) {
                       list().push_back(as<NodeId>(number));
                   }});
    }
    void digest_at(const std::string& path, std::uint64_t& target) {
        text_at(path, [this, &target](const std::string& text) {
            const auto digest = digest_from_text(text);
            if (!digest) fail("expected 16 hexadecimal digits");
            target = *digest;
        });
    }

    void add_network() {
        add("schema", {});
        text_at("schema.name", [this](const std::string& name) {
            if (name != "equipoise-windows") fail("expected equipoise-windows");
        });
        add("schema.version", {.kind = Field::Kind::whole, .take = [this](std::int64_t version) {
                                   if (version != 1) fail("expected version 1");
                               }});
        add("network", {});
        text_at("network.origin", [this](const std::string& text) { file_.origin = text; });
        whole_at("network.seed", file_.seed);
        truth_at("network.generated", file_.generated);
        whole_at("network.nodes", file_.nodes);
        whole_at("network.links", file_.link_count);
        add("network.ends", {.kind = Field::Kind::numbers, .take = [this](std::int64_t number) {
                                 if (half_ == nullptr) {
                                     file_.links.push_back({as<NodeId>(number), 0});
                                     half_ = &file_.loads;
                                 } else {
                                     file_.links.back().head = as<NodeId>(number);
                                     half_ = nullptr;
                                 }
                             }});
        digest_at("network.digest", file_.network_digest);
    }
    void add_problem() {
        text_at("target", [this](const std::string& text) { file_.target = text; });
        truth_at("all_ports", file_.all_ports);
        whole_at("steps_at_least", file_.at_least);
        add("steps_at_most", {.kind = Field::Kind::whole,
                              .take = [this](std::int64_t n) { file_.at_most = as<Step>(n); },
                              .needed = false});
        runs_at("loads", file_.loads);
        add("final_loads", {});
        runs_at("final_loads.base", file_.base);
        runs_at("final_loads.may_hold_extra", file_.may_hold_extra);
        whole_at("final_loads.extras", file_.extras);
        runs_at("ports", file_.ports, false);
        runs_at("capacities", file_.capacities, false);
        runs_at("delays", file_.delays, false);
        digest_at("digest", file_.written_digest);
    }
    void add_proofs() {
        // References into what `begin` makes would dangle, so they are looked up when needed.
        const auto number = [this](const std::string& path, std::function<void(std::int64_t)> f) {
            add(path, {.kind = Field::Kind::whole, .take = std::move(f)});
        };
        add("flow", {.needed = false, .begin = [this] { file_.flow.emplace(); }});
        number("flow.steps", [this](std::int64_t n) { file_.flow->steps = as<Step>(n); });
        add("flow.windows", {.kind = Field::Kind::windows});
        add("cut", {.needed = false, .begin = [this] {
                        file_.cut.emplace();
                        file_.gates.resize(4);
                    }});
        number("cut.steps", [this](std::int64_t n) { file_.cut->steps = as<Step>(n); });
        number("cut.surplus", [this](std::int64_t n) { file_.cut->surplus = as<Tokens>(n); });
        number("cut.crossings", [this](std::int64_t n) { file_.cut->crossings = as<Tokens>(n); });
        runs_at("cut.inside", file_.inside);
        file_.gates.resize(4);
        constexpr std::array<const char*, 4> names = {"send_first", "send_end", "receive_first",
                                                      "receive_end"};
        for (std::size_t i = 0; i < names.size(); ++i)
            runs_at(std::string("cut.") + names[i], file_.gates[i]);
        add("zones", {.needed = false, .begin = [this] { file_.zones.emplace(); }});
        number("zones.steps", [this](std::int64_t n) { file_.zones->steps = as<Step>(n); });
        number("zones.surplus", [this](std::int64_t n) { file_.zones->surplus = as<Tokens>(n); });
        number("zones.crossings",
               [this](std::int64_t n) { file_.zones->crossings = as<Tokens>(n); });
        add("zones.zones", {.kind = Field::Kind::zones});
        nodes_at("zones.last_zone", [this]() -> auto& { return file_.zones->last_zone; });
        const auto zone = [this]() -> Zone& { return file_.zones->zones.back(); };
        number("zones.zones[].first_step",
               [this, zone](std::int64_t n) { zone().first = as<Step>(n); });
        number("zones.zones[].steps", [this, zone](std::int64_t n) { zone().steps = as<Step>(n); });
        nodes_at("zones.zones[].nodes", [zone]() -> auto& { return zone().nodes; });
        nodes_at("zones.zones[].senders", [zone]() -> auto& { return zone().senders; });
        nodes_at("zones.zones[].receivers", [zone]() -> auto& { return zone().receivers; });
        nodes_at("zones.zones[].dropped", [zone]() -> auto& { return zone().dropped; });
    }

    WindowsFile& file_;
    const std::string& origin_;
    std::map<std::string, Field> fields_;  ///< by path
    std::vector<std::string> places_;      ///< of the objects that are open
    std::vector<std::set<std::string>> seen_;
    std::string at_;
    const Field* field_ = nullptr;
    bool in_numbers_ = false;
    bool in_windows_ = false;
    bool in_zones_ = false;
    const Runs* half_ = nullptr;  ///< set between the first and the second entry of a pair
    Window window_;
    std::size_t window_at_ = outside;
};

}  // namespace

WindowsFile read_windows(std::string_view text, const std::string& origin) {
    WindowsFile file;
    WindowsReader reader(file, origin);
    follow_json(text, origin, reader);
    if (!file.cut) file.gates.clear();
    return file;
}

bool is_windows_text(std::string_view text) {
    return names_schema(text.substr(0, text.find('[')), "equipoise-windows");
}

}  // namespace equipoise::optimum
