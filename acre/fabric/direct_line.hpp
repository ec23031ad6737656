// SPDX-License-Identifier: BSD-3-Clause
// The shortest ways into a network, laid open for those who count their instructions: a few
// pointers to functions in static memory, and the two words that completion is told by.
//
// A conduit fills the line when it opens. The ends and functions are opaque: a conduit puts
// functions of its library there where their parameters are in this order, and functions of
// its own elsewhere. One that has no such ways leaves what the class `conduit` has put there: the
// ways through its virtual functions.
#pragma once

#include <acre/fabric/forward.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace acre::fabric {

struct direct_line {
  // --- small puts -------------------------------------------------------------
  // Whoever puts adds one to `issued` first, so that `issued` never lags behind what another
  // thread waits for; gives at most smallest_inject bytes, which are free at return; and gives
  // the result, when it is not 0, to conduit::refused(), which takes the count back.
  static constexpr std::size_t smallest_inject = 16;

  /// @param spare    null, or a pointer to `spare_zeros` bytes of zeros, whichever is in a register
  ///                 of the caller already: a conduit ignores it, or reads zeros there
  /// @param key      of the region: its word in `keys`
  /// @param context  null
  /// @return 0; -EAGAIN where there is no room now, and conduit::try_put() is the way; what else it
  ///         is, only the conduit knows
  using put_function = ssize_t (*)(void* end, const void* source, std::size_t bytes, void* spare,
                                   std::uint64_t target, std::uint64_t offset, std::uint64_t key,
                                   void* context);

  put_function put = nullptr;
  void* end = nullptr;
  /// What the conduit wants to be told for each region: its number, until the conduit says
  /// otherwise.
  std::array<std::uint64_t, region_count> keys{0, 1};

  // --- completion -------------------------------------------------------------
  // Of all counted operations. Whoever finds the two equal, having read `completed` first, knows
  // that all that were issued before are complete.
  std::atomic<std::uint64_t> issued{0};
  std::atomic<std::uint64_t> completed{0};

  /// What the network has completed. Asking may make progress of the network's, and flushes
  /// where nothing completes without (capabilities::completes_by_flush). Who has asked may store
  /// the answer in `completed`; one that is out of date does no harm.
  using read_function = std::uint64_t (*)(void* counter);

  read_function read = nullptr;
  void* counter = nullptr;

  // --- short messages -----------------------------------------------------------
  // A header and its arguments as they lie in memory. A result that is not 0: it was not sent,
  // and conduit::try_send() is the way.
  using send_function = ssize_t (*)(void* end, const void* message, std::size_t bytes,
                                    std::uint64_t target);

  send_function send = nullptr;
};

}  // namespace acre::fabric
