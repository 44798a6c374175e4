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
    static void run(const Box& /*box*/, equipoise::model::MoveSink& sink) {
        sink.move(0, 1);
        sink.end_step();
    }
#endif
};
static_assert(equipoise::model::MoveProgram<Line>);

}  // namespace
