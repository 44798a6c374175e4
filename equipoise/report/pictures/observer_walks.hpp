#pragma once
// Where the observers of a run are: those of Houle, Symvonis, Wood 2004, Section 4.1, which leave
// their node in every step by its active link, if it has one.

#include <span>
#include <string_view>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// The largest number of observers in one picture: each has a colour of its own.
inline constexpr std::size_t observers_max = 8;

/// The nodes at which observers begin, given by their names, "0,4". Throws InputError for an
/// unknown node, for one that is named twice, and for too many.
[[nodiscard]] std::vector<NodeId> observers_from_text(std::string_view text,
                                                      const model::Record& record);

/// Walks of observers along the edge colouring of a run: the given one, otherwise the network's
/// own.
class ObserverWalks {
  public:
    /// Throws InputError unless all tokens of the record crossed links of the colour that was
    /// active, and the network never changed.
    ObserverWalks(const model::Record& record, std::vector<NodeId> starts);

    [[nodiscard]] const std::vector<NodeId>& starts() const { return starts_; }
    /// The positions of the observers before the step with this number, from 0. Steps must ascend
    /// from call to call. Cost O(steps between).
    [[nodiscard]] const std::vector<NodeId>& before(Step step);
    /// The node to which an observer goes from a node in this step; the node itself if it stays.
    [[nodiscard]] NodeId next(NodeId node, Step step) const;
    /// The links that are active in this step.
    [[nodiscard]] std::span<const Ends> active(Step step) const;
    [[nodiscard]] std::size_t colour_count() const { return classes_.size(); }

  private:
    std::vector<std::vector<Ends>> classes_;   ///< the links of every colour
    std::vector<std::vector<NodeId>> across_;  ///< by colour and node: the other end
    std::vector<NodeId> starts_;
    std::vector<NodeId> at_;
    Step step_ = 0;
};

}  // namespace equipoise::report
