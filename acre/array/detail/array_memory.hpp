// SPDX-License-Identifier: BSD-3-Clause
// Pattern and memory of an array, at a stable address when it moves; described by a Kind, as
// blocked_kind of array.hpp.
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

[[noreturn]] void throw_out_of_range(const char* name, const char* call, std::size_t index,
                                     std::size_t size, const site& where);

struct brought_blocks {
  std::vector<std::uint64_t> offsets;
  std::vector<std::size_t> counts;
};
/// Collective. Cost: 1 allgather. @throws acre::error on all members for memory outside a segment
[[nodiscard]] brought_blocks gather_blocks(const team& members, const void* mine, std::size_t count,
                                           std::size_t each, const std::type_info& type,
                                           std::uint64_t pattern, const char* call,
                                           const site& where);
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

  array_memory(const team& of, const pattern_type& pattern, typename Kind::memory held,
               const site& where, const char* ending = Kind::ending)
      : parent(of, std::move(held), ending, where), pattern_(pattern) {
    note_own();
  }
  ~array_memory() { life_.end(); }

  /// Replaces pattern and memory; releases old memory unless reused.
  void become(const pattern_type& pattern, typename Kind::memory next) {
    if (next.mine() == memory().mine()) memory().abandon();
    pattern_ = pattern;
    memory() = std::move(next);
    note_own();
  }

  [[nodiscard]] const pattern_type& pattern() const noexcept { return pattern_; }
  /// User memory may be shared with other containers.
  [[nodiscard]] bool is_users_memory() const noexcept { return memory().is_users(); }

  [[nodiscard]] base::lifetime::watch life() const { return life_.observe(); }

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
  template <class T>
  [[nodiscard]] global_ref<T> reference(std::size_t index) const noexcept {
    const std::size_t offset = index - own_first_;
    if (offset < own_count_) {
      return own_reference(own<T>() + offset);
    }
    return global_ref<T>(pointer<T>(index));
  }
  template <class T>
  [[nodiscard]] global_ref<T> own_reference(T* here) const noexcept {
    if (here == nullptr) __builtin_unreachable();
    const auto offset = reinterpret_cast<const std::byte*>(here) - memory().mine();
    return {global_ptr<T>::from_bits(own_bits_ + static_cast<std::uint64_t>(offset)), here};
  }
  template <class T>
  [[nodiscard]] T* own() const noexcept {
    return reinterpret_cast<T*>(memory().mine());
  }
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
  std::uint64_t own_bits_ = 0;
  std::size_t own_first_ = 0;
  std::size_t own_count_ = 0;
};

}  // namespace acre::arrays
