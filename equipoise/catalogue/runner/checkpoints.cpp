#include "equipoise/catalogue/runner/checkpoints.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <variant>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/writable.hpp"
#include "equipoise/catalogue/runner/run_option.hpp"
#include "equipoise/engine/fabric.hpp"

namespace equipoise::catalogue {

namespace {

using engine::KeptValues;

/// The number of values that ranks send at once; a whole number of blocks.
constexpr std::uint64_t values_at_once = 16 * model::checkpoint_block;

/// A spec as it stands, or the contents of a file.
std::string contents_of(const std::string& text) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(text, ignored)) return text;
    std::ifstream stream(text, std::ios::binary);
    Digest digest;
    std::array<char, 1U << 16U> block{};
    std::uint64_t size = 0;
    while (stream.read(block.data(), block.size()) || stream.gcount() > 0) {
        const auto count = static_cast<std::size_t>(stream.gcount());
        for (std::size_t at = 0; at < count; ++at)
            digest.add(static_cast<unsigned char>(block[at]));
        size += count;
    }
    return "a file of " + std::to_string(size) + " bytes, digest " + digest.text();
}

/// On rank 0, the values of all ranks with numbers begin .. end-1, in order.
std::vector<std::byte> collect(engine::Fabric* fabric, const KeptValues& kept, std::uint64_t begin,
                               std::uint64_t end) {
    KeptValues::Own own;
    engine::together(fabric, [&] { kept.give(begin, end, own); });
    if (fabric == nullptr) return std::move(own.bytes);
    std::vector<std::byte> bytes = fabric->gather(own.bytes);
    if (kept.in_order) return bytes;
    const std::vector<std::byte> listed =
        fabric->gather(std::as_bytes(std::span<const std::uint64_t>(own.numbers)));
    std::vector<std::byte> sorted;
    engine::on_first(*fabric, [&] {
        const std::vector<std::uint64_t> numbers = engine::values_of<std::uint64_t>(listed);
        sorted.resize((end - begin) * kept.bytes);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            std::copy_n(bytes.data() + i * kept.bytes, kept.bytes,
                        sorted.data() + (numbers[i] - begin) * kept.bytes);
    });
    return sorted;
}

void expect_run(const std::string& file, const RunIdentity& found, const RunIdentity& expected) {
    const auto value_in = [](const RunIdentity& run, const std::string& name) {
        for (const auto& [key, value] : run)
            if (key == name) return value;
        return std::string();
    };
    for (const RunIdentity* run : {&expected, &found})
        for (const auto& [name, ignored] : *run)
            if (value_in(found, name) != value_in(expected, name))
                throw InputError(file + ": belongs to another run: expected " + name + " \"" +
                                 value_in(expected, name) + "\", found \"" + value_in(found, name) +
                                 '"');
}

}  // namespace

SaveEvery save_every(const std::string& text) {
    constexpr std::uint64_t most = 1'000'000'000'000;
    const bool by_time = text.ends_with('s');
    const auto number = whole_number(text.substr(0, text.size() - (by_time ? 1 : 0)), most);
    if (!number || *number == 0)
        throw InputError(
            "--checkpoint-every: expected a number of steps, as in 1000, or of seconds, as in 60s, "
            "found \"" +
            text + '"');
    SaveEvery every;
    if (by_time)
        every.seconds = static_cast<double>(*number);
    else
        every.steps = *number;
    return every;
}

RunIdentity identity_of(const std::string& algorithm, const NetworkRequest& network,
                        const std::string& loads, const RunRequest& request) {
    RunIdentity run = {{"algorithm", algorithm}};
    for (const auto& [name, value] : request.options.parameters)
        run.emplace_back("parameter " + name, value);
    run.emplace_back("network", contents_of(network.spec));
    if (network.simplify) run.emplace_back("network simplified", "yes");
    if (network.largest_component) run.emplace_back("largest component", "yes");
    if (network.header) run.emplace_back("header", *network.header ? "yes" : "no");
    run.emplace_back("loads", contents_of(loads));
    run.emplace_back("seed", std::to_string(network.seed));
    RunRequest asked = request;
    for (const RunOption& option : options_of_runs())
        std::visit(
            [&](const auto* value) {
                if constexpr (requires { value->text; })
                    if (!value->text.empty())
                        run.emplace_back(option.info.name, contents_of(value->text));
            },
            option.value(asked));
    return run;
}

