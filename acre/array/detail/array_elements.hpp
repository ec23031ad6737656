// SPDX-License-Identifier: BSD-3-Clause
// Common interface of arrays; a Kind supplies pattern and memory (array_memory.hpp).
#pragma once

#include <acre/array/detail/array_iterator.hpp>
#include <acre/array/detail/array_memory.hpp>
#include <acre/base/bits.hpp>
#include <acre/base/checks.hpp>
#include <acre/base/construct.hpp>
#include <acre/base/lifetime.hpp>
#include <acre/base/site.hpp>
#include <acre/base/unique_object.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/transfer/index_list.hpp>
#include <acre/global/transfer/scattered_elements.hpp>
#include <acre/global/wire/owned_bytes.hpp>
#include <acre/runtime/huge_pages.hpp>
#include <acre/runtime/lost_failure.hpp>
#include <acre/runtime/mapped_segments.hpp>
#include <acre/runtime/memory.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace acre::arrays {

template <class F, class T, class... Indices>
concept element_function =
    !std::same_as<std::remove_cvref_t<F>, T> && std::invocable<F&, Indices...> &&
    std::convertible_to<std::invoke_result_t<F&, Indices...>, T>;

struct a_size_after_the_team {
  template <class Size>
    requires(!std::convertible_to<Size, std::size_t> && !std::same_as<Size, site>)
  a_size_after_the_team(const Size&) = delete;  // array(team, size), then acre::copy(from, array)
};
template <class T, class... Indices>
struct an_element_or_a_function_of_its_index {
  template <class X>
    requires(!global::gives_in_braces<X, T> && !element_function<X, T, Indices...> &&
             !std::same_as<std::remove_cvref_t<X>, site>)
  an_element_or_a_function_of_its_index(X&&) = delete;  // [](std::size_t i) { return T(...); }
};

/// Not a concept: shorter compiler messages.
template <class T>
inline constexpr bool is_array_element = transferable<T> && !std::is_const_v<T>;

template <class T, class Kind>
class array_elements {
 public:
  using value_type = T;
  using pattern_type = typename Kind::pattern;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = global_ref<T>;
  using const_reference = global_ref<const T>;
  using iterator = array_iterator<T, Kind>;
  using const_iterator = array_iterator<const T, Kind>;

  /// Cost: R or W; l if local. Checked in builds with ACRE_CHECKS, as pointer() and owner().
  [[nodiscard]] global_ref<T> operator[](std::size_t index) noexcept(!base::has_checks) {
    check_in_builds_with_checks(index, "operator[]", {});
    return memory_->template reference<T>(index);
  }
  [[nodiscard]] global_ref<const T> operator[](std::size_t index) const
      noexcept(!base::has_checks) {
    check_in_builds_with_checks(index, "operator[]", {});
    return memory_->template reference<const T>(index);
  }

  /// @throws acre::error for an invalid index
  [[nodiscard]] global_ref<T> at(std::size_t index, const site& where = site::current()) {
    check(index, where);
    return (*this)[index];
  }
  [[nodiscard]] global_ref<const T> at(std::size_t index,
                                       const site& where = site::current()) const {
    check(index, where);
    return (*this)[index];
  }

  /// Address for put, get, copy and atomics.
  [[nodiscard]] global_ptr<T> pointer(
      std::size_t index, const site& where = site::current()) noexcept(!base::has_checks) {
    return element(index, "pointer", where);
  }
  [[nodiscard]] global_ptr<const T> pointer(std::size_t index,
                                            const site& where = site::current()) const
      noexcept(!base::has_checks) {
    return element(index, "pointer", where);
  }
  [[nodiscard]] member owner(std::size_t index, const site& where = site::current()) const
      noexcept(!base::has_checks) {
    if constexpr (base::has_checks) static_cast<void>(held());
    memory_->check(index, "owner", where);
    return memory_->members()[memory_->pattern().place_of(index).member];
  }

  /// Reads elements indices[i] into values[i]. Cost: within the node l each; else 2 M per about
  /// 1000 elements of an owner, or R each if large. `values` may overlap the elements.
  /// @throws acre::error before any transfer for a wrong size or index
  template <index_list Indices>
  void gather(const Indices& indices, std::span<T> values,
              const site& where = site::current()) const {
    move_indexed<global::scattered_elements::direction::get>(
        indices, values, "gather", where,
        [](const std::byte* element, T& value) { value = global::load_direct<T>(element); },
        [](global_ptr<T> element, T& value) { get_nbi(element, std::span(&value, 1)); });
  }
  template <index_list Indices>
    requires std::default_initializable<T>
  [[nodiscard]] std::vector<T> gather(const Indices& indices,
                                      const site& where = site::current()) const {
    std::vector<T> values(static_cast<std::size_t>(std::size(indices)));
    gather(indices, std::span<T>(values), where);
    return values;
  }

