#include <acre/algorithm/detail/summa.hpp>
#include <acre/base/error.hpp>
#include <acre/layout/extents_text.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace acre::detail {

void require_product(const char* call, const layout::coordinates<2>& a,
                     const layout::coordinates<2>& b, const layout::coordinates<2>& c,
                     const site& where) {
  if (a[1] == b[0] && c[0] == a[0] && c[1] == b[1]) return;
  throw error(call,
              "matrices of " + layout::extents_text(a) + " and " + layout::extents_text(b) +
                  " have no product of " + layout::extents_text(c) + describe_place(where),
              a[1] == b[0] ? "make the product of " + layout::extents_text(std::array{a[0], b[1]})
                           : "the second needs as many rows as the first has columns");
}

void require_other_memory(const char* call, const std::vector<memory_of_member>& a,
                          const std::vector<memory_of_member>& b,
                          const std::vector<memory_of_member>& c, const site& where) {
  const bool is_first = have_common(c, a);
  if (!is_first && !have_common(c, b)) return;
  throw error(call,
              std::string("the product lies in the memory of the ") +
                  (is_first ? "first" : "second") + " matrix, and would be written over what it " +
                  "is made of" + describe_place(where),
              "make another matrix for the product, and move that to where it shall be");
}

std::vector<interval> common_intervals(std::vector<std::size_t> cuts) {
  std::ranges::sort(cuts);
  const auto [first, last] = std::ranges::unique(cuts);
  cuts.erase(first, last);
  std::vector<interval> result;
  for (std::size_t i = 1; i < cuts.size(); ++i) result.push_back({cuts[i - 1], cuts[i]});
  return result;
}

std::vector<interval> sorted_unique(std::vector<interval> intervals) {
  std::ranges::sort(intervals);
  const auto [first, last] = std::ranges::unique(intervals);
  intervals.erase(first, last);
  return intervals;
}

}  // namespace acre::detail
