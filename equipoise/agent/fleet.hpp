#pragma once
// The fleet: sites with a NATS server each, and links between them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/base/line_source.hpp"

namespace equipoise::agent {

/// A site as the fleet file describes it.
struct Site {
    std::string name;                  ///< a single token of a NATS subject
    std::string server;                ///< address of its server: nats://host:port
    std::string stream = "JOBS";       ///< its stream of jobs, a work queue
    std::string subjects = "jobs.>";   ///< of the stream, if the agent has to create it
    std::string consumer = "WORKERS";  ///< the pull consumer that workers share with the agent
    std::string credentials;           ///< file of user and seed, or empty
    std::string authorities;           ///< file of trusted certificates (asks for TLS), or empty
    std::uint64_t line = 0;            ///< of the fleet file
};

/// A site at the other end of a link.
struct Neighbour {
    std::size_t site = 0;
    std::string server;     ///< the address at which this site reaches the neighbour's server
    bool is_lower = false;  ///< whether the neighbour stands earlier in the file
    bool operator==(const Neighbour&) const = default;
};

struct Fleet {
    std::string file;
    std::string name = "fleet";
    std::vector<Site> sites;                         ///< in the order of the file
    std::vector<std::vector<Neighbour>> neighbours;  ///< by site, in the order of the file's links

    /// The number of the site of this name. Throws InputError, with similar names, if there is
    /// none.
    [[nodiscard]] std::size_t number_of(const std::string& site_name) const;
};

/// Reads a fleet from GML or GraphML. Sites have `server` and may have `stream`, `subjects`,
/// `consumer`, `credentials` and `ca`; links may have `source_server` and `target_server`: the
/// address at which the other end reaches that end's server. Relative file names start at the
/// folder of the fleet file. Throws InputError naming file, line, what was expected and found.
[[nodiscard]] Fleet read_fleet(const std::string& file);
[[nodiscard]] Fleet read_fleet(LineSource& source);

/// How a neighbour is reached: its name, address, and files of credentials and authorities.
[[nodiscard]] std::string link_text(const Fleet& fleet, const Neighbour& neighbour);
/// The links of a site as such texts, in their order.
[[nodiscard]] std::vector<std::string> links_of(const Fleet& fleet, std::size_t site);
/// Puts the neighbours of a site whose links `links` names first, in this order: a file that lists
/// the same links in another order then means the same to the site's agent.
void sort_neighbours(Fleet& fleet, std::size_t site, const std::vector<std::string>& links);

}  // namespace equipoise::agent
