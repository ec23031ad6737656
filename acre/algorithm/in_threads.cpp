// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/in_threads.hpp>

#include <acre/base/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace acre::algorithm {

namespace {

constexpr unsigned most_threads = std::numeric_limits<std::uint16_t>::max();

[[nodiscard]] unsigned taking_part(std::uint32_t call) { return call & 0xffffU; }
[[nodiscard]] std::uint32_t next_call(std::uint32_t call, std::uint32_t count) {
  return ((call >> 16) + 1) << 16 | count;
}

/// Never joined: they end with the process.
class workers {
 public:
  [[nodiscard]] static workers& all();

  workers(const workers&) = delete;
  workers& operator=(const workers&) = delete;

  void run(unsigned count, const loop_part& part);

 private:
  workers() = default;
  [[nodiscard]] unsigned have(unsigned count);
  [[noreturn]] void work(unsigned number, std::uint32_t seen);
  void attempt(unsigned number) noexcept;

  std::atomic_flag is_running_;
  /// Upper half: number of the call; lower half: participating threads, which read part_. Written
  /// by the thread in run(), which waits until unfinished_ is 0, so part_ outlives its readers.
  /// Other threads read only this word.
  std::atomic<std::uint32_t> call_{0};
  const loop_part* part_ = nullptr;
  std::atomic<unsigned> unfinished_{0};
  std::mutex failure_lock_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

workers& workers::all() {
  static workers& of_this_process = *new workers;
  return of_this_process;
}

unsigned workers::have(unsigned count) {
  try {
    while (threads_.size() + 1 < std::min(count, most_threads)) {
      const auto number = static_cast<unsigned>(threads_.size()) + 1;
      threads_.emplace_back(&workers::work, this, number, call_.load(std::memory_order_relaxed));
    }
  } catch (const std::exception&) {  // no more threads or memory
  }
  return std::min(count, static_cast<unsigned>(threads_.size()) + 1);
}

void workers::run(unsigned count, const loop_part& part) {
  if (count < 2 || is_running_.test_and_set(std::memory_order_acquire)) {
    for (unsigned i = 0; i < count; ++i) part(i);
    return;
  }
  const unsigned threads = have(count);
  part_ = &part;
  unfinished_.store(threads - 1, std::memory_order_relaxed);
  call_.store(next_call(call_.load(std::memory_order_relaxed), threads), std::memory_order_release);
  call_.notify_all();
  attempt(0);
  for (unsigned i = threads; i < count; ++i) attempt(i);
  for (unsigned left; (left = unfinished_.load(std::memory_order_acquire)) != 0;) {
    unfinished_.wait(left, std::memory_order_acquire);
  }
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  is_running_.clear(std::memory_order_release);
  if (failure != nullptr) std::rethrow_exception(failure);
}

void workers::attempt(unsigned number) noexcept {
  try {
    (*part_)(number);
  } catch (...) {
    const std::lock_guard hold(failure_lock_);
    if (failure_ == nullptr) failure_ = std::current_exception();
  }
}

void workers::work(unsigned number, std::uint32_t seen) {
  while (true) {
    call_.wait(seen, std::memory_order_acquire);
    seen = call_.load(std::memory_order_acquire);
    if (number >= taking_part(seen)) continue;
    attempt(number);
    // Last access to this call: after 0 the next one may begin.
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
  }
}

}  // namespace

void in_threads(unsigned count, const loop_part& part) { workers::all().run(count, part); }

void throw_too_many_threads(unsigned asked, unsigned most) {
  throw error("par.on", std::to_string(asked) + " threads per rank are too many",
              "use at most " + std::to_string(most) + "; check for a negative number");
}

}  // namespace acre::algorithm
