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

#include <acre/base/bits.hpp>
#include <acre/base/checks.hpp>
#include <acre/container/detail/team_memory.hpp>
#include <acre/global/global_ptr.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/team.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <source_location>
#include <span>
#include <utility>

namespace acre {

namespace detail {

[[noreturn]] void throw_no_array();
[[noreturn]] void throw_out_of_range(const char* call, std::size_t index, std::size_t size,
                                     const std::source_location& where);

/// Where the elements are. It stays where it is when the array moves.
class block_array {
 public:
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

/// Walks over the elements of all members. Any rank may have its own.
template <class T>
class array_iterator {
 public:
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = global_ref<T>;
  using iterator_category = std::input_iterator_tag;  // what a[i] gives is no T&
  using iterator_concept = std::random_access_iterator_tag;

  array_iterator() = default;
  array_iterator(const block_array* blocks, std::size_t index) noexcept
      : blocks_(blocks), index_(index) {}
  /// From an iterator that may write to one that may not.
  template <class U>
    requires std::same_as<const U, T>
  array_iterator(array_iterator<U> other) noexcept : blocks_(other.blocks_), index_(other.index_) {}

  [[nodiscard]] global_ref<T> operator*() const noexcept(!has_checks) {
    return global_ref<T>(pointer({}));
  }
  [[nodiscard]] global_ref<T> operator[](difference_type distance) const noexcept(!has_checks) {
    return *(*this + distance);
  }
  /// The element's global pointer.
  [[nodiscard]] global_ptr<T> pointer(
      const std::source_location& where = std::source_location::current()) const
      noexcept(!has_checks) {
    blocks_->check(index_, "array::iterator", where);
    return blocks_->template pointer<T>(index_);
  }
  /// The element's index in the array.
  [[nodiscard]] std::size_t index() const noexcept { return index_; }

  array_iterator& operator+=(difference_type distance) noexcept {
    index_ += static_cast<std::size_t>(distance);
    return *this;
  }
  array_iterator& operator-=(difference_type distance) noexcept {
    index_ -= static_cast<std::size_t>(distance);
    return *this;
  }
  array_iterator& operator++() noexcept { return *this += 1; }
  array_iterator& operator--() noexcept { return *this -= 1; }
  array_iterator operator++(int) noexcept {
    const array_iterator before = *this;
    ++*this;
    return before;
  }
  array_iterator operator--(int) noexcept {
    const array_iterator before = *this;
    --*this;
    return before;
  }
  friend array_iterator operator+(array_iterator i, difference_type n) noexcept { return i += n; }
  friend array_iterator operator+(difference_type n, array_iterator i) noexcept { return i += n; }
  friend array_iterator operator-(array_iterator i, difference_type n) noexcept { return i -= n; }
  friend difference_type operator-(const array_iterator& a, const array_iterator& b) noexcept {
    return static_cast<difference_type>(a.index_ - b.index_);
  }
  friend bool operator==(const array_iterator& a, const array_iterator& b) noexcept {
    return a.index_ == b.index_;
  }
  friend auto operator<=>(const array_iterator& a, const array_iterator& b) noexcept {
    return a.index_ <=> b.index_;
  }

 private:
  template <class U>
  friend class array_iterator;

  const block_array* blocks_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace detail

template <transferable T>
class array {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = global_ref<T>;
  using const_reference = global_ref<const T>;
  using iterator = detail::array_iterator<T>;
  using const_iterator = detail::array_iterator<const T>;

  /// No array: good for being assigned to.
  array() = default;

