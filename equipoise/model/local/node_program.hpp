#pragma once
// The node program: one coroutine per node that touches the world only through its context.

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/model/local/frame_slab.hpp"
#include "equipoise/model/local/node_context.hpp"
#include "equipoise/model/local/node_message.hpp"

namespace equipoise::model {

/// The running program of one node: owns its coroutine frame, which is in the slab of the node's
/// host. Starts suspended. An exception of the program leaves `resume`.
class NodeTask {
  public:
    struct promise_type {
        NodeTask get_return_object() {
            return NodeTask(std::coroutine_handle<promise_type>::from_promise(*this));
        }
        static std::suspend_always initial_suspend() noexcept { return {}; }
        static std::suspend_always final_suspend() noexcept { return {}; }
        static void return_void() noexcept {}
        static void unhandled_exception() { throw; }

        // Only coroutines whose first parameter is a context have a frame: there is no other
        // operator new, so a nested task or a helper coroutine does not compile.
        template <class Program, class Message, class... Rest>
        static void* operator new(std::size_t bytes, const Program& /*program*/,
                                  const NodeContext<Message>& context, const Rest&... /*rest*/) {
            return context.frames().allocate(bytes);
        }
        static void operator delete(void* frame, std::size_t /*bytes*/) {
            FrameSlab::deallocate(frame);
        }
    };

    NodeTask() = default;
    NodeTask(NodeTask&& other) noexcept : frame_(std::exchange(other.frame_, {})) {}
    NodeTask& operator=(NodeTask&& other) noexcept {
        if (this != &other) {
            clear();
            frame_ = std::exchange(other.frame_, {});
        }
        return *this;
    }
    NodeTask(const NodeTask&) = delete;
    NodeTask& operator=(const NodeTask&) = delete;
    ~NodeTask() { clear(); }

    /// Runs on to the next suspension or to the end.
    void resume() const { frame_.resume(); }
    /// Whether the program has ended.
    [[nodiscard]] bool done() const { return frame_.done(); }
    [[nodiscard]] explicit operator bool() const { return static_cast<bool>(frame_); }
    /// Destroys the frame.
    void clear() {
        if (frame_) std::exchange(frame_, {}).destroy();
    }
    /// The frame's first bytes, for prefetching.
    [[nodiscard]] const void* address() const { return frame_.address(); }

  private:
    explicit NodeTask(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
    std::coroutine_handle<promise_type> frame_;
};

/// A program that every node runs, for an asynchronous network.
///
/// Required: types `Message`, `State` and `PortState` (what a node remembers, and what it remembers
/// of each port; trivially copyable, value-initialised at the start), and
///   `NodeTask operator()(NodeContext<Message>, State&, std::span<PortState>) const`.
///
/// All that a program must remember across a suspension is in its state, including the paper's name
/// of the state it is in, stored before every suspension: a frame may be destroyed at any
/// suspension and created again from the state. So a program is a loop over a switch on that name,
/// and each case begins with its wait. The program object itself holds parameters only.
template <class P>
concept NodeProgram =
    NodeMessage<typename P::Message> && std::is_trivially_copyable_v<typename P::State> &&
    std::is_trivially_copyable_v<typename P::PortState> &&
    std::is_default_constructible_v<typename P::State> &&
    std::is_default_constructible_v<typename P::PortState> &&
    requires(const P& program, NodeContext<typename P::Message> context, typename P::State& state,
             std::span<typename P::PortState> ports) {
        { program(context, state, ports) } -> std::same_as<NodeTask>;
    };

}  // namespace equipoise::model
