#include "equipoise/model/run/checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <istream>

#include <nlohmann/json.hpp>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"

namespace equipoise::model {

namespace {

constexpr std::uint64_t version = 1;
constexpr std::size_t first_line_most = std::size_t{1} << 20U;
constexpr std::size_t digest_bytes = sizeof(std::uint64_t);
constexpr std::uint64_t value_bytes_most = 4096;

std::uint64_t digest_of(std::span<const std::byte> bytes) {
    Digest digest;
    digest.add(bytes.size());
    std::size_t at = 0;
    for (; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, sizeof word);
        digest.add(word);
    }
    for (; at < bytes.size(); ++at)
        digest.add(static_cast<std::uint64_t>(bytes[at]));
    return digest.value();
}

/// The digest of a block, which also says where it belongs.
std::uint64_t block_digest(std::size_t section, std::uint64_t first,
                           std::span<const std::byte> values) {
    Digest digest;
    digest.add(section);
    digest.add(first);
    digest.add(digest_of(values));
    return digest.value();
}

std::string header_line(const Checkpoint& checkpoint) {
    nlohmann::ordered_json object = {{"equipoise_checkpoint", version}};
    nlohmann::ordered_json run = nlohmann::ordered_json::object();
    for (const auto& [name, value] : checkpoint.run)
        run[name] = value;
    const RunBooks& books = checkpoint.books;
    object["run"] = std::move(run);
    object["books"] = {{"steps", books.costs.steps},         {"rounds", books.costs.rounds},
                       {"exchanges", books.costs.exchanges}, {"messages", books.costs.messages},
                       {"created", books.created},           {"destroyed", books.destroyed},
                       {"steps_quiet", books.steps_quiet},   {"steps_stable", books.steps_stable}};
    if (books.least_load) object["books"]["least_load"] = *books.least_load;
    if (books.level_since) object["books"]["level_since"] = *books.level_since;
    nlohmann::ordered_json sections = nlohmann::ordered_json::array();
    for (const CheckpointSection& section : checkpoint.sections)
        sections.push_back(
            {{"name", section.name}, {"count", section.count}, {"bytes", section.bytes}});
    object["sections"] = std::move(sections);
    return json_text(object);
}

RunBooks books_from(const JsonValue& object) {
    const auto whole = [&](const char* key) { return object.at(key).whole<std::uint64_t>(); };
    RunBooks books;
    books.costs = {whole("steps"), whole("rounds"), whole("exchanges"), whole("messages")};
    books.created = object.at("created").whole<Tokens>(0, tokens_max);
    books.destroyed = object.at("destroyed").whole<Tokens>(0, tokens_max);
    books.steps_quiet = whole("steps_quiet");
    books.steps_stable = whole("steps_stable");
    if (const auto least = object.find("least_load"))
        books.least_load = least->whole<Tokens>(-tokens_max, tokens_max);
    if (const auto since = object.find("level_since"))
        books.level_since = since->whole<Step>(0, books.costs.steps);
    return books;
}

Checkpoint checkpoint_from(std::string_view line, const std::string& name) {
    constexpr std::uint64_t counts_most = std::uint64_t{1} << 48U;
    constexpr std::size_t sections_most = 3;
    nlohmann::json document = parse_json(line, name);
    const JsonValue header(document, name);
    const JsonValue written = header.at("equipoise_checkpoint");
    if (written.whole<std::uint64_t>() != version) written.refuse(std::to_string(version));
    Checkpoint checkpoint;
    header.at("run").for_each_member([&](const std::string& key, const JsonValue& value) {
        checkpoint.run.emplace_back(key, value.text());
    });
    checkpoint.books = books_from(header.at("books"));
    const JsonValue sections = header.at("sections");
    if (sections.size() > sections_most) sections.refuse("a list of at most 3");
    sections.for_each([&](const JsonValue& section) {
        checkpoint.sections.push_back(
            {section.at("name").text(), section.at("count").whole<std::uint64_t>(0, counts_most),
             section.at("bytes").whole<std::uint64_t>(1, value_bytes_most)});
    });
    return checkpoint;
}

/// The bytes of a section in the file.
UInt128 section_bytes(const CheckpointSection& section) {
    const std::uint64_t blocks =
        section.count / checkpoint_block + (section.count % checkpoint_block == 0 ? 0 : 1);
    return UInt128{section.count} * section.bytes + UInt128{blocks} * digest_bytes;
}

std::string line_of(std::istream& stream, std::size_t most) {
    std::string line;
    for (int c = stream.get(); c != std::char_traits<char>::eof() && c != '\n'; c = stream.get()) {
        if (line.size() == most) return {};
        line += static_cast<char>(c);
    }
    return line;
}

}  // namespace

