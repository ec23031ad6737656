// What the queues of the container room do between nodes: waiting without
// flooding the host, and memory at the host for what no message carries.
#pragma once

#include <acre/runtime/wait.hpp>
#include <acre/runtime/world.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <utility>

namespace acre::detail {

/// Repeats an attempt that costs a round trip until it succeeds; pauses between, which
/// double from 20 µs to 2 ms. User code of others runs meanwhile.
template <class Attempt>
void retry_with_pauses(Attempt&& attempt, const char* what, const std::source_location& where) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds shortest(20);
  constexpr std::chrono::microseconds longest(2000);
  if (attempt()) return;
  runtime::waiter waiting(what, runtime::may_run::user_code, where);
  for (auto pause = shortest;; pause = std::min(2 * pause, longest)) {
    const auto next = clock::now() + pause;
    do {
      waiting.step();
    } while (clock::now() < next);
    if (attempt()) return;
  }
}

/// Memory in the private heap of a rank on another node, for as long as this lives.
class remote_stage {
 public:
  /// @param bits of the global pointer to memory that was allocated over there
  /// @param freed_by a rank of that node, if not the owner
  remote_stage(std::uint64_t bits, const char* what) noexcept
      : remote_stage(bits, what, static_cast<rank_t>(bits >> offset_bits)) {}
  remote_stage(std::uint64_t bits, const char* what, rank_t freed_by) noexcept
      : bits_(bits), what_(what), freed_by_(freed_by) {}
  remote_stage(remote_stage&& other) noexcept
      : bits_(std::exchange(other.bits_, 0)), what_(other.what_), freed_by_(other.freed_by_) {}
  remote_stage& operator=(remote_stage&&) = delete;
  /// Has it freed: 2 M.
  ~remote_stage();

  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }
  /// It is somebody else's now.
  void give_away() noexcept { bits_ = 0; }

 private:
  std::uint64_t bits_;
  const char* what_;
  rank_t freed_by_;
};

/// @param kind  "circular_queue", whose `operation` was called
[[noreturn]] void throw_no_queue(const char* kind, const char* operation);
[[noreturn]] void throw_not_host(const char* call, rank_t host);
[[noreturn]] void throw_failed_migration(const char* call);
[[noreturn]] void throw_never_fits(const char* call, std::uint64_t values, std::uint64_t capacity);
[[noreturn]] void throw_too_few_places(const char* call, std::uint64_t values,
                                       std::uint64_t capacity);

}  // namespace acre::detail
