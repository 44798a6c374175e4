#pragma once
// Tasks that one thread carries out in the order in which others give them.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace equipoise::agent {

class TaskQueue {
  public:
    using Task = std::function<void()>;
    using Clock = std::chrono::steady_clock;

    void put(Task task) {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
        changed_.notify_one();
    }
    /// Carries out what is there; if nothing is, waits for a task until `time`.
    void carry_out(Clock::time_point time) {
        std::deque<Task> tasks;
        {
            std::unique_lock lock(mutex_);
            changed_.wait_until(lock, time, [&] { return !tasks_.empty(); });
            tasks.swap(tasks_);
        }
        for (const Task& task : tasks)
            task();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> tasks_;
};

/// A way into a queue for what strangers send: what comes faster than it is carried out is dropped,
/// as channels may lose. Copies share their room.
class Inlet {
  public:
    static constexpr unsigned waiting_max = 256;

    explicit Inlet(TaskQueue& queue) : queue_(&queue) {}

    void put(TaskQueue::Task task) const {
        if (waiting_->fetch_add(1) >= waiting_max) {
            --*waiting_;
            return;
        }
        queue_->put([waiting = waiting_, task = std::move(task)] {
            --*waiting;
            task();
        });
    }

  private:
    TaskQueue* queue_;
    std::shared_ptr<std::atomic<unsigned>> waiting_ = std::make_shared<std::atomic<unsigned>>(0);
};

/// A thread of its own for tasks that wait for a server. What is not begun when it goes is dropped.
class TaskThread {
  public:
    TaskThread()
        : thread_([this](const std::stop_token& stop) {
              while (!stop.stop_requested())
                  queue_.carry_out(TaskQueue::Clock::now() + std::chrono::seconds(1));
          }) {}
    ~TaskThread() {
        thread_.request_stop();
        queue_.put([] {});
    }
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;

    void put(TaskQueue::Task task) { queue_.put(std::move(task)); }

  private:
    TaskQueue queue_;
    std::jthread thread_;
};

}  // namespace equipoise::agent
