// A move program is played by its `run`.
// expected: MoveProgram
// expected: run
#include "equipoise/model/local/move_program.hpp"

namespace {

struct Line {
    struct Box {
        equipoise::NodeId side = 1;
    };
#if !defined(MISTAKE)
    static void run(const Box& /*box*/, const std::vector<equipoise::Tokens>& /*loads*/,
                    equipoise::model::MoveSink& sink) {
        const equipoise::model::Move move{0, 0, 1};
        equipoise::model::Stretch stretch;
        stretch.distribution_steps = 1;
        stretch.moves = {&move, 1};
        static_cast<void>(sink.take(stretch));
    }
#endif
};
static_assert(equipoise::model::MoveProgram<Line>);

}  // namespace
