#pragma once
// All carriers of a site: those of its links, and those of links that are gone.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "equipoise/agent/carrier.hpp"

namespace equipoise::agent {

class Carriers {
  public:
    using Make = std::function<std::unique_ptr<Carrier>()>;
    struct Totals {
        std::uint64_t stored = 0;
        std::uint64_t doubled = 0;
        std::uint64_t refused = 0;
        std::size_t in_doubt = 0;
    };
    /// Jobs that are waited for no longer.
    struct Abandoned {
        std::size_t jobs = 0;
        std::size_t in_doubt = 0;  ///< of these, that may be stored
    };

    /// The carrier to a neighbour that is reached like this (`link_text`). What `make` throws
    /// leaves all as it was.
    Carrier& to(const std::string& name, const std::string& link, const Make& make);
    /// Visits all, with the neighbours' names.
    void each(const std::function<void(const std::string& name, Carrier&)>& visit) const;
    /// Publishes what is due.
    void work(Micros now) const;
    [[nodiscard]] Micros due() const;
    [[nodiscard]] bool are_busy() const;
    /// Of all that there were.
    [[nodiscard]] Totals totals() const;
    /// Lets go what is carried to others than these for too long, and forgets those of them that
    /// carry nothing.
    Abandoned abandon_others(const std::vector<Carrier*>& linked, Micros now);

  private:
    struct Entry {
        std::string name;
        std::unique_ptr<Carrier> carrier;
        Micros unlinked = 0;  ///< since when no link leads there; 0: one does
    };

    /// A neighbour whose link is gone is given so long to answer.
    static constexpr Micros unlinked_for = 10'000'000;

    std::map<std::string, Entry> all_;  ///< by the texts of links
    Totals forgotten_;                  ///< of those that were forgotten
};

}  // namespace equipoise::agent
