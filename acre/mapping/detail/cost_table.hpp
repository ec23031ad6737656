// What a byte costs between a job's nodes, worked out once.
#pragma once

#include <acre/mapping/metrics.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acre::mapping {

/// The mean of both ways, which may differ. Nodes are named by their places in the list of the
/// job's shares.
class cost_table {
 public:
  explicit cost_table(const machine& where)
      : where_(where), places_(where.allocation.shares().size()) {
    constexpr std::size_t most_places = 1024;
    if (places_ > most_places) return;
    costs_.reserve(places_ * places_);
    for (std::uint32_t one = 0; one < places_; ++one) {
      for (std::uint32_t other = 0; other < places_; ++other) {
        costs_.push_back(worked_out(one, other));
      }
    }
  }

  [[nodiscard]] double between(std::uint32_t one, std::uint32_t other) const {
    return costs_.empty() ? worked_out(one, other) : costs_[one * places_ + other];
  }

 private:
  [[nodiscard]] double worked_out(std::uint32_t one, std::uint32_t other) const {
    const auto shares = where_.allocation.shares();
    const topology::node_t a = shares[one].node;
    const topology::node_t b = shares[other].node;
    return (where_.cost(a, b) + where_.cost(b, a)) / 2;
  }

  const machine& where_;
  std::size_t places_;
  std::vector<double> costs_;  ///< none when there are too many places
};

}  // namespace acre::mapping
