// SPDX-License-Identifier: BSD-3-Clause
// How a value of any type lies in the memory that ranks share.
//
//   direct    trivially copyable: as it is
//   fixed     serialised, and every value takes as many bytes: those bytes
//   separate  serialised, of any size: the bytes are a block of the private heap
//             of the rank that stored it, and in their place is where they are
//
// So a separate value is written by the rank at hand, wherever on its node it is
// kept: no message, and nobody waits for the owner. Its block goes back to the heap
// it is from when the value is overwritten or erased. A block is read by ranks of
// its node only: to another node the serialised value is sent, and stored there.
//
//     const stored_t<T> form = stored_form<T>::store(value);   // what lies in shared memory
//     const auto image = stored_form<T>::copy(form);           // the bytes that it means
//     const T again = stored_form<T>::load(image);
//     stored_form<T>::release(form);                           // it is overwritten or erased
//
// Whoever reads while others write makes sure after taking the form, and again after
// copying, that nothing has changed; a block that was freed meanwhile is still memory
// of the segment, so to copy from it does no harm.
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

/// Whether neither T nor what the standard containers and tuples in it hold is a view: of what
/// is stored nothing may lie in somebody's memory.
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

// Their names are what compilers print.

/// A string for a string_view, a vector for a span.
template <class T>
concept holds_no_pointers_and_views = global::is_without_view<T>;
template <class T>
concept is_trivially_copyable_or_has_acre_fields = global::has_stored_form<T>;

/// What a container may hold: trivially copyable values, and those that can be
/// sent (serialization.hpp). No views.
template <class T>
concept storable = gives_no_handle<T> && holds_no_pointers_and_views<T> &&
                   is_trivially_copyable_or_has_acre_fields<T>;

/// How values of a type lie in shared memory: see above.
enum class storage : std::uint8_t { direct, fixed, separate };

template <storable T>
inline constexpr storage storage_of =
    transferable<T>                             ? storage::direct
    : fixed_serialized_size<T> != variable_size ? storage::fixed
                                                : storage::separate;

/// How a T is stored, and read again: store, copy, load and release.
template <storable T, storage How = storage_of<T>>
struct stored_form;

/// What lies in shared memory for a T: trivially copyable.
template <class T>
using stored_t = typename stored_form<T>::type;

/// Whether a stored T has a block of its own.
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

/// The bytes of a separate value, in memory of this process.
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
  /// Where the bytes are, as a global pointer's bits, and how many.
  struct type {
    using needs_tag = void;  ///< to compare two costs a look elsewhere (bucket.hpp)
    std::uint64_t where;
    std::uint64_t bytes;
  };
  using image = copied_bytes;

  /// @throws acre::error when this rank's private heap has no room
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
  /// A block of this rank, and what lies in shared memory for the bytes in it.
  static std::byte* allocate(std::size_t bytes) {
    // Room for the link of a freed block, too.
    return static_cast<std::byte*>(
        runtime::allocate_private(larger(bytes, sizeof(std::uint64_t)), payload_alignment));
  }
  static type in_block(const std::byte* block, std::size_t bytes) noexcept {
    return {.where = std::uint64_t{rank()} << offset_bits | runtime::segment_offset(block),
            .bytes = bytes};
  }
  static copied_bytes copy(const type& stored) {
    return copied_bytes({runtime::direct_address(stored.where), stored.bytes});
  }
  static T load(const copied_bytes& copied) { return deserialize<T>(copied.bytes()); }
  static void release(const type& stored) noexcept { runtime::free_private_of(stored.where); }
};

/// A stored value on its way into shared memory: released unless it gets there.
template <class T>
class stored_value {
 public:
  using form = stored_form<T>;

  /// @throws as stored_form::store
  explicit stored_value(const T& value) : stored_(form::store(value)) {}
  ~stored_value() {
    if constexpr (is_separate<T>) {
      if (owned_) form::release(stored_);
    }
  }
  stored_value(const stored_value&) = delete;
  stored_value& operator=(const stored_value&) = delete;

  /// For whoever has put it there, and releases it from now on.
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
