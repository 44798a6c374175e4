#include "equipoise/placement/in_order.hpp"

#include <cstddef>
#include <cstdint>

#include "equipoise/placement/in_order/own_stretch.hpp"
#include "equipoise/placement/in_order/shared_cuts.hpp"

namespace equipoise::placement {

OrderPlacement place_in_order(std::span<const RankItems> ranks, const PlaceOptions& options) {
    return place_in_order(ranks, options, SharedCuts::sketch_words_max);
}

// Plays the sides of all ranks in one process (in_order/).
OrderPlacement place_in_order(std::span<const RankItems> ranks, const PlaceOptions& options,
                              std::size_t sketch_words) {
    const std::size_t kinds = options.weights_per_item;
    SharedCuts cuts(ranks.size(), options, sketch_words);
    std::vector<OwnStretch> own;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        own.emplace_back(rank, ranks[rank], kinds);
    std::vector<std::int64_t> words;
    std::vector<int> begins(ranks.size());
    while (cuts.step() != SharedCuts::Step::done) {
        if (cuts.walks()) {
            words.resize(cuts.walk_count() * cuts.shape().words());
            cuts.begin_walks(words);
            const bool backwards = cuts.step() == SharedCuts::Step::backwards;
            for (std::size_t turn = 0; turn < ranks.size(); ++turn)
                own[backwards ? ranks.size() - 1 - turn : turn].walk(cuts, words);
            cuts.take_walks(words);
            continue;
        }
        words.clear();
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            begins[rank] = static_cast<int>(words.size());
            words.resize(words.size() + cuts.words_of(rank));
            own[rank].words(cuts, std::span(words).subspan(static_cast<std::size_t>(begins[rank])));
        }
        cuts.take({words, begins});
    }
    return {cuts.sizes(), cuts.weights_before(), cuts.weights_after(), cuts.figures()};
}

}  // namespace equipoise::placement
