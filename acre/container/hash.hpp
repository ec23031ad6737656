// SPDX-License-Identifier: BSD-3-Clause
// Hashes and equality of keys: the hash function and the equality that Acre's hash containers use
// unless they are given others, and with what else than a key one can be looked for.
//
// A distributed table takes the owner of a key from the high bits of its hash
// and the bucket from the bits below, so all 64 of them must be good: for keys
// 0, 1, 2, … too, where std::hash is most often the identity.
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

/// A function object that hashes a K. It has no state, may be called by any
/// thread at any time, and gives the same on all ranks for equal keys.
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

/// Whether acre::hash<K> never throws.
template <class K>
consteval bool hashes_silently() {
  if constexpr (!std::integral<K> && !std::is_enum_v<K> && std_hashable<K>) {
    return noexcept(std::hash<K>{}(std::declval<const K&>()));
  } else {
    return true;
  }
}

}  // namespace container

/// Hashes integers, enumerations, whatever std::hash knows, and types whose
/// bytes are their value. Specialise it for others, with `using is_avalanching =
/// void;` inside when all 64 bits of the result are good as they are.
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

/// Texts of all kinds: a string_view finds what a string was stored under.
template <class K>
  requires std::convertible_to<const K&, std::string_view>
struct hash<K> {
  using is_avalanching = void;
  using is_transparent = void;

  [[nodiscard]] std::uint64_t operator()(std::string_view text) const noexcept {
    return base::hash_bytes(text);
  }
};

/// Pairs and tuples of what can be hashed.
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

/// Vectors of what can be hashed.
template <class T, class Allocator>
struct hash<std::vector<T, Allocator>> {
  using is_avalanching = void;

  [[nodiscard]] std::uint64_t operator()(const std::vector<T, Allocator>& key) const {
    std::uint64_t together = key.size();
    for (const T& each : key) together = split_mix(together) ^ hash<T>{}(each);
    return mix_bits(together);
  }
};

/// Which keys are equal, unless hash containers are given another equality: those of which ==
/// says so.
struct equal_by_operator {
  using is_transparent = void;

  [[nodiscard]] constexpr bool operator()(const auto& a, const auto& b) const
      noexcept(noexcept(a == b)) {
    return a == b;
  }
};

/// A function object that compares two K for equality; without state, for any thread.
template <class Equal, class K>
concept equality_for = std::is_empty_v<Equal> && std::default_initializable<Equal> &&
                       std::predicate<const Equal&, const K&, const K&>;

/// A type that Hash and Equal take as it is; a K can be made of it when it has to travel.
template <class Key, class K, class Hash, class Equal>
concept transparent_key =
    requires {
      typename Hash::is_transparent;
      typename Equal::is_transparent;
    } && hash_for<Hash, Key> && std::predicate<const Equal&, const K&, const Key&> &&
    std::constructible_from<K, const Key&>;

namespace container {
// Compilers print these names.
template <class Key, class K, class Hash, class Equal>
inline constexpr bool is_or_becomes_a_key_or_compares_with_one =
    std::same_as<Key, K> || transparent_key<Key, K, Hash, Equal> ||
    std::convertible_to<const Key&, K>;
}  // namespace container

/// A key to look for: a K, or of a type that compares with one or becomes one.
template <class Key, class K, class Hash, class Equal>
concept lookup_key = container::is_or_becomes_a_key_or_compares_with_one<Key, K, Hash, Equal>;

namespace container {

/// 64 good bits from any hash function: those not known to be good are mixed.
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
