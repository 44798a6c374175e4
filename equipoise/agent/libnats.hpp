#pragma once
// What the sources that know libnats share. Empty for all others.

#ifdef EQUIPOISE_WITH_NATS

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include <nats/nats.h>

namespace equipoise::agent {

struct Destroy {
    void operator()(natsOptions* object) const { natsOptions_Destroy(object); }
    void operator()(natsMsg* object) const { natsMsg_Destroy(object); }
    void operator()(natsSubscription* object) const { natsSubscription_Destroy(object); }
    void operator()(jsStreamInfo* object) const { jsStreamInfo_Destroy(object); }
    void operator()(jsConsumerInfo* object) const { jsConsumerInfo_Destroy(object); }
    void operator()(const char** list) const {
        free(static_cast<void*>(list));  // NOLINT(cppcoreguidelines-no-malloc): libnats wants it
    }
};
template <class T>
using Owned = std::unique_ptr<T, Destroy>;

[[nodiscard]] inline std::string text_of(const char* text) {
    return text == nullptr ? std::string() : std::string(text);
}

[[nodiscard]] inline std::string text_of(natsStatus status) {
    return text_of(natsStatus_GetText(status));
}

/// Why a request failed, with the server's own words if it has answered.
[[nodiscard]] inline std::string why_of(natsStatus status) {
    natsStatus of_last{};
    std::string last = text_of(nats_GetLastError(&of_last));
    if (of_last != status || last.empty()) return text_of(status);
    // libnats puts its own line before them: (jsm.c:1033): ...
    const std::size_t line = last.find("): ");
    if (last.front() == '(' && line != std::string::npos) last.erase(0, line + 3);
    return last;
}

}  // namespace equipoise::agent

#endif
