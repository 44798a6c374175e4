#include "equipoise/agent/link_messages.hpp"

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"

namespace equipoise::agent {

namespace {

constexpr std::uint64_t version = 1;
constexpr std::string_view packet_word = "packet";
constexpr std::string_view acknowledgement_word = "acknowledgement";

}  // namespace

nlohmann::json written(const Message& message) {
    const bool is_packet = message.kind == Program::Kind::packet;
    return {{"kind", is_packet ? packet_word : acknowledgement_word},
            {"amount", message.amount},
            {"level", message.level},
            {"load", message.load},
            {"label", message.stamp.label},
            {"bit", message.stamp.bit},
            {"closing", message.closing}};
}

Message read_message(const JsonValue& value) {
    value.expect_keys({"kind", "amount", "level", "load", "label", "bit", "closing"});
    Message message = {};
    const std::string kind = value.at("kind").text();
    if (kind != packet_word && kind != acknowledgement_word)
        value.at("kind").refuse("packet or acknowledgement");
    message.kind = kind == packet_word ? Program::Kind::packet : Program::Kind::acknowledgement;
    message.amount = value.at("amount").whole<Tokens>();
    message.level = value.at("level").whole<Tokens>();
    message.load = value.at("load").whole<Tokens>();
    message.stamp.label = value.at("label").whole<std::uint8_t>();
    message.stamp.bit = value.at("bit").truth();
    message.closing = value.at("closing").truth();
    return message;
}

std::string written(const LinkMessage& message) {
    nlohmann::json text = {{"version", version},
                           {"incarnation", message.incarnation},
                           {"tickets", message.tickets},
                           {"given", message.crossed.given},
                           {"settled", message.crossed.settled}};
    if (message.ticket != 0) text["ticket"] = message.ticket;
    if (message.asks) text["asks"] = true;
    if (message.message) text["message"] = written(*message.message);
    return json_text(text);
}

std::optional<LinkMessage> read_link_message(std::string_view text) {
    if (text.size() > link_message_bytes_max) return std::nullopt;
    try {
        static const std::string name = "link message";
        nlohmann::json parsed = parse_json(text, name);
        const JsonValue value(parsed, name);
        value.expect_keys(
            {"version", "incarnation", "tickets", "given", "settled", "ticket", "asks", "message"});
        static_cast<void>(value.at("version").whole<std::uint64_t>(version, version));
        LinkMessage message;
        message.incarnation = value.at("incarnation").whole<std::uint64_t>(1);
        const JsonValue tickets = value.at("tickets");
        if (tickets.size() > tickets_max) return std::nullopt;
        message.tickets = tickets.numbers<std::uint64_t>();
        message.crossed.given = value.at("given").whole<Tokens>(0, counted_max);
        message.crossed.settled = value.at("settled").whole<Tokens>(0, message.crossed.given);
        if (const auto ticket = value.find("ticket"))
            message.ticket = ticket->whole<std::uint64_t>(1);
        if (const auto asks = value.find("asks")) message.asks = asks->truth();
        if (const auto of_program = value.find("message"))
            message.message = read_message(*of_program);
        return message;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

}  // namespace equipoise::agent
