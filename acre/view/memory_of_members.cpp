#include <acre/view/memory_of_members.hpp>

#include <algorithm>

namespace acre::detail {

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

}  // namespace acre::detail
