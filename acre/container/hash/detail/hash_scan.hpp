// Walking over the entries of a hash table, of one part or of all, some buckets
// at a time. Entries of another node come as many as a message carries.
#pragma once

#include <acre/container/hash/detail/hash_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre::detail {

/// At the owner: the entries from bucket words[1] on. @return the bucket to go on with
template <class Table, class K, class V>
void serve_scan(std::span<const fabric::word> words, std::span<const std::byte>,
                call_answer& answer) {
  Table::note_request(words, "a request of another node");
  const auto here = Table::part_of_request(words);
  std::uint64_t bucket = words[1];
  for (bool has_room = true; has_room && bucket != here.capacity();) {
    here.visit(bucket, [&](const K& key, const V& value) {
      const std::size_t at = round_up(answer.bytes.size(), payload_alignment);
      const std::size_t size = serialized_size(key, value);
      if (at + size > runtime::max_payload()) {
        has_room = false;
        return;
      }
      answer.bytes.resize(at + size);
      write_to(std::span(answer.bytes).subspan(at), key, value);
    });
    if (has_room) ++bucket;
  }
  answer.code = bucket;
}

/// An input iterator; each entry is of one moment. The table must stay as large as it is.
/// @tparam Shown  what is shown of an entry, a pair of key and value
template <class Table, class K, class V, class Shown>
class hash_iterator {
  using entry = std::pair<K, V>;

 public:
  using reference = std::invoke_result_t<Shown, const entry&>;
  using value_type = std::remove_cvref_t<reference>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using iterator_category = std::input_iterator_tag;

  hash_iterator() = default;
  /// Over the parts of the members [first, last).
  hash_iterator(const Table& table, rank_t first, rank_t last)
      : table_(&table), member_(first), last_(last) {
    settle();
  }

  reference operator*() const noexcept { return Shown{}(entries_[next_]); }
  pointer operator->() const noexcept { return &**this; }
  hash_iterator& operator++() {
    ++next_;
    settle();
    return *this;
  }
  void operator++(int) { ++*this; }
  /// Of two walks over the same parts, in what they have left.
  friend bool operator==(const hash_iterator& a, const hash_iterator& b) noexcept {
    return a.member_ == b.member_ && a.bucket_ == b.bucket_ &&
           a.entries_.size() - a.next_ == b.entries_.size() - b.next_;
  }

 private:
  static constexpr std::uint64_t buckets_at_once = 512;

  /// At an entry, or at the end.
  void settle() {
    while (next_ == entries_.size() && member_ != last_) {
      entries_.clear();
      next_ = 0;
      if (bucket_ == table_->part_capacity()) {
        bucket_ = 0;
        ++member_;
      } else if (std::byte* block = table_->direct_block(member_)) {
        read_directly(block);
      } else {
        ask_owner();
      }
    }
  }

  void read_directly(std::byte* block) {
    table_->note_walk(member_, "hash_map: iteration");
    const auto part = table_->part_in(block);
    const std::uint64_t end = std::min(bucket_ + buckets_at_once, table_->part_capacity());
    for (; bucket_ != end; ++bucket_) {
      part.visit(bucket_, [&](const K& key, const V& value) { entries_.emplace_back(key, value); });
    }
  }

  void ask_owner() {
    awaited_reply reply;
    const rank_t owner = table_->world_rank(member_);
    start_remote_call(owner, run_by::anyone, token_of<&serve_scan<Table, K, V>>(),
                      table_->request_words({member_, bucket_}, container_operation::find), {},
                      reply);
    reply.await(run_by::anyone, owner, "hash_map: iteration", std::source_location::current());
    const std::uint64_t next = reply.code();
    const std::span<const std::byte> payload = reply.bytes();
    for (std::size_t at = 0; at < payload.size();) {
      reader from(payload.subspan(at));
      K key = from.read<K>();
      V value = from.read<V>();
      entries_.emplace_back(std::move(key), std::move(value));
      at = round_up(payload.size() - from.remaining(), payload_alignment);
    }
    if (next == bucket_) {
      // No message carries what is in it.
      for (auto& [key, value] : table_->read_bucket_by_rpc(member_, bucket_)) {
        entries_.emplace_back(std::move(key), std::move(value));
      }
      ++bucket_;
    } else {
      bucket_ = next;
    }
  }

  const Table* table_ = nullptr;
  rank_t member_ = 0;
  rank_t last_ = 0;
  std::uint64_t bucket_ = 0;
  std::vector<entry> entries_;
  std::size_t next_ = 0;
};

/// What a range-for takes.
template <class Table, class K, class V, class Shown = std::identity>
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

}  // namespace acre::detail
