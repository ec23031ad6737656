// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/hash/buffered.hpp>

#include <acre/runtime/active_message.hpp>

#include <algorithm>
#include <string>

namespace acre::container {

batch_sizes choose_batches(std::uint64_t parts, std::uint64_t part_bytes, std::size_t item_bytes) {
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
                "user code (update, equality, hash or serialisation) threw an exception, or a "
                "heap is full, for " +
                    std::to_string(items) + " items; all others were applied",
                "call discard_refused() to drop them, or flush() to retry them");
  }
  const bool is_automatic = grows == growth::automatic;
  throw error("buffered::flush",
              std::to_string(items) + " items do not fit their full parts (capacity " +
                  std::to_string(capacity) + (is_automatic ? ", out of memory" : "") +
                  "); all others were applied",
              is_automatic
                  ? "the items are kept: increase ACRE_SEGMENT_SIZE, or use a better hash function "
                    "if memory is available"
                  : "the items are kept: resize() the map on all ranks, then call flush() again");
}

void throw_refused_elsewhere() {
  throw error("buffered::flush_and_grow", "another member could not apply its items",
              "check the message of that member");
}

void throw_batch_lost(const std::string& why) {
  throw error("buffered::flush", "another rank could not start a batch: " + why,
              "the items of the batch are kept; the next flush() retries them");
}

}  // namespace acre::container
