// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a hash map's part, and results of its operations.
#pragma once

#include <acre/container/guarantee.hpp>
#include <acre/container/hash/detail/bucket.hpp>
#include <acre/global/team/stored.hpp>

#include <cstdint>
#include <type_traits>

namespace acre::container {

/// no_memory: an automatic part could not grow.
enum class outcome : std::uint8_t { absent, found, added, erased, no_room, no_memory };

[[nodiscard]] constexpr bool is_refused(outcome what) noexcept { return what >= outcome::no_room; }

/// The longest contiguous run of full buckets at load 0.8 is about (ln n - 2.5 ln ln n) / (load - 1
/// - ln load): 480 for n = 10^8 (Pittel, 1987).
inline constexpr std::uint64_t most_reach = 1024;

/// Smaller, to bound search time.
inline constexpr std::uint64_t most_reach_in_further = 64;

enum class blocks : std::uint8_t { one, all, further };

enum class company : std::uint8_t { anyone, finders, nobody };

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
