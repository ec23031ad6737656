// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/hash/buffered.hpp>

#include <acre/runtime/active_message.hpp>

#include <algorithm>
#include <string>

namespace acre::container {

batch_sizes choose_batches(std::uint64_t parts, std::uint64_t part_bytes, std::size_t item_bytes) {
  // 1024 8-byte updates hit each line of a range about once.
  constexpr std::uint64_t stretch_bytes = 64 << 10;
  constexpr std::uint64_t batch_bytes = 8 << 10;
  constexpr std::uint64_t least_bytes = 1 << 20;
  constexpr std::uint64_t most_bytes = 32 << 20;
  const std::uint64_t memory = std::clamp(parts * part_bytes / 8, least_bytes, most_bytes);
  const std::uint64_t wanted = std::max<std::uint64_t>(part_bytes / stretch_bytes, 1);
  const std::uint64_t affordable = std::max<std::uint64_t>(memory / batch_bytes / parts, 1);
  const std::uint64_t bins = std::bit_floor(std::min(wanted, affordable));
  const std::uint64_t bytes =
      std::min({batch_bytes, memory / (bins * parts), std::uint64_t{runtime::max_payload()}});
  return {.bins_per_part = bins,
          .items = std::bit_floor(std::max<std::uint64_t>(bytes / item_bytes, 1))};
}

void throw_refused(std::uint64_t items, bool thrown, growth grows, std::uint64_t capacity) {
  if (thrown) {
    throw error("buffered::flush",
                "user code (update, equality or hash) has thrown at " + std::to_string(items) +
                    " items; all others are applied",
                "call discard_refused() to forget them, or flush() to try again");
  }
  const bool is_automatic = grows == growth::automatic;
  throw error("buffered::flush",
              std::to_string(items) + " items found no room in full parts (capacity " +
                  std::to_string(capacity) + (is_automatic ? ", and no memory for more" : "") +
                  "); all others are applied",
              is_automatic ? "they are kept: set ACRE_SEGMENT_SIZE to more; where there is memory, "
                             "use a better hash function"
                           : "they are kept: resize() the map on all ranks, then flush() again");
}

void throw_refused_elsewhere() {
  throw error("buffered::flush_and_grow", "another member could not apply its items",
              "its own message says more");
}

void throw_batch_lost(const std::string& why) {
  throw error("buffered::flush", "another rank could not begin with a batch: " + why,
              "its items are kept, and the next flush() tries again");
}

}  // namespace acre::container
