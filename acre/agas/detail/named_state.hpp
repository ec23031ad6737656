// SPDX-License-Identifier: BSD-3-Clause
// An object's state for a file: bytes and positions of names, which are invalid in other jobs.
#pragma once

#include <acre/agas/gid.hpp>
#include <acre/global/wire/serialization.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace acre {

template <class T>
class object_id;
template <class T, std::size_t N>
class collection_id;

namespace agas {

class collection_state;

template <class T>
inline constexpr bool is_object_name = false;
template <>
inline constexpr bool is_object_name<gid> = true;
template <class T>
inline constexpr bool is_object_name<object_id<T>> = true;
template <class T>
inline constexpr bool is_collection_name = false;
template <class T, std::size_t N>
inline constexpr bool is_collection_name<collection_id<T, N>> = true;

struct name_in_state {
  std::size_t offset;
  gid name;
  bool is_collection;
};

class named_state : public global::save_depth {
 public:
  static constexpr bool looks_at_values = true;

  explicit named_state(std::span<const collection_state* const> scope) noexcept : scope_(scope) {}

  void put(const void* source, std::size_t bytes) {
    const auto* const from = static_cast<const std::byte*>(source);
    bytes_.insert(bytes_.end(), from, from + bytes);
  }
  void pad(std::size_t alignment) {
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
  }
  [[nodiscard]] std::size_t offset() const noexcept { return bytes_.size(); }
  void patch(std::size_t offset, std::uint64_t value) noexcept {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
  }

  template <class T>
  void look_at(const T* first, std::size_t count) {
    look_at(first, count, bytes_.size());
  }

  [[nodiscard]] std::vector<std::byte>& bytes() noexcept { return bytes_; }
  [[nodiscard]] const std::vector<name_in_state>& names() const noexcept { return names_; }

 private:
  template <class T>
  void look_at(const T* first, std::size_t count, std::size_t offset) {
    static_cast<void>(first);
    static_cast<void>(offset);
    if constexpr (is_object_name<T> || is_collection_name<T>) {
      static_assert(sizeof(T) == sizeof(gid));
      for (std::size_t i = 0; i < count; ++i) {
        note(first + i, offset + i * sizeof(T), is_collection_name<T>);
      }
    } else if constexpr (global::array_like<T>) {
      for (std::size_t i = 0; i < count; ++i) {
        look_at(first[i].data(), first[i].size(), offset + i * sizeof(T));
      }
    } else if constexpr (global::optional_like<T>) {
      for (std::size_t i = 0; i < count; ++i) {
        if (!first[i].has_value()) continue;
        const auto* const value = &*first[i];
        const auto inside =
            reinterpret_cast<const std::byte*>(value) - reinterpret_cast<const std::byte*>(first);
        look_at(value, 1, offset + static_cast<std::size_t>(inside));
      }
    } else if constexpr ((std::is_class_v<T> || std::is_union_v<T>) && sizeof(T) >= sizeof(gid) &&
                         alignof(T) >= alignof(gid)) {
      for (std::size_t i = 0; i < count; ++i) search(first + i, sizeof(T), typeid(T));
    }
  }
  void note(const void* name, std::size_t offset, bool is_collection);
  /// Searches an object that is sent as bytes.
  /// @throws acre::error if it contains a member's name
  void search(const void* object, std::size_t bytes, const std::type_info& type) const;

  std::span<const collection_state* const> scope_;
  std::vector<std::byte> bytes_;
  std::vector<name_in_state> names_;
};

}  // namespace agas
}  // namespace acre
