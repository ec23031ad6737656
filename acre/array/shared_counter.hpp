// SPDX-License-Identifier: BSD-3-Clause
// Shared counter for dynamic load balancing: ranks draw chunks of numbers.
//
//     for (auto chunk : next.chunks(rows, 16))
//       for (std::size_t row : chunk) work_on(row);
//
// Each chunk costs an atomic: its work should take longer than a message.
#pragma once

#include <acre/array/shared.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/site.hpp>
#include <acre/global/team/hosted_memory.hpp>
#include <acre/global/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>

namespace acre {

namespace arrays {
[[noreturn]] void throw_bad_chunk(const site& where);
}

/// Moves: local. Destruction: collective, B.
class shared_counter {
 public:
  /// Input range of chunks drawn by this rank. Cost: A per chunk.
  class chunk_range {
   public:
    class iterator {
     public:
      using value_type = std::ranges::iota_view<std::size_t, std::size_t>;
      using difference_type = std::ptrdiff_t;
      using iterator_concept = std::input_iterator_tag;

      iterator() = default;
      explicit iterator(const chunk_range* range) : range_(range), first_(range->draw()) {}

      [[nodiscard]] value_type operator*() const {
        return {first_, first_ + smaller(range_->size_, range_->count_ - first_)};
      }
      iterator& operator++() {
        first_ = range_->draw();
        return *this;
      }
      void operator++(int) { ++*this; }
      friend bool operator==(const iterator& at, std::default_sentinel_t) noexcept {
        return at.is_behind();
      }

     private:
      [[nodiscard]] bool is_behind() const noexcept { return first_ >= range_->count_; }

      const chunk_range* range_ = nullptr;
      std::size_t first_ = 0;
    };

    chunk_range(const shared<std::uint64_t>& next, std::size_t count, std::size_t size) noexcept
        : next_(&next), count_(count), size_(size) {}
    [[nodiscard]] iterator begin() const { return iterator(this); }
    [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

   private:
    [[nodiscard]] std::size_t draw() const { return next_->fetch_add(size_); }

    const shared<std::uint64_t>* next_;
    std::size_t count_;
    std::size_t size_;
  };

  shared_counter() = default;
  /// Starts at 0. Collective. Cost: B and 1 allgather.
  explicit shared_counter(const team& members, hosted_by host = {},
                          const site& where = site::current())
      : next_({"shared_counter", "the destructor of the shared_counter made"}, members, 0, host,
              where) {}

  /// Returns the previous value. Cost: A.
  std::uint64_t fetch_add(std::uint64_t count = 1) { return next_.fetch_add(count); }
  /// Returns the value. Cost: A.
  [[nodiscard]] std::uint64_t get() const { return next_.get(); }
  /// Resets to 0. Collective. Cost: 2 B.
  void reset(const site& where = site::current());

  /// Draws the remaining numbers below `count`, `size` at a time. At its end other ranks may still
  /// work. The counter must outlive the range, and not move.
  /// @throws acre::error if `size` is 0, or either exceeds 2^48
  [[nodiscard]] chunk_range chunks(std::size_t count, std::size_t size = 1,
                                   const site& where = site::current()) const {
    constexpr std::size_t most = std::size_t{1} << 48;
    if (size == 0 || size > most || count > most) [[unlikely]] {
      arrays::throw_bad_chunk(where);
    }
    return {next_, count, size};
  }

  [[nodiscard]] const team& members() const { return next_.members(); }
  [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(next_); }

 private:
  shared<std::uint64_t> next_;
};

}  // namespace acre
