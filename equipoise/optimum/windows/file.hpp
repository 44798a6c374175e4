#pragma once
// Files that hold the proofs of a plan and the problem that they are about: schema
// equipoise-windows.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/flow_over_time.hpp"
#include "equipoise/optimum/plan.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

/// A list of numbers in which equal neighbours are stored together.
struct Runs {
    struct Run {
        std::int64_t count = 0;
        std::int64_t value = 0;
        friend bool operator==(const Run&, const Run&) = default;
    };
    std::vector<Run> runs;

    void add(std::int64_t value);
    friend bool operator==(const Runs&, const Runs&) = default;
};

/// The contents of a windows file, in as little space as the file: nothing has been checked, and
/// lists by node have any length.
struct WindowsFile {
    std::string origin;  ///< of the network: a spec or a file
    std::uint64_t seed = 0;
    bool generated = false;  ///< the spec makes the network again, and `links` is empty
    NodeId nodes = 0;
    LinkId link_count = 0;
    std::vector<Ends> links;
    std::uint64_t network_digest = 0;

    std::string target;  ///< as asked for
    bool all_ports = false;
    Runs loads;  ///< by node, as are all that follow unless they say otherwise
    Runs base;   ///< the target: FinalLoads
    Runs may_hold_extra;
    Tokens extras = 0;
    Runs ports;  ///< empty: 1 everywhere
    Runs capacities;
    Runs delays;  ///< by link

    Step at_least = 0;
    std::optional<Step> at_most;
    std::optional<FlowOverTime> flow;  ///< why `at_most` are enough
    std::optional<CutOverTime> cut;    ///< why at_least - 1 are too few: either this, without
    Runs inside;                       ///< its `nodes`, and when they join (-1: never) and
    std::vector<Runs> gates;           ///< send_first, send_end, receive_first, receive_end,
    std::optional<Certificate> zones;  ///< or this

    std::uint64_t written_digest = 0;  ///< what the file says its digest is

    /// The digest of all numbers and texts except `written_digest`.
    [[nodiscard]] std::uint64_t digest() const;
};

/// The proof of a plan. Throws InputError when the plan holds no flow that proves its steps, or its
/// lower bound does not come from a cut.
[[nodiscard]] WindowsFile windows_file(const Plan& plan, const Problem& problem,
                                       const network::AnyNetwork& network,
                                       const std::string& target);

/// Writes the file to a temporary one that is then renamed. Memory does not grow with the file.
void write_windows(const std::string& path, const WindowsFile& file);
/// The same as a text.
[[nodiscard]] std::string windows_text(const WindowsFile& file);

/// Reads the text of such a file; takes no more memory than the text. Throws InputError naming
/// `origin` and the key when the text is not such a file, when a key is missing, repeated or
/// unknown, or when a value has another type.
[[nodiscard]] WindowsFile read_windows(std::string_view text, const std::string& origin);

/// Whether a text names the schema of windows files before anything else.
[[nodiscard]] bool is_windows_text(std::string_view text);

/// The network and the problem that a file is about.
struct WindowsProblem {
    network::Network network;
    Problem problem;  ///< its `network` is not set
    std::optional<CutOverTime> cut;
};

/// Makes the network and the lists anew, after checking sizes. Throws InputError when counts, lists
/// and digest do not agree. Cost O(nodes + links).
[[nodiscard]] WindowsProblem problem_of(const WindowsFile& file);

}  // namespace equipoise::optimum
