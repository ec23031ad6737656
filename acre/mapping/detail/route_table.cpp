#include <acre/mapping/detail/route_table.hpp>

namespace acre::mapping {
namespace {

constexpr std::size_t most_places = 1024;
constexpr std::size_t most_links = std::size_t{1} << 23;

}  // namespace

route_table::route_table(const machine& where)
    : where_(where), places_(where.allocation.shares().size()) {
  if (places_ <= most_places) first_.assign(places_ * places_, unknown);
}

std::span<const topology::link_t> route_table::worked_out(std::uint32_t from, std::uint32_t to) {
  const auto shares = where_.allocation.shares();
  crossed_.clear();
  where_.network.route(shares[from].node, shares[to].node, crossed_);
  return crossed_;
}

std::span<const topology::link_t> route_table::remembered(std::uint32_t from, std::uint32_t to) {
  const auto route = worked_out(from, to);
  if (links_.size() + route.size() >= most_links) return route;
  first_[std::size_t{from} * places_ + to] = static_cast<std::uint32_t>(links_.size());
  links_.push_back(static_cast<topology::link_t>(route.size()));
  links_.insert(links_.end(), route.begin(), route.end());
  return route;
}

}  // namespace acre::mapping
