// SPDX-License-Identifier: BSD-3-Clause
// Iterator of arrays; caches the current contiguous run, so most steps are an addition and a
// comparison.
#pragma once

#include <acre/array/detail/array_memory.hpp>
#include <acre/array/detail/array_segments.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/view/covered_elements.hpp>
#include <acre/view/random_steps.hpp>
#include <acre/view/range_faults.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

namespace acre::arrays {

template <class T, class Kind>
class array_iterator : public view::numbered_steps<array_iterator<T, Kind>, T, global_ref<T>> {
 public:
  using iterator_category = std::random_access_iterator_tag;
  static constexpr bool has_one_own_run = requires { requires Kind::pattern::is_one_run; };

  array_iterator() = default;
  array_iterator(const array_memory<Kind>* elements, std::size_t index) noexcept
      : elements_(elements), index_(index) {
    if (elements != nullptr) run_ = find_run(elements, index);
  }
  template <class U>
    requires std::same_as<const U, T>
  array_iterator(array_iterator<U, Kind> other) noexcept
      : array_iterator(other.elements_, other.index_) {}

  [[nodiscard]] global_ref<T> operator*() const noexcept(!base::has_checks) {
    const global_ptr<T> there = pointer({});
    return {there, run_.own == nullptr ? nullptr : run_.own + (index_ - run_.first)};
  }
  [[nodiscard]] global_ref<T> operator[](std::ptrdiff_t distance) const
      noexcept(!base::has_checks) {
    return *(*this + distance);
  }
  [[nodiscard]] global_ptr<T> pointer(const site& where = site::current()) const
      noexcept(!base::has_checks) {
    if constexpr (base::has_checks)
      static_cast<void>(view::require_container(elements_, Kind::name));
    elements_->check(index_, "iterator", where);
    return global_ptr<T>::from_bits(run_.bits + (index_ - run_.first) * sizeof(T));
  }
  [[nodiscard]] std::size_t index() const noexcept { return index_; }
  [[nodiscard]] std::size_t number() const noexcept { return index_; }

  [[nodiscard]] array_segments<T, Kind> segments(std::size_t count) const noexcept {
    return {elements_, index_, index_ + count};
  }
  [[nodiscard]] const team& members() const {
    return view::require_container(elements_, Kind::name).members();
  }
  [[nodiscard]] view::covered_elements<1> covered(std::size_t count) const noexcept {
    return {.container = elements_,
            .memory = &memory_of_elements,
            .is_users_memory = elements_ != nullptr && elements_->is_users_memory(),
            .part = {.first = {index_}, .extents = {count}}};
  }
  [[nodiscard]] std::vector<std::size_t> extents_of(std::size_t count) const {
    if constexpr (requires(const typename Kind::pattern& p) { p.extents().size(); }) {
      const auto& pattern = elements_->pattern();
      if (index_ == 0 && count == pattern.size()) {
        const auto extents = pattern.extents();
        return {extents.begin(), extents.end()};
      }
    }
    return {count};
  }
  template <class F>
  void each_own_run(std::size_t count, F&& f) const {
    arrays::each_own_run<T>(*elements_, index_, index_ + count,
                            [&](std::size_t first, std::span<T> run) { f(first - index_, run); });
  }
  template <class F>
  void each_own(std::size_t count, F&& f) const {
    const bool is_all = count == elements_->pattern().size();
    if (is_all && layout::is_dense<typename Kind::pattern>) {
      if (const std::span<T> all = elements_->template local<T>(); !all.empty()) f(all);
    } else {
      each_own_run(count, [&](std::size_t, std::span<T> run) { f(run); });
    }
  }

  void require_room(std::size_t count, const char* call, const site& where) const {
    const std::size_t size = elements_ == nullptr ? 0 : elements_->pattern().size();
    view::require_among(index_, count, size, call, Kind::name, where);
  }
  void require_same(const array_iterator& other, const char* call, const site& where) const {
    if (elements_ != other.elements_) [[unlikely]] {
      view::throw_two_containers(call, Kind::name, where);
    }
  }
  [[nodiscard]] std::uint64_t identity() const noexcept {
    return run_.bits + (index_ - run_.first) * sizeof(T);
  }

  array_iterator& operator+=(std::ptrdiff_t distance) noexcept {
    index_ += static_cast<std::size_t>(distance);
    if (index_ - run_.first >= run_.count) [[unlikely]] {
      run_ = find_run(elements_, index_);
    }
    return *this;
  }

 private:
  template <class U, class K>
  friend class array_iterator;

  struct known_run {
    std::size_t first = 0;
    std::size_t count = 0;
    std::uint64_t bits = 0;
    T* own = nullptr;
  };

  [[nodiscard]] static std::vector<view::memory_of_member> memory_of_elements(
      const void* elements) {
    const auto& all = *static_cast<const array_memory<Kind>*>(elements);
    return view::memory_by_pattern(all.pattern(), all.members().size(),
                                   [&](layout::place at) { return all.template pointer<T>(at); });
  }

  /// Static, so that iterators stay in registers. Not cold: GCC would store a loop's sum in memory.
  [[gnu::noinline]] static known_run find_run(const array_memory<Kind>* elements,
                                              std::size_t index) noexcept {
    if (elements == nullptr) return {.first = index};
    const auto& pattern = elements->pattern();
    if (index >= pattern.size()) return {.first = index};
    const layout::place at = pattern.place_of(index);
    const bool is_own = at.member == elements->members().rank();
    const std::size_t before = layout::run_before(pattern, index);
    const layout::place first{.member = at.member, .offset = at.offset - before};
    return {.first = index - before,
            .count = before + pattern.run_length(index),
            .bits = elements->template pointer<T>(first).bits(),
            .own = is_own ? elements->template own<T>() + first.offset : nullptr};
  }

  const array_memory<Kind>* elements_ = nullptr;
  std::size_t index_ = 0;
  known_run run_;
};

}  // namespace acre::arrays
