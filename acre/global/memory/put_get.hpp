// SPDX-License-Identifier: BSD-3-Clause
// One-sided put, get and copy.
//
//   put(p, x)        returns when x is in the target's memory (remote completion)
//   put_nbi(p, x)    complete after quiet()
//   put_async(p, x)  returns a future   (future_put_get.hpp)
//
// A `span` source must not change until completion; single values are copied at once. Order
// (docs/memory-model.md): barrier() and quiet() order everything; fence() orders a rank's puts and
// atomics to each target.
#pragma once

#include <acre/base/site.hpp>
#include <acre/global/memory/detail/compound_assignment.hpp>
#include <acre/global/memory/detail/other_words.hpp>
#include <acre/global/memory/detail/refused_access.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/global/memory/global_ptr.hpp>
#include <acre/global/wire/detail/roomy.hpp>
#include <acre/global/wire/owned_bytes.hpp>
#include <acre/global/wire/transferable.hpp>
#include <acre/runtime/remote.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

namespace acre {

/// Waits until this rank's puts, gets and atomics without a future are complete in the targets'
/// memories. Also a full memory fence. Cost: l, or a round trip.
inline void quiet() {
  if (runtime::world.conduit != nullptr && runtime::anything_outstanding()) [[unlikely]] {
    runtime::await_quiet();
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

/// As quiet(), for puts and atomics only: get_nbi() stays under way. Also a full memory fence.
/// Cost: l, or a round trip.
inline void quiet_puts() {
  if (runtime::world.conduit != nullptr && runtime::anything_outstanding()) [[unlikely]] {
    runtime::await_puts();
  }
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

/// Earlier puts and atomics arrive at each target before later ones. Cost: l; a round trip while
/// result-less atomics to other nodes are in flight, or puts on an unordered network.
inline void fence() {
  if (runtime::world.conduit != nullptr && runtime::anything_unordered()) [[unlikely]] {
    runtime::await_puts();
  }
  std::atomic_thread_fence(std::memory_order_release);
}

namespace global {

/// @return false if the target is not mapped here
template <class T>
[[nodiscard, gnu::always_inline]] inline bool put_near(global_ptr<T> target, const T& value,
                                                       const char* call, const site& where) {
  check_pointer(target.bits(), sizeof(T), call, where);
  std::byte* const address = runtime::direct_address(target.bits());
  if (address == nullptr) [[unlikely]]
    return false;
  using enum runtime::counted;
  runtime::count_sized<sizeof(T)>(direct_put_1, direct_put, direct_put_bytes);
  store_direct(address, value);
  return true;
}

}  // namespace global

/// Writes a value; returns when the target's memory has it. Cost: W.
template <writable T>
void put(global_ptr<T> target, const std::type_identity_t<T>& value,
         const site& where = site::current()) {
  if (global::put_near(target, value, "put", where)) [[likely]]
    return;
  if constexpr (global::is_word<T>) {
    runtime::put_remote_word(target.bits(), global::to_word(value), sizeof(T));
  } else {
    runtime::put_remote_value(target.bits(), &value, sizeof(T));
  }
}

/// Writes a value, copied at once; complete after quiet(). Waits for large values. Cost: W.
template <writable T>
void put_nbi(global_ptr<T> target, const std::type_identity_t<T>& value,
             const site& where = site::current()) {
  if (global::put_near(target, value, "put_nbi", where)) [[likely]]
    return;
  if constexpr (global::is_word<T>) {
    runtime::put_remote_word_nbi(target.bits(), value);
  } else if (sizeof(T) <= runtime::world.conduit->offers().max_inject) {
    runtime::put_remote_nbi(target.bits(), &value, sizeof(T));
  } else {
    runtime::put_remote_value(target.bits(), &value, sizeof(T));
  }
}

/// Reads a value. Cost: R.
template <transferable T>
[[nodiscard]] std::remove_cv_t<T> get(global_ptr<T> source, const site& where = site::current()) {
  using value = std::remove_cv_t<T>;
  global::check_pointer(source.bits(), sizeof(T), "get", where);
  if (const std::byte* address = runtime::direct_address(source.bits())) [[likely]] {
    using enum runtime::counted;
    runtime::count_sized<sizeof(T)>(direct_get_1, direct_get, direct_get_bytes);
    return global::load_direct<value>(address);
  }
  if constexpr (global::is_large<value>) {
    const global::owned_bytes copy(sizeof(value));
    runtime::get_remote_value(source.bits(), copy.data(), sizeof(value));
    return *std::launder(reinterpret_cast<value*>(copy.data()));
  } else {
    alignas(value) std::byte copy[sizeof(value)];
    runtime::get_remote_value(source.bits(), copy, sizeof(value));
    return *std::launder(reinterpret_cast<value*>(copy));
  }
}

namespace global {

inline void copy_direct(std::byte* to, const void* from, std::size_t bytes,
                        runtime::counted operations, runtime::counted volume) noexcept {
  runtime::count(operations);
  runtime::count(volume, bytes);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  std::memmove(to, from, bytes);
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

/// Writes directly, or by far(target, values, bytes).
template <class T, class Far>
[[gnu::always_inline]] inline void put_values(global_ptr<T> target, std::span<const T> values,
                                              const char* call, const site& where, Far far) {
  if (values.empty()) return;
  check_pointer(target.bits(), values.size_bytes(), call, where);
  if (std::byte* address = runtime::direct_address(target.bits())) [[likely]] {
    using enum runtime::counted;
    copy_direct(address, values.data(), values.size_bytes(), direct_put, direct_put_bytes);
    return;
  }
  far(target.bits(), values.data(), values.size_bytes());
}

/// Reads directly, or by far(source, values, bytes).
template <class T, class Far>
[[gnu::always_inline]] inline void get_values(global_ptr<T> source,
                                              std::span<std::remove_cv_t<T>> values,
                                              const char* call, const site& where, Far far) {
  if (values.empty()) return;
  check_pointer(source.bits(), values.size_bytes(), call, where);
  if (const std::byte* address = runtime::direct_address(source.bits())) [[likely]] {
    using enum runtime::counted;
    copy_direct(reinterpret_cast<std::byte*>(values.data()), address, values.size_bytes(),
                direct_get, direct_get_bytes);
    return;
  }
  far(source.bits(), values.data(), values.size_bytes());
}

}  // namespace global

/// Writes consecutive values. Cost: W.
/// @throws acre::error if the network is lost; the provider may then still read `values`
template <writable T>
void put(global_ptr<T> target, std::span<const std::type_identity_t<T>> values,
         const site& where = site::current()) {
  global::put_values(target, values, "put", where, [](auto... to) { runtime::put_remote(to...); });
}

/// As put(); `values` must not change until quiet(). Cost: W.
template <writable T>
void put_nbi(global_ptr<T> target, std::span<const std::type_identity_t<T>> values,
             const site& where = site::current()) {
  global::put_values(target, values, "put_nbi", where,
                     [](auto... to) { runtime::put_remote_nbi(to...); });
}

/// Reads consecutive values. Cost: R.
/// @throws acre::error if the network is lost; the provider may then still write to `values`
template <transferable T>
void get(global_ptr<T> source, std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
         const site& where = site::current()) {
  global::get_values(source, values, "get", where,
                     [](auto... from) { runtime::get_remote(from...); });
}

/// As get(); `values` are valid after quiet(). Cost: R.
template <transferable T>
void get_nbi(global_ptr<T> source, std::span<std::remove_cv_t<std::type_identity_t<T>>> values,
             const site& where = site::current()) {
  global::get_values(source, values, "get_nbi", where,
                     [](auto... from) { runtime::get_remote_nbi(from...); });
}

namespace global {
void copy_between_ranks(std::uint64_t from, std::uint64_t to, std::size_t bytes);
}  // namespace global

/// Copies `count` elements between any two ranks; ranges may overlap. Cost: R, W, or both through a
/// bounded buffer.
template <class From, writable To>
  requires std::same_as<std::remove_cv_t<From>, To>
void copy(global_ptr<From> from, global_ptr<To> to, std::size_t count,
          const site& where = site::current()) {
  if (count == 0) return;
  global::check_pointer(from.bits(), count * sizeof(To), "copy", where);
  global::check_pointer(to.bits(), count * sizeof(To), "copy", where);
  if (const From* source = from.local()) {
    put(to, std::span(source, count), where);
  } else if (To* target = to.local()) {
    get(from, std::span(target, count), where);
  } else {
    global::copy_between_ranks(from.bits(), to.bits(), count * sizeof(To));
  }
}

// Compile errors (detail/refused_access.hpp).

ACRE_REFUSE_ACCESS(put, writable, a_global_ptr_to_write, written_values);
ACRE_REFUSE_ACCESS(put_nbi, writable, a_global_ptr_to_write, written_values);
ACRE_REFUSE_ACCESS(get, transferable, a_global_ptr_to_read, read_values);
ACRE_REFUSE_ACCESS(get_nbi, transferable, a_global_ptr_to_read, read_values);
template <class From, class... Rest>
void copy(global_ptr<From>, global::copy_target<From>, std::size_t, const Rest&...);
template <class To, class... Rest>
void copy(global::a_global_ptr_to_copy_from, global_ptr<To>, std::size_t, const Rest&...);

namespace global {
template <class T>
inline constexpr bool is_global_ref = false;
template <class T>
inline constexpr bool is_global_ref<global_ref<T>> = true;

inline constexpr site unknown_place{};
}  // namespace global

/// Reference to an element: reads by conversion, writes by assignment. Operators as += and ++ read
/// and write (R + W; l if local), so concurrent updates may be lost; those of atomic_ref
/// (atomic_ref.hpp) are atomic.
///
///       *p = 3;  int x = p[7];  p[1] = int(p[0]);  p[2] += 5;
template <class T>
class global_ref : private global::compound_assignment<global_ref<T>, std::remove_cv_t<T>> {
 public:
  using value_type = std::remove_cv_t<T>;
  using refers_to_a_value = void;

  explicit constexpr global_ref(global_ptr<T> target) noexcept : target_(target) {}
  /// @param own  the target's local address, for loads and stores that are not counted; or null
  constexpr global_ref(global_ptr<T> target, T* own) noexcept : target_(target), own_(own) {}

  [[nodiscard]] operator value_type() const { return read(); }

  const global_ref& operator=(const value_type& value) const
    requires(!std::is_const_v<T>)
  {
    if (own_ != nullptr) [[likely]] {
      global::store_direct(reinterpret_cast<std::byte*>(own_), value);
    } else {
      put(target_, value, global::unknown_place);
    }
    return *this;
  }
  template <class X>
    requires(!std::convertible_to<X, value_type> && !std::convertible_to<X, const global_ref&>)
  void operator=(X&&) const = delete;  // *p = x and a[i] = x take an x that is converted to T
  /// Assigns the value that `other` refers to: a[0] = a[1].
  // Self-assignment rewrites the value. NOLINTNEXTLINE(bugprone-unhandled-self-assignment)
  const global_ref& operator=(const global_ref& other) const
    requires(!std::is_const_v<T>)
  {
    return *this = other.read();
  }
  /// Rejected: std::ranges::max and min would write to elements.
  template <std::same_as<global_ref> Other>
  void operator=(Other&&) & {
    static_assert(!std::same_as<Other, global_ref>,
                  "r = a[i] for a named reference r is ambiguous: write r = T(a[i]), and "
                  "*std::ranges::max_element(a) instead of std::ranges::max(a)");
  }
  global_ref(const global_ref&) = default;
  ~global_ref() = default;

  [[nodiscard]] constexpr global_ptr<T> operator&() const noexcept { return target_; }

  /// Takes its arguments by value, because algorithms swap temporaries: *i and *j.
  friend void swap(global_ref a, global_ref b)
    requires(!std::is_const_v<T>)
  {
    const std::remove_cv_t<T> kept = a;
    a = b;
    b = kept;
  }

  friend bool operator==(const global_ref& a, const global_ref& b)
    requires std::equality_comparable<T>
  {
    return a.read() == b.read();
  }
  friend auto operator<=>(const global_ref& a, const global_ref& b)
    requires std::three_way_comparable<T>
  {
    return a.read() <=> b.read();
  }
  template <class U>
    requires(!global::is_global_ref<U> && requires(const T& a, const U& b) { a == b; })
  friend bool operator==(const global_ref& reference, const U& value) {
    return reference.read() == value;
  }
  template <class U>
    requires(!global::is_global_ref<U> && requires(const T& a, const U& b) { a <=> b; })
  friend auto operator<=>(const global_ref& reference, const U& value) {
    return reference.read() <=> value;
  }

 private:
  [[nodiscard]] value_type read() const {
    if (own_ != nullptr) [[likely]] {
      return global::load_direct<value_type>(reinterpret_cast<const std::byte*>(own_));
    }
    if constexpr (is_unchecked_word) {
      if (!__builtin_constant_p(own_)) {
        typename global::word_of_size<sizeof(T)>::type word;
        if (!global::read_other(target_.bits(), sizeof(T), &word)) global::rethrow_failure();
        return std::bit_cast<value_type>(word);
      }
    }
    return get(target_, global::unknown_place);
  }

  static constexpr bool is_unchecked_word = global::is_word<value_type> && !base::has_checks;

  global_ptr<T> target_;
  T* own_ = nullptr;
};

}  // namespace acre