std::string checkpoint_digest(std::string_view line) {
    Digest digest;
    digest.add(digest_of(std::as_bytes(std::span(line))));
    return digest.text();
}

CheckpointWriter::CheckpointWriter(Sink sink, const Checkpoint& checkpoint)
    : sink_(std::move(sink)), sections_(checkpoint.sections) {
    const std::string line = header_line(checkpoint);
    sink_(line + '\n' + checkpoint_digest(line) + '\n');
}

void CheckpointWriter::write(std::span<const std::byte> values) {
    while (section_ < sections_.size() && done_ == sections_[section_].count) {
        ++section_;
        done_ = 0;
    }
    while (!values.empty()) {
        EQUIPOISE_ASSERT(section_ < sections_.size());
        const CheckpointSection& section = sections_[section_];
        const std::uint64_t count = std::min(checkpoint_block, section.count - done_);
        const std::span<const std::byte> block = values.first(count * section.bytes);
        const std::uint64_t digest = block_digest(section_, done_, block);
        sink_({reinterpret_cast<const char*>(block.data()), block.size()});
        sink_({reinterpret_cast<const char*>(&digest), digest_bytes});
        values = values.subspan(block.size());
        done_ += count;
    }
}

CheckpointReader::CheckpointReader(std::istream& stream, std::string name)
    : stream_(stream), name_(std::move(name)) {
    const std::string line = line_of(stream_, first_line_most);
    if (!line.starts_with("{\"equipoise_checkpoint\""))
        throw InputError(name_ + ": is not a checkpoint: expected a file that --checkpoint wrote");
    const std::string digest = line_of(stream_, checkpoint_digest(line).size());
    if (digest != checkpoint_digest(line))
        throw InputError(name_ + ": the checkpoint is damaged: expected the digest " +
                         checkpoint_digest(line) + " of its first line, found \"" + digest + '"');
    checkpoint_ = checkpoint_from(line, name_);
    first_byte_ = line.size() + digest.size() + 2;
    UInt128 expected = first_byte_;
    for (const CheckpointSection& section : checkpoint_.sections)
        expected += section_bytes(section);
    stream_.clear();
    stream_.seekg(0, std::ios::end);
    const auto found = static_cast<std::uint64_t>(std::max<std::streamoff>(stream_.tellg(), 0));
    if (expected != found)
        throw InputError(name_ + ": the checkpoint is damaged: expected " +
                         std::to_string(static_cast<std::uint64_t>(expected)) + " bytes, found " +
                         std::to_string(found));
}

const CheckpointSection& CheckpointReader::expect_section(std::string_view section,
                                                          std::uint64_t count) const {
    for (const CheckpointSection& known : checkpoint_.sections)
        if (known.name == section) {
            if (known.count != count)
                throw InputError(name_ + ": belongs to another run: expected " +
                                 std::to_string(count) + ' ' + std::string(section) + ", found " +
                                 std::to_string(known.count));
            return known;
        }
    throw InputError(name_ + ": belongs to another run: expected it to hold " +
                     std::string(section));
}

void CheckpointReader::read(const CheckpointSection& section, std::uint64_t begin,
                            std::uint64_t end, const Use& use) {
    UInt128 at = first_byte_;
    std::size_t number = 0;
    while (&checkpoint_.sections[number] != &section)
        at += section_bytes(checkpoint_.sections[number++]);
    std::vector<std::byte> values;
    for (std::uint64_t block = begin / checkpoint_block; block * checkpoint_block < end; ++block) {
        const std::uint64_t first = block * checkpoint_block;
        const std::uint64_t count = std::min(checkpoint_block, section.count - first);
        const UInt128 place =
            at + UInt128{block} * (checkpoint_block * section.bytes + digest_bytes);
        values.resize(count * section.bytes + digest_bytes);
        stream_.clear();
        stream_.seekg(static_cast<std::streamoff>(place));
        stream_.read(reinterpret_cast<char*>(values.data()),
                     static_cast<std::streamsize>(values.size()));
        std::uint64_t digest = 0;
        std::memcpy(&digest, values.data() + count * section.bytes, digest_bytes);
        const auto held = std::span<const std::byte>(values).first(count * section.bytes);
        if (!stream_ || digest != block_digest(number, first, held))
            throw InputError(name_ + ": the checkpoint is damaged: the " + section.name +
                             " from number " + std::to_string(first) +
                             " on differ from their digest");
        use(first, held);
    }
}

}  // namespace equipoise::model
