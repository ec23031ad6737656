#include <acre/container/detail/hash_table.hpp>
#include <acre/runtime/active_message.hpp>

#include <string>

namespace acre::detail {

void throw_table_full(const char* call, std::uint64_t capacity, rank_t owner, rank_t members) {
  throw error(call,
              "the part of member " + std::to_string(owner) + " is full (capacity " +
                  std::to_string(capacity) + ", team of " + std::to_string(members) + ")",
              "reserve more with hash_map{team, capacity}, or call resize() on all ranks");
}

void throw_no_table(const char* call) {
  throw error(call, "there is no map: it was moved away, or never made",
              "make one with hash_map{team, capacity}");
}

void throw_too_small(std::uint64_t entries, std::uint64_t capacity) {
  throw error("hash_map::resize",
              "the entries do not fit into a capacity of " + std::to_string(capacity) +
                  "; nothing has changed",
              "the fullest part needs a capacity of " + std::to_string(entries));
}

void throw_too_large(std::uint64_t capacity) {
  throw error("hash_map",
              "a capacity of " + std::to_string(capacity) + " is more than memory holds");
}

void throw_failed_elsewhere(const char* call) {
  throw error(call, "it failed on another rank; nothing has changed", "its own message says more");
}

void check_message_size(const char* call, std::size_t bytes) {
  if (runtime::world.network == nullptr || bytes <= runtime::max_payload()) return;
  throw error(call,
              "a key with its value takes " + std::to_string(bytes) +
                  " bytes, and a message to another node carries " +
                  std::to_string(runtime::max_payload()),
              "store a global_ptr to the value");
}

}  // namespace acre::detail