Checkpoints::Checkpoints(CheckpointRequest request) : request_(std::move(request)) {
    if (!request_.resume.empty()) {
        const std::string& path = request_.resume;
        std::error_code ignored;
        if (std::filesystem::is_regular_file(path, ignored)) stream_.open(path, std::ios::binary);
        if (!stream_.is_open()) throw InputError(path + ": cannot be read: expected a checkpoint");
        reader_ = std::make_unique<model::CheckpointReader>(stream_, path);
        expect_run(path, reader_->checkpoint().run, request_.run);
        first_step_ = reader_->checkpoint().books.costs.steps;
    }
    // Checked before hours of work, not after.
    if (!request_.path.empty()) expect_writable(request_.path);
}

const model::RunBooks* Checkpoints::resumed() const {
    return reader_ == nullptr ? nullptr : &reader_->checkpoint().books;
}

void Checkpoints::read(const KeptValues& values) {
    const model::CheckpointSection& section = reader_->expect_section(values.name, values.count);
    const bool fits = values.name == "loads"
                          ? section.bytes == 2 || section.bytes == 4 || section.bytes == 8
                          : section.bytes == values.bytes;
    if (!fits)
        throw InputError(reader_->name() + ": belongs to another program: its " + section.name +
                         " take " + std::to_string(section.bytes) + " bytes each");
    reader_->read(section, values.own_begin, values.own_end,
                  [&](std::uint64_t first, std::span<const std::byte> held) {
                      values.take(first, held, section.bytes);
                  });
}

engine::Keeper::Wish Checkpoints::wish(const model::Costs& costs) {
    const Clock::time_point now = Clock::now();
    const auto since = [now](Clock::time_point then) {
        return std::chrono::duration<double>(now - then).count();
    };
    if (saves() && (request_.every.steps ? costs.steps % *request_.every.steps == 0
                                         : since(saved_) >= request_.every.seconds))
        return Wish::save;
    if (request_.progress && since(looked_) >= look_seconds_) return Wish::look;
    return Wish::nothing;
}

void Checkpoints::look(const model::Costs& costs, Tokens least, Tokens most) {
    looked_ = Clock::now();
    if (!first_discrepancy_) {
        first_discrepancy_ = most - least;
        first_step_ = costs.steps;
        begin_ = looked_;
    }
    if (!request_.progress) return;
    model::Progress progress;
    progress.steps = costs.steps;
    progress.steps_before = first_step_;
    progress.steps_max = request_.steps_max;
    progress.initial_discrepancy = *first_discrepancy_;
    progress.discrepancy = most - least;
    progress.seconds = seconds();
    request_.progress(progress);
}

void Checkpoints::save(engine::Fabric* fabric, const model::RunBooks& books,
                       std::span<const KeptValues> values) {
    std::unique_ptr<AtomicFile> file;
    std::optional<model::CheckpointWriter> writer;
    const auto on_rank_0 = [&](const auto& action) {
        engine::together(fabric, [&] {
            if (fabric == nullptr || fabric->rank() == 0) action();
        });
    };
    on_rank_0([&] {
        model::Checkpoint checkpoint{request_.run, books, {}};
        for (const KeptValues& kept : values)
            checkpoint.sections.push_back({std::string(kept.name), kept.count, kept.bytes});
        file = std::make_unique<AtomicFile>(request_.path);
        writer.emplace([&file](std::string_view bytes) { file->write(bytes); }, checkpoint);
    });
    for (const KeptValues& kept : values)
        for (std::uint64_t begin = 0; begin < kept.count; begin += values_at_once) {
            const std::uint64_t end = std::min(kept.count, begin + values_at_once);
            const std::vector<std::byte> held = collect(fabric, kept, begin, end);
            on_rank_0([&] { writer->write(held); });
        }
    on_rank_0([&] { file->commit(); });
    saved_ = Clock::now();
}

}  // namespace equipoise::catalogue
