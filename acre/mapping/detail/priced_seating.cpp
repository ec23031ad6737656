// SPDX-License-Identifier: BSD-3-Clause
#include <acre/mapping/detail/priced_seating.hpp>

#include <utility>

namespace acre::mapping {

priced_seating::priced_seating(const traffic& pairs, const seat_plan& where, prices& costs,
                               std::vector<std::uint32_t> seat_of)
    : seating(where, std::move(seat_of)), pairs_(pairs), costs_(costs) {
  for (rank_t rank = 0; rank < ranks(); ++rank) {
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      cost_ += bytes * costs_.between(place_of(rank), place_of(to)) / 2;
    }
  }
}

}  // namespace acre::mapping
