// SPDX-License-Identifier: BSD-3-Clause
// One block of a part, with homes, locks and operation counts.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/container/hash.hpp>
#include <acre/container/hash/detail/part_types.hpp>
#include <acre/runtime/counters.hpp>

#include <cstdint>
#include <span>
#include <type_traits>

namespace acre::container {

/// Unlocks at end of scope, to the state before or that of leave().
template <class Bucket>
class held_lock {
  using state = typename Bucket::state;

 public:
  held_lock(Bucket& at, state before) noexcept : at_(at), next_(before) {}
  ~held_lock() { at_.unlock(next_); }
  held_lock(const held_lock&) = delete;
  held_lock& operator=(const held_lock&) = delete;

  void leave(state next) noexcept { next_ = next; }

 private:
  Bucket& at_;
  state next_;
};

template <class T>
struct kept_operand {
  std::conditional_t<global::is_word<T>, const T, const T&> value;
};

template <class Types>
class part_view {
 public:
  using mapped_type = typename Types::mapped_type;
  using bucket_type = typename Types::bucket_type;
  using state = typename bucket_type::state;

  constexpr part_view(std::span<bucket_type> buckets, std::uint64_t parts) noexcept
      : first_(buckets.data()), capacity_(buckets.size()), parts_(parts) {}

  [[nodiscard]] std::uint64_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::span<bucket_type> buckets() const noexcept { return {first_, capacity_}; }
  [[nodiscard]] const runtime::direct_costs& costs() const noexcept { return costs_; }

  [[nodiscard]] bucket_type* home(std::uint64_t hash) const noexcept {
    return first_ + base::scale(hash, capacity_).whole;
  }

  template <class Key>
  [[nodiscard]] std::uint64_t hash_of(const Key& key) const {
    return base::scale(good_hash<typename Types::hasher>(key), parts_).fraction;
  }

 protected:
  using part = typename Types::part;

  [[nodiscard]] std::uint64_t longest_reach() const noexcept {
    return smaller(Types::seen == blocks::further ? most_reach_in_further : most_reach, capacity_);
  }
  [[nodiscard]] bucket_type* after(bucket_type* at) const noexcept {
    return ++at == first_ + capacity_ ? first_ : at;
  }

  [[nodiscard]] bool try_change(bucket_type& at, state seen, state next) noexcept {
    if constexpr (Types::others == company::nobody) {
      at.unlock(next);
      return true;
    } else {
      ++costs_.atomics;
      return at.try_change(seen, next);
    }
  }
  [[nodiscard]] bool try_lock(bucket_type& at, state seen) noexcept {
    if constexpr (Types::others == company::nobody) {
      return true;
    } else {
      ++costs_.atomics;
      return at.try_lock(seen);
    }
  }
  [[nodiscard]] state lock(bucket_type& at) {
    if constexpr (Types::others == company::nobody) {
      return at.look();
    } else {
      ++costs_.atomics;
      return at.lock();
    }
  }

  /// Runs rare cases out of line, so that common cases stay in registers.
  template <class Work>
  auto aside(Work work) {
    const auto done = run_aside(buckets(), parts_, work);
    costs_ += done.costs;
    return done.result;
  }

  bucket_type* first_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t parts_ = 1;
  runtime::direct_costs costs_;

 private:
  template <class Work>
  [[gnu::noinline]] static auto run_aside(std::span<bucket_type> all, std::uint64_t parts,
                                          Work work) {
    struct done_aside {
      std::invoke_result_t<Work&, part&> result;
      runtime::direct_costs costs;
    };
    part view(all, parts);
    auto result = work(view);
    return done_aside{result, view.costs()};
  }
};

}  // namespace acre::container
