// SPDX-License-Identifier: BSD-3-Clause
// Random DNA sequences.
#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace acre::contigs {

[[nodiscard]] inline std::string random_bases(std::mt19937_64& random, std::size_t length) {
  std::string bases;
  for (std::size_t i = 0; i < length; ++i) bases += "ACGT"[random() >> 62];
  return bases;
}

}  // namespace acre::contigs
