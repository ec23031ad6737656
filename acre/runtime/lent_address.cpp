// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/lent_address.hpp>

#include <acre/base/error.hpp>
#include <acre/base/split_mix.hpp>

#include <random>
#include <string>

namespace acre::runtime {

constinit std::uint64_t check_factor = golden_gamma;

namespace {

/// Drawn before any address is lent.
[[maybe_unused]] const bool is_drawn = [] {
  std::random_device chance;
  check_factor = (std::uint64_t{chance()} << 32 | chance()) | 1;
  return true;
}();

}  // namespace

void throw_not_lent(rank_t from) {
  throw error(
      "progress",
      "rank " + std::to_string(from) + " has answered a question that this rank did not ask",
      "that rank, or the network, is broken; run the same build of the program on all ranks");
}

}  // namespace acre::runtime
