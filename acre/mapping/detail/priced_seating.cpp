#include <acre/mapping/detail/priced_seating.hpp>

#include <utility>

namespace acre::mapping {

priced_seating::priced_seating(const traffic& pairs, const seat_plan& where, prices& costs,
                               std::vector<std::uint32_t> seat_of)
    : pairs_(pairs),
      where_(where),
      costs_(costs),
      seat_of_(std::move(seat_of)),
      place_(seat_of_.size()),
      on_(where.places.size(), nobody) {
  for (rank_t rank = 0; rank < seat_of_.size(); ++rank) sit(rank, seat_of_[rank]);
  for (rank_t rank = 0; rank < seat_of_.size(); ++rank) {
    for (const auto& [to, bytes] : pairs_.from(rank)) {
      cost_ += bytes * costs_.between(place_[rank], place_[to]) / 2;
    }
  }
}

void priced_seating::exchange(rank_t rank, std::uint32_t seat, double rise) {
  const rank_t other = on_[seat];
  const std::uint32_t home = seat_of_[rank];
  on_[home] = nobody;
  sit(rank, seat);
  if (other != nobody) sit(other, home);
  cost_ += rise;
}

}  // namespace acre::mapping
