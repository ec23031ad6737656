// SPDX-License-Identifier: BSD-3-Clause
// Pointer into the segment of any rank: rank in the upper 20 bits of a word, offset in the lower
// 44.
//
// Its value is valid on all ranks, so it may be stored and sent. Arithmetic must not leave the
// segment. Null is zero.
#pragma once

#include <acre/base/checks.hpp>
#include <acre/base/site.hpp>
#include <acre/base/split_mix.hpp>
#include <acre/runtime/memory.hpp>
#include <acre/runtime/world.hpp>

#include <compare>
#include <concepts>
#include <coroutine>  // std::hash, and little else
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace acre {

namespace global {

[[noreturn]] void reject_pointer(std::uint64_t bits, std::size_t bytes, const char* call,
                                 const site& where);

[[noreturn]] void throw_not_in_segment();

struct pointer_text {
  char characters[48];
};
[[nodiscard]] pointer_text describe_pointer(std::uint64_t bits) noexcept;

/// Compiled out unless ACRE_CHECKS is set.
inline void check_pointer(std::uint64_t bits, std::size_t bytes, const char* call,
                          const site& where) noexcept(!base::has_checks) {
  if constexpr (base::has_checks) {
    const bool possible = bits != 0 && (bits >> offset_bits) < runtime::world.size &&
                          bytes <= runtime::world.segment_bytes &&
                          (bits & offset_mask) <= runtime::world.segment_bytes - bytes;
    if (!possible) [[unlikely]] {
      reject_pointer(bits, bytes, call, where);
    }
  }
}

}  // namespace global

template <class T>
class global_ref;

namespace global {
/// Shown by compilers for refused conversions.
template <class U, class T>
inline constexpr bool converts_or_is_cast_by_static_const_or_reinterpret_pointer_cast =
    !std::same_as<T, U> && std::convertible_to<U*, T*>;
}  // namespace global

template <class T>
class global_ptr {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;

  constexpr global_ptr() noexcept = default;
  constexpr global_ptr(std::nullptr_t) noexcept {}

  /// Points to byte `offset` of the segment of `rank`.
  constexpr global_ptr(rank_t rank, std::uint64_t offset) noexcept
      : bits_(std::uint64_t{rank} << offset_bits | (offset & offset_mask)) {}

  /// Converts implicitly: to const T, to a base class, to void.
  template <class U>
    requires global::converts_or_is_cast_by_static_const_or_reinterpret_pointer_cast<U, T>
  constexpr global_ptr(global_ptr<U> other) noexcept {
    if constexpr (std::is_class_v<T> && std::is_class_v<U> &&
                  !std::same_as<std::remove_cv_t<T>, std::remove_cv_t<U>>) {
      if (!other) return;
      // A base class may begin at another address.
      U* pretended = reinterpret_cast<U*>(other.offset());
      bits_ = global_ptr(other.rank(), reinterpret_cast<std::uint64_t>(static_cast<T*>(pretended)))
                  .bits();
    } else {
      bits_ = other.bits();
    }
  }

  /// Pointer whose bits() are `bits`.
  [[nodiscard]] static constexpr global_ptr from_bits(std::uint64_t bits) noexcept {
    global_ptr made;
    made.bits_ = bits;
    return made;
  }
  [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return bits_; }

  [[nodiscard]] constexpr rank_t rank() const noexcept {
    return static_cast<rank_t>(bits_ >> offset_bits);
  }
  [[nodiscard]] constexpr std::uint64_t offset() const noexcept { return bits_ & offset_mask; }

  [[nodiscard]] constexpr explicit operator bool() const noexcept { return bits_ != 0; }

  /// Plain pointer if directly addressable (this node), else null. Cost: l.
  [[nodiscard]] T* local(const site& where = site::current()) const noexcept(!base::has_checks) {
    if (bits_ != 0) global::check_pointer(bits_, 0, "global_ptr::local", where);
    return bits_ == 0 ? nullptr : reinterpret_cast<T*>(runtime::direct_address(bits_));
  }
  /// True if local() is not null.
  [[nodiscard]] bool is_local(const site& where = site::current()) const
      noexcept(!base::has_checks) {
    return local(where) != nullptr;
  }

  /// Returns a reference that reads by get() and writes by put().
  [[nodiscard]] constexpr global_ref<T> operator*() const noexcept
    requires(!std::is_void_v<T>)
  {
    return global_ref<T>(*this);
  }
  [[nodiscard]] constexpr global_ref<T> operator[](difference_type index) const noexcept
    requires(!std::is_void_v<T>)
  {
    return global_ref<T>(*this + index);
  }

  /// Pointer to a member of the object: p.member(&particle::mass).
  template <class Member, class Class>
    requires std::convertible_to<T*, const volatile Class*>
  [[nodiscard]] auto member(Member Class::* which) const noexcept {
    alignas(T) static constexpr std::byte anywhere[sizeof(T)]{};
    const auto& pretended = reinterpret_cast<const T&>(anywhere);
    const auto distance = reinterpret_cast<const std::byte*>(&(pretended.*which)) - anywhere;
    using pointee = std::remove_reference_t<decltype(std::declval<T&>().*which)>;
    return global_ptr<pointee>::from_bits(bits_ + static_cast<std::uint64_t>(distance));
  }

  constexpr global_ptr& operator+=(difference_type elements) noexcept
    requires(!std::is_void_v<T>)
  {
    bits_ += static_cast<std::uint64_t>(elements) * sizeof(T);
    return *this;
  }
  constexpr global_ptr& operator-=(difference_type elements) noexcept
    requires(!std::is_void_v<T>)
  {
    return *this += -elements;
  }
  constexpr global_ptr& operator++() noexcept { return *this += 1; }
  constexpr global_ptr& operator--() noexcept { return *this -= 1; }
  constexpr global_ptr operator++(int) noexcept {
    const global_ptr before = *this;
    *this += 1;
    return before;
  }
  constexpr global_ptr operator--(int) noexcept {
    const global_ptr before = *this;
    *this -= 1;
    return before;
  }
  [[nodiscard]] friend constexpr global_ptr operator+(global_ptr p, difference_type n) noexcept {
    return p += n;
  }
  [[nodiscard]] friend constexpr global_ptr operator+(difference_type n, global_ptr p) noexcept {
    return p += n;
  }
  [[nodiscard]] friend constexpr global_ptr operator-(global_ptr p, difference_type n) noexcept {
    return p -= n;
  }
  /// Distance in elements; both must point into one segment.
  [[nodiscard]] friend constexpr difference_type operator-(global_ptr a, global_ptr b) noexcept
    requires(!std::is_void_v<T>)
  {
    return static_cast<difference_type>(a.bits_ - b.bits_) /
           static_cast<difference_type>(sizeof(T));
  }

  /// Orders by rank, then by offset.
  friend constexpr auto operator<=>(global_ptr, global_ptr) noexcept = default;
  friend constexpr bool operator==(global_ptr, global_ptr) noexcept = default;

  /// Prints "rank 3 + 0x40" or "null". fmt: fmt::streamed(p); std::format: global_ptr_format.hpp.
  template <class Stream>
    requires requires(Stream& out, typename Stream::char_type fill) { out.fill(fill); }
  friend Stream& operator<<(Stream& out, global_ptr p) {
    out << global::describe_pointer(p.bits_).characters;
    return out;
  }

 private:
  std::uint64_t bits_ = 0;
};

static_assert(sizeof(global_ptr<int>) == 8 && std::is_trivially_copyable_v<global_ptr<int>>);

template <class To, class From>
  requires requires(From* p) { static_cast<To*>(p); }
[[nodiscard]] constexpr global_ptr<To> static_pointer_cast(global_ptr<From> p) noexcept {
  if constexpr (std::convertible_to<From*, To*>) {
    return p;
  } else if constexpr (std::is_void_v<From>) {
    return global_ptr<To>::from_bits(p.bits());
  } else {
    if (!p) return nullptr;
    From* pretended = reinterpret_cast<From*>(p.offset());
    return {p.rank(), reinterpret_cast<std::uint64_t>(static_cast<To*>(pretended))};
  }
}
template <class To, class From>
  requires requires(From* p) { const_cast<To*>(p); }
[[nodiscard]] constexpr global_ptr<To> const_pointer_cast(global_ptr<From> p) noexcept {
  return global_ptr<To>::from_bits(p.bits());
}
template <class To, class From>
[[nodiscard]] constexpr global_ptr<To> reinterpret_pointer_cast(global_ptr<From> p) noexcept {
  return global_ptr<To>::from_bits(p.bits());
}

/// Global pointer to an object in this rank's segment.
/// @throws acre::error if it is outside
template <class T>
[[nodiscard]] global_ptr<T> to_global(T* object) {
  if (object == nullptr) return nullptr;
  if (!runtime::in_segment(object)) {
    global::throw_not_in_segment();
  }
  return {rank(), runtime::segment_offset(object)};
}

}  // namespace acre

template <class T>
struct std::hash<acre::global_ptr<T>> {
  [[nodiscard]] std::size_t operator()(acre::global_ptr<T> p) const noexcept {
    // Fibonacci hashing; tables use the lower half.
    const std::uint64_t product = (p.bits() ^ p.bits() >> 32) * acre::golden_gamma;
    return product ^ product >> 32;
  }
};
