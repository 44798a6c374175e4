#pragma once
// Networks from texts, and as texts.

#include <sstream>
#include <string>

#include "equipoise/network/io/read.hpp"

namespace equipoise::test {

/// The network that a text holds, which is called f in messages.
inline network::AnyNetwork network_of(network::Format format, const std::string& text,
                                      bool simplify = false,
                                      network::ReadReport* report = nullptr) {
    std::istringstream stream(text);
    return network::read(stream, "f", {.format = format, .simplify = simplify}, report);
}

/// "a|b|c: a-b b-c": the names of all nodes and the links in order of their numbers.
inline std::string text_of(const network::AnyNetwork& of) {
    std::string text;
    for (NodeId node = 0; node < of.node_count(); ++node)
        text += (node == 0 ? "" : "|") + of.name(node);
    text += ':';
    for (LinkId link = 0; link < of.link_count(); ++link) {
        const Ends ends = of.ends(link);
        text += ' ' + of.name(ends.tail) + '-' + of.name(ends.head);
    }
    return text;
}

inline std::string text_of(network::Format format, const std::string& text, bool simplify = false,
                           network::ReadReport* report = nullptr) {
    return text_of(network_of(format, text, simplify, report));
}

}  // namespace equipoise::test
