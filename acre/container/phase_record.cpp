// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/phase_record.hpp>

#include <acre/base/error.hpp>

#include <array>
#include <string>
#include <string_view>

namespace acre {
namespace {

constexpr std::array<std::string_view, 6> names{"find", "insert", "update", "erase", "push", "pop"};

std::string names_of(std::uint64_t operations) {
  std::string list;
  for (std::size_t each = 0; each < names.size(); ++each) {
    if ((operations >> each & 1) == 0) continue;
    if (!list.empty()) list += ", ";
    list += names[each];
  }
  return list;
}

std::string user_of(phase_entry entry) {
  return entry.is_by_many() ? "several ranks" : "rank " + std::to_string(entry.user() - 1);
}

std::string describe(phase_entry entry) {
  std::string text = user_of(entry) + " did " + names_of(entry.done());
  if (!entry.allows_all()) text += " and guaranteed only<" + names_of(entry.allowed()) + ">";
  return text;
}

}  // namespace

void throw_not_local(const char* call, rank_t owner) {
  throw error(call,
              "`local` is guaranteed for a key that member " + std::to_string(owner) + " owns",
              "guarantee `local` only for keys with owner(key).is_this_rank()");
}

void throw_broken_guarantee(const char* call, phase_entry before, phase_entry now) {
  const std::string advice = "add a barrier between the two, or guarantee less";
  if (before.with(now).is_local() && before.user() != now.user()) {
    throw error(call,
                "a guarantee is broken: " + user_of(now) + " and " + user_of(before) +
                    " use a part for which one of them guaranteed `local`",
                advice);
  }
  throw error(call, "a guarantee is broken: " + describe(before) + ", and " + describe(now),
              advice);
}

}  // namespace acre
