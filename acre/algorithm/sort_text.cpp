// SPDX-License-Identifier: BSD-3-Clause
#include <acre/algorithm/sort_text.hpp>

#include <acre/algorithm/detail/merge_runs.hpp>
#include <acre/base/bits.hpp>
#include <acre/global/team/same_call.hpp>
#include <acre/global/team/succeed_together.hpp>
#include <acre/global/wire/owned_bytes.hpp>
#include <acre/global/wire/packed_items.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace acre {

namespace algorithm {
namespace {

/// A string with its first 8 bytes as a number, by which most comparisons end.
struct keyed_text {
  std::uint64_t head = 0;
  const char* data = nullptr;
  std::size_t size = 0;

  keyed_text() = default;
  explicit keyed_text(std::string_view text) noexcept : data(text.data()), size(text.size()) {
    char first[8] = {};
    if (size != 0) std::memcpy(first, data, smaller(size, sizeof first));
    std::memcpy(&head, first, sizeof head);
    if constexpr (std::endian::native == std::endian::little) head = __builtin_bswap64(head);
  }

  [[nodiscard]] std::string_view text() const noexcept { return {data, size}; }
  friend bool operator<(const keyed_text& a, const keyed_text& b) noexcept {
    return a.head != b.head ? a.head < b.head : a.text() < b.text();
  }
};

constexpr auto is_before = [](const keyed_text& a, const keyed_text& b) { return a < b; };

/// A string among equal ones, in the order of members and of places on them.
struct sample {
  std::string text;
  rank_t member = 0;
  std::uint64_t place = 0;
  std::uint64_t weight = 0;  ///< number of strings from this one to the next sample

  friend auto acre_fields(sample& s) { return std::tie(s.text, s.member, s.place, s.weight); }
  friend bool operator<(const sample& a, const sample& b) noexcept {
    return std::tie(a.text, a.member, a.place) < std::tie(b.text, b.member, b.place);
  }
};

std::vector<sample> samples_of(const std::vector<keyed_text>& sorted, const team& members) {
  std::vector<sample> samples;
  const std::size_t number = smaller(sorted.size(), larger<std::size_t>(16, members.size()));
  const auto place_of = [&](std::size_t i) { return sorted.size() * i / number; };
  for (std::size_t i = 0; i < number; ++i) {
    const std::size_t place = place_of(i);
    samples.push_back({.text = std::string(sorted[place].text()),
                       .member = members.rank(),
                       .place = place,
                       .weight = place_of(i + 1) - place});
  }
  return samples;
}

/// The first string of each member but member 0; fewer if there are few strings.
std::vector<sample> splitters_of(std::vector<std::vector<sample>>&& of_members) {
  std::vector<sample> all;
  std::uint64_t texts = 0;
  for (std::vector<sample>& mine : of_members) {
    for (sample& each : mine) {
      texts += each.weight;
      all.push_back(std::move(each));
    }
  }
  std::ranges::sort(all, std::less<>());
  std::vector<sample> splitters;
  std::uint64_t before = 0;
  for (sample& each : all) {
    const std::uint64_t weight = each.weight;
    while (splitters.size() + 1 < of_members.size() &&
           before >= texts * (splitters.size() + 1) / of_members.size()) {
      splitters.push_back(each);
    }
    before += weight;
  }
  return splitters;
}

/// Number of own strings before a splitter.
std::size_t count_before(const std::vector<keyed_text>& sorted, const sample& splitter, rank_t me) {
  const keyed_text text{std::string_view(splitter.text)};
  const auto [first, last] = std::ranges::equal_range(sorted, text, std::less<>());
  const auto begin = static_cast<std::size_t>(first - sorted.begin());
  const auto end = static_cast<std::size_t>(last - sorted.begin());
  if (me != splitter.member) return me < splitter.member ? end : begin;
  return std::clamp<std::size_t>(splitter.place, begin, end);
}

std::vector<global::owned_bytes> pack_for_members(const std::vector<keyed_text>& sorted,
                                                  const std::vector<sample>& splitters,
                                                  const team& members) {
  std::vector<global::owned_bytes> packed(members.size());
  std::vector<std::string_view> texts;
  std::size_t begin = 0;
  for (rank_t i = 0; i < members.size(); ++i) {
    const std::size_t end =
        i < splitters.size() ? count_before(sorted, splitters[i], members.rank()) : sorted.size();
    texts.clear();
    for (std::size_t at = begin; at < end; ++at) texts.push_back(sorted[at].text());
    packed[i] = global::packed_texts(texts);
    begin = end;
  }
  return packed;
}

std::vector<std::string_view> merge(const std::vector<global::owned_bytes>& runs) {
  std::vector<keyed_text> source;
  std::vector<std::size_t> ends;
  for (const global::owned_bytes& run : runs) {
    global::for_each_item(run.span(), [&](std::span<const std::byte> text) {
      source.emplace_back(
          std::string_view(reinterpret_cast<const char*>(text.data()), text.size()));
    });
    ends.push_back(source.size());
  }
  std::vector<keyed_text> sorted(source.size());
  merge_runs(std::move(ends), std::span(source), std::span(sorted), is_before);
  std::vector<std::string_view> texts;
  texts.reserve(sorted.size());
  for (const keyed_text& each : sorted) texts.push_back(each.text());
  return texts;
}

}  // namespace
}  // namespace algorithm

void sort(text_array& text, const site& where) {
  using namespace algorithm;
  const runtime::failures_held until_all_is_done;
  const team members = text.members();
  global::require_same_object(members, "sort", text.identity(), where);
  std::vector<keyed_text> sorted;
  std::vector<sample> samples;
  global::succeed_together(members, "sort", where, [&] {
    for (const std::string_view each : text.local()) sorted.emplace_back(each);
    std::ranges::sort(sorted, is_before);
    samples = samples_of(sorted, members);
  });
  auto of_members = members.allgather(samples, where);
  std::vector<global::owned_bytes> packed;
  global::succeed_together(members, "sort", where, [&] {
    packed = pack_for_members(sorted, splitters_of(std::move(of_members)), members);
    sorted = {};
  });
  const auto runs = members.alltoallv(std::move(packed), where);
  std::vector<std::string_view> merged;
  global::succeed_together(members, "sort", where, [&] { merged = merge(runs); });
  text = text_array(members, merged, where);
}

void unique(text_array& text, const site& where) {
  const runtime::failures_held until_all_is_done;
  const team members = text.members();
  global::require_same_object(members, "unique", text.identity(), where);
  std::vector<std::string_view> kept;
  std::string before;
  global::succeed_together(members, "unique", where, [&] {
    bool is_first = text.first_local() == 0;
    if (!is_first && text.local_size() != 0) before = text.at(text.first_local() - 1, where);
    for (const std::string_view each : text.local()) {
      if (is_first || each != (kept.empty() ? std::string_view(before) : kept.back())) {
        kept.push_back(each);
      }
      is_first = false;
    }
  });
  text = text_array(members, kept, where);
}

}  // namespace acre
