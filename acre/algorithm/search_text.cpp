// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/search_text.hpp>

#include <acre/algorithm/lower_bound.hpp>
#include <acre/global/team/team.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace acre {

namespace algorithm {
namespace {

/// First string of each member that has strings.
struct text_beginning {
  std::string first;
  rank_t member = 0;
};

std::vector<text_beginning> text_beginnings(const text_array& sorted, const site& where) {
  std::vector<std::string> mine;
  if (sorted.local_size() != 0) mine.emplace_back(sorted.local()[0]);
  const auto all = sorted.members().allgather(mine, where);
  std::vector<text_beginning> found;
  for (rank_t member = 0; member < all.size(); ++member) {
    if (!all[member].empty()) found.push_back({all[member][0], member});
  }
  return found;
}

template <class Precedes>
std::vector<std::size_t> find_in_text(const text_array& sorted, std::span<const std::string> keys,
                                      const char* call, const Precedes& precedes,
                                      const site& where) {
  const runtime::failures_held until_all_is_done;
  const team& members = sorted.members();
  const std::vector<text_beginning> beginnings = text_beginnings(sorted, where);
  std::vector<std::vector<std::string>> sent(members.size());
  std::vector<rank_t> targets;
  global::succeed_together(members, call, where, [&] {
    for (const std::string& key : keys) {
      targets.push_back(member_to_search(
          beginnings, [&](const std::string& first) { return precedes(first, key); }));
      sent[targets.back()].push_back(key);
    }
  });
  const auto asked = members.alltoallv(sent, where);
  std::vector<std::vector<std::size_t>> found(members.size());
  global::succeed_together(members, call, where, [&] {
    const auto own = sorted.local();
    for (rank_t member = 0; member < members.size(); ++member) {
      for (const std::string& key : asked[member]) {
        const auto at = std::ranges::partition_point(
            own, [&](std::string_view each) { return precedes(each, key); });
        found[member].push_back(sorted.first_local() + static_cast<std::size_t>(at - own.begin()));
      }
    }
  });
  const auto answers = members.alltoallv(found, where);
  std::vector<std::size_t> next(members.size());
  std::vector<std::size_t> indices;
  indices.reserve(keys.size());
  for (const rank_t target : targets) indices.push_back(answers[target][next[target]++]);
  return indices;
}

}  // namespace
}  // namespace algorithm

list<std::size_t> indices_containing(const text_array& text, std::string_view part,
                                     const site& where) {
  return indices_where(
      text, [&](std::string_view each) { return each.find(part) != std::string_view::npos; },
      where);
}

std::vector<std::size_t> lower_bound(const text_array& sorted, std::span<const std::string> keys,
                                     const site& where) {
  return algorithm::find_in_text(
      sorted, keys, "lower_bound",
      [](std::string_view text, std::string_view key) { return text < key; }, where);
}

std::vector<std::size_t> upper_bound(const text_array& sorted, std::span<const std::string> keys,
                                     const site& where) {
  return algorithm::find_in_text(
      sorted, keys, "upper_bound",
      [](std::string_view text, std::string_view key) { return text <= key; }, where);
}

}  // namespace acre