  /// `size` elements, each with the value `initial`. Collective. Cost: B.
  /// @throws acre::error on all members when one has no room, or their sizes differ
  array(const team& members, std::size_t size, const T& initial)
      : blocks_(std::make_unique<detail::block_array>(members, size, sizeof(T), alignof(T))) {
    // All members have an array then, or none.
    const runtime::failures_held until_it_is_there;
    fill(initial);
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

  // --- one element, of any member -------------------------------------------------

  /// Reads as a T, and writes when assigned to. Cost: R or W. The index is
  /// checked in builds with ACRE_CHECKS, here and in pointer() and owner().
  [[nodiscard]] global_ref<T> operator[](std::size_t index) noexcept(!detail::has_checks) {
    return global_ref<T>(element(index, "array::operator[]", {}));
  }
  [[nodiscard]] global_ref<const T> operator[](std::size_t index) const
      noexcept(!detail::has_checks) {
    return global_ref<const T>(element(index, "array::operator[]", {}));
  }

  /// The same. @throws acre::error when there is no such element
  [[nodiscard]] global_ref<T> at(
      std::size_t index, const std::source_location& where = std::source_location::current()) {
    check(index, where);
    return (*this)[index];
  }
  [[nodiscard]] global_ref<const T> at(
      std::size_t index,
      const std::source_location& where = std::source_location::current()) const {
    check(index, where);
    return (*this)[index];
  }

  /// Where the element is, for put, get, copy and atomics. l.
  [[nodiscard]] global_ptr<T> pointer(
      std::size_t index, const std::source_location& where = std::source_location::current()) const
      noexcept(!detail::has_checks) {
    return element(index, "array::pointer", where);
  }
  /// The member of the team that holds the element. l.
  [[nodiscard]] rank_t owner(
      std::size_t index, const std::source_location& where = std::source_location::current()) const
      noexcept(!detail::has_checks) {
    if constexpr (detail::has_checks) check_existence();
    blocks_->check(index, "array::owner", where);
    return blocks_->owner(index);
  }

  /// All elements of all members, in order; std::ranges algorithms work, one
  /// element at a time. Loops of one's own do better on local().
  [[nodiscard]] iterator begin() noexcept { return {blocks_.get(), 0}; }
  [[nodiscard]] iterator end() noexcept { return {blocks_.get(), size()}; }
  [[nodiscard]] const_iterator begin() const noexcept { return {blocks_.get(), 0}; }
  [[nodiscard]] const_iterator end() const noexcept { return {blocks_.get(), size()}; }

  /// The number of elements of all members. l.
  [[nodiscard]] std::size_t size() const noexcept {
    return blocks_ == nullptr ? 0 : blocks_->size();
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] const team& members() const {
    check_existence();
    return blocks_->members();
  }

  // --- this member's elements --------------------------------------------------------

  /// This member's block, as plain memory. Empty for those who hold none. l.
  [[nodiscard]] std::span<T> local() noexcept { return block(); }
  [[nodiscard]] std::span<const T> local() const noexcept { return block(); }

  /// The index in the array of local()[0]. l.
  [[nodiscard]] std::size_t local_offset() const noexcept {
    return blocks_ == nullptr ? 0 : blocks_->first_of(blocks_->members().rank());
  }

  /// Sets all elements. Collective. Cost: B.
  void fill(const T& value) {
    check_existence();
    const std::span<T> mine = block();
    std::uninitialized_fill(mine.begin(), mine.end(), value);
    blocks_->members().barrier();
  }

 private:
  [[nodiscard]] std::span<T> block() const noexcept {
    if (blocks_ == nullptr) return {};
    const rank_t me = blocks_->members().rank();
    return {reinterpret_cast<T*>(blocks_->mine()),
            blocks_->first_of(me + 1) - blocks_->first_of(me)};
  }
  [[nodiscard]] global_ptr<T> element(std::size_t index, const char* call,
                                      const std::source_location& where) const
      noexcept(!detail::has_checks) {
    if constexpr (detail::has_checks) check_existence();
    blocks_->check(index, call, where);
    return blocks_->template pointer<T>(index);
  }
  void check(std::size_t index, const std::source_location& where) const {
    if (index >= size()) [[unlikely]] {
      detail::throw_out_of_range("array::at", index, size(), where);
    }
  }
  void check_existence() const {
    if (blocks_ == nullptr) [[unlikely]] {
      detail::throw_no_array();
    }
  }

  std::unique_ptr<detail::block_array> blocks_;
};

}  // namespace acre
