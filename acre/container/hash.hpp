// SPDX-License-Identifier: BSD-3-Clause
// Default hash and equality of containers. High bits of a hash select the owner, lower ones the
// bucket, so all bits must be well mixed; std::hash is often the identity.
#pragma once

#include <acre/base/hash_bytes.hpp>
#include <acre/base/split_mix.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace acre {

/// Hash function: stateless and thread-safe; equal keys have equal hashes on all ranks.
template <class Hash, class K>
concept hash_for = std::is_empty_v<Hash> && std::default_initializable<Hash> &&
                   std::copy_constructible<Hash> && requires(const Hash& hash, const K& key) {
                     { hash(key) } -> std::convertible_to<std::uint64_t>;
                   };

namespace container {

template <class K>
concept std_hashable = requires(const K& key) {
  { std::hash<K>{}(key) } -> std::convertible_to<std::size_t>;
};

template <class K>
consteval bool hashes_silently() {
  if constexpr (!std::integral<K> && !std::is_enum_v<K> && std_hashable<K>) {
    return noexcept(std::hash<K>{}(std::declval<const K&>()));
  } else {
    return true;
  }
}

}  // namespace container

/// Hashes integers, enumerations, types with std::hash, and types whose bytes are their value. A
/// specialisation has `using is_avalanching = void;` if all 64 bits are well mixed.
template <class K>
struct hash {
  using is_avalanching = void;

  [[nodiscard]] constexpr std::uint64_t operator()(const K& key) const
      noexcept(container::hashes_silently<K>())
    requires(std::integral<K> || std::is_enum_v<K> || container::std_hashable<K> ||
             std::has_unique_object_representations_v<K>)
  {
    if constexpr (std::integral<K> || std::is_enum_v<K>) {
      return mix_bits(static_cast<std::uint64_t>(key));
    } else if constexpr (container::std_hashable<K>) {
      return mix_bits(std::hash<K>{}(key));
    } else {
      return base::hash_bytes(&key, sizeof(K));
    }
  }
};

/// Hash of strings, also for lookup by string_view.
template <class K>
  requires std::convertible_to<const K&, std::string_view>
struct hash<K> {
  using is_avalanching = void;
  using is_transparent = void;

  [[nodiscard]] std::uint64_t operator()(std::string_view text) const noexcept {
    return base::hash_bytes(text);
  }
};

template <class... Parts>
struct hash<std::tuple<Parts...>> {
  using is_avalanching = void;

  [[nodiscard]] constexpr std::uint64_t operator()(const std::tuple<Parts...>& key) const {
    return std::apply(
        [](const Parts&... parts) {
          std::uint64_t together = 0;
          ((together = split_mix(together) ^ hash<std::remove_cvref_t<Parts>>{}(parts)), ...);
          return mix_bits(together);
        },
        key);
  }
};
template <class First, class Second>
struct hash<std::pair<First, Second>> {
  using is_avalanching = void;

  [[nodiscard]] constexpr std::uint64_t operator()(const std::pair<First, Second>& key) const {
    return hash<std::tuple<const First&, const Second&>>{}(std::tie(key.first, key.second));
  }
};

template <class T, class Allocator>
struct hash<std::vector<T, Allocator>> {
  using is_avalanching = void;

  [[nodiscard]] std::uint64_t operator()(const std::vector<T, Allocator>& key) const {
    std::uint64_t together = key.size();
    for (const T& each : key) together = split_mix(together) ^ hash<T>{}(each);
    return mix_bits(together);
  }
};

struct equal_by_operator {
  using is_transparent = void;

  [[nodiscard]] constexpr bool operator()(const auto& a, const auto& b) const
      noexcept(noexcept(a == b)) {
    return a == b;
  }
};

/// Equality of keys: stateless and thread-safe.
template <class Equal, class K>
concept equality_for = std::is_empty_v<Equal> && std::default_initializable<Equal> &&
                       std::predicate<const Equal&, const K&, const K&>;

/// Key type that Hash and Equal accept directly; converted to K for transfer.
template <class Key, class K, class Hash, class Equal>
concept transparent_key =
    requires {
      typename Hash::is_transparent;
      typename Equal::is_transparent;
    } && hash_for<Hash, Key> && std::predicate<const Equal&, const K&, const Key&> &&
    std::constructible_from<K, const Key&>;

namespace container {
template <class Key, class K, class Hash, class Equal>
inline constexpr bool is_or_becomes_a_key_or_compares_with_one =
    std::same_as<Key, K> || transparent_key<Key, K, Hash, Equal> ||
    std::convertible_to<const Key&, K>;
}  // namespace container

/// Type to look up by: K, or a type comparable with or convertible to K.
template <class Key, class K, class Hash, class Equal>
concept lookup_key = container::is_or_becomes_a_key_or_compares_with_one<Key, K, Hash, Equal>;

namespace container {

template <class Hash, class K>
[[nodiscard]] constexpr std::uint64_t good_hash(const K& key) noexcept(noexcept(Hash{}(key))) {
  const auto hash = static_cast<std::uint64_t>(Hash{}(key));
  if constexpr (requires { typename Hash::is_avalanching; }) {
    return hash;
  } else {
    return mix_bits(hash);
  }
}

}  // namespace container
}  // namespace acre
