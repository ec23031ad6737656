// An array in the memory of one rank, for all ranks of a team.
//
//     acre::hosted_array<int> flags(acre::world(), acre::hosted_by{0}, 100);
//     flags[acre::rank()] = 1;                   // from anywhere, one-sided
//     acre::barrier();
//     for (int each : flags.local()) …           // plain memory on the host
//
// Elements are read and written like any global memory: put, get and atomics on
// pointer(i). Making, filling and destroying are collective.
#pragma once

#include <acre/array/detail/array_elements.hpp>
#include <acre/global/allocate.hpp>
#include <acre/global/collective_end.hpp>
#include <acre/global/hosted_memory.hpp>
#include <acre/global/team.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <source_location>

namespace acre {

namespace detail {

/// Where the elements are. It stays where it is when the array moves.
class hosted_block {
 public:
  static constexpr array_calls calls{.maker = "hosted_array{team, host, size}",
                                     .subscript = "hosted_array::operator[]",
                                     .at = "hosted_array::at",
                                     .pointer = "hosted_array::pointer",
                                     .owner = "hosted_array::owner",
                                     .iterator = "hosted_array::iterator"};

  hosted_block(const team& members, hosted_by host, std::size_t size, std::size_t element_bytes,
               std::size_t alignment)
      : members_(members), host_(host.member), size_(size) {
    memory_ = hosted_memory(members, host, bytes_for(size, element_bytes), alignment,
                            "hosted_array", {.number = size, .least = 0, .unit = "elements"});
  }
  ~hosted_block() { end_.release(memory_, members_); }
  hosted_block(const hosted_block&) = delete;
  hosted_block& operator=(const hosted_block&) = delete;

  [[nodiscard]] const team& members() const noexcept { return members_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] rank_t host() const noexcept { return host_; }
  [[nodiscard]] rank_t owner(std::size_t) const noexcept { return host_; }
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
    return member <= host_ ? 0 : size_;
  }
  [[nodiscard]] std::byte* mine() const noexcept { return memory_.mine(); }

  template <class T>
  [[nodiscard]] global_ptr<T> pointer(std::size_t index) const noexcept {
    return global_ptr<T>::from_bits(memory_.bits() + index * sizeof(T));
  }

 private:
  team members_;
  rank_t host_;
  std::size_t size_;
  hosted_memory memory_;
  collective_end end_;
};

}  // namespace detail

/// Reading, writing, walking and the host's elements, local(): detail/array_elements.hpp.
template <transferable T>
class hosted_array : public detail::array_elements<T, detail::hosted_block> {
  using elements = detail::array_elements<T, detail::hosted_block>;

 public:
  /// No array: good for being assigned to.
  hosted_array() = default;

  /// `size` elements, each with the value `initial`. Collective. Cost: B and 1 allgather.
  /// @throws acre::error on all members when the host is no member or has no room, or
  ///         when they ask for different hosts or sizes
  hosted_array(const team& members, hosted_by host, std::size_t size, const T& initial)
      : elements(
            std::make_unique<detail::hosted_block>(members, host, size, sizeof(T), alignof(T))) {
    // All members have an array then, or none.
    const runtime::failures_held until_it_is_there;
    this->fill(initial);
  }
  hosted_array(const team& members, hosted_by host, std::size_t size)
    requires std::default_initializable<T>
      : hosted_array(members, host, size, T{}) {}

  /// Moves: local, and iterators stay valid. Destruction: collective, B; arrays
  /// may be destroyed in any order.
  hosted_array(hosted_array&&) noexcept = default;
  hosted_array& operator=(hosted_array&&) noexcept = default;
  ~hosted_array() = default;

  /// The member of the team that holds the elements. l.
  [[nodiscard]] rank_t host() const { return this->blocks().host(); }
};

}  // namespace acre
