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
    "reserve a larger capacity with hash_map{team, capacity}, or call resize() on all ranks";
constexpr const char* no_growth =
    "increase ACRE_SEGMENT_SIZE, or use a better hash function if memory is available";

}  // namespace

void throw_table_full(const char* call, outcome why, growth grows, std::uint64_t capacity,
                      rank_t owner, rank_t members) {
  const bool is_small = divide_up(capacity, std::uint64_t{members}) <= most_reach;
  const bool is_out_of_memory = why == outcome::no_memory;
  const std::string where = "the part of member " + std::to_string(owner) + " is full" +
                            (is_small || is_out_of_memory ? "" : " near the bucket of the key") +
                            " (capacity " + std::to_string(capacity) + ", team of " +
                            std::to_string(members) + ")";
  if (is_out_of_memory) {
    throw error(call, where + ", and its node is out of memory", "increase ACRE_SEGMENT_SIZE");
  }
  if (grows == growth::automatic) {
    throw error(call,
                where + ", although most of its buckets are free: keys have nearly the same hash",
                "use a better hash function");
  }
  throw error(call, where, resize_it);
}

void throw_too_small(std::uint64_t capacity, const std::string& advice) {
  throw error(
      "hash_map::resize",
      "the entries do not fit a capacity of " + std::to_string(capacity) + "; the map is unchanged",
      advice);
}

void throw_too_large(std::uint64_t capacity) {
  throw error("hash_map", "a capacity of " + std::to_string(capacity) + " exceeds the memory");
}

void throw_crowded(std::uint64_t capacity) {
  throw error("hash_map",
              "keys do not fit although most of the " + std::to_string(capacity) +
                  " buckets are free: more than " + std::to_string(most_reach) +
                  " keys have nearly the same hash",
              "use a better hash function");
}

load_options merge_options(const load_options& a, const load_options& b) noexcept {
  const bool is_least = std::isnan(a.least) || a.least < b.least;
  return {.entries = std::max(a.entries, b.entries),
          .in_blocks = a.in_blocks || b.in_blocks,
          .least = is_least ? a.least : b.least,
          .most = a.most < b.most ? b.most : a.most};
}

void check_load(const load_options& all) {
  if (all.least > 0 && all.least == all.most) return;
  throw error("hash_map::grow_if_needed",
              all.least > 0 ? "the members request different loads: " + std::to_string(all.least) +
                                  ", " + std::to_string(all.most)
                            : "the load is invalid: " + std::to_string(all.least),
              "use the same load above 0, for example 0.75, on all members");
}

void throw_growth_differs(const char* call) {
  throw error(call, "growth is automatic on some members only",
              "construct a container with equal arguments on all members");
}

void throw_many_refused(const char* call, std::uint64_t items, growth grows,
                        std::uint64_t capacity) {
  const bool is_automatic = grows == growth::automatic;
  throw error(call,
              std::to_string(items) + " keys do not fit (capacity " + std::to_string(capacity) +
                  (is_automatic ? ", out of memory" : "") + "); all others were inserted",
              is_automatic ? no_growth : resize_it);
}

std::uint64_t capacity_for(std::uint64_t entries) noexcept {
  const double buckets = std::ceil(static_cast<double>(entries) / usual_load);
  constexpr double too_many = 18446744073709551616.0;
  return buckets < too_many ? static_cast<std::uint64_t>(buckets)
                            : std::numeric_limits<std::uint64_t>::max();
}

void throw_failed_elsewhere(const char* call) {
  throw error(call, "the call failed on another rank; the map is unchanged",
              "check the message of that rank");
}

}  // namespace acre::container