  /// Inverse of gather(), complete in the owners' memory on return. For equal indices any value may
  /// remain.
  template <index_list Indices>
  void scatter(const Indices& indices, std::span<const T> values,
               const site& where = site::current()) {
    move_indexed<global::scattered_elements::direction::put>(
        indices, values, "scatter", where,
        [](std::byte* element, const T& value) { global::store_direct(element, value); },
        [](global_ptr<T> element, const T& value) { put_nbi(element, std::span(&value, 1)); });
  }

  /// Works with std and std::ranges algorithms, element by element; prefer local(). GCC 12's
  /// std::ranges::rotate, max and min fail: use std::rotate, max_element and min_element.
  [[nodiscard]] iterator begin() noexcept { return {memory_.get(), 0}; }
  [[nodiscard]] iterator end() noexcept { return {memory_.get(), size()}; }
  [[nodiscard]] const_iterator begin() const noexcept { return {memory_.get(), 0}; }
  [[nodiscard]] const_iterator end() const noexcept { return {memory_.get(), size()}; }

  /// Number of elements, over all members.
  [[nodiscard]] std::size_t size() const noexcept {
    return memory_ == nullptr ? 0 : memory_->pattern().size();
  }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] const team& members() const { return held().members(); }
  [[nodiscard]] std::uint64_t identity() const { return held().identity(); }
  /// For bulk transfers (layout/segments.hpp).
  [[nodiscard]] const pattern_type& pattern() const { return held().pattern(); }

  /// Expires with the elements, not when the array moves.
  [[nodiscard]] base::lifetime::watch life() const { return held().life(); }

  [[nodiscard]] std::span<T> local() noexcept { return own(); }
  [[nodiscard]] std::span<const T> local() const noexcept { return own(); }

  /// Index of local()[0]; size() if local() is empty.
  [[nodiscard]] std::size_t local_offset() const noexcept {
    if (own().empty()) return size();
    return memory_->pattern().index_of({.member = memory_->members().rank(), .offset = 0});
  }

  /// Collective. Cost: B.
  void fill(const T& value, const site& where = site::current()) {
    const team& all = members();
    global::require_same_object(all, "fill", memory_->identity(), where);
    if constexpr (layout::is_dense<pattern_type>) {
      const std::span<T> mine = own();
      base::construct_all(mine, value);
    } else {
      each_own_run<T>(*memory_, 0, size(),
                      [&](std::size_t, std::span<T> run) { base::construct_all(run, value); });
    }
    all.barrier(where);
  }

 protected:
  array_elements() = default;
  /// Succeeds on all members or fails on all.
  template <class... Host>
  array_elements(const team& members, const pattern_type& pattern, const T& initial,
                 const site& where, Host... host) {
    const runtime::failures_held until_it_is_there;
    memory_ = allocated(members, pattern, where, host...);
    make_elements(*memory_, initial, where);
  }
  /// fill(memory) writes local elements; gaps are zeroed.
  template <class Fill>
    requires std::invocable<Fill&, const array_memory<Kind>&>
  array_elements(const team& members, const pattern_type& pattern, Fill&& fill, const site& where) {
    const runtime::failures_held until_it_is_there;
    memory_ = allocated(members, pattern, where);
    const auto make = [&] {
      if constexpr (!layout::is_dense<pattern_type>) {
        if (!own().empty()) std::memset(static_cast<void*>(own().data()), 0, own().size_bytes());
      }
      fill(*memory_);
    };
    try {
      global::succeed_together(members, Kind::name, where, make,
                               "the function that makes its elements");
    } catch (...) {
      memory_.reset();
      throw;
    }
  }
  array_elements(const team& members, std::span<T> brought, const brought_blocks& all,
                 const pattern_type& pattern, const char* call, const site& where) {
    std::vector<std::size_t> wanted;
    for (rank_t member = 0; member < members.size(); ++member) {
      const std::size_t count = pattern.local_size(member);
      wanted.push_back(layout::is_dense<pattern_type> || count == 0 ? count
                                                                    : pattern.local_capacity());
    }
    check_counts(all.counts, wanted, call, where);
    memory_ = base::make_unique_object<array_memory<Kind>>(
        members, pattern,
        typename Kind::memory(members, all.offsets, reinterpret_cast<std::byte*>(brought.data()),
                              Kind::memory::owner::user),
        where);
  }
  explicit array_elements(base::unique_object<array_memory<Kind>> made) noexcept
      : memory_(std::move(made)) {}

  static void make_elements(array_memory<Kind>& memory, const T& initial, const site& where) {
    const std::span<T> mine = memory.template local<T>();
    base::construct_all(mine, initial);
    memory.members().barrier(where);
  }

  [[nodiscard]] static std::uint64_t shape_of(const pattern_type& pattern) noexcept {
    const std::uint64_t kind = global::number_of(typeid(pattern_type));
    if constexpr (requires { pattern.fingerprint(); }) return kind + pattern.fingerprint();
    return kind;
  }
  [[nodiscard]] const array_memory<Kind>* memory_or_null() const noexcept { return memory_.get(); }
  [[nodiscard]] bool is_made() const noexcept { return memory_ != nullptr; }
  [[nodiscard]] const array_memory<Kind>& memory() const noexcept { return *memory_; }
  [[nodiscard]] array_memory<Kind>& memory_to_change() noexcept { return *memory_; }

 private:
  template <class... Host>
  [[nodiscard]] static base::unique_object<array_memory<Kind>> allocated(
      const team& members, const pattern_type& pattern, const site& where, Host... host) {
    auto made = base::make_unique_object<array_memory<Kind>>(
        members, pattern,
        typename Kind::memory(members, host...,
                              base::bytes_for(pattern.local_capacity(), sizeof(T)), alignof(T),
                              Kind::name,
                              {.number = pattern.size(),
                               .unit = "elements",
                               .shape = shape_of(pattern),
                               .type = &typeid(T)},
                              where),
        where);
    const std::span<T> mine = made->template local<T>();
    runtime::use_huge_pages(mine.data(), mine.size_bytes());
    return made;
  }
  [[nodiscard]] std::span<T> own() const noexcept {
    return memory_ == nullptr ? std::span<T>() : memory_->template local<T>();
  }
  [[nodiscard]] const array_memory<Kind>& held() const {
    return global::require_object(memory_.get(), Kind::name, "array", Kind::maker);
  }
  [[nodiscard]] global_ptr<T> element(std::size_t index, const char* call, const site& where) const
      noexcept(!base::has_checks) {
    check_in_builds_with_checks(index, call, where);
    return memory_->template pointer<T>(index);
  }
  void check_in_builds_with_checks(std::size_t index, const char* call, const site& where) const
      noexcept(!base::has_checks) {
    if constexpr (base::has_checks) static_cast<void>(held());
    memory_->check(index, call, where);
  }
  template <global::scattered_elements::direction Way, class Indices, class Value, class Move,
            class MoveNbi>
  void move_indexed(const Indices& indices, std::span<Value> values, const char* call,
                    const site& where, Move&& move, MoveNbi&& move_nbi) const {
    global::check_equal_lists(indices, values.size(), call, where);
    if (values.empty()) return;
    for (const auto index : indices) {
      if (static_cast<std::size_t>(index) >= size()) [[unlikely]] {
        static_cast<void>(held());
        throw_out_of_range(Kind::name, call, static_cast<std::size_t>(index), size(), where);
      }
    }
    if (runtime::may_be_in_a_segment(values.data())) {
      const global::owned_bytes beside(values.size_bytes());
      std::memcpy(beside.data(), values.data(), values.size_bytes());
      const std::span<Value> copied(reinterpret_cast<std::remove_const_t<Value>*>(beside.data()),
                                    values.size());
      move_checked<Way>(indices, copied, call, where, move, move_nbi);
      if constexpr (Way == global::scattered_elements::direction::get) {
        std::memcpy(values.data(), beside.data(), values.size_bytes());
      }
      return;
    }
    move_checked<Way>(indices, values, call, where, move, move_nbi);
  }
  template <global::scattered_elements::direction Way, class Indices, class Value, class Move,
            class MoveNbi>
  void move_checked(const Indices& indices, std::span<Value> values, const char* call,
                    const site& where, const Move& move, const MoveNbi& move_nbi) const {
    const bool together = global::scattered_elements::is_for(sizeof(T));
    global::scattered_elements elsewhere(Way, together ? sizeof(T) : 1);
    std::size_t done = 0;
    std::size_t direct = 0;
    for (const auto index : indices) {
      const global_ptr<T> from = memory_->template pointer<T>(static_cast<std::size_t>(index));
      Value& value = values[done++];
      if (std::byte* const address = runtime::direct_address(from.bits())) {
        move(address, value);
        ++direct;
      } else if (together) {
        elsewhere.add(from.bits(), reinterpret_cast<std::byte*>(
                                       const_cast<std::remove_const_t<Value>*>(&value)));
      } else {
        move_nbi(from, value);
      }
    }
    using enum runtime::counted;
    constexpr bool reads = Way == global::scattered_elements::direction::get;
    runtime::count(reads ? direct_get : direct_put, direct);
    runtime::count(reads ? direct_get_bytes : direct_put_bytes, direct * sizeof(T));
    if (together) {
      elsewhere.finish(call, where);
    } else {
      quiet();
    }
  }
  void check(std::size_t index, const site& where) const {
    if (index >= size()) [[unlikely]] {
      throw_out_of_range(Kind::name, "at", index, size(), where);
    }
  }

  base::unique_object<array_memory<Kind>> memory_;
};

}  // namespace acre::arrays
