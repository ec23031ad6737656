// SPDX-License-Identifier: BSD-3-Clause
#include <acre/array/detail/irregular.hpp>

#include <utility>
#include <vector>

namespace acre::arrays {

const array_memory<irregular_kind>& irregular_memory(const array_memory<irregular_kind>* memory,
                                                     const char* what) {
  return global::require_object(memory, what, what, irregular_kind::maker);
}

irregular_kind::pattern irregular_pattern(std::span<const std::size_t> counts) {
  std::vector<std::size_t> places{0};
  for (const std::size_t each : counts) places.push_back(places.back() + each);
  const std::size_t size = places.back();
  return make_distribution({size}, static_cast<layout::member_t>(counts.size()),
                           dist::at(std::move(places)));
}

}  // namespace acre::arrays
