// SPDX-License-Identifier: BSD-3-Clause
// Fast paths into a network: function pointers and completion counters in static memory. Conduits
// set library functions or their own; the defaults call the virtual functions.
#pragma once

#include <acre/fabric/forward.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace acre::fabric {

struct direct_line {
  // Small puts, at most smallest_inject bytes; the source is free on return. The caller increments
  // `issued` before the put, so that it never lags, and passes non-zero results to
  // conduit::refused().
  static constexpr std::size_t smallest_inject = 16;

  /// @param spare    null or `spare_zeros` zero bytes, whichever is in a register
  /// @param key      from `keys`
  /// @param context  null
  /// @return 0; -EAGAIN: use conduit::try_put(); others are the conduit's
  using put_function = ssize_t (*)(void* end, const void* source, std::size_t bytes, void* spare,
                                   std::uint64_t target, std::uint64_t offset, std::uint64_t key,
                                   void* context);

  put_function put = nullptr;
  void* end = nullptr;
  std::array<std::uint64_t, region_count> keys{0, 1};

  // `completed` counts puts; `issued` counts them and, until a notice() subtracts the complete
  // ones, those counted apart: gets, and puts of other endpoints. If `completed`, read first,
  // equals `issued`, all earlier operations are complete.
  std::atomic<std::uint64_t> issued{0};
  std::atomic<std::uint64_t> completed{0};

  /// Returns a number of completed operations. May make progress or flush (completes_by_flush).
  using read_function = std::uint64_t (*)(void* counter);

  /// Reads the counter of puts. The caller may store it in `completed`; stale values are harmless.
  read_function read = [](void*) { return std::uint64_t{0}; };
  void* counter = nullptr;

  /// Operations with a counter of their own, which never falls. It rises after the increments of
  /// `issued` and before its decrements, so `issued` minus those under way is never less than the
  /// number of the others.
  struct counted_apart {
    std::atomic<std::uint64_t> begun{0};
    std::atomic<std::uint64_t> refused{0};
    std::atomic<std::uint64_t> noticed{0};
    read_function read = [](void*) { return std::uint64_t{0}; };
    void* counter = nullptr;

    /// True if all begun before are complete, as far as notice() knows.
    [[nodiscard]] bool is_quiet() const noexcept;
  };
  counted_apart gets;
  counted_apart other_puts;

  void begin(counted_apart& kind) noexcept {
    issued.fetch_add(1, std::memory_order_acq_rel);
    kind.begun.fetch_add(1, std::memory_order_acq_rel);
  }
  /// The caller decrements `issued` next.
  static void refuse(counted_apart& kind) noexcept {
    kind.refused.fetch_add(1, std::memory_order_acq_rel);
  }
  /// Subtracts complete ones from `issued`: `completed` since the start, or as many as the
  /// provider reports.
  /// @return their number
  std::uint64_t notice(counted_apart& kind);
  std::uint64_t notice(counted_apart& kind, std::uint64_t completed) noexcept;

  /// True if `number` puts are all that were begun, whatever the gets. May be false in doubt.
  [[nodiscard]] bool has_issued_only(std::uint64_t number) const noexcept;

  /// Sends a message_head, into which it may write a seal, and the arguments after it.
  /// @return non-zero if not sent: use conduit::try_send()
  using send_function = ssize_t (*)(void* sender, void* message, std::size_t bytes,
                                    std::uint64_t target);

  send_function send = nullptr;
  void* sender = nullptr;
};

}  // namespace acre::fabric
