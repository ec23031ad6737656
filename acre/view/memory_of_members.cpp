// SPDX-License-Identifier: BSD-3-Clause
#include <acre/view/memory_of_members.hpp>

#include <algorithm>
#include <functional>

namespace acre::view {

bool have_common(std::vector<memory_of_member> all, std::vector<memory_of_member> others) {
  std::ranges::sort(all);
  std::ranges::sort(others);
  auto other = others.begin();
  for (const memory_of_member& each : all) {
    while (other != others.end() && other->end <= each.first) ++other;
    if (other == others.end()) return false;
    if (other->first < each.end) return true;
  }
  return false;
}

bool is_mapped_between(const memory_of_member& global, const void* first, const void* end) {
  const std::byte* const here = runtime::direct_address(global.first);
  if (here == nullptr) return false;
  const std::byte* const here_end = here + (global.end - global.first);
  return std::less<>()(static_cast<const void*>(here), end) &&
         std::less<>()(first, static_cast<const void*>(here_end));
}

}  // namespace acre::view
