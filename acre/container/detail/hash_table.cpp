#include <acre/container/detail/hash_table.hpp>

#include <acre/base/bits.hpp>
#include <acre/runtime/active_message.hpp>

#include <string>

namespace acre::detail {

void throw_table_full(const char* call, std::uint64_t capacity, rank_t owner, rank_t members) {
  const bool is_small = divide_up(capacity, std::uint64_t{members}) <= most_reach;
  throw error(call,
              "the part of member " + std::to_string(owner) + " is full" +
                  (is_small ? "" : " around the home of the key") + " (capacity " +
                  std::to_string(capacity) + ", team of " + std::to_string(members) + ")",
              "reserve more with hash_map{team, capacity}, or call resize() on all ranks");
}

void throw_no_table(const char* call) {
  throw error(call, "there is no map: it was moved away, or never made",
              "make one with hash_map{team, capacity}");
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

void check_load(const char* call, double most_load) {
  // Not a number is not above 0 either.
  if (most_load > 0) return;
  throw error(call, "no part can be as empty as a load of " + std::to_string(most_load),
              "choose a load above 0, such as 0.75");
}

void throw_failed_elsewhere(const char* call) {
  throw error(call, "it failed on another rank; nothing has changed", "its own message says more");
}

void check_message_size(const char* call, std::size_t bytes) {
  if (runtime::world.network == nullptr || bytes <= runtime::max_payload()) return;
  throw error(call,
              "a key and what goes with it take " + std::to_string(bytes) +
                  " bytes, and a message to another node carries " +
                  std::to_string(runtime::max_payload()),
              "store a global_ptr to the value");
}

}  // namespace acre::detail
