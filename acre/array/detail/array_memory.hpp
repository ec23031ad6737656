// Where the elements of an array are: a pattern, and the memory of a team that they
// lie in. It stays where it is when the array moves.
//
// A Kind of array says which pattern, which memory, and for errors what it is called
// and how one is made:
//
//     struct blocked_kind {
//       using pattern = layout::blocked;
//       using memory = team_memory;
//       static constexpr const char* name = "array";
//       static constexpr const char* ending = "the destructor of the array made";
//       static constexpr const char* maker = "array{team, size}";
//     };
#pragma once

#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/global/collective_end.hpp>
#include <acre/global/global_ptr.hpp>
#include <acre/global/put_get.hpp>
#include <acre/global/team.hpp>
#include <acre/layout/pattern.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace acre::detail {

/// @param call  of the array, "at"
[[noreturn]] void throw_out_of_range(const char* name, const char* call, std::size_t index,
                                     std::size_t size, const site& where);

template <class Kind>
class array_memory {
 public:
  using pattern_type = typename Kind::pattern;
  static_assert(layout::pattern<pattern_type>);

  /// @param where  the array was made
  array_memory(const team& members, const pattern_type& pattern, typename Kind::memory memory,
               const site& where)
      : members_(members),
        pattern_(pattern),
        memory_(std::move(memory)),
        end_(Kind::ending, where) {
    const std::size_t count = pattern_.local_size(members_.rank());
    if (count == 0) return;
    own_bits_ = memory_.bits_of(members_.rank());
    if (!layout::is_dense<pattern_type>) return;
    const std::size_t first = pattern_.index_of({.member = members_.rank(), .offset = 0});
    if (pattern_.run_length(first) < count) return;
    own_first_ = first;
    own_count_ = count;
  }
  ~array_memory() { end_.release(memory_, members_); }
  array_memory(const array_memory&) = delete;
  array_memory& operator=(const array_memory&) = delete;

  [[nodiscard]] const team& members() const noexcept { return members_; }
  [[nodiscard]] const pattern_type& pattern() const noexcept { return pattern_; }

  /// Compiled out unless ACRE_CHECKS is set.
  void check(std::size_t index, const char* call, const site& where) const noexcept(!has_checks) {
    if constexpr (has_checks) {
      if (index >= pattern_.size()) [[unlikely]] {
        throw_out_of_range(Kind::name, call, index, pattern_.size(), where);
      }
    }
  }

  template <class T>
  [[nodiscard]] global_ptr<T> pointer(layout::place at) const noexcept {
    return global_ptr<T>::from_bits(memory_.bits_of(at.member) + at.offset * sizeof(T));
  }
  template <class T>
  [[nodiscard]] global_ptr<T> pointer(std::size_t index) const noexcept {
    return pointer<T>(pattern_.place_of(index));
  }
  /// An element; quickly where it is one of this member's own, and these follow each other in
  /// index.
  template <class T>
  [[nodiscard]] global_ref<T> reference(std::size_t index) const noexcept {
    const std::size_t offset = index - own_first_;
    if (offset < own_count_) {
      return own_reference<T>(offset);
    }
    return global_ref<T>(pointer<T>(index));
  }
  /// One of this member's own.
  template <class T>
  [[nodiscard]] global_ref<T> own_reference(std::size_t offset) const noexcept {
    T* const here = own<T>() + offset;
    if (here == nullptr) __builtin_unreachable();  // so that nobody asks again
    return {global_ptr<T>::from_bits(own_bits_ + offset * sizeof(T)), here};
  }
  /// Where this member's own are.
  template <class T>
  [[nodiscard]] T* own() const noexcept {
    return reinterpret_cast<T*>(memory_.mine());
  }
  /// This member's own elements; with what lies between them, where the pattern has gaps.
  template <class T>
  [[nodiscard]] std::span<T> local() const noexcept {
    const rank_t me = members_.rank();
    const bool has_gaps = !layout::is_dense<pattern_type> && pattern_.local_size(me) != 0;
    return {own<T>(), has_gaps ? pattern_.local_capacity() : pattern_.local_size(me)};
  }

 private:
  team members_;
  pattern_type pattern_;
  typename Kind::memory memory_;
  collective_end end_;
  std::uint64_t own_bits_ = 0;  ///< of a pointer to this member's first element
  // The indices of this member's own elements, where these follow each other; else none.
  std::size_t own_first_ = 0;
  std::size_t own_count_ = 0;
};

}  // namespace acre::detail
