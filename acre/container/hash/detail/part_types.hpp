// SPDX-License-Identifier: BSD-3-Clause
// The parameters of one rank's part of a hash map, and the results of an operation on it.
#pragma once

#include <acre/container/guarantee.hpp>
#include <acre/container/hash/detail/bucket.hpp>
#include <acre/global/team/stored.hpp>

#include <cstdint>
#include <type_traits>

namespace acre::container {

/// The result of an operation. No memory: no room, in a part that would have grown.
enum class outcome : std::uint8_t { absent, found, added, erased, no_room, no_memory };

[[nodiscard]] constexpr bool is_refused(outcome what) noexcept { return what >= outcome::no_room; }

/// The farthest that a key may lie from its home is one bucket less. Long enough
/// for the longest row of full buckets in a part with a load of 0.8 and any size
/// that memory has: about (ln n - 2.5 ln ln n) / (load - 1 - ln load), which is
/// 480 for n = 10^8 (Pittel, 1987).
inline constexpr std::uint64_t most_reach = 1024;

/// The same in a further block, where memory counts for less than the time of a search through
/// all blocks.
inline constexpr std::uint64_t most_reach_in_further = 64;

/// Which blocks of a part are seen through a hash_part.
enum class blocks : std::uint8_t {
  one,     ///< it has only one
  all,     ///< all, from the first on; a block_link lies before each
  further  ///< one that is not the first
};

/// The others that may use a part meanwhile.
enum class company : std::uint8_t {
  anyone,   ///< they may do anything
  finders,  ///< they change nothing
  nobody
};

template <class Guarantee>
inline constexpr company company_of =
    is_local<Guarantee> ? company::nobody
    : excludes<Guarantee, container_operation::insert, container_operation::update,
               container_operation::erase>
        ? company::finders
        : company::anyone;

template <class K, class V, class Hash, class Equal, company Others = company::anyone,
          blocks Seen = blocks::one>
class hash_part;

/// The template parameters of a hash_part as one type, for the classes that it is made of.
template <class K, class V, class Hash, class Equal, company Others, blocks Seen>
struct part_types {
  using key_type = K;
  using mapped_type = V;
  using hasher = Hash;
  using key_equal = Equal;
  using key_form = stored_form<K>;
  using value_form = stored_form<V>;
  using stored_key = stored_t<K>;
  using stored_mapped = stored_t<V>;
  using bucket_type = bucket<stored_key, stored_mapped>;
  using part = hash_part<K, V, Hash, Equal, Others, Seen>;
  using further_part = hash_part<K, V, Hash, Equal, Others, blocks::further>;
  static constexpr company others = Others;
  static constexpr blocks seen = Seen;
};

}  // namespace acre::container
