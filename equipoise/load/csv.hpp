#pragma once
// Tables of one number per node: `node,tokens`, `node,speed`.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::load {

/// Reads loads from an open source, as `read_csv` does.
[[nodiscard]] Loads read_loads(LineSource& source, const network::AnyNetwork& network);

/// Reads `node,speed` lines: speeds are whole numbers from 0 to `most`; nodes without a line have
/// speed 1. Throws InputError as `read_csv` does.
[[nodiscard]] std::vector<std::uint64_t> read_speeds(const std::string& path,
                                                     const network::AnyNetwork& network,
                                                     std::uint64_t most = UINT64_MAX);
/// The same from an open source.
[[nodiscard]] std::vector<std::uint64_t> read_speeds(LineSource& source,
                                                     const network::AnyNetwork& network,
                                                     std::uint64_t most = UINT64_MAX);

/// Reads `node,capacity` lines: how many tokens a node may hold, 0 or more; nodes without a line
/// have `tokens_max`. Throws InputError as `read_csv` does.
[[nodiscard]] Loads read_capacities(const std::string& path, const network::AnyNetwork& network);
/// The same from an open source.
[[nodiscard]] Loads read_capacities(LineSource& source, const network::AnyNetwork& network);

/// Writes `node,tokens` lines, one after the other, to a file that outlives the writer; the header
/// comes first. Throws InputError if the file cannot be written.
class LoadsWriter {
  public:
    explicit LoadsWriter(AtomicFile& file);
    void write(std::string_view node, Tokens tokens);

  private:
    AtomicFile& file_;
};

}  // namespace equipoise::load
