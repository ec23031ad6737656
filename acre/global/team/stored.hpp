// SPDX-License-Identifier: BSD-3-Clause
// Representation of values of any type in shared memory.
//
//   direct    trivially copyable: unchanged
//   fixed     serialised to a fixed size
//   separate  serialised to any size: reference to a block in the storing rank's private heap
//
// Ranks of the owner's node store without a message. A block is freed when its value is overwritten
// or erased. Concurrent readers must validate after reading the form and again after copying;
// copying from a freed block is harmless.
#pragma once

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/memory/direct_access.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/team.hpp>
#include <acre/global/wire/owned_bytes.hpp>
#include <acre/global/wire/serialization.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/world.hpp>

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace acre {

namespace global {

template <class T>
consteval bool holds_no_view();
template <class T>
inline constexpr bool arguments_hold_no_view = true;
template <template <class...> class Template, class... Arguments>
inline constexpr bool arguments_hold_no_view<Template<Arguments...>> =
    (holds_no_view<Arguments>() && ...);

/// True if T, including elements of standard containers and tuples, contains no view.
template <class T>
consteval bool holds_no_view() {
  if constexpr (travels_as_bytes<T>) {
    return true;
  } else if constexpr (refers_to_memory<T>) {
    return false;
  } else if constexpr (range_like<T> || optional_like<T> || array_like<T>) {
    if constexpr (std::is_same_v<typename T::value_type, T>) return true;
    return holds_no_view<std::remove_cv_t<typename T::value_type>>();
  } else if constexpr (tuple_like<T> || variant_alternatives<T>::known) {
    return arguments_hold_no_view<T>;
  } else {
    return true;
  }
}

template <class T>
inline constexpr bool has_stored_form =
    transferable<T> || (collectable<T> && std::move_constructible<T>);
template <class T>
inline constexpr bool is_without_view = holds_no_view<std::remove_cv_t<T>>();

}  // namespace global

// Compilers print these names.

/// Store std::string, not string_view; vector, not span.
template <class T>
concept holds_no_pointers_and_views = global::is_without_view<T>;
template <class T>
concept is_trivially_copyable_or_has_acre_fields = global::has_stored_form<T>;

/// Types that a container can hold: trivially copyable or serialisable, without views.
template <class T>
concept storable = gives_no_handle<T> && holds_no_pointers_and_views<T> &&
                   is_trivially_copyable_or_has_acre_fields<T>;

enum class storage : std::uint8_t { direct, fixed, separate };

template <storable T>
inline constexpr storage storage_of =
    transferable<T>                             ? storage::direct
    : fixed_serialized_size<T> != variable_size ? storage::fixed
                                                : storage::separate;

template <storable T, storage How = storage_of<T>>
struct stored_form;

/// Form in which shared memory holds a T; trivially copyable.
template <class T>
using stored_t = typename stored_form<T>::type;

/// True if each value of T has a block of its own.
template <class T>
inline constexpr bool is_separate = storage_of<T> == storage::separate;

template <class T>
struct stored_form<T, storage::direct> {
  using type = T;
  using image = T;

  static const T& store(const T& value) noexcept { return value; }
  static const T& copy(const T& stored) noexcept { return stored; }
  static const T& copy(T&&) = delete;
  static const T& load(const T& copied) noexcept { return copied; }
  static void release(const T&) noexcept {}
};

template <class T>
struct stored_form<T, storage::fixed> {
  struct type {
    alignas(payload_alignment) std::array<std::byte, fixed_serialized_size<T>> bytes;
  };
  using image = type;

  static type store(const T& value) {
    type stored;
    write_to(stored.bytes, value);
    return stored;
  }
  static const type& copy(const type& stored) noexcept { return stored; }
  static const type& copy(type&&) = delete;
  static T load(const type& copied) { return deserialize<T>(copied.bytes); }
  static void release(const type&) noexcept {}
};

/// This rank's copy of the bytes of a separate value.
class copied_bytes {
 public:
  explicit copied_bytes(std::span<const std::byte> source)
      : size_(source.size()), large_(size_ > small ? size_ : 0) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    std::memcpy(data(), source.data(), size_);
  }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return {size_ > small ? large_.data() : near_.data(), size_};
  }

 private:
  static constexpr std::size_t small = 240;
  [[nodiscard]] std::byte* data() noexcept { return size_ > small ? large_.data() : near_.data(); }

  std::size_t size_;
  global::owned_bytes large_;
  alignas(payload_alignment) std::array<std::byte, small> near_;
};

template <class T>
struct stored_form<T, storage::separate> {
  /// Global pointer bits and size.
  struct type {
    using needs_tag = void;  ///< comparison reads another block (bucket.hpp)
    std::uint64_t where;
    std::uint64_t bytes;
  };
  using image = copied_bytes;

  /// @throws acre::error if the private heap is full
  static type store(const T& value) {
    const std::size_t bytes = serialized_size(value);
    std::byte* const block = allocate(bytes);
    try {
      write_to(std::span(block, bytes), value);
    } catch (...) {
      runtime::free_private(block);
      throw;
    }
    return in_block(block, bytes);
  }
  static std::byte* allocate(std::size_t bytes) {
    // a freed block holds a link of the free list
    return static_cast<std::byte*>(
        runtime::allocate_private(larger(bytes, sizeof(std::uint64_t)), payload_alignment));
  }
  static type in_block(const std::byte* block, std::size_t bytes) noexcept {
    return {.where = runtime::global_bits(block), .bytes = bytes};
  }
  static copied_bytes copy(const type& stored) {
    return copied_bytes({runtime::direct_address(stored.where), stored.bytes});
  }
  static T load(const copied_bytes& copied) { return deserialize<T>(copied.bytes()); }
  static void release(const type& stored) noexcept { runtime::free_private_of(stored.where); }
};

/// Owns a stored value until it reaches shared memory.
template <class T>
class stored_value {
 public:
  using form = stored_form<T>;

  explicit stored_value(const T& value) : stored_(form::store(value)) {}
  ~stored_value() {
    if constexpr (is_separate<T>) {
      if (owned_) form::release(stored_);
    }
  }
  stored_value(const stored_value&) = delete;
  stored_value& operator=(const stored_value&) = delete;

  /// Ends the ownership: the value is in shared memory.
  [[nodiscard]] const stored_t<T>& give_away() noexcept {
    owned_ = false;
    return stored_;
  }

 private:
  using kept = std::conditional_t<storage_of<T> == storage::direct, const T&, const stored_t<T>>;
  kept stored_;
  bool owned_ = true;
};

}  // namespace acre
