#pragma once
// Files as texts.

#include <fstream>
#include <sstream>
#include <string>

namespace equipoise::test {

/// All bytes of a file; empty if it cannot be read.
inline std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace equipoise::test
