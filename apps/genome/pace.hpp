// SPDX-License-Identifier: BSD-3-Clause
// Text budget of the next counting round, whose new k-mers must fit the table. Earlier text
// estimates their rate; budgets at most double, as repeats may end anywhere.
#pragma once

#include <algorithm>
#include <cstdint>

namespace acre::genome {

class pace {
 public:
  explicit pace(std::uint64_t least) : least_(static_cast<double>(least)) {}

  [[nodiscard]] std::uint64_t least_room() const {
    return static_cast<std::uint64_t>(least_ * new_kmers_per_byte_);
  }

  /// @param room  new k-mers that fit
  /// @return bytes of text
  [[nodiscard]] std::uint64_t budget(std::uint64_t room) const {
    const double fitting = static_cast<double>(room) / new_kmers_per_byte_;
    return static_cast<std::uint64_t>(std::min(fitting, most_));
  }

  void learn(std::uint64_t bytes, std::uint64_t new_kmers) {
    const auto read = static_cast<double>(std::max<std::uint64_t>(bytes, 1));
    new_kmers_per_byte_ = std::clamp(static_cast<double>(new_kmers) / read, least_ratio, 1.0);
    most_ = 2 * std::max(read, least_);
  }

 private:
  static constexpr double least_ratio = 1e-6;

  double least_;
  double new_kmers_per_byte_ = 1;
  double most_ = 1e18;
};

}  // namespace acre::genome
