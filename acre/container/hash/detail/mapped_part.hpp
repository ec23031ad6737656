// SPDX-License-Identifier: BSD-3-Clause
// Memory of a part: head, link of the first block, buckets.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/hash/detail/hash_operations.hpp>
#include <acre/container/hash/detail/hash_part.hpp>
#include <acre/container/phase_record.hpp>
#include <acre/global/owner/at_owner.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace acre::container {

struct part_head {
  /// Entry counts, striped against false sharing.
  static constexpr std::size_t stripes = 16;
  struct alignas(64) stripe {
    std::atomic<std::int64_t> entries;
  };

  std::array<stripe, stripes> counts;
  alignas(64) phase_record phase;

  void add(std::int64_t entries) noexcept {
    counts[rank() % stripes].entries.fetch_add(entries, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t size() const noexcept {
    std::int64_t sum = 0;
    for (const stripe& each : counts) sum += each.entries.load(std::memory_order_relaxed);
    return sum < 0 ? 0 : static_cast<std::uint64_t>(sum);
  }
};

template <class K, class V, class Hash, class Equal>
class mapped_part {
 public:
  using key_type = K;
  using mapped_type = V;
  template <company Others>
  using view_among = hash_part<K, V, Hash, Equal, Others, blocks::all>;
  using view_type = view_among<company::anyone>;
  using bucket_type = typename view_type::bucket_type;

  static constexpr std::size_t head_bytes =
      round_up(sizeof(part_head), larger(alignof(part_head), alignof(bucket_type))) +
      link_bytes<bucket_type>;

  mapped_part(std::byte* memory, std::uint64_t capacity, std::uint64_t parts) noexcept
      : memory_(memory), capacity_(capacity), parts_(parts) {}

  /// Requested by another node (hash_parts::request_words).
  /// @throws acre::error if outside the segment; if a guarantee is broken (ACRE_CHECKS)
  static mapped_part requested(std::span<const fabric::word> words, const char* call) {
    const std::size_t most = runtime::world.segment_bytes / sizeof(bucket_type);
    if (words[2] == 0 || words[2] > most || words[3] == 0) at_owner::throw_not_here();
    const mapped_part part(
        at_owner::block_here(words[0], head_bytes + words[2] * sizeof(bucket_type)), words[2],
        words[3]);
    note_if_checked(part.head().phase, call, phase_entry(words[4]));
    return part;
  }

  [[nodiscard]] explicit operator bool() const noexcept { return memory_ != nullptr; }

  [[nodiscard]] part_head& head() const noexcept { return *reinterpret_cast<part_head*>(memory_); }
  [[nodiscard]] block_link& link() const noexcept { return link_before(buckets()); }
  template <company Others = company::anyone>
  [[nodiscard]] view_among<Others> view() const noexcept {
    return view_among<Others>({buckets(), capacity_}, parts_);
  }

  /// Runs `Operation` and updates the entry count. Thread-safe.
  /// @param view  of this part
  template <class Operation, class View, class Key, class... Operands>
  [[gnu::always_inline]] outcome run(View& view, const Key& key, std::uint64_t hash,
                                     std::optional<result_of<Operation, V>>& value,
                                     const Operands&... operands) const {
    const outcome what = Operation::run(view, key, hash, value, operands...);
    if constexpr (Operation::kind != container_operation::find) count(what);
    return what;
  }
  [[gnu::always_inline]] void count(outcome what) const noexcept {
    if (what == outcome::added) head().add(1);
    if (what == outcome::erased) head().add(-1);
  }

 private:
  [[nodiscard]] bucket_type* buckets() const noexcept {
    return reinterpret_cast<bucket_type*>(memory_ + head_bytes);
  }

  std::byte* memory_;
  std::uint64_t capacity_;
  std::uint64_t parts_;
};

}  // namespace acre::container
