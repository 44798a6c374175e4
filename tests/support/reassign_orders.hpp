#pragma once
// The shortest time in which the items of a small problem reach their ends, over all orders of
// moves.

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::test {

/// Tries all sequences of waves of one move or two, by way of other machines too, that `replay`
/// allows. Each move starts as early as its ends, its item and what it is copied from, and room are
/// free, in the order of the sequence. Rules that count items keep nothing back, so that schedules
/// are shorter than they might have to be.
class AllOrders {
  public:
    AllOrders(const reassign::Problem& problem, const std::vector<reassign::MachineId>& ends,
              std::size_t moves_most)
        : problem_(problem), ends_(ends), sources_(problem), moves_most_(moves_most) {
        search();
    }

    /// Infinite if no sequence of at most `moves_most` moves reaches the ends.
    [[nodiscard]] double seconds() const { return best_; }

  private:
    using Moves = std::vector<reassign::Move>;

    void search() {
        const std::vector<reassign::MachineId> places = reassign::places_after(problem_, moves_);
        const double now = done_.empty() ? 0 : *std::max_element(done_.begin(), done_.end());
        if (now >= best_) return;
        if (places == ends_) {
            best_ = now;
            return;
        }
        if (moves_.size() >= moves_most_) return;
        Moves single;
        const Step wave = moves_.empty() ? 0 : moves_.back().wave + 1;
        for (reassign::ItemId item = 0; item < problem_.item_count(); ++item)
            for (reassign::MachineId to = 0; to < problem_.machine_count(); ++to)
                if (places[item] != to && problem_.may_be_on(item, to))
                    single.push_back({wave, item, places[item], to});
        for (const reassign::Move& one : single)
            visit({one}, places);
        for (std::size_t i = 0; i < single.size(); ++i)
            for (std::size_t j = i + 1; j < single.size(); ++j)
                if (single[i].item != single[j].item) visit({single[i], single[j]}, places);
    }

    void visit(const Moves& wave, const std::vector<reassign::MachineId>& places) {
        if (moves_.size() + wave.size() > moves_most_) return;
        const std::size_t before = moves_.size();
        moves_.insert(moves_.end(), wave.begin(), wave.end());
        if (reassign::replay(problem_, moves_).allowed) {
            for (std::size_t at = before; at < moves_.size(); ++at)
                givers_.push_back(sources_.giver(moves_[at].item, moves_[at].from, places));
            // Two that are one wave start together.
            double start = 0;
            for (std::size_t at = before; at < moves_.size(); ++at)
                start = std::max(start, earliest(at, before));
            for (std::size_t at = before; at < moves_.size(); ++at)
                done_.push_back(start + duration(at, before));
            search();
            done_.resize(before);
            givers_.resize(before);
        }
        moves_.resize(before);
    }

    /// Of the moves before this one, those from `wave` on are in its wave.
    [[nodiscard]] double earliest(std::size_t at, std::size_t wave) const {
        const reassign::Move& move = moves_[at];
        double start = 0;
        for (std::size_t other = 0; other < wave; ++other) {
            const reassign::Move& earlier = moves_[other];
            bool shares = earlier.to == move.to || earlier.item == move.item ||
                          (givers_[other] == givers_[at] && givers_[at] != problem_.outside);
            if (problem_.half_duplex)
                shares |= earlier.to == givers_[at] || givers_[other] == move.to;
            shares |= sources_.of(move.item, move.from) == earlier.item ||
                      sources_.of(earlier.item, earlier.from) == move.item;
            for (const reassign::Apart& rule : problem_.apart) {
                const std::vector<reassign::ValueId>& of = problem_.item_labels[rule.label].of;
                shares |= rule.on_the_way && earlier.from == move.to &&
                          of[move.item] != reassign::no_value && of[move.item] == of[earlier.item];
            }
            if (shares) start = std::max(start, done_[other]);
        }
        for (std::size_t resource = 0; resource < problem_.resource_count(); ++resource)
            start = std::max(start, room(at, wave, resource));
        return start;
    }

    /// When so many of the departures before are done that this arrival and all before it fit.
    [[nodiscard]] double room(std::size_t at, std::size_t wave, std::size_t resource) const {
        const reassign::MachineId to = moves_[at].to;
        if (problem_.resources[resource].release != reassign::Release::after_wave ||
            problem_.amount(moves_[at].item, resource) == 0)
            return 0;
        Tokens holds = 0;
        for (reassign::ItemId item = 0; item < problem_.item_count(); ++item)
            if (problem_.places[item] == to) holds += problem_.amount(item, resource);
        for (std::size_t other = 0; other <= at; ++other)
            if (moves_[other].to == to) holds += problem_.amount(moves_[other].item, resource);
        std::vector<std::pair<double, Tokens>> leave;
        for (std::size_t other = 0; other < wave; ++other)
            if (moves_[other].from == to)
                leave.emplace_back(done_[other], problem_.amount(moves_[other].item, resource));
        std::sort(leave.begin(), leave.end());
        double start = 0;
        for (std::size_t i = 0; i < leave.size() && holds > problem_.capacity(to, resource); ++i) {
            holds -= leave[i].second;
            start = leave[i].first;
        }
        return start;
    }

    /// As long as the slower of its ends needs for all of the wave.
    [[nodiscard]] double duration(std::size_t at, std::size_t wave) const {
        Tokens given = 0;
        Tokens taken = 0;
        for (std::size_t other = wave; other < moves_.size(); ++other) {
            const Tokens amount = problem_.amount(moves_[other].item, problem_.copied);
            const bool gives = givers_[other] == givers_[at];
            const bool takes = moves_[other].to == moves_[at].to;
            const bool duplex = problem_.half_duplex;
            if (gives || (duplex && moves_[other].to == givers_[at])) given += amount;
            if (takes || (duplex && givers_[other] == moves_[at].to)) taken += amount;
        }
        if (problem_.amount(moves_[at].item, problem_.copied) == 0) return 0;
        const std::vector<double>& takes =
            problem_.half_duplex ? problem_.gives_a_second : problem_.takes_a_second;
        double seconds = 0;
        if (!problem_.gives_a_second.empty() && givers_[at] != problem_.outside)
            seconds = static_cast<double>(given) / problem_.gives_a_second[givers_[at]];
        if (!takes.empty())
            seconds = std::max(seconds, static_cast<double>(taken) / takes[moves_[at].to]);
        return seconds;
    }

    const reassign::Problem& problem_;
    std::vector<reassign::MachineId> ends_;
    reassign::CopySources sources_;
    std::size_t moves_most_;
    double best_ = std::numeric_limits<double>::infinity();
    Moves moves_;
    std::vector<reassign::MachineId> givers_;  ///< by move
    std::vector<double> done_;                 ///< by move: when it ends
};

}  // namespace equipoise::test
