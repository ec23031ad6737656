// SPDX-License-Identifier: BSD-3-Clause
#include <acre/runtime/lent_address.hpp>

#include <acre/base/error.hpp>
#include <acre/base/split_mix.hpp>

#include <random>
#include <string>

namespace acre::runtime {

constinit std::uint64_t check_factor = golden_gamma;

namespace {

[[maybe_unused]] const bool is_drawn = [] {
  std::random_device chance;
  check_factor = (std::uint64_t{chance()} << 32 | chance()) | 1;
  return true;
}();

}  // namespace

void throw_not_lent(rank_t from) {
  throw error("progress",
              "rank " + std::to_string(from) + " sent an answer without a request of this rank",
              "run the same build of the program on all ranks; otherwise that rank or the network "
              "is faulty");
}

}  // namespace acre::runtime
