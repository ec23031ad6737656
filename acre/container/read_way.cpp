// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/read_way.hpp>

#include <acre/base/environment.hpp>
#include <acre/runtime/remote.hpp>

#include <atomic>

namespace acre {
namespace {

read_way initial_way() {
  const auto wanted = environment_choice("ACRE_READ_WAY", {"automatic", "get", "message"});
  if (wanted == "get") return read_way::get;
  if (wanted == "message") return read_way::message;
  return read_way::automatic;
}

// Written by set_read_way(), relaxed: it orders no other data.
std::atomic<read_way>& way() {
  static std::atomic<read_way> chosen{initial_way()};
  return chosen;
}

}  // namespace

void set_read_way(read_way chosen) { way().store(chosen, std::memory_order_relaxed); }
read_way get_read_way() { return way().load(std::memory_order_relaxed); }

namespace container {

bool reads_by_get(std::size_t bytes) {
  switch (get_read_way()) {
    case read_way::get:
      return true;
    case read_way::message:
      return false;
    default:
      return bytes <= most_software_get || !runtime::gets_need_a_processor();
  }
}

}  // namespace container
}  // namespace acre
