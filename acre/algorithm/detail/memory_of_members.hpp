// Which global memory the elements of a matrix lie in, to see whether another one lies there, too.
#pragma once

#include <acre/layout/box.hpp>
#include <acre/layout/pattern.hpp>
#include <acre/runtime/world.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::detail {

/// Global memory of a member that holds elements of a matrix, as bits of global pointers.
struct memory_of_member {
  std::uint64_t first;
  std::uint64_t end;

  friend auto operator<=>(const memory_of_member&, const memory_of_member&) = default;
};
/// All members say the same without a word to each other. l for each member.
template <class Matrix>
[[nodiscard]] std::vector<memory_of_member> memory_of(const Matrix& m) {
  std::vector<memory_of_member> all;
  const auto& pattern = m.pattern();
  for (rank_t member = 0; member < m.members().size(); ++member) {
    if (pattern.local_size(member) == 0) continue;
    const auto first = m.pointer_to({.member = member, .offset = 0});
    const std::size_t count = layout::is_dense<typename Matrix::pattern_type>
                                  ? pattern.local_size(member)
                                  : pattern.local_capacity();
    const auto last = first + static_cast<std::ptrdiff_t>(count);
    all.push_back({first.bits(), last.bits()});
  }
  return all;
}

/// Whether some memory is in both.
[[nodiscard]] bool have_common(std::vector<memory_of_member> all,
                               std::vector<memory_of_member> others);

/// Whether two boxes of matrices have an element in common, of one matrix or of several in the same
/// memory. Where those have different patterns, boxes are not told from all of them.
template <class View, class Other>
[[nodiscard]] bool have_common_elements(const View& box, const Other& other) {
  const auto& all = box.base();
  const auto& others = other.base();
  const auto are_parts_common = [&] {
    return !layout::intersection(box.part(), other.part()).empty();
  };
  if (static_cast<const void*>(&all) == &others) return are_parts_common();
  if (!have_common(memory_of(all), memory_of(others))) return false;
  if constexpr (requires { all.pattern() == others.pattern(); }) {
    if (all.pattern() == others.pattern() && memory_of(all) == memory_of(others)) {
      return are_parts_common();
    }
  }
  return true;
}

}  // namespace acre::detail
