// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/hash/detail/hash_table.hpp>

#include <acre/base/bits.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace acre::container {

namespace {

constexpr const char* resize_it =
    "reserve more with hash_map{team, capacity}, or call resize() on all ranks";
constexpr const char* no_growth =
    "set ACRE_SEGMENT_SIZE to more; where there is memory, use a better hash function";

}  // namespace

void throw_table_full(const char* call, outcome why, growth grows, std::uint64_t capacity,
                      rank_t owner, rank_t members) {
  const bool is_small = divide_up(capacity, std::uint64_t{members}) <= most_reach;
  const bool is_out_of_memory = why == outcome::no_memory;
  const std::string where = "the part of member " + std::to_string(owner) + " is full" +
                            (is_small || is_out_of_memory ? "" : " around the home of the key") +
                            " (capacity " + std::to_string(capacity) + ", team of " +
                            std::to_string(members) + ")";
  if (is_out_of_memory) {
    throw error(call, where + ", and its node has no memory to make it larger",
                "set ACRE_SEGMENT_SIZE to more");
  }
  if (grows == growth::automatic) {
    throw error(call,
                where + ", though most of its buckets are free: keys have nearly the same hash",
                "use a better hash function");
  }
  throw error(call, where, resize_it);
}

void throw_too_small(std::uint64_t capacity, const std::string& advice) {
  throw error("hash_map::resize",
              "the entries do not fit into a capacity of " + std::to_string(capacity) +
                  "; nothing has changed",
              advice);
}

void throw_too_large(std::uint64_t capacity) {
  throw error("hash_map",
              "a capacity of " + std::to_string(capacity) + " is more than memory holds");
}

void throw_crowded(std::uint64_t capacity) {
  throw error("hash_map",
              "keys find no room though most of the " + std::to_string(capacity) +
                  " buckets are free: more than " + std::to_string(most_reach) +
                  " of them have nearly the same hash",
              "use a better hash function");
}

load_request merge_requests(const load_request& a, const load_request& b) noexcept {
  const bool is_least = std::isnan(a.least) || a.least < b.least;
  return {.entries = std::max(a.entries, b.entries),
          .in_blocks = a.in_blocks || b.in_blocks,
          .least = is_least ? a.least : b.least,
          .most = a.most < b.most ? b.most : a.most};
}

void check_load(const load_request& all) {
  // Rejects NaN too.
  if (all.least > 0 && all.least == all.most) return;
  throw error("hash_map::grow_if_needed",
              all.least > 0 ? "the members ask for different loads: " + std::to_string(all.least) +
                                  ", " + std::to_string(all.most)
                            : "no part can be as empty as a load of " + std::to_string(all.least),
              "choose a load above 0, such as 0.75, the same on all members");
}

void throw_growth_differs(const char* call) {
  throw error(call, "some members want it to grow by itself, and some do not",
              "all members of a team make a container together, alike");
}

void check_as_many(const char* call, std::size_t keys, std::size_t others) {
  if (keys == others) return;
  throw error(call, std::to_string(keys) + " keys, but " + std::to_string(others) +
                        " values or places for them");
}

void throw_many_refused(const char* call, std::uint64_t items, growth grows,
                        std::uint64_t capacity) {
  const bool is_automatic = grows == growth::automatic;
  throw error(call,
              std::to_string(items) + " keys found no room (capacity " + std::to_string(capacity) +
                  (is_automatic ? ", and no memory for more" : "") + "); all others are in",
              is_automatic ? no_growth : resize_it);
}

std::uint64_t capacity_for(std::uint64_t entries) noexcept {
  const double buckets = std::ceil(static_cast<double>(entries) / usual_load);
  constexpr double too_many = 18446744073709551616.0;  // 2^64
  return buckets < too_many ? static_cast<std::uint64_t>(buckets)
                            : std::numeric_limits<std::uint64_t>::max();
}

void throw_failed_elsewhere(const char* call) {
  throw error(call, "it failed on another rank; nothing has changed", "its own message says more");
}

}  // namespace acre::container
