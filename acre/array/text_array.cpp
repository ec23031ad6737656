// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/text_array.hpp>

#include <acre/base/bits.hpp>
#include <acre/base/error.hpp>
#include <acre/global/memory/put_get.hpp>
#include <acre/global/team/collective_end.hpp>
#include <acre/global/wire/owned_bytes.hpp>
#include <acre/global/wire/packed_items.hpp>
#include <acre/runtime/lost_failure.hpp>

#include <cstring>

namespace acre {

namespace {

std::span<char> own_bytes(const ragged_array<char>& rows, std::size_t index) {
  return rows.local_row(index - rows.first_local_row());
}

/// First string of a member if all have equal numbers, up to 1.
std::uint64_t begin_of(rank_t member, std::uint64_t texts, rank_t members) noexcept {
  return texts / members * member + smaller(texts % members, std::uint64_t{member});
}

}  // namespace

text_array::text_array(const team& members, const site& where)
    : text_array(members, views{}, where) {}

text_array::text_array(const team& members, std::initializer_list<std::string_view> own,
                       const site& where)
    : text_array(members, std::span(own.begin(), own.size()), where) {}

text_array::text_array(const team& members, const views& own, const site& where) {
  const runtime::failures_held until_it_is_there;
  rows_ = ragged_array<char>(members, own.lengths, '\0', where);
  char* to = rows_.local().data();
  for (const std::string_view text : own.texts) {
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    to += text.size();
  }
  members.barrier(where);
}

const team& text_array::members() const {
  if (!*this) [[unlikely]] {
    global::throw_no_object("text_array::members", "text_array", "text_array{team, own}");
  }
  return rows_.members();
}

void text_array::check(std::size_t index, const char* call, const site& where) const {
  if (index < size()) [[likely]]
    return;
  throw error(
      call,
      "string " + std::to_string(index) + " is out of range (" + std::to_string(size()) +
          " strings)" + describe_place(where),
      empty() ? "check size() first" : "strings are numbered 0 to " + std::to_string(size() - 1));
}

std::string text_array::at(std::size_t index, const site& where) const {
  check(index, "text_array::at", where);
  if (rows_.owner_of_row(index, where).is_this_rank()) {
    const std::span<const char> own = own_bytes(rows_, index);
    return {own.data(), own.size()};
  }
  const global_span<char> row = rows_.row(index, where);
  std::string text(row.size(), '\0');
  if (!text.empty()) get(row.data(), std::span<char>(text), where);
  return text;
}

std::vector<std::string> text_array::gather(std::span<const std::size_t> indices,
                                            const site& where) const {
  for (const std::size_t index : indices) check(index, "text_array::gather", where);
  const std::vector<global_span<char>> rows = rows_.rows_at(indices, where);
  std::vector<std::string> texts(indices.size());
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].resize(rows[i].size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    if (rows_.owner_of_row(indices[i], where).is_this_rank()) {
      std::memcpy(texts[i].data(), own_bytes(rows_, indices[i]).data(), texts[i].size());
    } else {
      get_nbi(rows[i].data(), std::span<char>(texts[i]), where);
    }
  }
  quiet();
  return texts;
}

member text_array::owner(std::size_t index, const site& where) const {
  check(index, "text_array::owner", where);
  return rows_.owner_of_row(index, where);
}

template <class Precedes>
std::size_t text_array::partition_point(const Precedes& precedes, const site& where) const {
  std::size_t first = 0;
  std::size_t last = size();
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    if (precedes(at(middle, where))) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

std::size_t text_array::lower_bound(std::string_view text, const site& where) const {
  return partition_point([&](const std::string& each) { return each < text; }, where);
}

std::size_t text_array::upper_bound(std::string_view text, const site& where) const {
  return partition_point([&](const std::string& each) { return each <= text; }, where);
}

std::pair<std::size_t, std::size_t> text_array::equal_range(std::string_view text,
                                                            const site& where) const {
  return {lower_bound(text, where), upper_bound(text, where)};
}

void text_array::rebalance(const site& where) {
  const team& all = members();
  const runtime::failures_held until_it_is_there;
  const auto counts = all.allgather(local_size(), where);
  bool is_balanced = true;
  for (rank_t i = 0; i < all.size(); ++i) {
    is_balanced &=
        counts[i] == begin_of(i + 1, size(), all.size()) - begin_of(i, size(), all.size());
  }
  if (is_balanced) return;
  std::vector<global::owned_bytes> packed(all.size());
  global::succeed_together(all, "text_array::rebalance", where, [&] {
    const std::vector<std::string_view> own(local().begin(), local().end());
    const std::uint64_t first = first_local();
    const std::uint64_t last = first + own.size();
    for (rank_t i = 0; i < all.size(); ++i) {
      const std::uint64_t from = larger(first, begin_of(i, size(), all.size()));
      const std::uint64_t to = smaller(last, begin_of(i + 1, size(), all.size()));
      if (from < to) {
        packed[i] = global::packed_texts(std::span(own).subspan(from - first, to - from));
      }
    }
  });
  const auto received = all.alltoallv(std::move(packed), where);
  views mine;
  global::succeed_together(all, "text_array::rebalance", where, [&] {
    for (const global::owned_bytes& each : received) {
      global::for_each_item(each.span(), [&](std::span<const std::byte> text) {
        mine.texts.emplace_back(reinterpret_cast<const char*>(text.data()), text.size());
        mine.lengths.push_back(text.size());
      });
    }
  });
  *this = text_array(all, mine, where);
}

void text_array::clear(const site& where) { *this = text_array(members(), where); }

}  // namespace acre
