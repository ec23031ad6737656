// SPDX-License-Identifier: BSD-3-Clause
#include <acre/agas/detail/open_reductions.hpp>

#include <acre/base/error.hpp>

#include <string>

namespace acre::agas {

/// Never destroyed: the job may not be ended.
open_reductions& the_open_reductions() {
  static auto& made = *new open_reductions;
  return made;
}

void open_reduction::require_type(const reduction_key& key, const std::type_info& type) const {
  if (type_ == type) return;
  throw error("contribute",
              "members contribute different types, operations or targets to reduction " +
                  std::to_string(key.round),
              "call contribute() with the same arguments, except the value, in all members; "
              "number different reductions differently");
}

void throw_part_repeated(const reduction_key& key, std::uint64_t part) {
  throw error("contribute",
              "member " + std::to_string(part) + " contributes twice to reduction " +
                  std::to_string(key.round),
              "number the reductions: each member contributes once to each number");
}

bool is_open(const reduction_key& key) {
  open_reductions& open = the_open_reductions();
  const std::lock_guard hold(open.lock);
  return open.all.contains(key);
}

std::string drop_reductions(std::uint64_t collection) {
  std::string text;
  std::vector<std::unique_ptr<open_reduction>> gone;
  open_reductions& open = the_open_reductions();
  const std::lock_guard hold(open.lock);
  for (auto each = open.all.begin(); each != open.all.end();) {
    if (each->first.collection != collection) {
      ++each;
      continue;
    }
    const open_reduction& lacks = *each->second;
    if (text.empty() && !each->first.is_at_root) {
      text = "reduction " + std::to_string(each->first.round) + " has " +
             std::to_string(lacks.present()) + " of the " + std::to_string(lacks.expected()) +
             " contributions of members with this home";
    }
    gone.push_back(std::move(each->second));
    each = open.all.erase(each);
  }
  return text;
}

void drop_all_reductions() noexcept {
  std::map<reduction_key, std::unique_ptr<open_reduction>> gone;
  open_reductions& open = the_open_reductions();
  const std::lock_guard hold(open.lock);
  std::swap(gone, open.all);
}

}  // namespace acre::agas
