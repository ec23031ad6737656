// SPDX-License-Identifier: BSD-3-Clause
// Writes entries of all ranks to one file, in order, through rank 0.
#pragma once

#include <acre/acre.hpp>

#include <apps/genome/text_output.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace acre::genome {

template <class Entry, class LineOf>
std::string merged_lines(std::vector<std::vector<Entry>> parts, LineOf&& line_of) {
  for (std::size_t width = 1; width < parts.size(); width *= 2) {
    for (std::size_t i = 0; i + width < parts.size(); i += 2 * width) {
      std::vector<Entry> both(parts[i].size() + parts[i + width].size());
      std::ranges::merge(parts[i], parts[i + width], both.begin());
      parts[i] = std::move(both);
      parts[i + width].clear();
    }
  }
  std::string lines;
  for (const Entry& each : parts.front()) lines += line_of(each);
  return lines;
}

/// Writes line_of(entry) for the entries of all ranks, by ascending distinct keys. Collective.
/// @param path  opened by rank 0; see text_output
/// @throws acre::error if not writable
template <class Key, class Value, class LineOf>
void write_sorted_lines(const std::string& path, std::vector<std::pair<Key, Value>> mine,
                        LineOf&& line_of) {
  using entry = std::pair<Key, Value>;
  std::ranges::sort(mine);
  std::optional<text_output> file;
  if (rank() == 0) file.emplace(path);
  // Each part ends at the smallest key at which a rank reaches `most` entries.
  constexpr std::size_t most = 100'000;
  std::span<const entry> left(mine);
  for (;;) {
    std::optional<Key> last;
    if (!left.empty()) last = left[std::min(most, left.size()) - 1].first;
    const auto lasts = world().allgather(last);
    for (const auto& each : lasts) {
      if (each && (!last || *each < *last)) last = each;
    }
    if (!last) break;
    const auto end = std::ranges::upper_bound(left, *last, {}, &entry::first);
    const auto part = left.first(static_cast<std::size_t>(end - left.begin()));
    auto parts = world().gather(std::vector<entry>(part.begin(), part.end()), 0);
    left = left.subspan(part.size());
    if (file) file->write(merged_lines(std::move(parts), line_of));
  }
  if (file) file->commit();
  barrier();
}

}  // namespace acre::genome
