// SPDX-License-Identifier: BSD-3-Clause
#include <acre/container/bag/detail/bag_moves.hpp>

#include <acre/base/error.hpp>
#include <acre/global/team/same_call.hpp>

#include <algorithm>
#include <cstddef>

namespace acre::container {

namespace {

/// Numbers of elements after the moves. Members that have more than the quotient get the remainder
/// first, because they then send less.
std::vector<std::uint64_t> equalised(const std::vector<std::uint64_t>& counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t each : counts) all += each;
  const std::uint64_t quotient = all / counts.size();
  std::uint64_t rest = all % counts.size();
  std::vector<std::uint64_t> result(counts.size(), quotient);
  for (const bool has_more : {true, false}) {
    for (std::size_t i = 0; i < counts.size() && rest != 0; ++i) {
      if ((counts[i] > quotient) != has_more) continue;
      ++result[i];
      --rest;
    }
  }
  return result;
}

}  // namespace

void throw_changed_bag() {
  throw error("bag::for_each", "the function has added or removed elements of the bag",
              "collect new elements in a second bag, and merge() it afterwards");
}

std::vector<std::uint64_t> moves_from(std::uint64_t member,
                                      const std::vector<std::uint64_t>& counts) {
  const std::vector<std::uint64_t> wanted = equalised(counts);
  if (counts == wanted) return {};
  std::vector<std::uint64_t> moves(counts.size());
  // Surpluses go to missing elements, both in member order: those before this member's are passed.
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < member; ++i) begin += counts[i] - std::min(counts[i], wanted[i]);
  const std::uint64_t end = begin + counts[member] - std::min(counts[member], wanted[member]);
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::uint64_t missing = wanted[i] - std::min(counts[i], wanted[i]);
    const std::uint64_t from = std::max(begin, at);
    const std::uint64_t to = std::min(end, at + missing);
    if (from < to) moves[i] = to - from;
    at += missing;
  }
  return moves;
}

std::vector<std::uint64_t> moves_from_here(const team& members, std::uint64_t count,
                                           const std::type_info& type, const site& where) {
  struct part {
    std::uint64_t count;
    std::uint64_t digest;
  };
  const auto mine = global::common_call("bag::rebalance", where).with_type("elements of", type);
  const auto parts = members.allgather(part{count, mine.digest()}, where);
  std::vector<std::uint64_t> counts;
  for (const part& each : parts) {
    if (each.digest != mine.digest()) global::throw_calls_differ(members, mine);
    counts.push_back(each.count);
  }
  return moves_from(members.rank(), counts);
}

}  // namespace acre::container
