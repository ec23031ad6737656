// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/unknown_counters.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace acre::agas {
namespace {

struct absent_service {
  std::string_view name;
  std::string_view reason;
};

/// Services of HPX that have no counterpart.
constexpr auto absent = std::to_array<absent_service>({
    {"bind_prefix", "any rank can create objects of any type; the nearest is count/bind_name"},
    {"unbind_name", "types keep their number; the nearest is count/bind_name"},
    {"iterate_types", "no service lists types; the nearest is count/resolve_id"},
    {"num_localities_type", "all ranks have all types; read acre::size()"},
    {"free", "ranks leave with the job; the nearest is count/unbind_gid"},
    {"localities", "ranks are numbers below acre::size(), without a service"},
    {"num_localities", "acre::size() is a constant of the job, without a service"},
    {"num_threads", "Acre starts no threads for user code"},
    {"resolve_locality",
     "a rank is an address, without a lookup; the nearest is count/resolve_gid"},
    {"resolved_localities",
     "a rank is an address, without a lookup; the nearest is count/resolve_gid"},
    {"locality/count", "ranks need no service; the nearest is primary/count"},
    {"locality/time", "ranks need no service; the nearest is primary/time"},
});

bool take_front(std::string_view& from, std::string_view front) {
  if (!from.starts_with(front)) return false;
  from.remove_prefix(front.size());
  return true;
}

std::size_t edits_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, corner + 1});
    }
  }
  return row.back();
}

std::string_view nearest_to(std::string_view counter, std::span<const agas_counter_name> known) {
  return std::ranges::min_element(
             known, {},
             [&](const agas_counter_name& each) { return edits_between(counter, each.counter); })
      ->counter;
}

}  // namespace

std::string why_unknown(std::string_view counter, std::span<const agas_counter_name> known) {
  const auto is_this = [&](const absent_service& each) {
    std::string_view service = counter;
    if (each.name == service) return true;
    return (take_front(service, "count/") || take_front(service, "time/")) && each.name == service;
  };
  if (const auto found = std::ranges::find_if(absent, is_this); found != absent.end()) {
    return "HPX has it, but here " + std::string(found->reason);
  }
  std::string_view service = counter;
  for (const std::string_view category : {"primary/", "component/", "symbol/", "locality/"}) {
    if (take_front(service, category)) break;
  }
  return "the counter is unknown; the nearest is " + std::string(nearest_to(service, known));
}

}  // namespace acre::agas
