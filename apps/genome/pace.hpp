// SPDX-License-Identifier: BSD-3-Clause
// How much text the next round of counting may bring.
//
// The table grows between rounds only, so a round should bring no more new
// k-mers than there is room for. How many a text brings is known of the texts
// before: later ones bring fewer than earlier ones, as a rule. But repeats may
// end at any place of a file, so the amount at most doubles from round to round.
#pragma once

#include <algorithm>
#include <cstdint>

namespace acre::genome {

class pace {
 public:
  /// @param least  bytes that a round brings in any case
  explicit pace(std::uint64_t least) : least_(static_cast<double>(least)) {}

  /// The new k-mers that a round must have room for.
  [[nodiscard]] std::uint64_t least_room() const {
    return static_cast<std::uint64_t>(least_ * new_kmers_per_byte_);
  }

  /// @param room  for how many new k-mers there is room
  /// @return bytes of text
  [[nodiscard]] std::uint64_t budget(std::uint64_t room) const {
    const double fitting = static_cast<double>(room) / new_kmers_per_byte_;
    return static_cast<std::uint64_t>(std::min(fitting, most_));
  }

  /// What a round has brought.
  void learn(std::uint64_t bytes, std::uint64_t new_kmers) {
    const auto read = static_cast<double>(std::max<std::uint64_t>(bytes, 1));
    new_kmers_per_byte_ = std::clamp(static_cast<double>(new_kmers) / read, least_ratio, 1.0);
    most_ = 2 * std::max(read, least_);
  }

 private:
  static constexpr double least_ratio = 1e-6;  ///< in the mere repeats of one k-mer

  double least_;
  double new_kmers_per_byte_ = 1;
  double most_ = 1e18;  ///< bytes of the next round; of the first, as many as there is room for
};

}  // namespace acre::genome
