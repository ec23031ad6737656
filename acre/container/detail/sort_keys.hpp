// SPDX-License-Identifier: BSD-3-Clause
// Heap sort: the header of std::sort would double the size of including headers.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace acre::container {

template <class Compare, class K>
void sort_keys(std::vector<K>& keys) {
  const auto sift_down = [&](std::size_t at, std::size_t count) {
    for (std::size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
      if (child + 1 < count && Compare{}(keys[child], keys[child + 1])) ++child;
      if (!Compare{}(keys[at], keys[child])) return;
      std::swap(keys[at], keys[child]);
      at = child;
    }
  };
  for (std::size_t at = keys.size() / 2; at-- > 0;) sift_down(at, keys.size());
  for (std::size_t count = keys.size(); count > 1; --count) {
    std::swap(keys[0], keys[count - 1]);
    sift_down(0, count - 1);
  }
}

}  // namespace acre::container
