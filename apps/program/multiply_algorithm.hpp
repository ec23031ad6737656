// SPDX-License-Identifier: BSD-3-Clause
// Option --algorithm for products of block matrices.
#pragma once

#include <acre/block/block_multiply.hpp>

#include <apps/program/program.hpp>

#include <array>
#include <cstddef>

namespace acre::program {

inline void add_algorithm(command_line::command& program, multiply_algorithm& chosen) {
  program
      .add_choice(
          "--algorithm", {"automatic", "one_sided", "slicing", "cannon"},
          [&chosen](std::size_t place) {
            constexpr std::array all{multiply_algorithm::automatic, multiply_algorithm::one_sided,
                                     multiply_algorithm::slicing, multiply_algorithm::cannon};
            chosen = all[place];
          },
          "multiply by this algorithm: automatic, one_sided, slicing or cannon (default: "
          "automatic)")
      .type_name("NAME");
}

}  // namespace acre::program
