// What all arrays offer: elements that any member reads and writes, wherever they
// are, and this member's own as plain memory.
//
// Where the elements are is the business of Blocks: their number, and the owner,
// the global pointer and the first index of each member; and how its calls are
// named in errors.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/global/global_ptr.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/team.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <iterator>
#include <memory>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>

namespace acre::detail {

/// What the calls of an array are called.
struct array_calls {
  const char* maker;  ///< array{team, size}
  const char* subscript;
  const char* at;
  const char* pointer;
  const char* owner;
  const char* iterator;
};

[[noreturn]] void throw_no_array(const char* maker);
[[noreturn]] void throw_out_of_range(const char* call, std::size_t index, std::size_t size,
                                     const std::source_location& where);

/// Walks over the elements of all members. Any rank may have its own.
template <class T, class Blocks>
class array_iterator {
 public:
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using reference = global_ref<T>;
  using iterator_category = std::input_iterator_tag;  // what a[i] gives is no T&
  using iterator_concept = std::random_access_iterator_tag;

  array_iterator() = default;
  array_iterator(const Blocks* blocks, std::size_t index) noexcept
      : blocks_(blocks), index_(index) {}
  /// From an iterator that may write to one that may not.
  template <class U>
    requires std::same_as<const U, T>
  array_iterator(array_iterator<U, Blocks> other) noexcept
      : blocks_(other.blocks_), index_(other.index_) {}

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
    blocks_->check(index_, Blocks::calls.iterator, where);
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
  template <class U, class B>
  friend class array_iterator;

  const Blocks* blocks_ = nullptr;
  std::size_t index_ = 0;
};

template <class T, class Blocks>
class array_elements {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = global_ref<T>;
  using const_reference = global_ref<const T>;
  using iterator = array_iterator<T, Blocks>;
  using const_iterator = array_iterator<const T, Blocks>;

  // --- one element, of any member -------------------------------------------------

  /// Reads as a T, and writes when assigned to. Cost: R or W. The index is
  /// checked in builds with ACRE_CHECKS, here and in pointer() and owner().
  [[nodiscard]] global_ref<T> operator[](std::size_t index) noexcept(!has_checks) {
    return global_ref<T>(element(index, Blocks::calls.subscript, {}));
  }
  [[nodiscard]] global_ref<const T> operator[](std::size_t index) const noexcept(!has_checks) {
    return global_ref<const T>(element(index, Blocks::calls.subscript, {}));
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
      noexcept(!has_checks) {
    return element(index, Blocks::calls.pointer, where);
  }
  /// The member of the team that holds the element. l.
  [[nodiscard]] rank_t owner(
      std::size_t index, const std::source_location& where = std::source_location::current()) const
      noexcept(!has_checks) {
    if constexpr (has_checks) check_existence();
    blocks_->check(index, Blocks::calls.owner, where);
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
  [[nodiscard]] const team& members() const { return blocks().members(); }

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

 protected:
  array_elements() = default;
  explicit array_elements(std::unique_ptr<Blocks> blocks) noexcept : blocks_(std::move(blocks)) {}
  array_elements(array_elements&&) noexcept = default;
  array_elements& operator=(array_elements&&) noexcept = default;
  ~array_elements() = default;

  [[nodiscard]] const Blocks& blocks() const {
    check_existence();
    return *blocks_;
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
      noexcept(!has_checks) {
    if constexpr (has_checks) check_existence();
    blocks_->check(index, call, where);
    return blocks_->template pointer<T>(index);
  }
  void check(std::size_t index, const std::source_location& where) const {
    if (index >= size()) [[unlikely]] {
      throw_out_of_range(Blocks::calls.at, index, size(), where);
    }
  }
  void check_existence() const {
    if (blocks_ == nullptr) [[unlikely]] {
      throw_no_array(Blocks::calls.maker);
    }
  }

  std::unique_ptr<Blocks> blocks_;
};

}  // namespace acre::detail
