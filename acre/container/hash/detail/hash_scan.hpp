// SPDX-License-Identifier: BSD-3-Clause
// Iterates over the entries of one or all parts; entries of other nodes arrive a message at a time.
#pragma once

#include <acre/container/hash/detail/hash_parts.hpp>
#include <acre/container/hash/detail/value_list.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::container {

inline constexpr std::uint64_t end_of_part = ~std::uint64_t{0};

/// Reply: entries from bucket words[1] on, each at a multiple of 8, until a message is full or
/// 65536 buckets are read. Code: next bucket, or end_of_part.
template <class Table, class K, class V>
struct scan_service {
  static constexpr at_owner::run_by runner = at_owner::run_by::anyone;

  static void serve(const at_owner::asked& request, at_owner::answer& reply) {
    const auto here = Table::part::requested(request.words, request_of_a_node).view();
    std::vector<std::byte> entries;
    std::uint64_t bucket = request.words[1];
    // Bounds the time that other traffic waits.
    constexpr std::uint64_t most_buckets = std::uint64_t{1} << 16;
    const std::uint64_t last = here.buckets_in_all();
    if (bucket > last) at_owner::throw_not_here();
    const std::uint64_t end = smaller(last, bucket + most_buckets);
    for (bool has_room = true; has_room && bucket != end;) {
      here.visit(bucket, [&](const K& key, const V& value) {
        const std::size_t at = round_up(entries.size(), payload_alignment);
        const std::size_t size = serialized_size(key, value);
        has_room = at == 0 || at + size <= runtime::max_payload();
        if (!has_room) return;
        entries.resize(at + size);
        write_to(std::span(entries).subspan(at), key, value);
      });
      if (has_room) ++bucket;
    }
    const std::span<std::byte> room = reply.room(entries.size());
    if (!entries.empty()) std::memcpy(room.data(), entries.data(), entries.size());
    reply.code = bucket == last ? end_of_part : bucket;
  }
};

/// Returns consistent copies. The table must not be resized.
/// @tparam V  listed_t of the table's values
template <class Table, class K, class V, class Shown>
class hash_iterator {
  using entry = std::pair<K, V>;
  using stored = typename Table::part::mapped_type;

 public:
  using reference = std::invoke_result_t<Shown, const entry&>;
  using value_type = std::remove_cvref_t<reference>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using iterator_category = std::input_iterator_tag;

  hash_iterator() = default;
  hash_iterator(const Table& table, rank_t first, rank_t last)
      : table_(&table), member_(first), last_(last) {
    find_entry();
  }

  reference operator*() const noexcept { return Shown{}(entries_[next_]); }
  pointer operator->() const noexcept { return &**this; }
  hash_iterator& operator++() {
    ++next_;
    find_entry();
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const hash_iterator& a, const hash_iterator& b) noexcept {
    return a.member_ == b.member_ && a.bucket_ == b.bucket_ &&
           a.entries_.size() - a.next_ == b.entries_.size() - b.next_;
  }

 private:
  static constexpr std::uint64_t buckets_at_once = 512;

  void find_entry() {
    while (next_ == entries_.size() && member_ != last_) {
      entries_.clear();
      next_ = 0;
      if (bucket_ == end_of_part) {
        bucket_ = 0;
        ++member_;
      } else if (const auto part = table_->direct_part(member_)) {
        read_directly(part);
      } else {
        ask_owner();
      }
    }
  }

  void read_directly(const typename Table::part& part) {
    table_->note(part, container_operation::find, "hash_map: iteration");
    const auto view = part.view();
    const std::uint64_t last = view.buckets_in_all();
    const std::uint64_t end = smaller(bucket_ + buckets_at_once, last);
    for (; bucket_ != end; ++bucket_) {
      view.visit(bucket_, [&](const K& key, const stored& value) { unfold(entries_, key, value); });
    }
    if (bucket_ == last) bucket_ = end_of_part;
  }

  void ask_owner() {
    const at_owner::answered answer = at_owner::ask<scan_service<Table, K, stored>>(
        table_->world_rank(member_),
        table_->request_words({.owner = member_, .fraction = bucket_}, container_operation::find),
        {}, "hash_map: iteration");
    const std::span<const std::byte> payload(answer.bytes);
    for (std::size_t at = 0; at < payload.size();) {
      reader from(payload.subspan(at));
      K key = from.read<K>();
      unfold(entries_, std::move(key), from.read<stored>());
      at = round_up(payload.size() - from.remaining(), payload_alignment);
    }
    bucket_ = answer.code;
  }

  const Table* table_ = nullptr;
  rank_t member_ = 0;
  rank_t last_ = 0;
  std::uint64_t bucket_ = 0;
  std::vector<entry> entries_;
  std::size_t next_ = 0;
};

struct whole_entry {
  template <class Entry>
  const Entry& operator()(const Entry& entry) const noexcept {
    return entry;
  }
};

template <class Table, class K, class V, class Shown = whole_entry>
class hash_entries {
 public:
  using iterator = hash_iterator<Table, K, V, Shown>;

  hash_entries(const Table& table, rank_t first, rank_t last) noexcept
      : table_(&table), first_(first), last_(last) {}
  [[nodiscard]] iterator begin() const { return {*table_, first_, last_}; }
  [[nodiscard]] iterator end() const { return {*table_, last_, last_}; }

 private:
  const Table* table_;
  rank_t first_;
  rank_t last_;
};

}  // namespace acre::container
