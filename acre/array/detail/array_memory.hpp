// SPDX-License-Identifier: BSD-3-Clause
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
#include <acre/base/lifetime.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/team/team_object.hpp>
#include <acre/layout/pattern.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre::arrays {

/// @param call  of the array, "at"
[[noreturn]] void throw_out_of_range(const char* name, const char* call, std::size_t index,
                                     std::size_t size, const site& where);

/// What members have brought along, by member.
struct brought_blocks {
  std::vector<std::uint64_t> offsets;  ///< in their segments
  std::vector<std::size_t> counts;     ///< of elements
};
/// Collective. Cost: 1 allgather.
/// @param type  of an element, `pattern` a number of how they are spread
/// @param call  "array::adopt"
/// @throws acre::error on all members when a block of one is not in its segment
[[nodiscard]] brought_blocks gather_blocks(const team& members, const void* mine, std::size_t count,
                                           std::size_t each, const std::type_info& type,
                                           std::uint64_t pattern, const char* call,
                                           const site& where);
/// @throws acre::error when a member has not brought as many elements as it shall hold
void check_counts(std::span<const std::size_t> brought, std::span<const std::size_t> wanted,
                  const char* call, const site& where);

template <class Kind>
class array_memory : public team_object<typename Kind::memory> {
  using parent = team_object<typename Kind::memory>;
  using parent::memory;

 public:
  using parent::members;
  using pattern_type = typename Kind::pattern;
  static_assert(layout::pattern<pattern_type>);

  /// @param where   the array was made
  /// @param ending  of its destructor, where that is not the kind's own
  array_memory(const team& of, const pattern_type& pattern, typename Kind::memory held,
               const site& where, const char* ending = Kind::ending)
      : parent(of, std::move(held), ending, where), pattern_(pattern) {
    note_own();
  }
  ~array_memory() { life_.end(); }

  /// Other elements from now on. What was the memory ends here, unless its block is that of the new
  /// one: nobody uses it any more.
  void become(const pattern_type& pattern, typename Kind::memory next) {
    if (next.mine() == memory().mine()) memory().abandon();
    pattern_ = pattern;
    memory() = std::move(next);
    note_own();
  }

  [[nodiscard]] const pattern_type& pattern() const noexcept { return pattern_; }
  /// Whether the user has brought it, who may bring it to another container as well.
  [[nodiscard]] bool is_users_memory() const noexcept { return memory().is_users(); }

  /// Whether the elements have ended. One thread at a time.
  [[nodiscard]] base::lifetime::watch life() const { return life_.observe(); }

  /// Compiled out unless ACRE_CHECKS is set.
  void check(std::size_t index, const char* call, const site& where) const
      noexcept(!base::has_checks) {
    if constexpr (base::has_checks) {
      if (index >= pattern_.size()) [[unlikely]] {
        throw_out_of_range(Kind::name, call, index, pattern_.size(), where);
      }
    }
  }

  template <class T>
  [[nodiscard]] global_ptr<T> pointer(layout::place at) const noexcept {
    return global_ptr<T>::from_bits(memory().bits_of(at.member) + at.offset * sizeof(T));
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
      return own_reference(own<T>() + offset);
    }
    return global_ref<T>(pointer<T>(index));
  }
  /// One of this member's own.
  template <class T>
  [[nodiscard]] global_ref<T> own_reference(T* here) const noexcept {
    if (here == nullptr) __builtin_unreachable();  // so that nobody asks again
    const auto offset = reinterpret_cast<const std::byte*>(here) - memory().mine();
    return {global_ptr<T>::from_bits(own_bits_ + static_cast<std::uint64_t>(offset)), here};
  }
  /// Where this member's own are.
  template <class T>
  [[nodiscard]] T* own() const noexcept {
    return reinterpret_cast<T*>(memory().mine());
  }
  /// This member's own elements; with what lies between them, where the pattern has gaps.
  template <class T>
  [[nodiscard]] std::span<T> local() const noexcept {
    const rank_t me = members().rank();
    const bool has_gaps = !layout::is_dense<pattern_type> && pattern_.local_size(me) != 0;
    return {own<T>(), has_gaps ? pattern_.local_capacity() : pattern_.local_size(me)};
  }

 private:
  void note_own() noexcept {
    own_bits_ = 0;
    own_first_ = own_count_ = 0;
    const std::size_t count = pattern_.local_size(members().rank());
    if (count == 0) return;
    own_bits_ = memory().bits_of(members().rank());
    if (!layout::is_dense<pattern_type>) return;
    const std::size_t first = pattern_.index_of({.member = members().rank(), .offset = 0});
    if (pattern_.run_length(first) < count) return;
    own_first_ = first;
    own_count_ = count;
  }

  pattern_type pattern_;
  mutable base::lifetime life_;
  std::uint64_t own_bits_ = 0;  ///< of a pointer to this member's first element
  // The indices of this member's own elements, where these follow each other; else none.
  std::size_t own_first_ = 0;
  std::size_t own_count_ = 0;
};

}  // namespace acre::arrays
