// An array spread over the ranks of a team in blocks.
//
//     acre::array<double> a(acre::world(), 1'000'000);
//     for (double& x : a.local()) x = 1;         // this rank's block, plain memory
//     a[7] = 2;                                  // anybody's element, one-sided
//
// Member 0 holds the first ceil(n / members) elements, member 1 the next as many,
// and so on; the last ones may hold fewer, or none. Elements are read and written
// like any global memory: put, get and atomics on pointer(i).
//
// Making, filling and destroying are collective; everything between is one-sided.
#pragma once

#include <acre/array/detail/array_elements.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/checks.hpp>
#include <acre/global/collective_end.hpp>
#include <acre/global/global_ptr.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/team.hpp>
#include <acre/global/team_memory.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <source_location>

namespace acre {

namespace detail {

/// Where the elements are. It stays where it is when the array moves.
class block_array {
 public:
  static constexpr array_calls calls{.maker = "array{team, size}",
                                     .subscript = "array::operator[]",
                                     .at = "array::at",
                                     .pointer = "array::pointer",
                                     .owner = "array::owner",
                                     .iterator = "array::iterator"};

  block_array(const team& members, std::size_t size, std::size_t element_bytes,
              std::size_t alignment)
      : members_(members), size_(size), block_(divide_up(size, std::size_t{members.size()})) {
    // What no memory holds is refused by the allocation, on all members.
    const std::size_t most = std::numeric_limits<std::size_t>::max() / element_bytes;
    memory_ = team_memory(members, std::min(block_, most) * element_bytes, alignment, "array",
                          {.number = size, .unit = "elements"});
  }
  ~block_array() { end_.release(memory_, members_); }
  block_array(const block_array&) = delete;
  block_array& operator=(const block_array&) = delete;

  [[nodiscard]] const team& members() const noexcept { return members_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] rank_t owner(std::size_t index) const noexcept {
    return static_cast<rank_t>(index / block_);
  }
  /// Compiled out unless ACRE_CHECKS is set.
  void check(std::size_t index, const char* call, const std::source_location& where) const
      noexcept(!has_checks) {
    if constexpr (has_checks) {
      if (index >= size_) [[unlikely]] {
        throw_out_of_range(call, index, size_, where);
      }
    }
  }
  [[nodiscard]] std::size_t first_of(rank_t member) const noexcept {
    return std::min(size_, block_ * member);
  }
  [[nodiscard]] std::byte* mine() const noexcept { return memory_.mine(); }

  template <class T>
  [[nodiscard]] global_ptr<T> pointer(std::size_t index) const noexcept {
    const std::size_t member = index / block_;
    return global_ptr<T>::from_bits(memory_.bits_of(static_cast<rank_t>(member)) +
                                    (index - member * block_) * sizeof(T));
  }

 private:
  team members_;
  std::size_t size_;
  std::size_t block_;
  team_memory memory_;
  collective_end end_;
};

}  // namespace detail

/// Reading, writing, walking and this member's own elements: detail/array_elements.hpp.
template <transferable T>
class array : public detail::array_elements<T, detail::block_array> {
  using elements = detail::array_elements<T, detail::block_array>;

 public:
  /// No array: good for being assigned to.
  array() = default;

  /// `size` elements, each with the value `initial`. Collective. Cost: B.
  /// @throws acre::error on all members when one has no room, or their sizes differ
  array(const team& members, std::size_t size, const T& initial)
      : elements(std::make_unique<detail::block_array>(members, size, sizeof(T), alignof(T))) {
    // All members have an array then, or none.
    const runtime::failures_held until_it_is_there;
    this->fill(initial);
  }
  array(const team& members, std::size_t size)
    requires std::default_initializable<T>
      : array(members, size, T{}) {}
  explicit array(std::size_t size)
    requires std::default_initializable<T>
      : array(world(), size, T{}) {}

  /// Moves: local, and iterators stay valid. Destruction: collective, B; arrays
  /// may be destroyed in any order.
  array(array&&) noexcept = default;
  array& operator=(array&&) noexcept = default;
  ~array() = default;
};

}  // namespace acre
